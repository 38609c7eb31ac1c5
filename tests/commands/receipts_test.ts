/**
 * `strongroom receipts` as a process: the chain out of the server, and verified
 * with nothing but the export and the published keys
 * (upkeep.md#receipts-without-the-server).
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectDone, expectRefused } from "../support/ended.ts";
import { fromBase64 } from "../../src/core/bytes.ts";
import {
  parsePublishedKeys,
  verifyReceiptChain,
} from "../../src/crypto/receipt_chain.ts";
import { followSuccession } from "../../src/crypto/succession.ts";
import { CustodyError, readLine } from "../../src/features/receipts/custody.ts";
import { seededRandom } from "../support/app.ts";
import { saveCustody, uploadNamed } from "../support/custody.ts";
import { expectJson, type Json } from "../support/expect.ts";
import { createAsset, registerWriter } from "../support/people.ts";
import {
  type EndedProgram,
  runProgram,
  withDataDir,
} from "../support/program.ts";
import {
  expectHelp,
  expectLine,
  type ServerAndCommands,
  withServer,
} from "../support/upkeep.ts";

/** Five receipts under two keys, saved as files; no server runs any more. */
interface Saved {
  readonly lines: readonly string[];
  readonly record: Json;
  /** Verifies lines, or a file's text. */
  readonly verify: (
    text: readonly string[] | string,
    ...options: string[]
  ) => Promise<EndedProgram>;
}

async function withExport(
  test: (saved: Saved, given: ServerAndCommands) => Promise<void>,
): Promise<void> {
  await withServer(async (given) => {
    const { server, run, dataDir } = given;
    const ada = await registerWriter(server, "ada");
    await createAsset(server, ada, "photo");
    expectDone(await run("keys", "rotate", "attestation"));
    await uploadNamed(server, ada, "fourth");
    await uploadNamed(server, ada, "fifth");
    const { receipts, keys } = await saveCustody(given);
    await server.stop();
    await Deno.remove(dataDir, { recursive: true });
    const lines = (await Deno.readTextFile(receipts)).trimEnd().split("\n");
    assert.equal(lines.length, 5);
    const record = JSON.parse(await Deno.readTextFile(keys));
    const verify = async (
      text: readonly string[] | string,
      ...options: string[]
    ) => {
      await Deno.writeTextFile(
        receipts,
        typeof text === "string"
          ? text
          : text.map((line) => `${line}\n`).join(""),
      );
      // No data directory and no setting: a stranger's machine.
      return await runProgram([
        ...["receipts", "verify", receipts, "--keys", keys],
        ...options,
      ]);
    };
    await test({ lines, record, verify }, given);
  });
}

/** Expects status 1, and the fault with its place, in JSON and in words. */
async function expectFault(
  { verify }: Saved,
  text: readonly string[] | string,
  expected: {
    readonly fault: string;
    readonly line: number;
    readonly seq: number | null;
    readonly detail?: RegExp;
    readonly options?: readonly string[];
    /** Whether the words are looked at as well; they are if not said. */
    readonly inWords?: false;
  },
): Promise<void> {
  const { options = [] } = expected;
  const found = expectLine(await verify(text, "--json", ...options), 1);
  assert.equal(found.ok, false);
  assert.deepEqual(
    [found.fault, found.line, found.receipt_seq],
    [expected.fault, expected.line, expected.seq],
    found.detail,
  );
  if (expected.detail) assert.match(found.detail, expected.detail);
  if (expected.inWords === false) return;
  const words = await verify(text, ...options);
  assert.equal(words.status, 1);
  assert.equal(words.stderr, "");
  assert(words.stdout.startsWith(`line ${expected.line}`), words.stdout);
  assert(words.stdout.includes(expected.fault), words.stdout);
}

Deno.test("every receipt verifies offline with nothing but the export and the published keys", async () => {
  await withExport(async ({ lines, record, verify }) => {
    const last = JSON.parse(lines.at(-1) ?? "");
    assert.deepEqual(expectLine(await verify(lines, "--json")), {
      ok: true,
      server_id: record.server_id,
      count: 5,
      last_receipt_seq: 5,
      last_received_at: last.received_at,
    });
    assert.equal(
      expectDone(await verify(lines)),
      `5 receipts of ${record.server_id} verified, the last one 5 of ` +
        `${last.received_at}\n`,
    );
    // Line ends of another system, and none at the end.
    expectDone(await verify(lines.join("\r\n")));
  });
});

Deno.test("an exported line is the receipt as the wire has it, with its asset", async () => {
  await withServer(async ({ server, run }) => {
    const ada = await registerWriter(server, "ada");
    const { assetId } = await createAsset(server, ada, "photo");
    const wire = await expectJson(
      await server.send("GET", `/v1/assets/${assetId}/receipts`, {
        token: ada.token,
      }),
      200,
    );
    const exported = expectDone(await run("receipts", "export"));
    assert.deepEqual(
      exported.trimEnd().split("\n").map((line) => JSON.parse(line)),
      wire.receipts.map((one: Json) => ({ asset_id: assetId, ...one })),
    );
  });
});

