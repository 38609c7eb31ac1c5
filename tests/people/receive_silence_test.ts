/**
 * A telephone that used to send and is silent for a week: who is told of it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { platform } from "../../main.ts";
import { readNotifyTargets } from "../../src/core/notify_settings.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/time.ts";
import { parseTrusted } from "../../src/http/client_address.ts";
import { startReceive } from "../../src/cli/receive/serving.ts";
import { tellSilence } from "../../src/cli/receive/silence.ts";
import { delivering } from "../../src/server/deliver.ts";
import { HeldTime } from "../support/held_time.ts";
import { platformOn } from "../support/library.ts";
import { runInProcess } from "../support/in_process.ts";
import { ciphertext } from "../support/people.ts";
import { withDataDir } from "../support/program.ts";
import { LIMITS, type Town, withTelephone } from "../support/telephone.ts";
import { type Receiver, withReceiver } from "../support/targets.ts";

/** The telephone sends one photo. */
async function send(town: Town, name: string): Promise<void> {
  const body = ciphertext(name, 900);
  assert.equal(await town.status(`/${name}`, { body }), 201);
}

/** What a receiver was told. */
function toldBy({ posted }: Receiver) {
  return posted.map(({ body }) => {
    const { event, state, title, facts, server_id, text } = JSON.parse(body);
    assert.equal(event, "phone_silent");
    assert.equal(server_id, "http://127.0.0.1:8470");
    return { state, title, facts, text };
  });
}

Deno.test("a silent phone is told of once, once a day while it lasts, and once when it sends again", async () => {
  await withTelephone((town) =>
    withReceiver(async (receiver) => {
      const warned: string[] = [];
      const look = () =>
        tellSilence({
          spool: town.spool,
          targets: readNotifyTargets(`${receiver.origin}/hook#secret`),
          deliver: delivering({ fetch }),
          warn: (line) => warned.push(line),
        }, town.now);
      // One that has not sent yet is not silent.
      town.now += 30 * DAY_MS;
      await look();
      await send(town, "a.jpg");
      town.now += 7 * DAY_MS;
      await look();
      assert.deepEqual(toldBy(receiver), []);

      // A target that is away gets it the next time.
      town.now += 1;
      receiver.status = 503;
      await look();
      assert.match(warned.join(), /was not told: it answered 503/);
      assert.doesNotMatch(warned.join(), /hook|secret/);
      receiver.status = 200;
      await look();
      await look();
      // What was told survives the program.
      await town.kill();
      town.now += 12 * HOUR_MS;
      await look();
      town.now += 12 * HOUR_MS;
      await look();
      await send(town, "b.jpg");
      await look();
      await look();
      const told = toldBy(receiver);
      assert.deepEqual(
        told.map(({ state, facts }) => [state, facts]),
        [
          ["began", { phones: 1, days: 7 }],
          ["goes_on", { phones: 1, days: 8 }],
          ["ended", {}],
        ],
      );
      assert.equal(
        told[0]?.title,
        "127.0.0.1:8470: A phone has sent nothing for 7 days",
      );
      assert.match(told[0]?.text ?? "", /receive status: it names the phone/);
      for (const { text } of told) assert.doesNotMatch(text, /Ada|jpg/);

      // The next silence is counted from its start.
      town.now += 8 * DAY_MS;
      await look();
      assert.equal(toldBy(receiver).at(-1)?.state, "began");
    })
  );
});

Deno.test("receive looks for silent phones while it runs", async () => {
  await withTelephone((town) =>
    withReceiver(async (receiver) => {
      await send(town, "a.jpg");
      town.now += 7 * DAY_MS;
      const time = new HeldTime();
      const ending = new AbortController();
      const { fetch } = town.wire;
      const running = await startReceive(
        {
          spool: town.root,
          hostname: "127.0.0.1",
          port: 0,
          trusted: parseTrusted([]),
          header: "x-forwarded-for",
          limits: LIMITS,
          notify: {
            targets: readNotifyTargets(`${receiver.origin}/hook`),
            deliver: delivering({ fetch: globalThis.fetch }),
          },
        },
        {
          ...platformOn({ fetch, now: () => town.now }, "receive"),
          wait: (ms) => time.sleep(ms, ending.signal),
        },
        { say: () => {}, warn: () => {}, log: platform.log },
      );
      try {
        await time.asleep(1, 5 * 60_000);
        assert.equal(receiver.posted.length, 0);
        town.now += 1;
        time.advance(5 * 60_000);
        await receiver.come(1);
        assert.equal(toldBy(receiver)[0]?.state, "began");
      } finally {
        ending.abort();
        await running.stop();
      }
    })
  );
});

Deno.test("the doctor names a silent phone of this machine, and says so where none sends", async () => {
  await withTelephone((town) =>
    withDataDir(async (place) => {
      const run = async (...args: string[]) => {
        const { status, stdout, stderr } = await runInProcess(
          [...args, "--data-dir", `${place}/data`],
          { STRONGROOM_RESERVED_DISK_BYTES: "1048576" },
          new Uint8Array(),
          { ...platform, now: () => town.now },
        );
        assert.equal(stderr, "");
        return { status, stdout };
      };
      const phones = async (...args: string[]) => {
        const { stdout } = await run("doctor", "--json", ...args);
        return JSON.parse(stdout).checks
          .filter(({ check }: { check: string }) => check === "phones");
      };
      assert.equal((await run("init")).status, 0);
      await send(town, "a.jpg");
      town.now += 7 * DAY_MS;
      assert.deepEqual(await phones("--spool", town.root), [{
        check: "phones",
        status: "ok",
        detail: "1 phone, none silent for a week",
      }]);
      town.now += DAY_MS;
      assert.deepEqual(await phones("--spool", town.root), [{
        check: "phones",
        status: "warning",
        detail: "phone has sent nothing for 8 days",
        mend: "open the app that uploads on the phone; strongroom receive " +
          "status tells more",
      }]);
      assert.deepEqual(await phones("--spool", `${place}/none`), [{
        check: "phones",
        status: "ok",
        detail: "none sends to strongroom receive on this machine",
      }]);
    })
  );
});
