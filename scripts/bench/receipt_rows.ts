/**
 * What a receipt takes of the database, as it is stored and in two smaller
 * forms: without what other columns and other rows say already, and that with
 * its signature cut into pieces that fill SQLite's pages. Real receipts, a
 * photo's four in each transaction.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { hybridSignerFromSeeds } from "../../src/crypto/hybrid.ts";
import { openEnvelope } from "../../src/crypto/envelope.ts";
import {
  type ReceiptFields,
  receiptHash,
  signReceipt,
} from "../../src/crypto/receipt.ts";
import { concatBytes, toHex } from "../../src/core/bytes.ts";
import { TABLES } from "../../src/store/tables.ts";
import { withScratch } from "./support.ts";

const PHOTOS = 1_000;
/** Of a photo: its original, its thumbnail, its metadata, its manifest. */
const ROLES = ["original", "derivative", "metadata", "provenance"] as const;
/**
 * Key, hash before, hash of the blob, size, role and time: what no other column
 * of the row says.
 */
const COMPACT_BYTES = 112;
/** Six pieces of 563 bytes leave least of a page of 4,096 empty. */
const PIECES = 6;

interface Made {
  readonly asset: string;
  readonly upload: string;
  readonly hash: string;
  readonly body: Uint8Array;
  readonly signature: Uint8Array;
}

const owner = crypto.randomUUID();
const photos = await makePhotos();
await withScratch((root) => {
  measure(`${root}/whole.sqlite`, "as it is stored", (one) => [one.body]);
  measure(`${root}/compact.sqlite`, "without what is said elsewhere", (one) => [
    concatBytes(new Uint8Array(COMPACT_BYTES), new Uint8Array(one.signature)),
  ]);
  measure(`${root}/pieces.sqlite`, "that, its signature in pieces", (one) => [
    new Uint8Array(COMPACT_BYTES),
    ...piecesOf(one.signature),
  ]);
  return Promise.resolve();
});

async function makePhotos(): Promise<readonly (readonly Made[])[]> {
  const seed = (byte: number) => new Uint8Array(32).fill(byte);
  const signer = await hybridSignerFromSeeds({
    ed25519: seed(1),
    mlDsa65: seed(2),
  });
  const random = () => crypto.getRandomValues(new Uint8Array(32));
  const server_id = "https://photos.example";
  const made: Made[][] = [];
  let [receipt_seq, prior]: [number, Uint8Array | null] = [0, null];
  for (let photo = 0; photo < PHOTOS; photo++) {
    const asset = crypto.randomUUID();
    const four: Made[] = [];
    for (const blob_role of ROLES) {
      const upload = crypto.randomUUID();
      const fields: ReceiptFields = {
        receipt_seq: ++receipt_seq,
        server_id,
        prior_receipt_hash: prior,
        upload_id: upload,
        asset_id: asset,
        blob_role,
        ciphertext_hash: random(),
        size: 2_345_678,
        envelope_hash: blob_role === "provenance" ? random() : null,
        received_at: "2026-11-25T01:02:03.456Z",
      };
      const body = await signReceipt(signer, fields);
      prior = receiptHash(body);
      const { signature } = openEnvelope(body);
      four.push({ asset, upload, hash: toHex(prior), body, signature });
    }
    made.push(four);
  }
  return made;
}

/** Stores all; the first of what `rowsOf` gives is the row's, others lie apart. */
function measure(
  path: string,
  what: string,
  rowsOf: (one: Made) => readonly Uint8Array[],
): void {
  const db = new DatabaseSync(path);
  db.exec(`pragma journal_mode = wal; ${TABLES}
    create table piece (at integer primary key, bytes blob not null) strict;`);
  const row = db.prepare("insert into receipt values (?, ?, ?, ?, ?, ?)");
  const piece = db.prepare("insert into piece values (?, ?)");
  let seq = 0;
  const began = performance.now();
  for (const four of photos) {
    db.exec("begin");
    for (const one of four) {
      const [body = new Uint8Array(), ...pieces] = rowsOf(one);
      row.run(++seq, owner, one.asset, one.upload, one.hash, body);
      for (const [at, bytes] of pieces.entries()) {
        piece.run(seq * PIECES + at, bytes);
      }
    }
    db.exec("commit");
  }
  const took = (performance.now() - began) / seq;
  const { bytes } = db.prepare(
    `select sum(pgsize) as bytes from dbstat
    where name like 'receipt%' or name = 'piece'`,
  ).get() ?? {};
  db.close();
  const each = (Number(bytes) / seq).toFixed(0);
  // deno-lint-ignore no-console
  console.log(
    `${what.padEnd(34)} ${each} bytes a receipt with its indexes, ` +
      `stored in ${(took * 1000).toFixed(0)} µs`,
  );
}

function piecesOf(bytes: Uint8Array): readonly Uint8Array[] {
  const length = Math.ceil(bytes.length / PIECES);
  return Array.from(
    { length: PIECES },
    (_, at) => bytes.subarray(at * length, (at + 1) * length),
  );
}
