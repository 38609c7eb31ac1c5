/**
 * Clients that write down what they were promised, and when: from the answer
 * on, until they ask for something else.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Sender } from "../support/app.ts";
import { expectEmpty, expectJson, type Json } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  type LiveAsset,
  patchBytes,
  type Person,
  uuidOf,
} from "../support/people.ts";
import { provisionAlbum } from "../support/albums.ts";
import { createByOp } from "../support/ops.ts";
import { readAsset, readBlob, sendManifest } from "../support/api.ts";
import { sendDelete, sendRestore } from "../support/trash.ts";
import { offsetOf } from "../support/uploads.ts";

/** Something that was acknowledged. */
interface Kept {
  readonly what: string;
  /** Length of the record when the answer was there. */
  readonly from: number;
  /** Length of the record when something else was asked for. */
  until: number;
  readonly expectKept: (server: Sender) => Promise<void>;
}

/** A receipt as a client was given it: its number, and its bytes in base64. */
interface ToldReceipt {
  readonly from: number;
  readonly seq: number;
  readonly body: string;
}

/** What all clients were promised. */
export class Ledger {
  readonly promises: Kept[] = [];
  readonly receipts: ToldReceipt[] = [];

  constructor(
    /** The length of the record as of now. */
    readonly now: () => number,
  ) {}

  promise(
    what: string,
    expectKept: (server: Sender) => Promise<void>,
  ): Kept {
    const made = { what, from: this.now(), until: Infinity, expectKept };
    this.promises.push(made);
    return made;
  }

  /** Something else was asked for: either may be true from now on. */
  release(made: Kept): void {
    made.until = Math.min(made.until, this.now());
  }

  /** Sends on, and keeps every receipt that comes back. */
  watch(server: Sender): Sender {
    return {
      send: async (method, path, options) => {
        const answer = await server.send(method, path, options);
        const type = answer.headers.get("content-type");
        if (type !== "application/json") return answer;
        const { receipt } = await answer.clone().json();
        if (receipt !== undefined) {
          this.receipts.push({
            from: this.now(),
            seq: receipt.receipt_seq,
            body: receipt.receipt_cbor,
          });
        }
        return answer;
      },
    };
  }
}

/** An owner who creates, replaces, deletes, restores, and leaves halves. */
export async function work(
  ledger: Ledger,
  server: Sender,
  person: Person,
  name: string,
  rounds: number,
): Promise<void> {
  const albumId = await provisionAlbum(server, person, name);
  for (let round = 0; round < rounds; round++) {
    const inline = await createByOp(
      { app: server, albumId },
      person,
      `${name} ${round}, its manifest inline`,
    );
    live(ledger, person, inline, inline.applied);
    const asset = await createAsset(server, person, `${name} ${round}`);
    let state = live(ledger, person, asset, asset.applied);
    if (round % 3 === 1) {
      ledger.release(state);
      const manifest = ciphertext(`second of ${name} ${round}`, 700);
      const replaced = await expectJson(
        await sendManifest(server, person, asset.assetId, manifest, {
          action: "replace",
          original: asset.original,
          metadata: asset.metadata,
          prior: hashOf(asset.manifest),
        }),
        200,
      );
      state = live(ledger, person, { ...asset, manifest }, replaced);
    }
    if (round % 2 === 1) {
      ledger.release(state);
      await expectJson(await sendDelete(server, person, asset.assetId), 200);
      const deleted = ledger.promise(
        `${name} ${round} is deleted`,
        (after) => expectState(after, person, asset.assetId, "deleted"),
      );
      if (round % 4 === 3) {
        ledger.release(deleted);
        await expectJson(await sendRestore(server, person, asset.assetId), 200);
        ledger.promise(
          `${name} ${round} is restored`,
          (after) => expectState(after, person, asset.assetId, "live"),
        );
      }
    }
    await leaveHalf(ledger, server, person, `${name} ${round}`);
  }
}

function live(
  ledger: Ledger,
  person: Person,
  { assetId, original, metadata, manifest }: LiveAsset,
  applied: Json,
): Kept {
  return ledger.promise(
    `asset ${assetId} is live at ${applied.sync_seq}`,
    async (after) => {
      const asset = await readAsset(after, person, assetId);
      assert.equal(asset.chain_head, hashOf(manifest));
      for (const bytes of [original, metadata, manifest]) {
        const blob = await readBlob(after, person, assetId, hashOf(bytes));
        assert.equal(blob.status, 200);
        assert.equal(hashOf(await blob.bytes()), hashOf(bytes));
      }
    },
  );
}

async function expectState(
  server: Sender,
  person: Person,
  assetId: string,
  state: string,
): Promise<void> {
  assert.equal((await readAsset(server, person, assetId)).state, state);
}

/** An upload of which a part was acknowledged. */
async function leaveHalf(
  ledger: Ledger,
  server: Sender,
  person: Person,
  name: string,
): Promise<void> {
  const bytes = ciphertext(`half of ${name}`, 3_000);
  const { upload_id } = await createUpload(server, person, bytes, {
    fileId: uuidOf(`half of ${name}`),
  });
  await expectEmpty(
    await patchBytes(server, person, upload_id, 0, bytes.slice(0, 2_000)),
    204,
  );
  ledger.promise(
    `2,000 bytes of the upload ${upload_id}`,
    async (after) =>
      assert.equal(await offsetOf(after, person, upload_id), 2_000),
  );
}
