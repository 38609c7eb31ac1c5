/**
 * The public logs after a restore (protocol/logs.md#a-restore-is-a-fork), and
 * on a server that had none before.
 *
 * @module
 */
import assert from "node:assert/strict";
import { fromBase64 } from "../../src/core/bytes.ts";
import { parseRfc3339 } from "../../src/core/time.ts";
import {
  noteKey,
  parseNote,
  verifyNote,
} from "../../src/crypto/logs/signed_note.ts";
import { followLogKeys } from "../support/log_reader.ts";
import { ORIGIN, withTestApp } from "../support/app.ts";
import {
  backUp,
  BASE_URL,
  placesIn,
  restore,
  type Running,
  signIn,
  withRoom,
  withServer,
} from "../support/backups.ts";
import { publishedRecord, uploadNamed } from "../support/custody.ts";
import type { Json } from "../support/expect.ts";
import { registerWriter } from "../support/people.ts";
import {
  type Name,
  readCheckpoint,
  readEntries,
  readLog,
} from "../support/public_logs.ts";
import { until } from "../support/until.ts";

/** Signs whatever there is, with the next checkpoint. */
const SOON = { STRONGROOM_LOG_SECONDS: "1" };

/** Waits until a log has so many entries; returns it. */
async function logOf(server: Running, name: Name, size: number) {
  await until(
    async () => (await readCheckpoint(server, name))?.size ?? 0,
    (held) => held >= size,
  );
  return await readLog(server, name);
}

/** The published keys of the logs, as a client reads them. */
function keysOf({ log_keys }: Json) {
  return log_keys.map((key: Json) => ({
    keyId: key.key_id,
    publicKey: fromBase64(key.public),
    activeFrom: parseRfc3339(key.active_from),
    succession: key.succession && fromBase64(key.succession),
  }));
}

Deno.test("a restored server's logs go on under other origins, repeat what was restored at its places, and name the ones before", async () => {
  await withRoom(async (room) => {
    const { data, backup, restored } = placesIn(room);
    const { custody, keys, ada, before } = await withServer(
      data,
      async (server) => {
        const ada = await registerWriter(server, "ada");
        await uploadNamed(server, ada, "one");
        const custody = await logOf(server, "custody", 1);
        const keys = await logOf(server, "keys", 2);
        await backUp(data, backup);
        // Lost with the disk, and known to whoever has the receipt.
        await uploadNamed(server, ada, "two");
        await logOf(server, "custody", 2);
        return { custody, keys, ada, before: await publishedRecord(server) };
      },
      SOON,
    );
    await restore(backup, restored);
    await withServer(restored, async (server) => {
      const forked = await logOf(server, "custody", 1);
      assert.notEqual(forked.origin, custody.origin);
      assert.deepEqual(forked.leaves, custody.leaves);
      const after = await logOf(server, "keys", 4);
      const entries = await readEntries(server, after);
      assert.deepEqual(entries.map(([kind]) => kind), [3, 1, 4, 4]);
      // The log before is repeated at its places.
      assert.deepEqual(after.leaves.slice(0, keys.size), keys.leaves);
      assert.deepEqual(entries.slice(2), [
        [4, keys.origin, keys.note],
        [4, custody.origin, custody.note],
      ]);
      // The key of before vouches for the one that signs now.
      const record = await publishedRecord(server);
      const [first, ...others] = keysOf(record);
      assert.equal(first.keyId, before.log_keys[0].key_id);
      assert.equal(others.length, 1);
      const followed = await followLogKeys(keysOf(record), first.keyId, [
        BASE_URL,
      ]);
      assert.equal(followed.length, 2);
      const last = followed.at(-1);
      const note = parseNote(forked.note);
      assert(last && note);
      const key = noteKey(forked.origin, "ed25519", last.publicKey);
      assert.equal((await verifyNote(note, [key]))?.length, 1);
      // Another server's signature vouches for nothing.
      const foreign = await followLogKeys(keysOf(record), first.keyId, [
        "https://elsewhere.example",
      ]);
      assert.equal(foreign.length, 1);
      await uploadNamed(server, await signIn(server, ada), "three");
      assert.equal((await logOf(server, "custody", 2)).size, 2);
    }, SOON);
  });
});

Deno.test("under another name the logs have another origin, and under the first again not the one they had", async () => {
  await withTestApp(async (app) => {
    await registerWriter(app, "ada");
    await app.advanceLogs();
    const first = await readLog(app, "keys");
    const other = await app.reopen({
      STRONGROOM_BASE_URL: "https://photos.example.org",
    });
    await other.advanceLogs();
    const second = await readLog(other, "keys");
    assert.match(second.origin, /^photos\.example\.org\/keys\//);
    const fork = (await readEntries(other, second)).at(-1);
    assert.deepEqual(fork, [4, first.origin, first.note]);
    const again = await other.reopen({ STRONGROOM_BASE_URL: ORIGIN });
    await again.advanceLogs();
    const third = await readLog(again, "keys");
    assert.notEqual(third.origin, first.origin);
    assert(third.origin.startsWith(`${first.origin}-`));
    const last = (await readEntries(again, third)).at(-1);
    assert.deepEqual(last, [4, second.origin, second.note]);
  });
});
