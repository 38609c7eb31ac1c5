/**
 * The proof that a photo is the one whose receipt stands in the public log:
 * verified without the server (protocol/logs.md#the-proof-of-a-photo).
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Library } from "../../src/library/mod.ts";
import { provePhoto } from "../../src/library/logs/photo_proof.ts";
import { fileKeyOf } from "../../src/library/rows/pull.ts";
import { heldReceiptOf } from "../../src/library/logs/receipt_proof.ts";
import {
  type PhotoProofOptions,
  readPhotoProof,
  verifyPhotoProof,
} from "../../src/client/documents/photo_proof.ts";
import { fromBase64, fromUtf8, toBase64, utf8 } from "../../src/core/bytes.ts";
import { parseLogPolicy } from "../../src/crypto/logs/log_policy.ts";
import {
  readReceipt,
  receiptHash,
  signReceipt,
} from "../../src/crypto/receipt.ts";
import {
  formatReceiptProof,
  type ReceiptProof,
} from "../../src/crypto/receipt_proof.ts";
import { leafHash } from "../../src/crypto/logs/merkle.ts";
import {
  formatCheckpoint,
  formatNote,
  parseCheckpoint,
  parseNote,
  signNoteHybrid,
} from "../../src/crypto/logs/signed_note.ts";
import { hybridSignerFromSeed } from "../../src/crypto/succession.ts";
import { beginLibrary, deviceOf, fileOf, wireTo } from "../support/library.ts";
import { ciphertext } from "../support/people.ts";
import { type EndedProgram, runProgram } from "../support/program.ts";
import { withWitnesses, type WitnessedServer } from "../support/witnessed.ts";

const PHOTO = ciphertext("a walk", 200_000);

interface World {
  readonly server: WitnessedServer;
  readonly library: Library;
  readonly file: string;
  readonly proof: ReceiptProof;
}

/** Ada's photo in a log that two witnesses saw, and its proof. */
async function withProof(test: (world: World) => Promise<void>) {
  await withWitnesses(2, async (server) => {
    const library = await beginLibrary(
      deviceOf(wireTo(server.app), "laptop"),
      "ada",
    );
    await library.logs.choose(await server.policy(2));
    const { row } = await library.take(fileOf("walk.jpg", PHOTO));
    await library.take(fileOf("other.jpg", ciphertext("other", 200_000)));
    await server.advance();
    const file = await proofOf(library, row.id);
    await test({ server, library, file, proof: readBack(file) });
  });
}

function sourceOf(photo: Uint8Array<ArrayBuffer>) {
  return fileOf("photo", photo).source;
}

async function proofOf(library: Library, id: string): Promise<string> {
  const row = library.index.get(id);
  assert(row !== undefined);
  const held = await heldReceiptOf(library, row);
  assert(held !== undefined);
  const proven = await provePhoto(library, row, held);
  assert(proven !== undefined);
  return proven.file;
}

function readBack(file: string): ReceiptProof {
  const proof = readPhotoProof(utf8(file));
  assert(proof !== undefined);
  return proof;
}

