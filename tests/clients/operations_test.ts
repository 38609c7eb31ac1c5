/**
 * The client has a method for every operation that the server declares.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createClient } from "../../src/client/api/api.ts";
import { createGuest } from "../../src/client/api/links.ts";
import { ROUTES } from "../../src/routes.ts";
import { ORIGIN, PROTOCOL } from "../support/app.ts";
import { uuidOf } from "../support/people.ts";

const HASH = "ab".repeat(32);
const OPAQUE = "cd".repeat(16);
const UUID = uuidOf("anything");
const AT = "2026-11-21T12:00:00Z";
const BYTES = new Uint8Array(1);

/** Requests that a method sends, as `METHOD path` without the query. */
async function requestsOf(
  work: (
    fetch: (input: string, init: RequestInit) => Promise<Response>,
  ) => readonly (() => Promise<unknown>)[],
): Promise<readonly { readonly method: string; readonly path: string }[]> {
  const sent: { method: string; path: string }[] = [];
  const calls = work((input, init) => {
    const { pathname: path } = new URL(input);
    sent.push({ method: init.method ?? "GET", path });
    // What it answers is not looked at here.
    return Promise.resolve(new Response(null, { status: 418 }));
  });
  for (const call of calls) await call().catch(() => {});
  return sent;
}

/** What servers ask each other, and no client does. */
const OF_SERVERS = ["addCheckpoint"];

const TOKENS = {
  user_id: UUID,
  session_id: UUID,
  session_token: "t",
  session_expires_at: AT,
  access_token: "a",
  access_token_expires_at: AT,
  token_type: "Bearer" as const,
};
const ENVELOPE = {
  crypto_suite_id: 1,
  protocol_version: PROTOCOL,
  file_id: UUID,
  amk_version: 0,
  ciphertext_hash: HASH,
  plaintext_size: 1,
  chunk_size: 65_536,
  key_mode: "derived" as const,
  created_by_user: UUID,
  created_by_device: UUID,
  client_version: "test/1",
  timestamp: AT,
  action: "create" as const,
};

