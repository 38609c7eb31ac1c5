/**
 * A library of tens of thousands of photos within seconds: rows written into
 * the database and small blobs into their places, sealed under the account's
 * own keys, so that its programs open every one of them. Originals are rows
 * alone, and there are no receipts: what is looked at here is a timeline.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import type { Bytes } from "../../src/core/bytes.ts";
import { toHex } from "../../src/core/bytes.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { metadataKey } from "../../src/client/documents/file_key.ts";
import type { Vault } from "../../src/library/mod.ts";
import {
  encodeMetadata,
  type Metadata,
} from "../../src/client/documents/metadata.ts";
import { nativePrimitives } from "../../src/client/keys/native.ts";
import {
  ciphertextSize,
  encryptBytes,
} from "../../src/client/stream/stream.ts";
import { databasePath } from "../../src/store/data_paths.ts";
import { randomBytes } from "../demo/staging.ts";

/** What is put there. */
interface SeedOptions {
  /** The server's data directory; it may be serving. */
  readonly dataDir: string;
  readonly vault: Vault;
  readonly count: number;
  /** Photos take turns with these. */
  readonly pictures: readonly SeedPicture[];
  /** When the newest was taken, in milliseconds. */
  readonly newestMs: number;
  /** Days that they are spread over. */
  readonly days: number;
}

/** A picture of a seeded photo. */
export interface SeedPicture {
  readonly thumbnail: Bytes;
  readonly width: number;
  readonly height: number;
  readonly thumbhash?: Uint8Array;
}

const DAY_MS = 86_400_000;
const CAMERAS = ["Pixel 9", "iPhone 16", "X100VI", "EOS R6"];
const KINDS = ["jpg", "jpg", "jpg", "jpg", "jpg", "jpg", "png", "mp4"];
const MIMES: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  png: "image/png",
  mp4: "video/mp4",
};

interface Blob {
  readonly role: string;
  readonly hash: string;
  readonly size: number;
}

/** Puts the photos there. Resolves to their ids, newest first. */
export async function seedLibrary(
  { dataDir, vault, count, pictures, newestMs, days }: SeedOptions,
): Promise<string[]> {
  const database = new DatabaseSync(databasePath(dataDir));
  database.exec("pragma busy_timeout = 10000; pragma synchronous = off");
  const insert = insertersOf(database, vault, newestMs);
  const ids: string[] = [];
  const made = new Set<string>();
  const place = (sealed: Bytes, role: string): Blob => {
    const hash = sha256Of(sealed);
    const folder = `${dataDir}/blobs/${hash.slice(0, 2)}/${hash.slice(2, 4)}`;
    if (!made.has(folder)) {
      Deno.mkdirSync(folder, { recursive: true });
      made.add(folder);
    }
    Deno.writeFileSync(`${folder}/${hash}`, sealed);
    return { role, hash, size: sealed.length };
  };
  const seal = (key: Bytes, plaintext: Bytes) =>
    encryptBytes(
      { fileKey: key, primitives: nativePrimitives },
      randomBytes(16),
      plaintext,
    );
  let open = 0;
  // In the feed the oldest comes first, as in a library that grew.
  for (let i = count - 1; i >= 0; i--) {
    if (open === 0) database.exec("begin immediate");
    const id = crypto.randomUUID();
    const picture = pictures[i % pictures.length];
    if (picture === undefined) throw new Error("a library needs pictures");
    const key = randomBytes(32);
    const thumbnail = place(
      await seal(key, picture.thumbnail),
      "derivative",
    );
    const metadata = metadataOf(i, takenOf(i, { count, newestMs, days }), {
      picture,
      hash: thumbnail.hash,
      key,
    });
    const described = metadataKey(vault.libraryKey, id, nativePrimitives);
    insert(id, [
      {
        role: "original",
        hash: toHex(randomBytes(32)),
        size: ciphertextSize(metadata.size),
      },
      thumbnail,
      place(await seal(described, encodeMetadata(metadata)), "metadata"),
      { role: "provenance", hash: toHex(randomBytes(32)), size: 3_960 },
    ]);
    ids.push(id);
    open = (open + 1) % 1_000;
    if (open === 0) database.exec("commit");
  }
  if (open > 0) database.exec("commit");
  database.close();
  return ids.reverse();
}

