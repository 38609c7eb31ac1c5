/**
 * Backing up and restoring, killed at any moment: a backup stays whole, and
 * half of one is never served.
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectRefused } from "../support/ended.ts";
import {
  backUp,
  faultsOf,
  placesIn,
  restore,
  verifyBackup,
  withRoom,
  withServer,
} from "../support/backups.ts";
import { type Person, registerWriter, uploadBlob } from "../support/people.ts";
import { ciphertext, uuidOf } from "../support/people.ts";
import { runProgram, serveHere } from "../support/program.ts";
import { LOCKED } from "../../scripts/locked.ts";

/** So many times a backup is killed, and then a restore. */
const KILLS = 8;
const ROOT = new URL("../../", import.meta.url);

/** Starts a command and kills it once `isDue` says so; whether it was. */
async function killed(
  args: readonly string[],
  isDue: () => Promise<boolean>,
): Promise<boolean> {
  const permissions = ["env", "read", "write"].map((one) => `--allow-${one}`);
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", ...LOCKED, "--no-prompt", "--allow-sys=statfs,uid,gid"],
      ...[...permissions, "main.ts", ...args],
    ],
    cwd: ROOT,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  let ended = false;
  const status = child.status.then((result) => {
    ended = true;
    return result;
  });
  while (!ended && !await isDue()) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  if (!ended) child.kill("SIGKILL");
  return (await status).signal === "SIGKILL";
}

async function isThere(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

/** Due so many milliseconds after something appeared. */
function after(path: string, ms: number): () => Promise<boolean> {
  let due = Infinity;
  return async () => {
    if (due === Infinity && await isThere(path)) due = performance.now() + ms;
    return performance.now() >= due;
  };
}

async function uploadMany(
  server: Parameters<typeof uploadBlob>[0],
  person: Person,
  words: readonly string[],
): Promise<void> {
  for (const word of words) {
    await uploadBlob(server, person, ciphertext(word, 2_000), {
      fileId: uuidOf(word),
    });
  }
}

const words = (kind: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${kind} ${n}`);

Deno.test("a backup that is killed leaves the one before or the new one, and is run again", async () => {
  await withRoom(async (room) => {
    const { data, backup, restored } = placesIn(room);
    await withServer(data, async (server) => {
      const ada = await registerWriter(server, "ada");
      await uploadMany(server, ada, words("first", 40));
      const { made_at } = await backUp(data, backup);
      let [kills, lastMade] = [0, made_at];
      for (let n = 0; n < KILLS; n++) {
        await uploadMany(server, ada, words(`round ${n}`, 15));
        const next = `${backup}/snapshots/${await nextName(backup)}`;
        const args = ["backup", backup, "--data-dir", data, "--copy"];
        if (await killed(args, after(next, n * 8))) kills += 1;
        const verified = await verifyBackup(backup);
        assert.deepEqual(verified.findings, [], `round ${n}`);
        assert(verified.made_at >= lastMade);
        lastMade = verified.made_at;
      }
      assert(kills >= 2, `${kills} kills`);
      await restore(backup, restored);
      assert.deepEqual(await faultsOf(restored), []);
      const last = await backUp(data, backup);
      assert.equal(last.blobs.count, 40 + KILLS * 15);
      const verified = await verifyBackup(backup);
      assert.deepEqual([verified.found, verified.leftovers], [0, 0]);
    });
  });
});

async function nextName(backup: string): Promise<number> {
  const text = await Deno.readTextFile(`${backup}/strongroom-backup.json`);
  return Number(JSON.parse(text).snapshot.name) + 1;
}

Deno.test("a first backup that is killed is no backup yet, and is run again", async () => {
  await withRoom(async (room) => {
    const { data, backup } = placesIn(room);
    await withServer(data, async (server) => {
      const ada = await registerWriter(server, "ada");
      await uploadMany(server, ada, words("blob", 30));
    });
    const args = ["backup", backup, "--data-dir", data];
    assert(await killed(args, after(`${backup}/snapshots/1`, 0)));
    expectRefused(
      await runProgram(["backup", "verify", backup]),
      /contains no complete backup/,
    );
    expectRefused(
      await runProgram(["restore", backup, "--data-dir", `${room}/x`]),
      /contains no complete backup/,
    );
    await backUp(data, backup);
    assert.equal((await verifyBackup(backup)).found, 0);
  });
});

Deno.test("half a restored backup is never served, and restoring again starts over", async () => {
  await withRoom(async (room) => {
    const { data, backup, restored } = placesIn(room);
    await withServer(data, async (server) => {
      const ada = await registerWriter(server, "ada");
      await uploadMany(server, ada, words("blob", 120));
    });
    await backUp(data, backup);
    const args = ["restore", backup, "--data-dir", restored];
    const mark = `${restored}/restore-unfinished`;
    let kills = 0;
    for (let n = 0; n < KILLS; n++) {
      const wasKilled = await killed(args, after(mark, n * 40));
      if (!wasKilled) break;
      if (!await isThere(mark)) continue;
      kills += 1;
      if (kills > 2) continue;
      const program = await serveHere({ STRONGROOM_DATA_DIR: restored });
      assert.equal(program.line, "");
      assert.equal(await program.exited, 1);
      assert.match(
        await program.complaint(),
        /holds part of a backup.*`strongroom restore` again/,
      );
      expectRefused(
        await runProgram(["peer", "list", "--data-dir", restored]),
        /holds part of a backup/,
      );
    }
    assert(kills >= 1, `${kills} kills`);
    if (await isThere(mark)) await restore(backup, restored);
    assert.deepEqual(await faultsOf(restored), []);
    assert(!await isThere(mark));
    await withServer(restored, () => Promise.resolve());
  });
});
