/**
 * State slots on a disk that is really full, and under a server that is killed
 * again and again (protocol/state.md): what was acknowledged is there, whole,
 * and nothing is ever there by half.
 *
 * There are 6 kills, or as many as `TEST_KILLS` says.
 *
 * @module
 */
import assert from "node:assert/strict";
import { sleep } from "../../src/server/sleep.ts";
import { checkStore } from "../../src/features/verification/check.ts";
import { parsePublishedKeys } from "../../src/crypto/receipt_chain.ts";
import { directoriesOf } from "../../src/store/blobs/blobs.ts";
import { storedIn } from "../../src/store/blobs/small_blobs.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { openBesideServer } from "../../src/store/store.ts";
import {
  ORIGIN,
  type Sender,
  type TestApp,
  withTestApp,
} from "../support/app.ts";
import { check } from "../support/check.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import { MortalServer } from "../support/mortal_server.ts";
import {
  ciphertext,
  hashOf,
  type Person,
  registerWriter,
} from "../support/people.ts";
import { withDataDir } from "../support/program.ts";
import { mayMount, withSmallDisk } from "../support/small_disk.ts";
import { deleteState, getState, putState } from "../support/state.ts";
import { expectBytes, expectNoErrors } from "../support/api.ts";
import { until } from "../support/until.ts";

const MIB = 1024 ** 2;
const NOTHING = new Uint8Array();
const KILLS = Number(Deno.env.get("TEST_KILLS") ?? 6);
const SLOTS = ["index", "pins", "settings"];
const ignore = !await mayMount();
const where = ignore ? " (ignored: mounting a small disk needs root)" : "";

async function held(app: Sender, person: Person, slot: string) {
  const response = await getState(app, person, slot);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return response.status === 200 ? bytes : undefined;
}

/** Whether a write was taken; the one other answer is that the disk is full. */
async function isTaken(response: Response): Promise<boolean> {
  if (response.status === 500) {
    await expectProblem(response, "error.storage.full");
    return false;
  }
  await expectEmpty(response, 204);
  return true;
}

Deno.test({
  name:
    `a disk that slots have filled takes no more, keeps what was put, and has room again once they are emptied${where}`,
  ignore,
  fn: () =>
    withSmallDisk(40 * MIB, async ({ path }) => {
      await withTestApp(async (app) => {
        const ada = await registerWriter(app, "ada");
        const slots = Array.from({ length: 16 }, (_, n) => `slot-${n}`);
        // At once: there is room for each of them, and not for all.
        const taken = await Promise.all(
          slots.map(async (slot) =>
            await isTaken(
              await putState(app, ada, slot, ciphertext(slot, 3 * MIB)),
            )
          ),
        );
        const kept = slots.filter((_, n) => taken[n]);
        assert(kept.length > 0 && kept.length < slots.length, String(taken));
        for (const slot of slots) {
          const bytes = await held(app, ada, slot);
          if (!kept.includes(slot)) assert.equal(bytes, undefined);
          else expectBytes(bytes ?? NOTHING, ciphertext(slot, 3 * MIB));
        }
        await expectSound(app);
        for (const slot of kept) {
          await expectEmpty(await deleteState(app, ada, slot), 204);
        }
        const again = await app.reopen();
        assert(
          await isTaken(
            await putState(again, ada, "again", ciphertext("again", MIB)),
          ),
        );
        await expectSound(again);
      }, {
        place: path,
        settings: { STRONGROOM_RESERVED_DISK_BYTES: String(8 * MIB) },
      });
    }),
});

Deno.test({
  name:
    `a log that a full disk's database has no room for stays, and is moved once there is${where}`,
  ignore,
  fn: () =>
    withSmallDisk(24 * MIB, async (disk) => {
      await withTestApp(async (app) => {
        const ada = await registerWriter(app, "ada");
        const large = ciphertext("large", 4 * MIB);
        // During a long read the log is not moved, so it is emptied before.
        await app.purge();
        const reader = openSqlite(`${app.dataDir}/db/strongroom.sqlite`);
        try {
          reader.exec("begin");
          reader.prepare("select count(*) from account").get();
          assert(await isTaken(await putState(app, ada, "index", large)));
          await disk.leavePages(0);
        } finally {
          reader.close();
        }
        for (let n = 0; n < 3; n++) {
          await expectProblem(
            await putState(app, ada, "index", new Uint8Array([n])),
            "error.state.version_conflict",
          );
        }
        expectBytes(await held(app, ada, "index") ?? NOTHING, large);
        await disk.release();
        assert(await isTaken(await putState(app, ada, "other", large)));
        await expectSound(app);
      }, { place: disk.path });
    }),
});

