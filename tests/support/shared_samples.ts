/**
 * The sample photographs behind share links, on a server of their own: made by
 * the reference client, for a browser to open.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import {
  becomeOwner,
  keepFile,
  type Owner,
  shareAll,
} from "../../scripts/demo/owner.ts";
import { openCustody } from "../../scripts/demo/custody.ts";
import { readFolder, type SourceFile } from "../../scripts/demo/folder.ts";
import { randomBytes } from "../../scripts/demo/staging.ts";
import { createClient } from "../../src/client/api.ts";
import {
  encodeShareIndex,
  newShare,
  parseShareLink,
  type ShareIndex,
  shareIndexHashes,
  type ShareItem,
  wrapShareSecret,
} from "../../src/client/share.ts";
import { serveHere, withDataDir } from "./program.ts";
import { Wire } from "./wire.ts";

const SAMPLES = fileURLToPath(new URL("../samples/", import.meta.url));
export const PASSPHRASE = "seven quiet rivers";

/** A gallery that is open to visitors. */
export interface SharedSamples {
  /** Stops the server; resolves to all that it logged. */
  readonly log: () => Promise<string>;
  readonly dataDir: string;
  /** What stands between browser and server. */
  readonly wire: Wire;
  readonly owner: Owner;
  readonly files: readonly SourceFile[];
  readonly items: ShareIndex["items"];
  /** A link with its key in the fragment. */
  readonly link: string;
  /** A link behind {@link PASSPHRASE}. */
  readonly lockedLink: string;
  /**
   * Another index of the same server; `over` stands beside its items, and
   * `encode` may write what no client would.
   */
  readonly shareAgain: (
    items: ShareIndex["items"],
    title?: string,
    over?: Partial<ShareIndex>,
    encode?: typeof encodeShareIndex,
  ) => Promise<string>;
}

/** Stores the samples and shares them, for as long as a test takes. */
export async function withSharedSamples(
  test: (shared: SharedSamples) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  await withDataDir(async (dataDir) => {
    const program = await serveHere({
      STRONGROOM_DATA_DIR: `${dataDir}/data`,
      STRONGROOM_ARGON2_MEMORY_KIB: "8",
      STRONGROOM_LOG_FORMAT: "json",
      ...settings,
    });
    const wire = new Wire(Number(new URL(program.url).port));
    let stopped: Promise<number> | undefined;
    const stop = () => stopped ??= program.stop();
    try {
      const client = createClient({
        baseUrl: program.url,
        fetch: (input, init) => fetch(input, init),
      });
      const owner = await becomeOwner(client);
      const stagingDir = `${dataDir}/staging`;
      await Deno.mkdir(stagingDir);
      const storing = { stagingDir, custody: openCustody(), onProgress() {} };
      const files = await readFolder(SAMPLES);
      const items: ShareItem[] = [];
      for (const file of files) {
        items.push((await keepFile(owner, file, storing)).item);
      }
      const shareAgain: SharedSamples["shareAgain"] = async (
        items,
        title,
        over = {},
        encode = encodeShareIndex,
      ) => {
        const index = {
          ...{ v: 1 as const, items, ...over },
          ...(title === undefined ? {} : { title }),
        };
        const shared = await shareAll(
          owner,
          wire.origin,
          index,
          storing,
          encode(index),
        );
        return shared.link;
      };
      const link = await shareAgain(items, "Sample photographs");
      const lockedLink = await lock(link, owner, items, client, wire.origin);
      await test({
        log: async () => {
          await stop();
          return await program.complaint();
        },
        dataDir: `${dataDir}/data`,
        wire,
        owner,
        files,
        items,
        link,
        lockedLink,
        shareAgain,
      });
    } finally {
      wire.close();
      await stop();
    }
  });
}

/** The same index under another link, its secret behind the passphrase. */
async function lock(
  link: string,
  owner: Owner,
  items: ShareIndex["items"],
  client: ReturnType<typeof createClient>,
  origin: string,
): Promise<string> {
  const { opaqueId, secret } = parseShareLink(link) ?? {};
  if (opaqueId === undefined || secret === undefined) throw new Error(link);
  const { metadata_hash } = await client.viewShare(opaqueId);
  const locked = newShare(randomBytes).opaqueId;
  await owner.account.issueShare({
    opaqueId: locked,
    metadataHash: metadata_hash,
    serves: [metadata_hash, ...shareIndexHashes({ v: 1, items })],
    wrappedSecret: await wrapShareSecret(PASSPHRASE, secret, randomBytes),
  });
  return `${origin}/s/${locked}`;
}