Deno.test("every operation of the server has a method of the client", async () => {
  const sent = await requestsOf((fetch) => {
    const client = createClient({ baseUrl: ORIGIN, fetch });
    const account = client.resume(TOKENS);
    const guest = createGuest({ baseUrl: ORIGIN, fetch }, OPAQUE);
    const upload = { role: "original" as const, hash: HASH, size: 1 };
    return [
      () => client.health(),
      () => client.version(),
      () => client.serverInfo(),
      () => client.deprecations(),
      () => client.attestationKeys(),
      () => client.revokedCapabilities(),
      () => client.logCheckpoint("custody"),
      () => client.logTile("keys", "tile/0/000"),
      () => client.logTile("keys", "tile/0/x001/234"),
      () => client.logTile("keys", "tile/0/x001/234.p/5"),
      () => client.logTile("keys", "tile/entries/x001/x234/567.p/5"),
      () => client.contract(),
      () => client.appConfig(),
      () => client.uploadOptions(),
      () => client.record("ada"),
      () => client.register("a@b", "p"),
      () => client.register("a@b", "p", "an invitation"),
      () => client.login("a@b", "p"),
      () => client.verifyLogin(UUID, "123456"),
      () => client.oidcAuthorize("http://127.0.0.1/"),
      () => client.oidcCallback("s", "c"),
      () => client.revokeAll(UUID, BYTES),
      () => client.redeemEnrollmentCode("AAAAA-AAAAA"),
      () => client.drainMailbox(OPAQUE, "to_initiator"),
      () => client.appendPayload(OPAQUE, "to_initiator", BYTES),
      () => client.refreshCapability("t"),
      () => client.renewCapability(UUID, BYTES),
      () =>
        client.report({
          reporting_server: "s",
          reported_user: UUID,
          asset_hash: HASH,
          album_id: UUID,
          reported_at: AT,
          signature: "AA==",
        }),
      () => client.viewShare(OPAQUE),
      () => client.sharedBlob(OPAQUE, HASH),
      () => client.sharedBlobs(OPAQUE, [HASH]),
      () => client.sharedSecret(OPAQUE),
      () => guest.viewLink(),
      () => guest.linkSecret(),
      () => guest.createUpload({ hash: HASH, size: 1, sealedMetadata: BYTES }),
      () => guest.upload(UUID),
      () => guest.headUpload(UUID),
      () => guest.patchUpload(UUID, 0, BYTES),
      () => guest.putUpload(UUID, BYTES),
      () => guest.finalize(UUID),
      () => guest.cancelUpload(UUID),
      () => account.refresh(),
      () => account.logout(),
      () => account.reauthenticate("p"),
      () => account.changePassword("p", "q"),
      () => account.profile(),
      () => account.rename(null),
      () => account.publishRecord("ada"),
      () => account.withdrawRecord(),
      () => account.sessions(),
      () => account.revokeSession(UUID),
      () => account.challengeProof(),
      () => account.deleteAccount(UUID, BYTES),
      () => account.enrollTotp(),
      () => account.confirmTotp("123456"),
      () => account.disableTotp("123456"),
      () => account.moderationRecord(),
      () => account.lookUp({ handle: "ada" }),
      () => account.publishDirectory(BYTES, null),
      () => account.directory(UUID),
      () => account.issueEnrollmentCode(),
      () => account.enrollment(),
      () => account.closeChannel(OPAQUE),
      () => account.escrow(),
      () => account.storeEscrow(BYTES),
      () => account.provisionAlbum(UUID),
      () => account.albums(),
      () => account.roster(UUID),
      () => account.publishRoster(UUID, BYTES),
      () => account.leaveAlbum(UUID),
      () => account.endAlbum(UUID),
      () => account.applyOp(UUID, { envelope: ENVELOPE, manifest: BYTES }),
      () =>
        account.mintCapability(UUID, {
          peer: "p",
          member: "m",
          scope: "read",
        }),
      () => account.setRenewal(UUID, UUID, HASH),
      () => account.revokeCapability(UUID, UUID),
      () => account.upgradePhase(UUID),
      () => account.beginUpgrade(UUID, BYTES),
      () => account.abortUpgrade(UUID, UUID),
      () => account.commitUpgrade(UUID, UUID),
      () => account.feed({}),
      () => account.asset(UUID),
      () => account.queryAssets([UUID]),
      () => account.blob(UUID, HASH),
      () => account.blobs([{ assetId: UUID, hash: HASH }]),
      () => account.deleteAsset(UUID),
      () => account.restoreAsset(UUID),
      () => account.trash(),
      () => account.emptyTrash(),
      () => account.receipts(UUID),
      () => account.receiptsAfter(0),
      () => account.openUploads(),
      () => account.verifyStorage([]),
      () => account.usage(),
      () => account.slot("library"),
      () => account.putSlot("library", BYTES, null),
      () => account.deleteSlot("library"),
      () =>
        account.issueShare({
          opaqueId: OPAQUE,
          metadataHash: HASH,
          serves: [],
        }),
      () => account.shares(),
      () => account.changeShare(OPAQUE, {}),
      () => account.revokeShare(OPAQUE),
      () =>
        account.issueUploadLink({
          opaqueId: OPAQUE,
          recipientKey: BYTES,
          expiresAt: AT,
          maxBytes: 1,
          maxFiles: 1,
        }),
      () => account.uploadLinks(),
      () => account.revokeUploadLink(OPAQUE),
      () => account.contributions(OPAQUE),
      () => account.contribution(OPAQUE, UUID),
      () => account.contributionBlob(OPAQUE, UUID),
      () => account.deleteContribution(OPAQUE, UUID),
      () => account.createUpload({ ...upload, envelope: ENVELOPE }),
      () => account.upload(UUID),
      () => account.headUpload(UUID),
      () => account.patchUpload(UUID, 0, BYTES),
      () => account.putUpload(UUID, BYTES),
      () => account.finalize(UUID),
      () => account.cancelUpload(UUID),
    ];
  });
  // What operators ask the app alone asks.
  const lacking = ROUTES.filter(({ spec }) => {
    const { operation, method, path, forOperators } = spec;
    if (OF_SERVERS.includes(operation)) return false;
    if (forOperators) return false;
    const pattern = new RegExp(`^${path.replace(/\{[^}]+\}/g, "[^/]+")}$`);
    return !sent.some((one) => one.method === method && pattern.test(one.path));
  });
  assert.deepEqual(lacking.map(({ spec }) => spec.operation), []);
});
