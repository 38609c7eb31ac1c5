/**
 * Deleting the keys from a device: refused while nothing else opens the account,
 * in whichever way they would go.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  AnotherAccount,
  boxesOfProfile,
  dropKeys,
  keepWords,
  newRecoveryWords,
  NoWayBack,
  openVault,
  PHRASE_LABEL,
  registerAccount,
  resumeSession,
  signIn,
  waysBack,
  WORDS_LABEL,
} from "../../src/library/mod.ts";
import { withTestApp } from "../support/app.ts";
import {
  addressOf,
  beginLibrary,
  deviceOf,
  wireTo,
} from "../support/library.ts";
import { PASSWORD } from "../support/people.ts";

Deno.test("signing out keeps the only keys, and deletes them once words open the account", async () => {
  await withTestApp(async (app) => {
    const laptop = deviceOf(wireTo(app), "laptop");
    const { vault } = await beginLibrary(laptop, "ada");
    const { session } = vault;
    assert.deepEqual(await waysBack(session, vault), {
      boxes: [],
      devices: [],
    });
    await assert.rejects(
      dropKeys(session, { vault, offline: true }),
      NoWayBack,
    );
    // Neither the session nor the keys are gone.
    await session.account.profile();
    assert.notEqual(
      (await resumeSession(laptop.platform, laptop.entrance)).masterKey(),
      undefined,
    );

    const words = await newRecoveryWords(laptop.platform.random);
    await vault.escrow({ label: WORDS_LABEL, passphrase: words });
    await dropKeys(session, { vault });
    assert.equal(await laptop.credentials.read(), undefined);
    await assert.rejects(session.account.profile());
  });
});

Deno.test("another device that is signed in opens the account, and one that was signed out does not count", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = deviceOf(wire, "laptop");
    const { vault } = await beginLibrary(laptop, "ada");
    const phone = deviceOf(wire, "phone");
    const session = await signIn(phone.platform, {
      ...phone.entrance,
      address: addressOf("ada"),
      password: PASSWORD,
    });
    // It is signed in, and has no keys yet.
    assert.deepEqual((await waysBack(vault.session, vault)).devices, []);
    await dropKeys(session);
    const again = await signIn(phone.platform, {
      ...phone.entrance,
      address: addressOf("ada"),
      password: PASSWORD,
    });
    const key = vault.session.masterKey();
    assert(key !== undefined);
    await again.holdMasterKey(key);
    const other = await openVault(again);
    assert.deepEqual(
      (await waysBack(vault.session, vault)).devices,
      [again.device.name],
    );
    await dropKeys(again, { vault: other });
    assert.deepEqual((await waysBack(vault.session, vault)).devices, []);
    await assert.rejects(dropKeys(vault.session, { vault }), NoWayBack);
  });
});

Deno.test("without an answer of the server, what the device saw last counts", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = deviceOf(wire, "laptop");
    const { vault } = await beginLibrary(laptop, "ada");
    const offline = () => Promise.reject(new TypeError("no network"));
    const boxes = async () => {
      const profile = await laptop.credentials.read();
      assert(profile !== undefined);
      return await boxesOfProfile(profile);
    };
    assert.deepEqual(await boxes(), []);
    wire.intercept = offline;
    await assert.rejects(
      dropKeys(vault.session, { vault, offline: true }),
      NoWayBack,
    );
    wire.intercept = undefined;
    await vault.escrow({ label: PHRASE_LABEL, passphrase: "nine small wrens" });
    await vault.session.settled();
    assert.deepEqual(await boxes(), [PHRASE_LABEL]);
    // No program shows or replaces a sentence of before: words end it.
    await keepWords(vault, await newRecoveryWords(laptop.platform.random));
    await vault.session.settled();
    assert.deepEqual(await boxes(), [WORDS_LABEL]);
    wire.intercept = offline;
    await dropKeys(vault.session, { vault, offline: true });
    assert.equal(await laptop.credentials.read(), undefined);
  });
});

Deno.test("neither signing in as another account nor a new account replaces the keys of a device", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = deviceOf(wire, "laptop");
    const { vault } = await beginLibrary(laptop, "ada");
    await beginLibrary(deviceOf(wire, "bob's"), "bob");
    await vault.session.holdEnded();
    const before = await laptop.credentials.read();
    const as = (name: string) => ({
      ...laptop.entrance,
      address: addressOf(name),
      password: PASSWORD,
    });
    await assert.rejects(signIn(laptop.platform, as("bob")), AnotherAccount);
    await assert.rejects(
      registerAccount(laptop.platform, as("vic")),
      AnotherAccount,
    );
    assert.deepEqual(await laptop.credentials.read(), before);
    // The account was not made either.
    await registerAccount(deviceOf(wire, "vic's").platform, {
      ...deviceOf(wire, "vic's").entrance,
      address: addressOf("vic"),
      password: PASSWORD,
    });
    const again = await signIn(laptop.platform, as("ada"));
    assert.deepEqual(again.masterKey(), vault.session.masterKey());
  });
});
