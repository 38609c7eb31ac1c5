/**
 * What a device gives back to a server that was restored from an older backup,
 * in addition to photos: the escrow, so that words made since then open the
 * account, and lists and marks.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type Library,
  newRecoveryWords,
  openLibrary,
  openVault,
  recoverVault,
  signIn,
  WORDS_LABEL,
} from "../../src/library/mod.ts";
import { seededRandom, withTestApp } from "../support/app.ts";
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
  deviceOf,
  enter,
  fileOf,
  type TestDevice,
  wireTo,
} from "../support/library.ts";
import { ciphertext, PASSWORD } from "../support/people.ts";

async function newWords({ vault }: Library, seed: string): Promise<string> {
  const words = await newRecoveryWords(seededRandom(seed));
  await vault.escrow({ label: WORDS_LABEL, passphrase: words });
  return words;
}

for (const before of ["other words", "no words"]) {
  Deno.test(`words, lists and marks made after a backup with ${before} are given back to the restored server`, async () => {
    await withRoom(async (room) => {
      const { data, backup, restored } = placesIn(room);
      const near: { server?: Running } = {};
      const of = (seed: string): TestDevice =>
        deviceAt(BASE_URL, seed, {
          fetch: (input, init) => {
            const url = near.server?.program.url ?? "";
            return fetch(input.replace(BASE_URL, url), init);
          },
          now: () => Date.now(),
        });
      const laptop = of("laptop");
      let words = "";
      let photo = "";
      await withServer(data, async (server) => {
        near.server = server;
        const library = await beginLibrary(laptop, "ada");
        const { row } = await library.take(
          fileOf("walk.jpg", ciphertext("walk", 2_000)),
        );
        photo = row.id;
        await library.sync();
        if (before !== "no words") await newWords(library, "the first");
        await backUp(data, backup);
        words = await newWords(library, "the second");
        await library.collections.create("Summer", [photo]);
        await library.flags.change([photo], { favourite: true });
      });
      await restore(backup, restored);

      await withServer(restored, async (server) => {
        near.server = server;
        const enterOn = ({ platform, entrance }: TestDevice) =>
          signIn(platform, {
            ...entrance,
            address: addressOf("ada"),
            password: PASSWORD,
          });
        const vault = await openVault(await enterOn(laptop));
        const again = await openLibrary(vault, laptop.store);
        const { escrow, restored } = await again.sync();
        assert.deepEqual([restored, escrow], [true, "given_back"]);
        assert.equal((await again.sync()).escrow, undefined);

        const phone = of("phone");
        const recovered = await recoverVault(await enterOn(phone), words);
        const fresh = await openLibrary(recovered, phone.store);
        await fresh.sync();
        assert.deepEqual(
          fresh.collections.list().map(({ title }) => title),
          ["Summer"],
        );
        const row = fresh.index.get(photo);
        assert.ok(row !== undefined);
        assert.equal(fresh.flags.of(row).favourite, true);
      });
    });
  });
}

Deno.test("an older escrow that may not be replaced yet is replaced after the next sign-in", async () => {
  await withTestApp(async (app) => {
    const device = deviceOf(wireTo(app), "laptop");
    const library = await beginLibrary(device, "ada");
    await newWords(library, "the first");
    const { account } = library.vault.session;
    const older = await account.escrow();
    const words = await newWords(library, "the second");
    await account.storeEscrow(older);
    app.clock.now += 25 * 60 * 60 * 1_000;
    assert.equal((await library.sync()).escrow, "due");

    const session = await enter(device, "ada");
    const again = await openLibrary(await openVault(session), device.store);
    assert.equal((await again.sync()).escrow, "given_back");
    const phone = deviceOf(wireTo(app), "phone");
    await recoverVault(await enter(phone, "ada"), words);
  });
});

Deno.test("words that another device made replace the kept ones", async () => {
  await withTestApp(async (app) => {
    const device = deviceOf(wireTo(app), "laptop");
    const library = await beginLibrary(device, "ada");
    const first = await newWords(library, "the first");
    const phone = deviceOf(wireTo(app), "phone");
    const vault = await recoverVault(await enter(phone, "ada"), first);
    const other = await openLibrary(vault, phone.store);
    const second = await newWords(other, "the second");
    app.clock.now += 25 * 60 * 60 * 1_000;
    assert.equal((await library.sync()).escrow, undefined);
    const third = deviceOf(wireTo(app), "third");
    await recoverVault(await enter(third, "ada"), second);
  });
});
