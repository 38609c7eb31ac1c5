/**
 * A disk without any room left, and every operation that writes: refused where
 * it could not, and never a failure of the server's
 * (protocol/transport.md#implied-problems).
 *
 * Ignored where this process may not mount a small tmpfs, which wants root.
 *
 * @module
 */
import assert from "node:assert/strict";
import { sql } from "kysely";
import { withTestApp } from "../support/app.ts";
import { check } from "../support/check.ts";
import { expectJson } from "../support/expect.ts";
import { mayMount, withSmallDisk } from "../support/small_disk.ts";
import { mayBeFull, nameOf, SPEC } from "../support/spec.ts";
import { openWorld, sendOperation } from "../support/spec_requests.ts";

const MIB = 1024 ** 2;
const ignore = !await mayMount();
const where = ignore ? " (ignored: mounting a small disk needs root)" : "";

/** Of all writes so many get as far as the disk with the samples' bodies. */
const REFUSED_MIN = 25;

Deno.test({
  name:
    `on a full disk no write is a failure of the server's, and reading goes on${where}`,
  ignore,
  fn: () =>
    withSmallDisk(24 * MIB, async ({ path, leavePages, release }) => {
      await withTestApp(async (app) => {
        const { person, values } = await openWorld(app);
        const refused: string[] = [];
        const answered: string[] = [];
        for (const op of SPEC.filter(mayBeFull)) {
          const name = nameOf(op);
          // The log starts again, and there is no room to make it longer.
          await sql`pragma wal_checkpoint(truncate)`.execute(app.app.db)
            .catch(() => {});
          await leavePages(0);
          const response = await sendOperation(app, op, person, { values });
          const text = await response.text();
          if (response.status === 500) {
            assert.equal(JSON.parse(text).code, "error.storage.full", name);
            assert(response.headers.has("retry-after"), name);
            refused.push(name);
          } else answered.push(`${name} ${response.status}`);
          await release();
        }
        assert(refused.length >= REFUSED_MIN, answered.join(", "));
        for (const name of ["POST /v1/auth/register", "POST /v1/albums"]) {
          assert(refused.includes(name), name);
        }
        await leavePages(0);
        const read = await app.send("GET", "/v1/auth/profile", person);
        await expectJson(read, 200);
        await release();
        assert.deepEqual((await check(app, { deep: true })).findings, []);
      }, { place: path });
    }),
});
