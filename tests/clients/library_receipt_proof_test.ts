/**
 * The proof that a receipt stands in the public log: made from tiles, and
 * verified without the server (protocol/logs.md#the-proof-of-a-receipt).
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Library } from "../../src/library/mod.ts";
import {
  heldReceiptOf,
  type ProvenReceipt,
  proveReceipt,
} from "../../src/library/logs/receipt_proof.ts";
import { toBase64, utf8 } from "../../src/core/bytes.ts";
import {
  formatReceiptProof,
  readReceiptProof,
  type ReceiptProof,
  verifyReceiptProof,
} from "../../src/crypto/receipt_proof.ts";
import {
  formatNote,
  parseNote,
  signNoteHybrid,
} from "../../src/crypto/logs/signed_note.ts";
import { hybridSignerFromSeed } from "../../src/crypto/succession.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { publishedRecord } from "../support/custody.ts";
import type { Json } from "../support/expect.ts";
import {
  beginLibrary,
  deviceOf,
  fileOf,
  type Wire,
  wireTo,
} from "../support/library.ts";
import { ciphertext } from "../support/people.ts";
import { type EndedProgram, runProgram } from "../support/program.ts";
import { issueReceipts, readCheckpoint } from "../support/public_logs.ts";

const PHOTOS = 5;

interface World {
  readonly app: TestApp;
  readonly wire: Wire;
  readonly library: Library;
  readonly ids: readonly string[];
}

/** A person with some photos, and a log that has their receipts. */
async function withLibrary(test: (world: World) => Promise<void>) {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const ids: string[] = [];
    for (let at = 0; at < PHOTOS; at++) {
      const file = fileOf(`${at}.jpg`, ciphertext(`photo ${at}`, 500));
      ids.push((await library.take(file)).row.id);
    }
    await app.advanceLogs();
    await test({ app, wire, library, ids });
  });
}

async function prove(
  { library }: Pick<World, "library">,
  id = "",
): Promise<ProvenReceipt | undefined> {
  const row = library.index.get(id);
  assert(row !== undefined);
  const held = await heldReceiptOf(library, row);
  assert(held !== undefined);
  return await proveReceipt(library, held);
}

async function proofOf(world: World, at: number): Promise<ReceiptProof> {
  const proven = await prove(world, world.ids[at]);
  const proof = readReceiptProof(utf8(proven?.file ?? ""));
  assert(proof !== undefined);
  return proof;
}

/** `receipts verify` on a machine that knows nothing but a key. */
async function verify(
  file: string | Uint8Array,
  ...options: readonly string[]
): Promise<EndedProgram> {
  const path = await Deno.makeTempFile({ suffix: ".tlog-proof" });
  try {
    await Deno.writeFile(path, typeof file === "string" ? utf8(file) : file);
    return await runProgram(["receipts", "verify", path, ...options]);
  } finally {
    await Deno.remove(path);
  }
}

Deno.test("the proof of a receipt is verified without the server, and says who signed what and when", async () => {
  await withLibrary(async (world) => {
    for (const id of world.ids) {
      const proven = await prove(world, id);
      assert(proven !== undefined);
      const { receipt, index, checkpoint } = proven;
      assert.equal(receipt.asset_id, id);
      assert.equal(receipt.blob_role, "original");
      const pin = ["--pinned", receipt.server_key_id];
      const said = await verify(proven.file, ...pin);
      assert.equal(said.status, 0, said.stdout + said.stderr);
      for (
        const words of [
          `signed receipt ${receipt.receipt_seq} at ${receipt.received_at}`,
          receipt.server_id,
          receipt.server_key_id,
          id,
          `entry ${index} of the ${checkpoint.size} in ${checkpoint.origin}`,
          "no witness has confirmed this log",
        ]
      ) assert(said.stdout.includes(words), `${words}: ${said.stdout}`);
      const json = JSON.parse(
        (await verify(proven.file, ...pin, "--json")).stdout,
      );
      assert.equal(json.ok, true);
      assert.equal(json.receipt_seq, receipt.receipt_seq);
      assert.equal(json.witnesses, 0);
    }
  });
});

Deno.test("a receipt that no checkpoint covers yet has no proof", async () => {
  await withLibrary(async ({ app, library }) => {
    const file = fileOf("late.jpg", ciphertext("late", 500));
    const { row } = await library.take(file);
    assert.equal(await prove({ library }, row.id), undefined);
    await app.advanceLogs();
    assert.notEqual(await prove({ library }, row.id), undefined);
  });
});