Deno.test({
  name:
    `with a few pages left a write is taken whole or refused, whatever it finds no room for${where}`,
  ignore,
  fn: () =>
    withSmallDisk(24 * MIB, async (disk) => {
      await withTestApp(async (app) => {
        const ada = await registerWriter(app, "ada");
        let current = ciphertext("first", 9_000);
        assert(await isTaken(await putState(app, ada, "index", current)));
        let refused = 0;
        for (let pages = 0; pages < 40; pages += pages < 20 ? 1 : 4) {
          await disk.leavePages(pages);
          const next = ciphertext(`with ${pages}`, 9_000 + pages);
          const answer = await putState(app, ada, "index", next, {
            "If-Match": `"${hashOf(current)}"`,
          });
          if (await isTaken(answer)) current = next;
          else refused += 1;
          expectBytes(await held(app, ada, "index") ?? NOTHING, current);
          await disk.release();
        }
        assert(refused > 4, `${refused} were refused`);
        await expectSound(app);
      }, { place: disk.path });
    }),
});

async function expectSound(app: TestApp): Promise<void> {
  assert.deepEqual((await check(app)).findings, []);
  expectNoErrors(app);
}

/** Counts up in a slot until it is told to stop; tells and returns the last. */
async function count(
  server: Sender,
  person: Person,
  slot: string,
  stop: AbortSignal,
  tell: (n: number) => void,
): Promise<number> {
  const bodyOf = (n: number) => ciphertext(`${slot} ${n}`, 50_000 + n);
  let n = 0;
  while (!stop.aborted) {
    const next = bodyOf(n + 1);
    const answer = await putState(
      server,
      person,
      slot,
      next,
      n === 0
        ? { "If-None-Match": "*" }
        : { "If-Match": `"${hashOf(bodyOf(n))}"` },
    );
    // To the client, a write whose answer was lost is another client's.
    if (answer.status === 409) {
      await expectProblem(answer, "error.state.version_conflict");
      const bytes = await held(server, person, slot);
      assert.equal(hashOf(bytes ?? ""), hashOf(next), `${slot} ${n}`);
    } else {
      await expectEmpty(answer, 204);
    }
    tell(++n);
  }
  return n;
}

Deno.test("a server that is killed while slots are written loses nothing that was acknowledged, and nothing is there by half", async () => {
  await withDataDir(async (dataDir) => {
    const server = new MortalServer({
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_BASE_URL: ORIGIN,
      STRONGROOM_ARGON2_MEMORY_KIB: "8",
      STRONGROOM_ARGON2_PASSES: "1",
      STRONGROOM_RESERVED_DISK_BYTES: "0",
    });
    await server.start();
    const ada = await registerWriter(server, "ada");
    const stop = new AbortController();
    const told = new Map(SLOTS.map((slot): [string, number] => [slot, 0]));
    const counting = Promise.all(
      SLOTS.map((slot) =>
        count(server, ada, slot, stop.signal, (n) => told.set(slot, n))
      ),
    );
    // A failure of theirs ends the killing.
    const failed = counting.then(() => {}, () => stop.abort());
    for (let kills = 0; kills < KILLS && !stop.signal.aborted; kills += 1) {
      await sleep(150 + 130 * (kills % 5), stop.signal);
      await server.kill();
      await server.start();
    }
    // Every slot was written before or after.
    await Promise.race([
      until(() => Promise.resolve(Math.min(...told.values())), (n) => n > 0),
      failed,
    ]);
    stop.abort();
    await failed;
    const counts = await counting;
    let used = 0;
    for (const [n, slot] of SLOTS.entries()) {
      const last = counts[n] ?? 0;
      assert(last > 0, slot);
      const body = ciphertext(`${slot} ${last}`, 50_000 + last);
      expectBytes(await held(server, ada, slot) ?? NOTHING, body);
      used += body.length;
    }
    const { token } = ada;
    const usage = await expectJson(
      await server.send("GET", "/v1/storage/usage", { token }),
      200,
    );
    assert.equal(usage.used_bytes, used);
    const keys = await expectJson(
      await server.send("GET", "/.well-known/service/attestation-keys"),
      200,
    );
    assert.equal(await server.stop(), 0);
    const db = await openBesideServer(dataDir);
    try {
      const { findings } = await checkStore({
        db,
        ...storedIn(db, directoriesOf(denoFiles, dataDir)),
        keys: parsePublishedKeys(keys).keys,
      });
      assert.deepEqual(findings, []);
    } finally {
      await db.destroy();
    }
  });
});
