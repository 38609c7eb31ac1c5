/**
 * Albums on a server that was restored from an older backup: their owner's
 * program gives back the lost rosters, and no member is locked out.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type Library,
  openLibrary,
  openVault,
  signIn,
} from "../../src/library/mod.ts";
import { idOf, seen, take } from "../support/album_cast.ts";
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
  type TestDevice,
} from "../support/library.ts";
import { PASSWORD } from "../support/people.ts";

Deno.test("after a restore the owner's program gives back what the albums were, and their members read on", async () => {
  await withRoom(async (room) => {
    const { data, backup, restored } = placesIn(room);
    const near: { server?: Running } = {};
    const of = (name: string) =>
      deviceAt(BASE_URL, name, {
        fetch: (input, init) => {
          const url = near.server?.program.url ?? "";
          return fetch(input.replace(BASE_URL, url), init);
        },
        now: () => Date.now(),
      });
    const [laptop, phone] = [of("ada's"), of("bob's")];
    let ids: { summer: string; winter: string } | undefined;
    let bobsId = "";
    await withServer(data, async (server) => {
      near.server = server;
      const ada = await beginLibrary(laptop, "ada");
      const bob = await beginLibrary(phone, "bob");
      bobsId = idOf(bob);
      const summer = await ada.albums.create({ title: "Summer" });
      await take(ada, "before", summer.id);
      await ada.albums.invite(summer.id, bobsId, "contributor");
      assert.deepEqual(await seen(bob, summer.id), ["before"]);
      await backUp(data, backup);
      await ada.albums.describe(summer.id, { title: "Summer at the sea" });
      const winter = await ada.albums.create({ title: "Winter" });
      await ada.albums.invite(winter.id, bobsId, "contributor");
      ids = { summer: summer.id, winter: winter.id };
      for (const one of [ada, bob]) await one.sync();
      assert.deepEqual(await seen(bob, winter.id), []);
    });
    await restore(backup, restored);

    await withServer(restored, async (server) => {
      near.server = server;
      const again = async (device: TestDevice, name: string) => {
        const session = await signIn(device.platform, {
          ...device.entrance,
          address: addressOf(name),
          password: PASSWORD,
        });
        return await openLibrary(await openVault(session), device.store);
      };
      assert.ok(ids !== undefined);
      const { summer, winter } = ids;
      const titles = ({ albums }: Library) =>
        albums.list().map(({ title }) => title).sort();
      const bob = await again(phone, "bob");
      // The member is told, sees what was there, and the sync goes on.
      assert.deepEqual(await seen(bob, summer), ["before"]);
      assert.match(bob.albums.get(summer)?.fault ?? "", /older list/);
      const ada = await again(laptop, "ada");
      await ada.sync();
      assert.deepEqual(titles(ada), ["Summer at the sea", "Winter"]);
      for (const id of [summer, winter]) {
        assert.equal(ada.albums.get(id)?.fault, undefined);
        await take(ada, "after", id);
        const names = await seen(bob, id);
        assert.ok(names.includes("after"), `${names}`);
        assert.equal(bob.albums.get(id)?.fault, undefined);
      }
      assert.deepEqual(titles(bob), ["Summer at the sea", "Winter"]);
      await take(bob, "of bob", summer);
      assert.deepEqual(await seen(ada, summer), ["after", "before", "of bob"]);
    });
  });
});