Deno.test("a proof is made of several tiles, full and partial", async () => {
  await withLibrary(async (world) => {
    const { app, library, ids } = world;
    const { userId } = library.vault.session;
    await issueReceipts(app, { userId }, 600);
    const { row } = await library.take(fileOf("z.jpg", ciphertext("z", 500)));
    await issueReceipts(app, { userId }, 3);
    await app.advanceLogs();
    for (const id of [ids[0], row.id]) {
      const proven = await prove(world, id);
      assert(proven !== undefined && proven.checkpoint.size > 600);
      const said = await verify(
        proven.file,
        ...["--pinned", proven.receipt.server_key_id],
      );
      assert.equal(said.status, 0, said.stdout + said.stderr);
    }
    const tiles = world.wire.sent.filter((path) => path.includes("/tile/"));
    assert(tiles.includes("GET /log/custody/tile/0/000"));
    assert(tiles.some((path) => /tile\/1\/000\.p\/2$/.test(path)), `${tiles}`);
  });
});

Deno.test("a proof is refused with another receipt, tree, node, place, log or signature", async () => {
  await withLibrary(async (world) => {
    const { app } = world;
    const proof = await proofOf(world, 1);
    const other = await proofOf(world, 2);
    const { published, hashes, note } = proof;
    const faultOf = async (
      changed: Partial<ReceiptProof>,
      keys = published,
    ) => {
      const verdict = await verifyReceiptProof({ ...proof, ...changed }, keys);
      return verdict.ok ? undefined : verdict.fault;
    };
    assert.equal(await faultOf({}), undefined);
    assert.equal(await faultOf({ receipt: other.receipt }), "not_in_log");
    assert.equal(await faultOf({ index: other.index }), "not_in_log");
    for (const at of hashes.keys()) {
      const changed = hashes.map((hash) => hash.slice());
      changed[at]?.set([(changed[at][0] ?? 0) ^ 1]);
      assert.equal(await faultOf({ hashes: changed }), "not_in_log");
    }
    assert.equal(await faultOf({ hashes: hashes.slice(1) }), "not_in_log");
    // The same log, later: another tree.
    await world.library.take(fileOf("new.jpg", ciphertext("new", 500)));
    await app.advanceLogs();
    const later = (await proofOf(world, 1)).note;
    assert.notEqual(later, note);
    assert.equal(await faultOf({ note: later }), "not_in_log");
    const keysLog = await readCheckpoint(app, "keys");
    assert.equal(await faultOf({ note: keysLog?.note ?? "" }), "foreign_log");

    // Another server, with a key of its own, under the same name.
    const text = parseNote(note)?.text ?? "";
    const [origin = ""] = text.split("\n");
    const forger = await hybridSignerFromSeed(new Uint8Array(64).fill(9));
    const signatures = [await signNoteHybrid(forger, origin, text)];
    const forged = formatNote({ text, signatures });
    assert.equal(await faultOf({ note: forged }), "checkpoint_unsigned");
    // A checkpoint that names a tree that the server never signed.
    const changed = note.replace(/\n\d+\n/, "\n99\n");
    assert.notEqual(changed, note);
    assert.equal(await faultOf({ note: changed }), "checkpoint_unsigned");
    const foreign = { ...published, serverId: "https://other.example" };
    assert.equal(await faultOf({}, foreign), "foreign_server");
    assert.equal(await faultOf({}, { ...published, keys: [] }), "key_unknown");
    const flipped = proof.receipt.slice();
    flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
    assert.equal(await faultOf({ receipt: flipped }), "signature_invalid");

    // The same on the command line, with its status.
    const { server_key_id: id } = JSON.parse(
      (await verify(
        formatReceiptProof(proof),
        "--pinned",
        published.keys[0]?.keyId ?? "",
        "--json",
      )).stdout,
    );
    const file = formatReceiptProof({ ...proof, receipt: other.receipt });
    const said = await verify(file, "--pinned", id);
    assert.equal(said.status, 1);
    assert.match(said.stdout, /proves nothing: not_in_log: receipt \d+ is not/);
  });
});

