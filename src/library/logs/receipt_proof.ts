/**
 * Making the proof that a held receipt stands in the server's public log
 * (protocol/logs.md#the-proof-of-a-receipt).
 *
 * @module
 */
import { type Bytes, equalBytes, fromBase64, toHex } from "../../core/bytes.ts";
import {
  inclusionNodes,
  makeProof,
  nodeInTile,
  tileOfNode,
  tilePath,
  TREE_HASH_BYTES,
} from "../../crypto/logs/merkle.ts";
import { receiptHash } from "../../crypto/receipt.ts";
import type { PublishedKeys } from "../../crypto/receipt_chain.ts";
import {
  formatReceiptProof,
  type ProofVerdict,
  type ReceiptProof,
  verifyReceiptProof,
} from "../../crypto/receipt_proof.ts";
import { parseCheckpoint, parseNote } from "../../crypto/logs/signed_note.ts";
import { persist } from "../../client/api/send.ts";
import type { Storing } from "../trust/asset_receipts.ts";
import { blobName, type HeldReceipt } from "../trust/custody.ts";
import { CustodyError } from "../base/faults.ts";
import { keysAfter } from "../trust/pins.ts";
import type { Row } from "../rows/rows.ts";

const PAGE = 1_000;

/** A proof that was verified. */
export interface ProvenReceipt extends Extract<ProofVerdict, { ok: true }> {
  readonly proof: ReceiptProof;
  /** The text of its file. */
  readonly file: string;
}

/**
 * The receipt of an asset's original that this device holds, the oldest where
 * there are several; undefined where it holds none.
 */
export async function heldReceiptOf(
  { custody }: Storing,
  { id, blobs }: Row,
): Promise<HeldReceipt | undefined> {
  const original = blobs.find(({ role }) => role === "original");
  if (original === undefined) return undefined;
  const name = blobName(original.role, original.hash);
  for (let after = 0;;) {
    const held = await custody.held(after, PAGE);
    for (const one of held) {
      if (one.assetId === id && one.blob() === name) return one;
      after = one.seq;
    }
    if (held.length < PAGE) return undefined;
  }
}

/**
 * Makes the proof of a receipt from the tiles of the log, and verifies it.
 * Undefined as long as no checkpoint covers the receipt. Throws CustodyError
 * where the server denies the receipt, or signs a tree without it.
 */
export async function proveReceipt(
  { vault, custody }: Storing,
  held: HeldReceipt,
): Promise<ProvenReceipt | undefined> {
  const { account, client } = vault.session;
  const asked = async (include: "cbor" | "index") => {
    const page = await persist(
      account,
      () => account.receiptsAfter(held.seq - 1, { limit: 1, include }),
      {},
    );
    const [one] = page.receipts;
    if (one?.receipt_seq === held.seq && one.sha256 === toHex(held.digest())) {
      return one;
    }
    throw new CustodyError(
      "receipt_missing",
      `the server denies its receipt ${held.seq}`,
    );
  };
  const { log_index: index } = await asked("index");
  if (index === undefined || index === null) return undefined;
  const receipt = held.cbor ??
    fromBase64((await asked("cbor")).receipt_cbor ?? "");
  if (
    receipt === undefined || !equalBytes(receiptHash(receipt), held.digest())
  ) {
    throw new CustodyError(
      "receipt_missing",
      `the server denies its receipt ${held.seq}`,
    );
  }
  const published = await trusted(
    await custody.keys(),
    await client.attestationKeys(),
  );
  const bytes = await client.logCheckpoint("custody");
  const note = new TextDecoder().decode(bytes);
  const proof: ReceiptProof = {
    receipt,
    published,
    index,
    hashes: await hashesOf(client, note, index),
    note,
  };
  const verdict = await verifyReceiptProof(proof, proof.published);
  if (!verdict.ok) throw contradicts(verdict.detail);
  return { ...verdict, proof, file: formatReceiptProof(proof) };
}

type Client = Storing["vault"]["session"]["client"];

/** The hashes of a proof, of tiles as wide as the tree has them. */
async function hashesOf(
  client: Client,
  note: string,
  index: number,
): Promise<readonly Uint8Array[]> {
  const checkpoint = parseCheckpoint(parseNote(note)?.text ?? "");
  if (checkpoint === undefined || index >= checkpoint.size) {
    throw contradicts("the log has no checkpoint that has the receipt");
  }
  const { origin, size } = checkpoint;
  const nodes = inclusionNodes(index, size);
  const tiles = new Map<string, Bytes>();
  for (const node of nodes.flat()) {
    const tile = tileOfNode(node, size);
    const path = tilePath(tile);
    if (tiles.has(path)) continue;
    const bytes = await client.logTile("custody", path, genOf(origin));
    if (bytes.length !== tile.width * TREE_HASH_BYTES) {
      throw contradicts(`${path} of the log has ${bytes.length} bytes`);
    }
    tiles.set(path, bytes);
  }
  return makeProof(nodes, (node) => {
    const tile = tiles.get(tilePath(tileOfNode(node, size)));
    if (tile === undefined) throw new RangeError("a tile was not read");
    return nodeInTile(node, tile);
  });
}

function genOf(origin: string): string {
  return origin.slice(origin.lastIndexOf("/") + 1);
}

/** The published keys that are pinned here, and those that follow them. */
async function trusted(
  pinned: PublishedKeys,
  shown: PublishedKeys,
): Promise<PublishedKeys> {
  const later = await keysAfter(pinned, shown);
  const ids = new Set([...pinned.keys, ...later].map(({ keyId }) => keyId));
  return { ...shown, keys: shown.keys.filter(({ keyId }) => ids.has(keyId)) };
}

function contradicts(detail: string): CustodyError {
  return new CustodyError("not_in_log", `the public log: ${detail}`);
}
