/**
 * `strongroom receipts` as a process: the chain out of the server, and verified
 * with nothing but the export and the published keys
 * (upkeep/receipts.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectDone, expectRefused } from "../support/ended.ts";
import { parsePublishedKeys } from "../../src/crypto/receipt_chain.ts";
import { followSuccession } from "../../src/crypto/succession.ts";
import { expectJson, type Json } from "../support/expect.ts";
import { createAsset, registerWriter } from "../support/people.ts";
import { runProgram, withDataDir } from "../support/program.ts";
import { expectHelp, expectLine, withServer } from "../support/upkeep.ts";
import { withExport } from "../support/receipts_export.ts";
import { LOCKED } from "../../scripts/locked.ts";

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

Deno.test("an export comes through a pipe as well", async () => {
  await withExport(async ({ lines, verify }, { outside }) => {
    expectDone(await verify(lines));
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        ...[
          "run",
          ...LOCKED,
          "--no-prompt",
          "--allow-read",
          "--allow-env",
          "main.ts",
        ],
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

Deno.test("a directory without a database is refused; a wrong use is status 2", async () => {
  await withDataDir(async (dataDir) => {
    expectRefused(
      await runProgram(["receipts", "export", "--data-dir", dataDir]),
      /contains no database/,
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
    assert.match(
      before.stdout,
      /neither the pinned key nor a later one vouches for it/,
    );
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
