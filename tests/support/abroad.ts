/**
 * Ada on one server and Bob on another, who share albums through the client
 * library (protocol/albums-abroad.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Library } from "../../src/library/mod.ts";
import {
  acceptAbroad,
  addContact,
  followAbroad,
  inviteAbroad,
  makeCard,
  pickupLinkOf,
  readPickup,
} from "../../src/library/abroad/abroad.ts";
import {
  signCard,
  verifyCard,
} from "../../src/client/documents/contact_card.ts";
import { openIdentity } from "../../src/client/documents/identity.ts";
import { verifyRoster } from "../../src/client/documents/roster.ts";
import type { Fetch } from "../../src/client/api/transport.ts";
import {
  sealGrant,
  signGrant,
} from "../../src/client/documents/album_grant.ts";
import { newShare } from "../../src/client/documents/new_share.ts";
import { toBase64Url } from "../../src/core/bytes.ts";
import type { HybridSigner } from "../../src/crypto/hybrid.ts";
import { putAbroadIndex } from "../../src/library/abroad/abroad_shares.ts";
import { photo } from "./album_cast.ts";
import { ORIGIN, seededRandom, type TestApp, withTestApp } from "./app.ts";
import {
  beginLibrary,
  deviceAt,
  fileOf,
  libraryOn,
  type TestDevice,
  wholeOf,
  type Wire,
  wireTo,
} from "./library.ts";

export const HOME = "https://bob.example";
export const DAY = 86_400_000;

export interface Cast {
  readonly host: Wire;
  readonly home: Wire;
  readonly ada: Library;
  readonly bob: Library;
  readonly adasDevice: TestDevice;
  readonly bobsDevice: TestDevice;
  readonly deviceOf: (server: string, seed: string) => TestDevice;
  readonly pass: (ms: number) => void;
  readonly patience: {
    isOver: boolean;
    /** What programs wait for (ms), and how it ends. */
    readonly waits: { readonly ms: number; readonly end: () => void }[];
  };
}

/** Ada on the host, and Bob at home on another server. */
export async function withTwoServers(
  test: (cast: Cast) => Promise<void>,
): Promise<void> {
  const settings = { STRONGROOM_FEDERATION: "on" };
  await withTestApp(async (a) => {
    await withTestApp(async (b) => {
      const [host, home] = [wireTo(a), wireTo(b)];
      const fetch: Fetch = (input, init) =>
        (new URL(input).origin === HOME ? home : host).fetch(input, init);
      const deviceOf = (server: string, seed: string) =>
        deviceAt(server, seed, {
          fetch,
          now: () => a.clock.now,
          patience: (ms) =>
            patience.isOver
              ? Promise.resolve()
              : new Promise<void>((end) => patience.waits.push({ ms, end })),
        });
      const patience: Cast["patience"] = { isOver: false, waits: [] };
      const bobsDevice = deviceOf(HOME, "bob's");
      const adasDevice = deviceOf(ORIGIN, "ada's");
      const ada = await beginLibrary(adasDevice, "ada");
      const bob = await beginLibrary(bobsDevice, "bob");
      const pass = (ms: number) => advance([a, b], ms);
      await test({
        ...{ host, home, ada, bob, adasDevice, bobsDevice },
        ...{ deviceOf, pass, patience },
      });
    }, { settings: { ...settings, STRONGROOM_BASE_URL: HOME } });
  }, { settings });
}

function advance(apps: readonly TestApp[], ms: number): void {
  for (const app of apps) app.clock.advance(ms);
}

export const take = (library: Library, name: string, albumId: string) =>
  library.take(fileOf(`${name}.jpg`, photo(name)), { albumId });

/** Bob's card comes to Ada, and Bob is let into a new album of hers. */
export async function letIn({ ada, bob }: Cast) {
  const { id: albumId } = await ada.albums.create({ title: "Bornholm" });
  await take(ada, "first", albumId);
  const card = await makeCard(bob, { name: "Bob" });
  const { member, safetyNumber } = await addContact(ada, card.link);
  const link = await inviteAbroad(ada, albumId, member);
  const read = await readPickup(bob, pickupLinkOf(link));
  await acceptAbroad(bob, read);
  return {
    albumId,
    member,
    link,
    id: read.id,
    owner: read.owner,
    safetyNumber,
  };
}

