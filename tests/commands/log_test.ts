/**
 * `strongroom log` while a server runs, and the logs in `check`
 * (upkeep/public-logs.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { readVerifierKey } from "../../src/crypto/logs/signed_note.ts";
import { logPath } from "../../src/store/data_paths.ts";
import { withRealApp } from "../support/app.ts";
import { uploadNamed } from "../support/custody.ts";
import { expectDone } from "../support/ended.ts";
import { registerWriter } from "../support/people.ts";
import { runProgram, withDataDir } from "../support/program.ts";
import { readLog } from "../support/public_logs.ts";

Deno.test("log show has the origin, the verifier key and the size of each log", async () => {
  await withRealApp(async (app) => {
    const run = (...args: string[]) =>
      runProgram([...args, "--data-dir", app.dataDir]);
    assert.match(expectDone(await run("log", "show")), /not signed yet/);
    await uploadNamed(app, await registerWriter(app, "ada"), "one");
    await app.advanceLogs();
    const { logs } = JSON.parse(
      expectDone(await run("log", "show", "--json")),
    );
    const custody = await readLog(app, "custody");
    const keys = await readLog(app, "keys");
    assert.deepEqual(
      logs.map(({ origin, size }: Record<string, unknown>) => [origin, size]),
      [[custody.origin, 1], [keys.origin, 2]],
    );
    for (const { origin, verifier_key } of logs) {
      assert.equal(readVerifierKey(verifier_key)?.name, origin);
    }
    const lines = expectDone(await run("log", "show"));
    assert.match(lines, /1 entry, signed 2026-11-21T12:00:00/);
    assert.match(lines, /2 entries, signed/);
  });
});

Deno.test("check names tiles that are lost or damaged, and log rebuild repairs them", async () => {
  await withRealApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await uploadNamed(app, ada, "one");
    // A full tile of as many directories.
    await app.app.db.insertInto("log_entry")
      .values(Array.from({ length: 600 }, () => ({
        entry: new Uint8Array([0x80]),
      })))
      .execute();
    await app.advanceLogs();
    const log = await readLog(app, "keys");
    const run = (...args: string[]) =>
      runProgram([...args, "--data-dir", app.dataDir]);
    const findings = async () => {
      const { stdout } = await run("check", "--json");
      const { findings, checked } = JSON.parse(stdout);
      return [
        findings.map(({ kind, subject }: Record<string, string>) =>
          `${kind} ${subject}`
        ),
        checked.logs,
      ];
    };
    assert.deepEqual(await findings(), [[], 603]);
    const place = `${logPath(app.dataDir)}/keys/1/tile/0`;
    await Deno.remove(`${place}/000`);
    await Deno.writeFile(`${place}/001`, new Uint8Array(8192));
    assert.deepEqual(await findings(), [[
      "log_tile_damaged keys/tile/0/000",
      "log_tile_damaged keys/tile/0/001",
    ], 603]);
    assert.match(expectDone(await run("log", "rebuild")), /602 entries/);
    assert.deepEqual(await findings(), [[], 603]);
    assert.equal((await readLog(app, "keys")).note, log.note);
  });
});

Deno.test("check names a database that is not what was signed, and log rebuild refuses it", async () => {
  await withRealApp(async (app) => {
    await registerWriter(app, "ada");
    await app.advanceLogs();
    await app.app.db.updateTable("log_entry")
      .set({ entry: new Uint8Array([0x80]) })
      .where("entry_seq", "=", 1)
      .execute();
    const run = (...args: string[]) =>
      runProgram([...args, "--data-dir", app.dataDir]);
    const { stdout, status } = await run("check");
    assert.equal(status, 1);
    assert.match(stdout, /its checkpoint of 2 entries differs from what/);
    const refused = await run("log", "rebuild");
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /was signed with 2 entries/);
  });
});

Deno.test("a directory without a server is refused, a wrong use is status 2", async () => {
  await withDataDir(async (dataDir) => {
    const refused = await runProgram(["log", "show", "--data-dir", dataDir]);
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /contains no database/);
  });
  assert.equal((await runProgram(["log", "nothing"])).status, 2);
});