/** Newest first, unevenly: days of one photo, and days of sixty. */
function takenOf(
  i: number,
  { count, newestMs, days }: Pick<SeedOptions, "count" | "newestMs" | "days">,
): number {
  const along = i / count * days;
  const burst = Math.floor(along) + (along % 1) ** 3 * 0.4;
  return Math.round(newestMs - burst * DAY_MS - i);
}

function metadataOf(
  i: number,
  takenMs: number,
  { picture, hash, key }: {
    readonly picture: SeedPicture;
    readonly hash: string;
    readonly key: Uint8Array;
  },
): Metadata {
  const ending = KINDS[i % KINDS.length] ?? "jpg";
  const { width, height, thumbhash, thumbnail } = picture;
  return {
    name: `IMG_${String(10_000 + i)}.${ending}`,
    mime: MIMES[ending] ?? "image/jpeg",
    size: 3_000_000 + i % 1_000_000,
    sha256: sha256Hex(new TextEncoder().encode(`original ${i}`)),
    taken_at: new Date(takenMs).toISOString(),
    taken_offset: 0,
    taken_source: "exif",
    width: width * 8,
    height: height * 8,
    derived: true,
    revision: 0,
    camera: { model: CAMERAS[i % 977 % CAMERAS.length] ?? "" },
    ...(ending === "mp4" ? { duration_ms: 3_000 + i % 90_000 } : {}),
    ...(i % 53 === 0 ? { favourite: true } : {}),
    ...(thumbhash === undefined ? {} : { thumbhash }),
    derivatives: [{
      hash,
      kind: "thumbnail",
      mime: "image/jpeg",
      key,
      size: thumbnail.length,
      width,
      height,
    }],
  };
}

function sha256Of(bytes: Bytes): string {
  const hash = nativePrimitives.sha256();
  hash.update(bytes);
  return toHex(hash.digest());
}

/** Writes an asset and its blobs, as if it had been uploaded. */
function insertersOf(
  database: DatabaseSync,
  { session, libraryAlbumId }: Vault,
  nowMs: number,
): (id: string, blobs: readonly Blob[]) => void {
  const { userId } = session;
  const blobRow = database.prepare(
    "insert into blob (hash, size, stored_at) values (?, ?, ?)",
  );
  const holdingRow = database.prepare(
    `insert into holding (owner_id, asset_id, role, hash, size, upload_id,
      finalized_at, receipt_seq, applied) values (?, ?, ?, ?, ?, ?, ?, ?, 1)`,
  );
  const feedRow = database.prepare(
    `insert into feed (user_id, action, album_id, asset_id, chain_head, at,
      album_owner_id) values (?, 'create', ?, ?, ?, ?, ?)`,
  );
  const assetRow = database.prepare(
    `insert into asset (asset_id, owner_id, album_id, state, chain_head,
      sync_seq, created_at, updated_at) values (?, ?, ?, 'live', ?, ?, ?, ?)`,
  );
  const manifestRow = database.prepare(
    `insert into manifest (owner_id, asset_id, manifest_hash, action, envelope,
      sync_seq, receipt_seq, applied_at) values (?, ?, ?, 'create', '{}', ?, ?,
      ?)`,
  );
  const usageRow = database.prepare(
    `insert into usage (user_id, used_bytes, live_assets, held_blobs)
      values (?, ?, 1, ?)
      on conflict do update set used_bytes = used_bytes + excluded.used_bytes,
        live_assets = live_assets + 1,
        held_blobs = held_blobs + excluded.held_blobs`,
  );
  let receipt = 1_000_000_000;
  return (id, blobs) => {
    const head = blobs.find(({ role }) => role === "provenance")?.hash ?? "";
    for (const { role, hash, size } of blobs) {
      blobRow.run(hash, size, nowMs);
      holdingRow.run(userId, id, role, hash, size, id, nowMs, receipt++);
    }
    const bytes = blobs.reduce((sum, { size }) => sum + size, 0);
    usageRow.run(userId, bytes, blobs.length);
    const { lastInsertRowid: seq } = feedRow.run(
      userId,
      libraryAlbumId,
      id,
      head,
      nowMs,
      userId,
    );
    assetRow.run(id, userId, libraryAlbumId, head, seq, nowMs, nowMs);
    manifestRow.run(userId, id, head, seq, receipt, nowMs);
  };
}