Deno.test("a receipt with one changed byte is refused and named", async () => {
  await withExport(async (saved) => {
    const { lines } = saved;
    const third = JSON.parse(lines[2] ?? "");
    const body = fromBase64(third.receipt_cbor) ?? new Uint8Array();
    // In the signature, which is the last thing in the envelope.
    body[body.length - 9] = (body[body.length - 9] ?? 0) ^ 1;
    const changed = JSON.stringify({ ...third, receipt_cbor: body.toBase64() });
    await expectFault(saved, lines.with(2, changed), {
      fault: "signature_invalid",
      line: 3,
      seq: 3,
    });
    const lied = JSON.stringify({ ...third, size: third.size + 1 });
    await expectFault(saved, lines.with(2, lied), {
      fault: "unreadable",
      line: 3,
      seq: null,
      detail: /field "size" says 901, its signed bytes say 900/,
    });
  });
});

Deno.test("whichever byte of a line is changed, it is never verified as another receipt", async () => {
  await withExport(async ({ lines, record }) => {
    const published = parsePublishedKeys(record);
    const line = new TextEncoder().encode(lines[0]);
    const body = readLine(lines[0] ?? "");
    const draw = seededRandom("changed bytes");
    for (let n = 0; n < 400; n++) {
      const [a = 0, b = 0, bit = 0] = draw(3);
      const at = (a << 8 | b) % line.length;
      const changed = line.slice();
      changed[at] = (changed[at] ?? 0) ^ (1 << (bit % 7));
      let read: Uint8Array;
      try {
        read = readLine(new TextDecoder().decode(changed));
      } catch (error) {
        assert(error instanceof CustodyError, String(error));
        continue;
      }
      const verdict = await verifyReceiptChain([read], published);
      // What still verifies says the same: a bit of the spelling.
      if (verdict.ok) assert.deepEqual(read, body);
    }
  });
});

Deno.test("a missing line and two swapped ones are refused and named", async () => {
  await withExport(async (saved) => {
    const { lines } = saved;
    const [first = "", second = "", third = "", ...rest] = lines;
    await expectFault(saved, [first, third, ...rest], {
      fault: "prior_hash_mismatch",
      line: 2,
      seq: 3,
    });
    await expectFault(saved, [first, third, second, ...rest], {
      fault: "prior_hash_mismatch",
      line: 2,
      seq: 3,
    });
    await expectFault(saved, [first, second, third, second, ...rest], {
      fault: "sequence_not_increasing",
      line: 4,
      seq: 2,
    });
    await expectFault(saved, lines.slice(1), {
      fault: "prior_hash_mismatch",
      line: 1,
      seq: 2,
    });
    assert.match(
      expectDone(await saved.verify(lines.slice(1), "--partial")),
      /^4 receipts/,
    );
    await expectFault(saved, [second, third, ...rest.slice(1)], {
      fault: "prior_hash_mismatch",
      line: 3,
      seq: 5,
      options: ["--partial"],
    });
  });
});

Deno.test("what is no export is refused where it stops being one", async () => {
  await withExport(async (saved) => {
    const { lines } = saved;
    const text = lines.join("\n");
    const cut = text.slice(0, -100);
    await expectFault(saved, cut, {
      fault: "unreadable",
      line: 5,
      seq: null,
      detail: /no JSON; the file ends in the middle of it/,
    });
    for (
      const [line, detail] of [
        ["{}", /no receipt_cbor/],
        ["[]", /no JSON object/],
        ["null", /no JSON object/],
        ["{", /no JSON/],
        ['{"receipt_cbor":"AAAA"}', /no receipt: /],
        ['{"receipt_cbor":7}', /no receipt_cbor/],
        ["\u0000\ufffd", /no JSON/],
        [`"${"x".repeat(1_000_000)}"`, /longer than 262144 bytes/],
      ] as const
    ) {
      await expectFault(saved, lines.with(1, line), {
        fault: "unreadable",
        line: 2,
        seq: null,
        detail,
        inWords: false,
      });
    }
    for (const empty of ["", "\n\n"]) {
      expectRefused(await saved.verify(empty), /holds no receipt/);
    }
  });
});

Deno.test("an export comes through a pipe as well", async () => {
  await withExport(async ({ lines, verify }, { outside }) => {
    expectDone(await verify(lines));
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--no-prompt", "--allow-read", "--allow-env", "main.ts"],
        ...["receipts", "verify", "-", "--keys", `${outside}/keys.json`],
      ],
      cwd: new URL("../../", import.meta.url),
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    const bytes = new TextEncoder().encode(lines.join("\n"));
    for (let at = 0; at < bytes.length; at += 1_000) {
      await writer.write(bytes.subarray(at, at + 1_000));
    }
    await writer.close();
    const { code, stdout } = await child.output();
    assert.equal(code, 0);
    assert.match(new TextDecoder().decode(stdout), /^5 receipts/);
  });
});

