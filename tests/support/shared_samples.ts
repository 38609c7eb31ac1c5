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
import { createClient } from "../../src/client/api/api.ts";
import {
  buildShareLink,
  encodeShareIndex,
  newShare,
  protectShare,
  type ShareIndex,
  type ShareItem,
} from "../../src/client/documents/share.ts";
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
   * Another index of the same server. `over` is added to its items, and
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
          ...{ v: 1 as const, n: 0, items, ...over },
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
      const { fragment, ...guarded } = await guard();
      await shareAll(
        owner,
        wire.origin,
        { v: 1, n: 0, title: "Sample photographs", items },
        storing,
        undefined,
        guarded,
      );
      const lockedLink = buildShareLink({
        origin: wire.origin,
        opaqueId: guarded.opaqueId,
        secret: fragment,
      });

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

/** What a link behind the passphrase is made of. */
async function guard() {
  const { opaqueId, secret: fragment } = newShare(randomBytes);
  const of = { opaqueId, fragment };
  const guarded = await protectShare(PASSPHRASE, of, randomBytes);
  return { ...of, ...guarded };
}
