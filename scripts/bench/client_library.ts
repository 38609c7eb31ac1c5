/**
 * A library of many assets on a device that knows nothing yet: the first sync,
 * the next one, search, and verification, each against curl that asks the same
 * and understands nothing, or grep that looks through the same names.
 *
 * Ten assets are real; the others are rows and metadata blobs that are written
 * under the server, sealed with the library's own key.
 *
 * @module
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { metadataKey } from "../../src/client/documents/file_key.ts";
import { deriveLibraryKey } from "../../src/client/documents/identity.ts";
import * as client from "../../src/library/mod.ts";
import { searched } from "../../src/library/finding/search.ts";
import { readAhead } from "../../src/library/finding/search_facts.ts";
import {
  knownOf,
  vocabularyOf,
} from "../../src/library/finding/search_known.ts";
import { encodeMetadata } from "../../src/client/documents/metadata.ts";
import { nativePrimitives } from "../../src/client/keys/native.ts";
import { encryptBytes, SALT_BYTES } from "../../src/client/stream/stream.ts";
import { uuidV4 } from "../../src/core/ids.ts";
import { startServer } from "../demo/server.ts";
import { freePort } from "../../src/server/free_port.ts";
import { randomBytes } from "../demo/staging.ts";
import { curl, recording } from "./curl.ts";
import { cpuSeconds, MIB, repeated, say, startOurs } from "./support.ts";

const REAL = 10;
const MORE = 10;
const FIRST_SYNC_SECONDS = 60;
const NEXT_SYNC_SECONDS = 1;
const VERIFIED_FILES = 50;
const SEARCHES = 20;
const SEARCH_MS = 30;
/** In which the budget of questions is whole again (protocol/limits.md). */
const BUDGET_MS = 60_000;

