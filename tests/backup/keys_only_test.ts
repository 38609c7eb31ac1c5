/**
 * `strongroom restore --keys-only` (backup/keys-alone.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  done,
  faultsOf,
  namesIn,
  withBackup,
  withServer,
} from "../support/backups.ts";
import { expectRefused } from "../support/ended.ts";
import { doneOn, withPlace } from "../support/remote_backup.ts";
import { runProgram } from "../support/program.ts";

const NAMES = [
  "access.json",
  "attestation.json",
  "log.json",
  "sealing.json",
];

Deno.test("the keys alone come out of a backup into a data directory that lost them, and into an empty one", async () => {
  await withBackup(async ({ data, backup, room }) => {
    const bring = (to: string) =>
      done("restore", backup, "--keys-only", "--data-dir", to);
    const whole = await Deno.readTextFile(`${data}/keys/sealing.json`);
    await Deno.remove(`${data}/keys/sealing.json`);
    const doctor = await runProgram(["doctor", "--data-dir", data]);
    assert.match(doctor.stdout, /restore BACKUP --keys-only/);
    const mended = await bring(data);
    assert.deepEqual(mended.brought, ["sealing.json"]);
    assert.deepEqual(mended.kept, NAMES.slice(0, 3));
    assert.equal(await Deno.readTextFile(`${data}/keys/sealing.json`), whole);
    const { mode } = await Deno.stat(`${data}/keys/sealing.json`);
    assert.equal((mode ?? 0) & 0o777, 0o600);
    await Deno.remove(`${data}/keys`, { recursive: true });
    assert.deepEqual((await bring(data)).brought, NAMES);
    assert.deepEqual(await faultsOf(data), []);
    await withServer(data, () => Promise.resolve());

    const alone = `${room}/alone`;
    assert.deepEqual((await bring(alone)).brought, NAMES);
    assert.deepEqual(await namesIn(alone), ["keys", "lock"]);
    assert.deepEqual((await bring(alone)).kept, NAMES);
  });
});

Deno.test("keys of another server, files that differ, and a directory in use are refused, and nothing is changed", async () => {
  await withBackup(async ({ data, backup, room }) => {
    const tried = (to: string) =>
      runProgram(["restore", backup, "--keys-only", "--data-dir", to]);
    const other = `${room}/other`;
    await withServer(other, async () => {
      expectRefused(await tried(other), /in use by another server/);
    });
    await Deno.remove(`${other}/keys/access.json`);
    const before = await Deno.readTextFile(`${other}/keys/attestation.json`);
    expectRefused(
      await tried(other),
      /belongs to another server, not to this database/,
    );
    assert.deepEqual(await namesIn(`${other}/keys`), NAMES.slice(1));
    assert.equal(
      await Deno.readTextFile(`${other}/keys/attestation.json`),
      before,
    );
    await done("keys", "rotate", "access", "--data-dir", data);
    expectRefused(await tried(data), /access\.json exists and differs/);
    assert(!(await namesIn(data)).includes("keys-restored"));
  });
});

Deno.test("off the premises the keys come out of a generation", async () => {
  await withPlace("a directory", async (place) => {
    const data = `${place.room}/data`;
    await withServer(data, () => Promise.resolve());
    await doneOn(place, "backup", place.name, "--data-dir", data);
    const to = `${place.room}/keys-here`;
    const { brought } = await doneOn(
      place,
      ...["restore", place.name, "--keys-only", "--data-dir", to],
    );
    assert.deepEqual(brought, NAMES);
    assert.equal(
      await Deno.readTextFile(`${to}/keys/access.json`),
      await Deno.readTextFile(`${data}/keys/access.json`),
    );
  });
});
