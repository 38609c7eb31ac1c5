/**
 * Values that were replaced or deleted leave the files of the database
 * (protocol/personal-data.md#deleted-values).
 *
 * @module
 */
import assert from "node:assert/strict";
import { toBase64, utf8 } from "../../src/core/bytes.ts";
import { databasePath } from "../../src/store/data_paths.ts";
import { type TestApp, withRealApp } from "../support/app.ts";
import { backUpBeside, filesUnder } from "../support/backups.ts";
import { append, drain, openChannel } from "../support/enrollment.ts";
import { expectEmpty, expectJson } from "../support/expect.ts";
import {
  ciphertext,
  registerPerson,
  registerWriter,
  storeEscrow,
} from "../support/people.ts";
import { departureRequest } from "../support/proofs.ts";
import { numbered, numberedUuid, writeRows } from "../support/rows.ts";

const PART_BYTES = 64;

/** Which of the values are in the files of the database, by their names. */
async function heldIn(
  app: TestApp,
  values: Record<string, Uint8Array>,
): Promise<string[]> {
  const database = databasePath(app.dataDir);
  const files = await Promise.all(
    [database, `${database}-wal`].map((path) => Deno.readFile(path)),
  );
  return found(files, values);
}

function found(
  files: readonly Uint8Array[],
  values: Record<string, Uint8Array>,
): string[] {
  const texts = files.map(textOf);
  return Object.entries(values)
    .filter(([, value]) => {
      // A long value is in several pages: a part in every 1,024 bytes counts.
      const parts = Array.from(
        { length: Math.ceil(value.length / 1_024) },
        (_, n) => textOf(value.subarray(n * 1_024, n * 1_024 + PART_BYTES)),
      );
      return parts.some((part) => texts.some((text) => text.includes(part)));
    })
    .map(([name]) => name);
}

/** A character for each byte. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

Deno.test("a replaced escrow, a drained relay payload and a deleted account's address are in no file of the database and in no backup", async () => {
  await withRealApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerPerson(app, "bob");
    // Of one page, and of many.
    const values = {
      "a short escrow": ciphertext("short", 300),
      "a long escrow": ciphertext("long", 60_000),
      "a short payload": ciphertext("message", 64),
      "a long payload": ciphertext("messages", 20_000),
      "the address": utf8(ada.address),
    };
    await expectJson(
      await storeEscrow(app, bob, values["a short escrow"]),
      200,
    );
    await expectJson(await storeEscrow(app, bob, values["a long escrow"]), 200);
    const channel = await openChannel(app, bob);
    for (const name of ["a short payload", "a long payload"] as const) {
      await expectEmpty(
        await append(app, channel, "to_initiator", toBase64(values[name])),
        204,
      );
    }
    const held = await heldIn(app, values);
    assert.deepEqual(held, Object.keys(values));

    await expectJson(
      await storeEscrow(app, bob, ciphertext("newest", 100)),
      200,
    );
    await expectJson(await drain(app, channel, "to_initiator"), 200);
    await expectEmpty(
      await app.send(
        "POST",
        "/v1/auth/account/delete",
        await departureRequest(app, ada),
      ),
      204,
    );
    // The round that comes every ten minutes empties the log.
    await app.purge();
    assert.deepEqual(await heldIn(app, values), []);

    const room = await Deno.makeTempDir({ prefix: "strongroom-test-" });
    try {
      await backUpBeside(app.dataDir, `${room}/backup`);
      const copies = await Promise.all(
        [...(await filesUnder(`${room}/backup`)).keys()].map((name) =>
          Deno.readFile(`${room}/backup/${name}`)
        ),
      );
      assert(copies.length > 1);
      assert.deepEqual(found(copies, values), []);
    } finally {
      await Deno.remove(room, { recursive: true });
    }
  });
});

Deno.test("rows that moved between pages before they were deleted leave no copy", async () => {
  await withRealApp(async (app) => {
    const COUNT = 2_000;
    writeRows(
      app,
      `insert into account (user_id, address, created_at)
        select ${
        numberedUuid("00000000")
      }, 'person-' || (n * 7919 % ${COUNT}) ||
          '@example.org', 0 from (${numbered(COUNT)} select n from numbers)`,
    );
    writeRows(app, "delete from account where address not like '%-1@%'");
    await app.purge();
    const kept = await Deno.readFile(databasePath(app.dataDir));
    const addresses = textOf(kept).match(/person-\d+@/g) ?? [];
    // The row, and the index that keeps addresses unique.
    assert.deepEqual(addresses, ["person-1@", "person-1@"]);
  });
});