Deno.test("a proof counts only under keys that its reader trusts, and not under those in the file", async () => {
  await withLibrary(async (world) => {
    const file = formatReceiptProof(await proofOf(world, 0));
    const unsaid = await verify(file);
    assert.equal(unsaid.status, 2);
    assert.match(unsaid.stderr, /say which keys you trust/);
    const record = await publishedRecord(world.app);
    const keys = await Deno.makeTempFile({ suffix: ".json" });
    const underKeys = async (record: Json) => {
      await Deno.writeTextFile(keys, JSON.stringify(record));
      return await verify(file, "--keys", keys);
    };
    assert.equal((await underKeys(record)).status, 0);
    const foreign = await underKeys({ ...record, keys: [] });
    await Deno.remove(keys);
    assert.equal(foreign.status, 1);
    assert.match(foreign.stdout, /proves nothing: key_unknown/);
    const unknown = await verify(file, "--pinned", "0".repeat(64));
    assert.equal(unknown.status, 1);
    assert.match(unknown.stderr, /the proof has no key 0000/);
  });
});

Deno.test("a proof that was cut off anywhere or changed in a line is refused with a sentence", async () => {
  await withLibrary(async (world) => {
    const proof = await proofOf(world, 3);
    const file = formatReceiptProof(proof);
    assert.notEqual(readReceiptProof(utf8(file)), undefined);
    for (let end = file.length - 1; end >= 0; end -= 97) {
      const cut = readReceiptProof(utf8(file.slice(0, end)));
      if (cut === undefined) continue;
      // Between two signatures: the one that counts is gone.
      const verdict = await verifyReceiptProof(cut, proof.published);
      assert.equal(verdict.ok, false, `cut at ${end}`);
    }
    const pin = ["--pinned", proof.published.keys[0]?.keyId ?? ""];
    for (
      const bad of [
        file.slice(0, file.length - 1),
        file.slice(0, 2_000),
        file.replace("\nindex ", "\nindex 0"),
        file.replace("\nextra ", "\nextra !"),
        file.replace(
          /\nextra .*\n/,
          `\nextra ${toBase64(utf8('{"receipt_cbor": 1}'))}\n`,
        ),
        file.replace(/\nextra .*\n/, "\n"),
        file.replace("\n\n", "\nAAAA\n\n"),
        file + "x".repeat(2 * 1024 * 1024),
        "c2sp.org/tlog-proof@v1\n",
      ]
    ) {
      const said = await verify(bad, ...pin);
      assert.equal(said.status, 1, said.stderr);
      assert.match(said.stdout, /proves nothing: unreadable: the file is cut/);
      assert.equal(said.stderr, "");
    }
  });
});

Deno.test("a server that lies about its log while a proof is made is caught", async () => {
  await withLibrary(async (world) => {
    const { wire, ids } = world;
    const answering = (
      part: string,
      change: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>,
    ) => {
      wire.intercept = (request, pass) =>
        request.url.includes(part)
          ? pass(request).then(async (passed) => {
            const bytes = new Uint8Array(await passed.arrayBuffer());
            return new Response(change(bytes), passed);
          })
          : undefined;
    };
    const text = (change: (text: string) => string) => (bytes: Uint8Array) =>
      utf8(change(new TextDecoder().decode(bytes)));
    const refused = async (fault: string) => {
      await assert.rejects(
        prove(world, ids[1]),
        (error: unknown) =>
          error instanceof Error && "fault" in error && error.fault === fault,
      );
    };
    answering("/log/custody/tile/", (tile) => tile.map((byte) => byte ^ 1));
    await refused("not_in_log");
    answering("/log/custody/tile/", (tile) => tile.slice(32));
    await refused("not_in_log");
    answering("/log/custody/checkpoint", text(() => "nothing\n"));
    await refused("not_in_log");
    answering(
      "/log/custody/checkpoint",
      text((note) => note.replace(/\n\d+\n/, "\n3\n")),
    );
    await refused("not_in_log");
    answering(
      "include=index",
      text((json) => json.replace(/"log_index":\d+/, '"log_index":0')),
    );
    await refused("not_in_log");
    answering(
      "include=index",
      text((json) => json.replace(/"sha256":"../, '"sha256":"00')),
    );
    await refused("receipt_missing");
    wire.intercept = undefined;
    assert.notEqual(await prove(world, ids[1]), undefined);
  });
});
