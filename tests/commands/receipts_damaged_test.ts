/**
 * `strongroom receipts verify` as a process: damaged, incomplete and foreign
 * exports are refused (upkeep/receipts.md).
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
import { CustodyError, readLine } from "../../src/features/receipts/custody.ts";
import { seededRandom } from "../support/app.ts";
import { type Json } from "../support/expect.ts";
import { runProgram } from "../support/program.ts";
import { expectLine } from "../support/upkeep.ts";
import { type Saved, withExport } from "../support/receipts_export.ts";

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
      expectRefused(await saved.verify(empty), /contains no receipt/);
    }
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
      expectRefused(await verify(wrong), /contains no attestation keys/);
    }
    await Deno.remove(keys);
    const options = ["receipts", "verify", receipts, "--keys"];
    expectRefused(await runProgram([...options, keys]), /cannot be read/);
    expectRefused(await runProgram([...options, receipts]), /is not JSON/);
    expectRefused(
      await runProgram(["receipts", "verify", keys, "--keys", receipts]),
      /is not JSON/,
    );
  });
});
