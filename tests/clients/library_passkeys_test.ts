/**
 * Passkeys that open the keys
 * (protocol/client-cryptography.md#passkeys-that-open-keys).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  hasWayBack,
  newRecoveryWords,
  recoverVault,
  WORDS_LABEL,
} from "../../src/client/library/mod.ts";
import {
  addPasskey,
  beginPasskey,
  ownPasskeys,
  passkeyLabel,
  recoverWithPasskey,
  removePasskey,
} from "../../src/client/library/passkeys.ts";
import type { Vault } from "../../src/client/library/vault.ts";
import { seededRandom, withTestApp } from "../support/app.ts";
import { Authenticator } from "../support/authenticator.ts";
import { beginLibrary, deviceOf, enter, wireTo } from "../support/library.ts";

const PRF = seededRandom("the output of a PRF")(32);

async function keepWords(vault: Vault): Promise<string> {
  const words = await newRecoveryWords(seededRandom("words"));
  await vault.escrow({ label: WORDS_LABEL, passphrase: words });
  return words;
}

/** Adds a passkey as the app does. */
async function add(vault: Vault, prf?: Uint8Array) {
  const authenticator = await Authenticator.open();
  const asked = await beginPasskey(vault.session);
  const made = authenticator.make(asked.options);
  const { id, response } = made;
  return await addPasskey(vault, {
    challengeId: asked.challenge_id,
    name: "Telephone",
    made: { id, response },
    prf,
  });
}

Deno.test("a passkey with PRF opens the keys on a new device, and no other output does", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const { vault } = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const words = await keepWords(vault);
    const passkey = await add(vault, PRF);
    assert.equal(passkey.opensKeys, true);
    const session = await enter(deviceOf(wire, "phone"), "ada");
    const { credential_id: id } = passkey;
    const wrong = new Uint8Array(32);
    assert.equal(await recoverWithPasskey(session, id, wrong), undefined);
    assert.equal(await recoverWithPasskey(session, "AAAA", PRF), undefined);
    const opened = await recoverWithPasskey(session, id, PRF);
    assert.deepEqual(
      opened?.identity.signer.publicKey,
      vault.identity.signer.publicKey,
    );
    // The words open what they opened before.
    await recoverVault(await enter(deviceOf(wire, "tablet"), "ada"), words);
  });
});

Deno.test("a passkey is never the only way back to the keys", async () => {
  await withTestApp(async (app) => {
    const device = deviceOf(wireTo(app), "laptop");
    const { vault } = await beginLibrary(device, "ada");
    assert.equal((await add(vault, PRF)).opensKeys, false);
    assert.equal(await hasWayBack(vault), false);
    await keepWords(vault);
    assert.equal((await add(vault, PRF)).opensKeys, true);
    await assert.rejects(vault.withdrawEscrow(WORDS_LABEL), RangeError);
    assert.equal(await hasWayBack(vault), true);
  });
});

Deno.test("a passkey that is removed takes its box along, and one that the operator removed goes with the next", async () => {
  await withTestApp(async (app) => {
    const device = deviceOf(wireTo(app), "laptop");
    const { vault } = await beginLibrary(device, "ada");
    await keepWords(vault);
    const [first, second] = [await add(vault, PRF), await add(vault, PRF)];
    assert.equal((await vault.escrowLabels()).length, 3);
    await removePasskey(vault, first.passkey_id);
    assert.deepEqual(await vault.escrowLabels(), [
      WORDS_LABEL,
      passkeyLabel(second.credential_id),
    ]);
    await app.app.db.deleteFrom("passkey").execute();
    await add(vault);
    assert.deepEqual(await vault.escrowLabels(), [WORDS_LABEL]);
    assert.deepEqual(
      (await ownPasskeys(vault)).map(({ opensKeys }) => opensKeys),
      [false],
    );
  });
});
