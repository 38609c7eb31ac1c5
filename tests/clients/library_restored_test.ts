/**
 * A server that was restored from an older backup: the library notices, goes
 * through the feed again, names what is lost, and brings it back.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  adoptMasterKey,
  openLibrary,
  openVault,
  resumeSession,
  signIn,
} from "../../src/library/mod.ts";
import {
  backUp,
  BASE_URL,
  placesIn,
  restore,
  type Running,
  withRoom,
  withServer,
} from "../support/backups.ts";
import {
  addressOf,
  beginLibrary,
  deviceAt,
  fileOf,
  type TestDevice,
  wholeOf,
} from "../support/library.ts";
import { ciphertext, PASSWORD } from "../support/people.ts";

/** A device whose requests go to whatever server runs by now. */
function deviceNear(): TestDevice & { server?: Running } {
  const near: { server?: Running } = {};
  const device = deviceAt(BASE_URL, "laptop", {
    fetch: (input, init) => {
      const url = near.server?.program.url ?? "";
      return fetch(input.replace(BASE_URL, url), init);
    },
    now: () => Date.now(),
  });
  return Object.assign(near, device);
}

Deno.test("a restored server's losses are named, and what is still here is brought again", async () => {
  await withRoom(async (room) => {
    const { data, backup, restored } = placesIn(room);
    const laptop = deviceNear();
    const photo = (name: string) => ciphertext(name, 2_000);
    await withServer(data, async (server) => {
      laptop.server = server;
      const library = await beginLibrary(laptop, "ada");
      await library.take(fileOf("kept.jpg", photo("kept")));
      await library.sync();
      await backUp(data, backup);
      await library.take(fileOf("lost.jpg", photo("lost")));
      const report = await library.sync();
      assert.equal(report.restored, false);
      assert.equal(library.list().length, 2);
    });
    await restore(backup, restored);

    await withServer(restored, async (server) => {
      laptop.server = server;
      // The restored server has closed the sessions of before.
      const old = await openLibrary(
        await openVault(await resumeSession(laptop.platform, laptop.entrance)),
        laptop.store,
      );
      await assert.rejects(old.sync());
      const session = await signIn(laptop.platform, {
        ...laptop.entrance,
        address: addressOf("ada"),
        password: PASSWORD,
      });
      // Killed in the middle of looking through everything again.
      const cut = await openLibrary(await openVault(session), laptop.store);
      await assert.rejects(
        cut.sync({
          onProgress: () => {
            throw new Error("killed");
          },
        }),
        /killed/,
      );
      const library = await openLibrary(await openVault(session), laptop.store);
      const report = await library.sync();
      assert.equal(report.restored, true);
      const lost = report.missing.map((id) => library.index.get(id));
      assert.deepEqual(
        lost.map((row) => [row?.metadata?.name, row?.state, row?.custody]),
        [["lost.jpg", "missing", "missing"]],
      );
      assert.deepEqual(
        library.list().map(({ metadata }) => metadata?.name),
        ["kept.jpg"],
      );
      assert.deepEqual((await library.sync()).restored, false);

      const kept = await library.take(fileOf("kept.jpg", photo("kept")));
      assert.equal(kept.outcome, "known");
      const again = await library.take(fileOf("lost.jpg", photo("lost")));
      assert.equal(again.outcome, "kept");
      await library.sync();
      assert.equal(library.index.size, 2);
      for (const row of library.list()) {
        const name = row.metadata?.name.replace(".jpg", "") ?? "";
        assert.deepEqual(await wholeOf(library.read(row.id)), photo(name));
      }
      assert.equal((await library.confirm()).confirmed.length, 2);
      // The old server's promise of what it lost is held still.
      const held = await library.custody.held();
      assert.ok(held.some(({ assetId }) => assetId === lost[0]?.id));
    });
  });
});

Deno.test("a person who has seen the server restored is told when the same backup is restored once more, and goes on after confirming it, on every device", async () => {
  await withRoom(async (room) => {
    const { data, backup, restored } = placesIn(room);
    const laptop = deviceNear();
    const photo = (name: string) => ciphertext(name, 2_000);
    const enter = async (device: TestDevice) =>
      await signIn(device.platform, {
        ...device.entrance,
        address: addressOf("ada"),
        password: PASSWORD,
      });
    let masterKey = new Uint8Array();
    await withServer(data, async (server) => {
      laptop.server = server;
      const library = await beginLibrary(laptop, "ada");
      masterKey = new Uint8Array(
        library.vault.session.masterKey() ?? masterKey,
      );
      await library.take(fileOf("kept.jpg", photo("kept")));
    });
    await backUp(data, backup);
    for (const time of ["once", "twice", "thrice"]) {
      await restore(backup, `${restored}-${time}`);
      await withServer(`${restored}-${time}`, async (server) => {
        laptop.server = server;
        const session = await enter(laptop);
        const library = await openLibrary(
          await openVault(session),
          laptop.store,
        );
        await library.sync();
        if (time !== "once") {
          // Its newest key is gone, and a retired one vouches for another.
          await assert.rejects(
            library.take(fileOf("later.jpg", photo("later"))),
            { fault: "keys_replaced" },
          );
          const told = library.logs.findings();
          assert.deepEqual(told.map(({ kind }) => kind), ["key_skipped"]);
          for (const { id } of told) await library.logs.answer(id);
        }
        await library.take(fileOf("later.jpg", photo("later")));
        assert.equal((await library.confirm({ deep: true })).missing.length, 0);
        assert.deepEqual((await library.receipts()).faults, []);
        // One that was never there before has the record of the others.
        const phone = deviceNear();
        phone.server = server;
        const other = await openLibrary(
          await adoptMasterKey(await enter(phone), masterKey),
          phone.store,
        );
        await other.sync();
        assert.deepEqual((await other.receipts()).faults, []);
        assert.deepEqual(
          other.list().map(({ metadata }) => metadata?.name).sort(),
          ["kept.jpg", "later.jpg"],
        );
        await other.take(fileOf("phone.jpg", photo(`phone ${time}`)));
      });
    }
  });
});