/** Measures it all; says a line for each. */
export async function benchLibrary(
  scratch: string,
  assets: number,
): Promise<void> {
  const folder = join(scratch, "library");
  await Deno.mkdir(folder);
  // One origin over the restart: it is what tokens are for.
  const settings = {
    STRONGROOM_LISTEN: `127.0.0.1:${freePort()}`,
    STRONGROOM_LOG_LEVEL: "warning",
    STRONGROOM_LIMIT_DEEP_VERIFY_BYTES: "1TiB",
  };
  const first = await startOurs(folder, settings);
  const wire = recording(folder);
  const platform = platformOver(wire.fetch);
  const session = await client.registerAccount(platform, {
    server: first.server.origin,
    address: "grace@example.org",
    password: "a horse that reads the newspaper",
    device: { name: "bench", platform: "linux" },
    credentials: client.memoryCredentialStore(),
  });
  const vault = await client.openVault(session);
  const writer = await client.openLibrary(vault, client.memoryStore());
  await takeFiles(writer, REAL, 1_000);
  await first.server.stop();
  const masterKey = session.masterKey();
  const [like] = writer.list();
  if (masterKey === undefined || like === undefined) throw new Error("no key");
  await writeAssets(join(folder, "data"), like, masterKey, assets);
  const server = await startServer({
    dataDir: join(folder, "data"),
    logFile: join(folder, "again.log"),
    settings,
  });
  try {
    const store = client.memoryStore();
    const reader = await client.openLibrary(vault, store);
    wire.take();
    const spent = await cpuOfBoth(server.pid);
    const began = performance.now();
    await reader.sync();
    const seconds = (performance.now() - began) / 1_000;
    const [here, there] = await cpuOfBoth(server.pid);
    const found = reader.list().length;
    if (found < assets) throw new Error(`${found} of ${assets} assets`);
    await pause(BUDGET_MS);
    const asked = await curl(folder, wire.take());
    say(
      `first sync of ${assets.toLocaleString("en")}: ${
        seconds.toFixed(1)
      } s (processor: ${(here - spent[0]).toFixed(1)} s here, ${
        (there - spent[1]).toFixed(1)
      } s in the server), ` +
        `curl asks the same in ${asked.toFixed(1)} s: ` +
        `${(seconds / asked).toFixed(1)} times ` +
        `(target: below ${FIRST_SYNC_SECONDS} s)`,
    );
    const opening = performance.now();
    await client.openLibrary(vault, store);
    say(
      `opening it again from what is kept here: ${
        ((performance.now() - opening) / 1_000).toFixed(1)
      } s`,
    );
    await benchNext(folder, writer, reader, wire);
    await benchSearch(folder, reader);
    await benchVerify(folder, writer, wire);
  } finally {
    await server.stop();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

/** Processor seconds of this process and of the server. */
async function cpuOfBoth(pid: number): Promise<readonly [number, number]> {
  return [await cpuSeconds("self") ?? 0, await cpuSeconds(pid) ?? 0];
}

function platformOver(fetch: client.LibraryPlatform["fetch"]) {
  return {
    fetch,
    now: () => Date.now(),
    random: randomBytes,
    wait: pause,
    clientVersion: "strongroom-bench/1",
    primitives: nativePrimitives,
  };
}

async function takeFiles(
  library: client.Library,
  files: number,
  bytes: number,
): Promise<string[]> {
  const { piece } = repeated(1, bytes);
  const ids: string[] = [];
  for (let i = 0; i < files; i++) {
    crypto.getRandomValues(piece.subarray(0, 32));
    const { row } = await library.take({
      source: client.plainOf(piece.slice()),
      about: { name: `real ${i}.jpg`, mime: "image/jpeg" },
    });
    ids.push(row.id);
  }
  return ids;
}

/** The metadata of a photo as cameras leave it. */
function metadataOf(i: number, size: number) {
  const day = new Date(Date.UTC(2005, 0, 1) + i * 3_600_000 * 3);
  return {
    name: `IMG_${String(i).padStart(6, "0")}.jpg`,
    mime: "image/jpeg",
    size,
    sha256: sha256Hex(new TextEncoder().encode(`photo ${i}`)),
    derived: true,
    revision: 0,
    taken_at: day.toISOString(),
    width: 4_032,
    height: 3_024,
    camera: { make: "Bench", model: `Model ${i % 7}` },
    derivatives: [],
  };
}

/** Writes assets under a server that does not run. */
async function writeAssets(
  dataDir: string,
  like: client.Row,
  masterKey: Uint8Array,
  assets: number,
): Promise<void> {
  const original = like.blobs.find(({ role }) => role === "original");
  if (original === undefined) throw new Error("no original");
  const libraryKey = deriveLibraryKey(masterKey, nativePrimitives);
  const database = new DatabaseSync(join(dataDir, "db/strongroom.sqlite"));
  const row = (table: string, columns: string) =>
    database.prepare(
      `insert into ${table} (${columns}) values (${
        columns.split(",").map(() => "?").join(", ")
      })`,
    );
  const blob = row("blob", "hash, size, stored_at");
  const holding = row(
    "holding",
    "owner_id, asset_id, role, hash, size, upload_id, finalized_at, receipt_seq, applied",
  );
  const feed = row(
    "feed",
    "user_id, action, album_id, asset_id, chain_head, at",
  );
  const asset = row(
    "asset",
    "asset_id, owner_id, album_id, state, chain_head, sync_seq, created_at, updated_at",
  );
  const manifest = row(
    "manifest",
    "owner_id, asset_id, manifest_hash, action, envelope, sync_seq, receipt_seq, applied_at",
  );
  const { envelope = "{}" } = database.prepare(
    "select envelope from manifest where asset_id = ?",
  ).get(like.id) ?? {};
  const now = Date.now();
  database.exec("pragma synchronous = off; begin");
  for (let i = 0; i < assets; i++) {
    const id = uuidV4(randomBytes);
    const sealed = await encryptBytes(
      {
        fileKey: metadataKey(libraryKey, id, nativePrimitives),
        primitives: nativePrimitives,
      },
      randomBytes(SALT_BYTES),
      encodeMetadata(metadataOf(i, like.metadata?.size ?? 0)),
    );
    const hash = sha256Hex(sealed);
    const head = sha256Hex(randomBytes(32));
    const folder = join(dataDir, "blobs", hash.slice(0, 2), hash.slice(2, 4));
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeFile(join(folder, hash), sealed);
    blob.run(hash, sealed.length, now);
    blob.run(head, 1_000, now);
    for (
      const [role, held, size] of [
        ["original", original.hash, original.size],
        ["metadata", hash, sealed.length],
        ["provenance", head, 1_000],
      ] as const
    ) {
      holding.run(like.owner, id, role, held, size, id, now, 1_000_000 + i, 1);
    }
    const { lastInsertRowid: seq } = feed.run(
      ...[like.owner, "create", like.album ?? null, id, head, now],
    );
    asset.run(
      ...[id, like.owner, like.album ?? null, "live", head, seq, now, now],
    );
    manifest.run(
      ...[like.owner, id, head, "create", envelope, seq, 1_000_000 + i, now],
    );
  }
  database.exec("commit; pragma wal_checkpoint(truncate)");
  database.close();
}

type Wire = ReturnType<typeof recording>;

async function benchNext(
  folder: string,
  writer: client.Library,
  reader: client.Library,
  wire: Wire,
): Promise<void> {
  await takeFiles(writer, MORE, 1_000);
  wire.take();
  const began = performance.now();
  const { changed } = await reader.sync();
  const seconds = (performance.now() - began) / 1_000;
  if (changed.length !== MORE) throw new Error(`${changed.length} changed`);
  const asked = await curl(folder, wire.take());
  say(
    `${MORE} more: ${seconds.toFixed(2)} s, curl ${asked.toFixed(2)} s: ` +
      `${(seconds / asked).toFixed(1)} times ` +
      `(target: below ${NEXT_SYNC_SECONDS} s)`,
  );
}

async function benchSearch(
  folder: string,
  reader: client.Library,
): Promise<void> {
  const names = join(folder, "names");
  await Deno.writeTextFile(
    names,
    reader.list().map(({ metadata }) => JSON.stringify(metadata)).join("\n"),
  );
  const rows = reader.list();
  // As the app does it when a person goes to the search field.
  const ahead = performance.now();
  let [since, longest] = [ahead, 0];
  await readAhead(rows, vocabularyOf(reader.index), () => {
    longest = Math.max(longest, performance.now() - since);
    return new Promise((resolve) =>
      setTimeout(() => {
        since = performance.now();
        resolve();
      })
    );
  });
  say(
    `reading ahead for search: ${(performance.now() - ahead).toFixed(0)} ms, ` +
      `at most ${longest.toFixed(0)} ms at a stretch`,
  );
  for (
    const words of [
      "img_000042",
      "june 2009",
      "model",
      "last summer",
      // Mistyped: once for what it is, and once for what it was meant to be.
      "modle 2009",
    ]
  ) {
    const search = () => {
      const known = knownOf(reader, Date.now());
      return searched(rows, (row) => row, words, known).length;
    };
    // It makes more that the next ones know.
    const opening = performance.now();
    const found = search();
    const first = performance.now() - opening;
    const began = performance.now();
    for (let i = 0; i < SEARCHES; i++) search();
    const ours = (performance.now() - began) / SEARCHES;
    const [word = ""] = words.split(" ");
    const grepped = performance.now();
    for (let i = 0; i < SEARCHES; i++) {
      await new Deno.Command("grep", {
        args: ["-ic", word, names],
        stdout: "null",
      }).output();
    }
    const grep = (performance.now() - grepped) / SEARCHES;
    say(
      `search for "${words}": ${found} in ${ours.toFixed(0)} ms, ` +
        `at first ${first.toFixed(0)} ms, ` +
        `grep for its first word ${grep.toFixed(0)} ms: ` +
        `${(ours / grep).toFixed(1)} times ` +
        `(target: below ${SEARCH_MS} ms)`,
    );
  }
}

async function benchVerify(
  folder: string,
  writer: client.Library,
  wire: Wire,
): Promise<void> {
  const assetIds = await takeFiles(writer, VERIFIED_FILES, MIB);
  for (
    const [what, verify] of [
      ["asked about", () => writer.confirm({ assetIds })],
      [
        "read again by the server",
        () => writer.confirm({ assetIds, deep: true }),
      ],
      ["read back", () => writer.readBack({ assetIds })],
    ] as const
  ) {
    wire.take();
    const began = performance.now();
    const { confirmed } = await verify();
    const seconds = (performance.now() - began) / 1_000;
    if (confirmed.length !== assetIds.length) throw new Error(`not ${what}`);
    const asked = await curl(folder, wire.take());
    say(
      `verify, ${VERIFIED_FILES} files of 1 MiB ${what}: ` +
        `${seconds.toFixed(2)} s, curl ${asked.toFixed(2)} s: ` +
        `${(seconds / asked).toFixed(1)} times`,
    );
  }
}
