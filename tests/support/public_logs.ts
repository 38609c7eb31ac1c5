/**
 * The public logs as a stranger reads them, who has the published keys.
 *
 * @module
 */
import assert from "node:assert/strict";
import { fromBase64, toHex } from "../../src/core/bytes.ts";
import { decodeCanonical } from "../../src/core/cbor.ts";
import {
  bundlesBetween,
  decodeBundle,
  hashesOf,
  hashOfTile,
  leafHash,
  nodeInTile,
  rootOf,
  tileOfNode,
  tilePath,
} from "../../src/crypto/logs/merkle.ts";
import {
  type Checkpoint,
  noteKey,
  parseCheckpoint,
  parseNote,
  verifyNote,
} from "../../src/crypto/logs/signed_note.ts";
import type { BlobHash, UploadId, UserId } from "../../src/core/ids.ts";
import type { Sender, TestApp } from "./app.ts";
import { hashOf, type Person } from "./people.ts";
import { tilesBetween } from "./log_reader.ts";
import { publishedRecord } from "./custody.ts";
import type { Json } from "./expect.ts";

/** Has the chain issue so many receipts of a person's. */
export async function issueReceipts(
  app: TestApp,
  { userId }: Pick<Person, "userId">,
  count: number,
) {
  const one = () => ({
    ownerId: userId as UserId,
    uploadId: app.app.newId<UploadId>(),
    assetId: null,
    blobRole: "original" as const,
    ciphertextHash: hashOf("x") as BlobHash,
    size: 1,
    envelopeHash: null,
  });
  await Promise.all(
    Array.from(
      { length: count },
      () => app.app.receipts.issue(one(), () => Promise.resolve()),
    ),
  );
}

export type Name = "custody" | "keys";

interface ReadLog extends Checkpoint {
  readonly note: string;
  /** Of the leaves, in hex. */
  readonly leaves: readonly string[];
}

/** Bytes of a path of a log; undefined for 404, and for no path of a tile. */
export async function readPath(
  server: Sender,
  path: string,
): Promise<Uint8Array | undefined> {
  const response = await server.send("GET", path, { protocol: null });
  if (response.status === 404 || response.status === 400) {
    await response.body?.cancel();
    return undefined;
  }
  assert.equal(response.status, 200, path);
  return await response.bytes();
}

/** The checkpoint of a log, signed by both keys of the server. */
export async function readCheckpoint(
  server: Sender,
  name: Name,
): Promise<(Checkpoint & { readonly note: string }) | undefined> {
  const bytes = await readPath(server, `/log/${name}/checkpoint`);
  if (bytes === undefined) return undefined;
  const note = parseNote(bytes);
  const checkpoint = note && parseCheckpoint(note.text);
  assert(note && checkpoint);
  const record = await publishedRecord(server);
  const key = (one: Json, type: "ed25519" | "hybrid") =>
    noteKey(checkpoint.origin, type, fromBase64(one.public) ?? bytes);
  const keys = [
    ...record.log_keys.map((one: Json) => key(one, "ed25519")),
    ...record.keys.map((one: Json) => key(one, "hybrid")),
  ];
  const signed = await verifyNote(note, keys);
  assert.deepEqual(
    signed?.map(({ key }) => key.type).slice(0, 2),
    ["ed25519", "hybrid"],
  );
  return { ...checkpoint, note: new TextDecoder().decode(bytes) };
}

/** A whole log, every tile of which was read and makes the signed root. */
export async function readLog(server: Sender, name: Name): Promise<ReadLog> {
  const head = await readCheckpoint(server, name);
  assert(head !== undefined, `no checkpoint of ${name}`);
  const tiles = new Map<string, Uint8Array>();
  for (const tile of tilesBetween(0, head.size)) {
    const path = tilePath(tile);
    const bytes = await readPath(server, `/log/${name}/${path}`);
    assert(bytes !== undefined, path);
    assert.equal(bytes.length, tile.width * 32, path);
    tiles.set(path, bytes);
    const hashes = hashesOf(bytes);
    for (let at = 0; tile.level !== 0 && at < tile.width; at++) {
      const below = tiles.get(tilePath({
        level: Number(tile.level) - 1,
        index: tile.index * 256 + at,
        width: 256,
      }));
      assert(below !== undefined);
      assert.deepEqual(hashes[at], hashOfTile(below));
    }
  }
  const root = rootOf(head.size, (node) => {
    const bytes = tiles.get(tilePath(tileOfNode(node, head.size)));
    assert(bytes !== undefined);
    return nodeInTile(node, bytes);
  });
  assert.equal(toHex(root), toHex(head.root));
  const leaves = [...tiles].filter(([path]) => path.startsWith("tile/0/"))
    .flatMap(([, bytes]) => hashesOf(bytes).map(toHex));
  return { ...head, leaves };
}

/** The entries of the keys log, each of which is a leaf of the signed tree. */
export async function readEntries(
  server: Sender,
  { size, leaves }: ReadLog,
): Promise<Json[]> {
  const entries: Uint8Array[] = [];
  for (const bundle of bundlesBetween(0, size)) {
    const bytes = await readPath(server, `/log/keys/${tilePath(bundle)}`);
    assert(bytes !== undefined);
    entries.push(...decodeBundle(bytes) ?? []);
  }
  assert.deepEqual(entries.map((entry) => toHex(leafHash(entry))), leaves);
  return entries.map((entry) => decodeCanonical(entry) as Json);
}