/** What Bob sees of an album, each photo read back whole. */
export async function seen(bob: Library, id: string) {
  const { rows, reading, paused } = await followAbroad(bob, id);
  const names: string[] = [];
  for (const { id, metadata } of rows) {
    const name = metadata?.name.replace(".jpg", "") ?? "";
    if (paused === undefined) {
      assert.deepEqual(await wholeOf(reading.read(id)), photo(name));
    }
    names.push(name);
  }
  return { names: names.sort(), paused: paused?.text };
}

export const rosterOf = async ({ vault }: Library, albumId: string) =>
  await verifyRoster(
    await vault.session.account.roster(albumId),
    vault.identity.signer.publicKey,
  );

/** What a device has of albums of other servers. */
export const keptAbroad = async ({ store }: Library) =>
  (await store.list("program")).map(({ key }) => key)
    .filter((key) => key.startsWith("abroad/"));

/** Bob's second device. */
export async function phoneOf({ bob, deviceOf }: Cast): Promise<Library> {
  const phone = deviceOf(HOME, "bob's phone");
  const other = await libraryOn(phone, bob, "bob");
  await other.sync();
  return other;
}

/** An attacker in between: Bob's name on a card with the attacker's keys. */
export async function cardInBetween(bob: Library) {
  const { identity_key: _, sealing_key: __, ...card } = await verifyCard(
    (await makeCard(bob)).card,
  );
  const { signer, sealing } = await openIdentity(
    seededRandom("in between")(32).slice(),
  );
  const forged = await signCard(signer, {
    ...card,
    identity_key: signer.publicKey,
    sealing_key: await sealing.publicKey(),
  });
  return { forged, sealing };
}

/** The `jti`s that were minted on a server, as its answers had them. */
export function mintedOn(host: Wire): string[] {
  const minted: string[] = [];
  host.intercept = async (request, pass) => {
    const answer = await pass(request);
    const isMint = request.method === "POST" &&
      /\/capabilities$/.test(new URL(request.url).pathname);
    if (isMint) minted.push((await answer.clone().json()).jti);
    return answer;
  };
  return minted;
}

export const revokedOn = async ({ vault }: Library) =>
  (await vault.session.client.revokedCapabilities()).revoked
    .map(({ jti }) => jti);

/** A pickup by an attacker on the host, who can say anything. */
export async function forgedPickup(
  { bob }: Cast,
  by: Library,
  told: {
    readonly albumId: string;
    readonly owner: string;
    readonly signer?: HybridSigner;
  },
) {
  const { vault: { identity, session } } = by;
  const { signer = identity.signer } = told;
  const card = await verifyCard((await makeCard(bob)).card);
  const member = `${card.user_id}@${card.server_id}`;
  const share = newShare(session.platform.random);
  const { opaqueId } = share;
  const part = (value: unknown) =>
    toBase64Url(new TextEncoder().encode(JSON.stringify(value)));
  const jti = "01930b6e-7a30-7c3a-8a8e-3f2d9c4b5a62";
  const expires_at = "2027-01-01T00:00:00Z";
  const { keys } = await session.client.attestationKeys();
  const grant = await signGrant(signer, {
    seq: 9,
    state: "live",
    member,
    card_id: card.card_id,
    server_id: ORIGIN,
    album_id: told.albumId,
    owner: told.owner,
    owner_key: signer.publicKey,
    roster_version: 1_000,
    amk_epoch: 900,
    roster: new Uint8Array(32),
    keys: keys.map(({ keyId }) => keyId),
    signed_at: "2026-11-01T00:00:00Z",
    grant: {
      token: [
        part({ typ: "service-capability+jwt" }),
        part({
          iss: ORIGIN,
          aud: card.server_id,
          sub: member,
          album: told.albumId,
          scope: "read",
          exp: 1,
        }),
        "none",
      ].join("."),
      jti,
      renewal: new Uint8Array(32),
      expires_at,
      not_after: expires_at,
      scope: "read",
      min_protocol_version: "2026-06-01",
    },
  });
  const sealed = await sealGrant(
    grant,
    card.sealing_key,
    { member, opaqueId },
    session.platform.random,
  );
  await putAbroadIndex(by, "pickup", share, sealed, { n: 1 });
  return { kind: "pickup", serverId: ORIGIN, ...share } as const;
}