/** `receipts verify` on a machine that knows nothing but a key. */
async function verify(
  file: string,
  photo: Uint8Array,
  ...options: readonly string[]
): Promise<EndedProgram> {
  const folder = await Deno.makeTempDir();
  try {
    const [path, beside] = [`${folder}/walk.tlog-proof`, `${folder}/walk.jpg`];
    await Deno.writeTextFile(path, file);
    await Deno.writeFile(beside, photo);
    return await runProgram(
      ["receipts", "verify", path, "--photo", beside, ...options],
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function faultOf(
  proof: ReceiptProof,
  photo: Uint8Array<ArrayBuffer> = PHOTO,
  reader: PhotoProofOptions = {},
): Promise<string | undefined> {
  const verdict = await verifyPhotoProof(proof, sourceOf(photo), reader);
  return verdict.ok ? undefined : verdict.fault;
}

Deno.test("a photo and its proof show without a server who signed for it, when, and who saw that", async () => {
  await withProof(async ({ server, file, proof }) => {
    const { received_at, server_key_id } = readReceipt(proof.receipt);
    const pin = ["--pinned", server_key_id];
    const said = await verify(file, PHOTO, ...pin);
    assert.equal(said.status, 0, said.stdout + said.stderr);
    for (
      const words of [
        `signed receipt 1 at ${received_at}`,
        "walk.jpg is that original, byte for byte",
        "w0 saw this log at ",
        "w1 saw this log at ",
        "the proof itself names these witnesses",
        "does not prove that the server still stores the photo",
      ]
    ) assert(said.stdout.includes(words), `${words}: ${said.stdout}`);

    // Witnesses count once their reader believes them.
    const unbelieved = JSON.parse(
      (await verify(file, PHOTO, ...pin, "--json")).stdout,
    );
    assert.equal(unbelieved.witnesses, 0);
    assert.equal(unbelieved.cosigned_by.length, 2);
    const policy = await Deno.makeTempFile();
    try {
      await Deno.writeTextFile(policy, await server.policy(2));
      const believed = [...pin, "--witnesses", policy];
      const json = JSON.parse(
        (await verify(file, PHOTO, ...believed, "--json")).stdout,
      );
      assert.deepEqual([json.witnesses, json.is_witnessed], [2, true]);
      const note = proof.note.split("\n").filter((line) => !/w1\./.test(line));
      const one = formatReceiptProof({ ...proof, note: note.join("\n") });
      const few = await verify(one, PHOTO, ...believed);
      assert.equal(few.status, 1);
      assert.match(few.stdout, /only 1 witness of yours saw the log: NOT EN/);
    } finally {
      await Deno.remove(policy);
    }
  });
});

Deno.test("the proof of a photo has the file key, which opens the original alone", async () => {
  await withProof(async ({ library, file, proof }) => {
    const id = readReceipt(proof.receipt).asset_id ?? "";
    const row = library.index.get(id);
    assert(row !== undefined);
    const { vault, albums: keys } = library;
    const fileKey = await fileKeyOf({ vault, keys }, row);
    const extra = /^extra (.*)$/m.exec(file)?.[1] ?? "";
    const inside = fromUtf8(fromBase64(extra) ?? new Uint8Array()) ?? "";
    assert.deepEqual(proof.opening?.key, fileKey);
    assert(inside.includes(toBase64(fileKey)));
    for (const { amk } of await keys.keysOf(row.album)) {
      assert(!inside.includes(toBase64(amk)));
    }
    assert.equal(await faultOf(proof), undefined);
  });
});

Deno.test("a proof is made of what the server sends where the photo is not at hand, and of an empty file", async () => {
  await withProof(async ({ server, library }) => {
    const empty = new Uint8Array();
    const { row } = await library.take(fileOf("empty.txt", empty));
    await server.advance();
    assert.equal(
      await faultOf(readBack(await proofOf(library, row.id)), empty),
      undefined,
    );
  });
});

Deno.test("a proof is refused with another photo, key, salt, chunk size or receipt", async () => {
  await withProof(async ({ library, proof }) => {
    const { opening } = proof;
    assert(opening !== undefined);
    const flipped = PHOTO.slice();
    flipped[100_000] = (flipped[100_000] ?? 0) ^ 1;
    assert.equal(await faultOf(proof, flipped), "other_photo");
    assert.equal(await faultOf(proof, PHOTO.slice(1)), "other_photo");
    const other = ciphertext("other", 200_000);
    assert.equal(await faultOf(proof, other), "other_photo");
    const changed = (bytes: Uint8Array) => bytes.map((byte) => byte ^ 1);
    for (
      const change of [
        { key: changed(opening.key) },
        { salt: changed(opening.salt) },
        { chunkSize: opening.chunkSize * 2 },
        { chunkSize: opening.chunkSize / 2 },
      ]
    ) {
      const forged: ReceiptProof = {
        ...proof,
        opening: { ...opening, ...change },
      };
      assert.equal(await faultOf(forged), "other_photo");
    }
    const bare = { ...proof, opening: undefined };
    assert.equal(await faultOf(bare), "no_opening");

    // The other photo's receipt, with this photo's key and in its place.
    const row = library.list().find(({ metadata }) =>
      metadata?.name === "other.jpg"
    );
    const foreign = readBack(await proofOf(library, row?.id ?? ""));
    const { receipt } = foreign;
    assert.equal(await faultOf({ ...proof, receipt }), "not_in_log");
    assert.equal(await faultOf({ ...foreign, opening }), "other_photo");
    assert.equal(await faultOf({ ...foreign, opening }, other), "other_photo");
    const { receipt_seq } = readReceipt(receipt);
    assert.equal(receipt_seq > 1, true);
  });
});

Deno.test("a proof with a forger's keys does not count for a client that pinned the server's", async () => {
  await withProof(async ({ proof, server }) => {
    const forger = await hybridSignerFromSeed(new Uint8Array(64).fill(9));
    const { type: _, server_key_id: pinned, ...fields } = readReceipt(
      proof.receipt,
    );
    // The same photo, ten years ago.
    const receipt = await signReceipt(forger, {
      ...fields,
      receipt_seq: 1,
      prior_receipt_hash: null,
      received_at: "2016-01-01T00:00:00Z",
    });
    const { origin = "" } =
      parseCheckpoint(parseNote(proof.note)?.text ?? "") ??
        {};
    const root = leafHash(receiptHash(receipt));
    const text = formatCheckpoint({ origin, size: 1, root });
    const signatures = [
      await signNoteHybrid(forger, origin, text),
      // Cosignatures of the true log stand under the forged one.
      ...parseNote(proof.note)?.signatures.filter(({ name }) =>
        name.includes("/witness/")
      ) ?? [],
    ];
    const key = {
      keyId: forger.keyId,
      publicKey: forger.publicKey,
      activeFrom: 0,
      activeTo: null,
    };
    const forged: ReceiptProof = {
      ...proof,
      receipt,
      published: { ...proof.published, keys: [key] },
      index: 0,
      hashes: [],
      note: formatNote({ text, signatures }),
    };
    const verdict = await verifyPhotoProof(forged, sourceOf(PHOTO));
    assert(verdict.ok);
    assert.equal(verdict.isPinned, false);
    assert.deepEqual(verdict.witnessed, { isMet: false, by: [] });
    assert.equal(await faultOf(forged, PHOTO, { pinned }), "key_not_pinned");
    const { published: trusted } = proof;
    assert.equal(await faultOf(forged, PHOTO, { trusted }), "key_unknown");
    const policy = parseLogPolicy(await server.policy(1));
    const believed = await verifyPhotoProof(forged, sourceOf(PHOTO), {
      policy,
    });
    assert(believed.ok && !believed.witnessed.isMet);
    const said = await verify(
      formatReceiptProof(forged),
      PHOTO,
      "--pinned",
      pinned,
    );
    assert.equal(said.status, 1);
    assert.match(said.stderr, /the proof has no key/);
  });
});

Deno.test("a proof with a malformed opening or malformed witnesses is no proof", async () => {
  await withProof(({ file }) => {
    const [line = "", base64 = ""] = /^extra (.*)$/m.exec(file) ?? [];
    const extra = JSON.parse(fromUtf8(fromBase64(base64) ?? PHOTO) ?? "");
    const read = (change: Record<string, unknown>) => {
      const text = JSON.stringify({ ...extra, ...change });
      const changed = file.replace(line, `extra ${toBase64(utf8(text))}`);
      return readPhotoProof(utf8(changed));
    };
    assert.notEqual(read({ unknown: "later" }), undefined);
    const { opening } = extra;
    for (
      const bad of [
        { key: toBase64(new Uint8Array(31)) },
        { key: "!" },
        { salt: "" },
        { chunk_size: 1 },
        { chunk_size: 65_537 },
        { chunk_size: 2 ** 25 },
        { chunk_size: "65536" },
      ]
    ) {
      const changed = { opening: { ...opening, ...bad } };
      assert.equal(read(changed), undefined, JSON.stringify(bad));
    }
    assert.equal(read({ opening: null }), undefined);
    assert.equal(read({ policy: "quorum w9" }), undefined);
    assert.equal(read({ policy: 1 }), undefined);
    assert.equal(
      readPhotoProof(utf8(file + "x".repeat(2 ** 21))),
      undefined,
    );
    return Promise.resolve();
  });
});
