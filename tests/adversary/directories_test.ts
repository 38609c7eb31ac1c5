/**
 * A directory that its account signed, shown where it does not belong
 * (protocol/client-cryptography.md#directory).
 *
 * @module
 */
import assert from "node:assert/strict";
import { toBase64 } from "../../src/core/bytes.ts";
import {
  signDirectory,
  verifyDirectory,
} from "../../src/client/documents/directory.ts";
import type { Library } from "../../src/library/mod.ts";
import { ORIGIN } from "../support/app.ts";
import { idOf, invite, withCast } from "../support/album_cast.ts";
import type { Wire } from "../support/library.ts";

/** Makes the server show a directory that its person signed for elsewhere. */
async function show(
  wire: Wire,
  of: Library,
  elsewhere: { readonly user_id?: string; readonly server_id?: string },
): Promise<void> {
  const { signer, sealing } = of.vault.identity;
  const bytes = await signDirectory(signer, {
    user_id: idOf(of),
    server_id: ORIGIN,
    directory_version: 50,
    sealing_key: await sealing.publicKey(),
    devices: [],
    signed_at: "2026-11-21T12:00:00Z",
    ...elsewhere,
  });
  const headers = { "X-Service-Identity-Key": toBase64(signer.publicKey) };
  wire.intercept = (request) =>
    request.url.endsWith(`/users/${idOf(of)}/directory`)
      ? Promise.resolve(new Response(bytes, { headers }))
      : undefined;
}

Deno.test("a directory counts for the account and the server that it names, and no other", async () => {
  await withCast(async ({ wire, ada, bob, eve }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await show(wire, bob, { user_id: idOf(eve) });
    await assert.rejects(invite(id, ada, "bob"), /of another account/);
    await show(wire, bob, { server_id: "https://elsewhere.example" });
    await assert.rejects(invite(id, ada, "bob"), /of another server/);
    assert.equal(ada.albums.get(id)?.members.length, 1);
    await show(wire, bob, {});
    await invite(id, ada, "bob");
    assert.equal(ada.albums.get(id)?.members.length, 2);
  });
});

Deno.test("a program publishes the directory of its own account and server", async () => {
  await withCast(async ({ ada }) => {
    const { session, identity } = ada.vault;
    const { bytes } = await session.account.directory(idOf(ada));
    const { publicKey } = identity.signer;
    const read = await verifyDirectory(bytes, publicKey, idOf(ada));
    assert.deepEqual([read.user_id, read.server_id], [idOf(ada), ORIGIN]);
  });
});