Deno.test("the receipts of another server, or under keys that are not published, are refused", async () => {
  await withExport(async ({ lines, record }, { outside }) => {
    const receipts = `${outside}/receipts`;
    const keys = `${outside}/other.json`;
    await Deno.writeTextFile(receipts, lines.join("\n"));
    const verify = async (published: Json, ...options: string[]) => {
      await Deno.writeTextFile(keys, JSON.stringify(published));
      return await runProgram([
        ...["receipts", "verify", receipts, "--keys", keys, "--json"],
        ...options,
      ]);
    };
    const renamed = {
      ...record,
      server_id: "https://other.example",
      server_ids: [],
    };
    const foreign = expectLine(await verify(renamed), 1);
    assert.deepEqual([foreign.fault, foreign.line], ["foreign_server", 1]);
    const known = await verify(renamed, "--formerly", record.server_id);
    assert.equal(expectLine(known).count, 5);
    const { server_ids } = record;
    const published = await verify({ ...renamed, server_ids });
    assert.equal(expectLine(published).count, 5);
    const [, active] = record.keys;
    const unknown = expectLine(await verify({ ...record, keys: [active] }), 1);
    assert.deepEqual([unknown.fault, unknown.line], ["key_unknown", 1]);
    const [retired] = record.keys;
    const early = { ...retired, active_to: retired.active_from };
    const untimely = expectLine(
      await verify({ ...record, keys: [early, active] }),
      1,
    );
    assert.equal(untimely.fault, "key_outside_window");
    for (const wrong of [{}, [], { ...record, keys: [{}] }, "keys"]) {
      expectRefused(await verify(wrong), /holds no attestation keys/);
    }
    await Deno.remove(keys);
    const options = ["receipts", "verify", receipts, "--keys"];
    expectRefused(await runProgram([...options, keys]), /cannot be read/);
    expectRefused(await runProgram([...options, receipts]), /is no JSON/);
    expectRefused(
      await runProgram(["receipts", "verify", keys, "--keys", receipts]),
      /is no JSON/,
    );
  });
});

Deno.test("a directory without a database is refused; a wrong use is status 2", async () => {
  await withDataDir(async (dataDir) => {
    expectRefused(
      await runProgram(["receipts", "export", "--data-dir", dataDir]),
      /holds no database/,
    );
  });
  for (const args of [[], ["verify"], ["verify", "x"], ["export", "x"]]) {
    const ended = await runProgram(["receipts", ...args]);
    assert.equal(ended.status, 2, args.join(" "));
  }
});

Deno.test("each command has an example in its help", () =>
  expectHelp(["receipts export", "receipts verify"]));

Deno.test("a verifier that pinned one key follows the line, and trusts none that is not of it", async () => {
  await withExport(async ({ lines, record, verify }) => {
    const [first, second] = record.keys;
    const pin = (id: string) => ["--pinned", id];
    expectDone(await verify(lines, ...pin(first.key_id)));
    expectDone(
      await verify(lines.slice(3), "--partial", ...pin(second.key_id)),
    );
    // It follows the line forwards alone.
    const before = await verify(lines, ...pin(second.key_id));
    assert.equal(before.status, 1);
    assert.match(before.stdout, /^line 1 \(receipt 1\): key_unknown/);
    assert.match(before.stdout, /the pinned key does not vouch for it/);
    expectRefused(
      await verify(lines, ...pin("0".repeat(64))),
      /has no key 0{64}: pin a key_id/,
    );
  });
});

Deno.test("a key that the one before does not vouch for ends the line", async () => {
  await withExport(async ({ record }) => {
    const published = parsePublishedKeys(record);
    const [first, second] = published.keys;
    assert(first && second?.succession);
    const follow = (
      change: Partial<typeof second>,
      serverId = published.serverId,
    ) =>
      followSuccession({
        ...published,
        serverId,
        keys: [first, { ...second, ...change }],
      }, first.keyId);
    const whole = await follow({});
    assert.equal(whole?.endsBefore, undefined);
    assert.equal(whole?.published.keys.length, 2);
    const flipped = second.succession.slice();
    flipped[100] = (flipped[100] ?? 0) ^ 1;
    const foreign = await followSuccession(published, second.keyId);
    assert.equal(foreign?.published.keys.length, 1);
    for (
      const broken of [
        await follow({ succession: undefined }),
        await follow({ succession: flipped }),
        await follow({ succession: new Uint8Array(3) }),
        await follow({ activeFrom: second.activeFrom + 1 }),
        await follow({ publicKey: first.publicKey }),
        await follow({}, "https://elsewhere.example"),
      ]
    ) {
      assert.equal(broken?.endsBefore, second.keyId);
      assert.deepEqual(broken?.published.keys, [first]);
    }
    // Under a former id of the server it is as good.
    const renamed = await followSuccession({
      ...published,
      serverId: "https://new.example",
      formerIds: [published.serverId],
    }, first.keyId);
    assert.equal(renamed?.endsBefore, undefined);
    assert.equal(await followSuccession(published, "0".repeat(64)), undefined);
  });
});
