/**
 * `strongroom witness` and `strongroom log witness` while servers run
 * (witnesses.md), and what `doctor` and `check` say of witnesses.
 *
 * @module
 */
import assert from "node:assert/strict";
import { ORIGIN, type TestApp, withRealApp } from "../support/app.ts";
import { expectDone } from "../support/ended.ts";
import { registerWriter } from "../support/people.ts";
import { runProgram } from "../support/program.ts";

/** Runs commands on a server's data directory. */
function commandsOf({ dataDir }: TestApp) {
  return {
    run: (...args: string[]) => runProgram([...args, "--data-dir", dataDir]),
    done: async (...args: string[]) =>
      expectDone(await runProgram([...args, "--data-dir", dataDir])),
  };
}

/** A server that asks another one, which is a witness. */
async function withWitness(
  test: (ada: TestApp, ben: TestApp) => Promise<void>,
) {
  let witness: TestApp | undefined;
  const fetch = (async (input: string, init: RequestInit) => {
    assert(witness !== undefined);
    const info = { clientAddress: "192.0.2.9" };
    return await witness.fetch(new Request(input, init), info);
  }) as typeof globalThis.fetch;
  await withRealApp((ada) =>
    withRealApp(async (ben) => {
      witness = ben;
      await test(ada, ben);
    }, { settings: { STRONGROOM_WITNESS: "on" } }), { fetch });
}

Deno.test("the operators exchange two lines, the witness cosigns, and both see it", async () => {
  await withWitness(async (ada, ben) => {
    const atAda = commandsOf(ada);
    const atBen = commandsOf(ben);
    assert.match(await atBen.done("witness", "ls"), /no log is witnessed/);
    assert.match(
      await atAda.done("log", "witness", "ls"),
      /no witness is asked/,
    );
    const { url, verifier_key: key } = JSON.parse(
      await atBen.done("witness", "key", "--json"),
    );
    assert.equal(url, `${ORIGIN}/witness`);
    assert(
      (await atBen.done("witness", "key"))
        .includes(`\nstrongroom log witness add ${url} ${key}\n`),
    );
    assert.match(
      await atAda.done("log", "witness", "add", url, key),
      /is asked from now on/,
    );
    const { logs } = JSON.parse(await atAda.done("log", "show", "--json"));
    for (const { origin, verifier_key } of logs) {
      assert.match(
        await atBen.done("witness", "add", origin, verifier_key),
        /is witnessed from now on/,
      );
    }
    await registerWriter(ada, "ada");
    await ada.advanceLogs();
    await ada.app.logs?.witnessed();
    assert.match(
      await atAda.done("log", "witness", "ls"),
      /keys\/[0-9a-f]+: 2 entries, cosigned/,
    );
    assert.match(await atBen.done("witness", "ls"), /2 entries, cosigned/);
    const [custody, keys] = logs;
    assert.match(
      await atBen.done("witness", "rm", keys.origin),
      /no longer witnessed/,
    );
    for (
      const args of [
        ["witness", "rm", keys.origin],
        ["witness", "add", custody.origin, keys.verifier_key],
        ["witness", "add", custody.origin, "x"],
        ["witness", "add", "", custody.verifier_key],
      ]
    ) assert.equal((await atBen.run(...args)).status, 1, args.join(" "));
    assert.match(
      await atAda.done("log", "witness", "rm", url),
      /no longer asked/,
    );
  });
});

Deno.test("doctor and check tell of a witness that has seen more, and doctor of a silent one", async () => {
  await withWitness(async (ada, ben) => {
    const atAda = commandsOf(ada);
    const { url, verifier_key: key } = JSON.parse(
      await commandsOf(ben).done("witness", "key", "--json"),
    );
    const findings = async () => {
      const { stdout } = await atAda.run("doctor", "--json");
      return JSON.parse(stdout).checks
        .filter(({ check }: { check: string }) => check === "witnesses")
        .map(({ status, detail }: Record<string, string>) =>
          `${status} ${detail}`
        );
    };
    assert.deepEqual(await findings(), []);
    await atAda.done("log", "witness", "add", url, key);
    await registerWriter(ada, "ada");
    await ada.advanceLogs();
    await ada.app.logs?.witnessed();
    assert.match((await findings())[0], /^warning .* does not know /);
    const say = (fault: string) =>
      ada.app.db.updateTable("log_cosignature").set({ fault, fault_since: 0 })
        .execute();
    await say("silent");
    assert.match((await findings())[0], /^warning .* silent since 1970/);
    await say("ahead");
    assert.match((await findings())[0], /^fault .* has seen more of /);
    const check = await atAda.run("check", "--json");
    assert.equal(check.status, 1);
    assert.deepEqual(JSON.parse(check.stdout).kinds, {
      log_witnessed_otherwise: 1,
    });
    assert.equal((await atAda.run("log", "witness", "ls")).status, 1);
  });
});
