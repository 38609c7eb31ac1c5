/**
 * An account with everything that an account can have, among others who have
 * to do with it; and the end of it.
 *
 * @module
 */
import type { ServiceContext } from "../../src/features/service_context.ts";
import {
  deleteAccount,
  type RemovalOptions,
} from "../../src/features/account_deletion/deletion.ts";
import {
  beginUpgrade,
  intentBytes,
  mint,
  OLD_PROTOCOL,
  opRequest,
  provisionAlbum,
  publishRoster,
  sendOp,
} from "./albums.ts";
import { type TestApp, withTestApp } from "./app.ts";
import { MEMBER, PEER } from "./capabilities.ts";
import { fill, issueCode, openChannel } from "./enrollment.ts";
import { expectJson, type Json } from "./expect.ts";
import {
  contribute,
  createGuestUpload,
  issueLink,
  patchGuest,
} from "./guests.ts";
import { operate } from "./moderation.ts";
import { FEDERATES, pinnedPeer, sendReport, signedReport } from "./peers.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  type LiveAsset,
  patchBytes,
  type Person,
  registerWriter,
  storeEscrow,
  uploadBlob,
  uuidOf,
} from "./people.ts";
import { enrollConfirmed } from "./second_factor.ts";
import { expectNoErrors, issueShare, refreshed } from "./api.ts";
import { trash } from "./trash.ts";

/** Ada is to go; Bob, Vic and Eve stay. */
export interface World {
  readonly app: TestApp;
  readonly ada: Person;
  readonly bob: Person;
  /** A viewer of Ada's album. */
  readonly vic: Person;
  /** Once on the roster of Ada's album, with an asset in it. */
  readonly dan: Person;
  /** A stranger. */
  readonly eve: Person;
  /** Ada's album, in the midst of an upgrade: Bob contributes. */
  readonly adas: string;
  /** Bob's album: Ada contributes, Vic views. */
  readonly bobs: string;
  readonly assets: {
    /** Ada's, in no album, in her own, in Bob's, and in the trash. */
    readonly own: LiveAsset;
    readonly shown: LiveAsset;
    readonly lent: LiveAsset;
    readonly trashed: LiveAsset;
    readonly withheld: LiveAsset;
    /** In Ada's album: Bob's, one that Ada put in the trash, and Dan's. */
    readonly guest: LiveAsset;
    readonly thrown: LiveAsset;
    readonly dans: LiveAsset;
  };
  readonly shares: {
    /** Ada's, of her own asset, and of Bob's in her album; a revoked one. */
    readonly own: string;
    readonly ofBobs: string;
    readonly revoked: string;
    /** Bob's, of his own asset in Ada's album, and of Ada's in his. */
    readonly bobs: string;
    readonly ofAdas: string;
  };
  readonly links: {
    readonly adas: string;
    /** Bob's, into Ada's album, with a session that waits for its bytes. */
    readonly bobs: string;
    readonly bobsSession: string;
  };
  /** Bytes that both Ada and Bob hold. */
  readonly common: Uint8Array<ArrayBuffer>;
  readonly capabilities: {
    /** Of the peer's member, for Ada's album. */
    readonly forAlbum: Json;
    /** Of Ada, for Bob's album. */
    readonly heldByAda: Json;
  };
  /** Bob's open session into Ada's album. */
  readonly bobsUpload: Json;
  readonly bobsBytes: Uint8Array<ArrayBuffer>;
}

export const HANDLE = "ada";
export const GUEST_FILE = ciphertext("a guest's for bob", 700);

/** Runs a test over such a world; no error may be the server's own. */
export async function withWorld(
  test: (world: World) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    await test(await makeWorld(app));
    expectNoErrors(app);
  }, { settings: FEDERATES });
}

async function makeWorld(app: TestApp): Promise<World> {
  const people = await makePeople(app);
  const { ada, bob, vic, dan } = people;
  const adas = await provisionAlbum(app, ada, "adas", OLD_PROTOCOL);
  const bobs = await provisionAlbum(app, bob, "bobs");
  await publishRoster(app, ada, adas, 1, [
    { member: bob.userId, role: "contributor" },
    { member: dan.userId, role: "contributor" },
    { member: vic.userId },
    { member: MEMBER },
  ]);
  await publishRoster(app, bob, bobs, 1, [
    { member: ada.userId, role: "contributor" },
    { member: vic.userId },
  ]);
  const assets = {
    own: await createAsset(app, ada, "own"),
    shown: await createAsset(app, ada, "shown", { albumId: adas }),
    lent: await createAsset(app, ada, "lent", { albumId: bobs }),
    trashed: await createAsset(app, ada, "trashed"),
    withheld: await createAsset(app, ada, "withheld", { albumId: bobs }),
    guest: await createAsset(app, bob, "guest", { albumId: adas }),
    thrown: await createAsset(app, bob, "thrown", { albumId: adas }),
    dans: await createAsset(app, dan, "dans", { albumId: adas }),
  };
  await trash(app, ada, assets.trashed.assetId);
  await trash(app, ada, assets.thrown.assetId);
  await operate(app, "takeDown", assets.withheld.assetId, "a test");
  await replaceByOp(app, bob, adas);
  const common = ciphertext("common", 2_000);
  await uploadBlob(app, ada, common, { fileId: uuidOf("ada's pending") });
  await uploadBlob(app, bob, common, { fileId: uuidOf("bob's pending") });
  const shares = {
    own: await issueShare(app, ada, "own", blobsOf(assets.own)),
    ofBobs: await issueShare(app, ada, "of bob's", blobsOf(assets.guest)),
    revoked: await issueShare(app, ada, "revoked", blobsOf(assets.own)),
    bobs: await issueShare(app, bob, "bob's", blobsOf(assets.guest)),
    ofAdas: await issueShare(app, bob, "of ada's", blobsOf(assets.lent)),
  };
  await app.send("DELETE", `/v1/shares/${shares.revoked}`, ada);
  const links = await makeLinks(app, people, adas);
  const capabilities = {
    forAlbum: await mintFor(app, ada, adas, MEMBER),
    heldByAda: await mintFor(app, bob, bobs, ada.userId),
  };
  await makeUploads(app, ada);
  const bobsBytes = ciphertext("bob's open", 900);
  const bobsUpload = await createUpload(app, bob, bobsBytes, {
    fileId: uuidOf("bob's open"),
    albumId: adas,
  });
  await patchBytes(app, bob, bobsUpload.upload_id, 0, bobsBytes.slice(0, 300));
  // Dan leaves; what he put there stays there.
  await publishRoster(app, ada, adas, 2, [
    { member: bob.userId, role: "contributor" },
    { member: vic.userId },
    { member: MEMBER },
  ]);
  await makeDoors(app, ada, adas);
  return {
    app,
    ...people,
    ada: await refreshed(app, ada),
    adas,
    bobs,
    assets,
    shares,
    links,
    common,
    capabilities,
    bobsUpload,
    bobsBytes,
  };
}

async function makePeople(app: TestApp) {
  return {
    ada: await registerWriter(app, "ada"),
    bob: await registerWriter(app, "bob"),
    vic: await registerWriter(app, "vic"),
    dan: await registerWriter(app, "dan"),
    eve: await registerWriter(app, "eve"),
  };
}

export function blobsOf(asset: LiveAsset): string[] {
  return [asset.metadata, asset.original].map(hashOf);
}

/** An asset of Bob's in Ada's album with a chain of two manifests. */
async function replaceByOp(
  app: TestApp,
  bob: Person,
  albumId: string,
): Promise<void> {
  const assetId = uuidOf("bob's op");
  const original = ciphertext("bob's op", 100);
  await uploadBlob(app, bob, original, { fileId: assetId, albumId });
  const manifest = ciphertext("bob's first", 60);
  const send = async (bytes: Uint8Array, over: Json) =>
    await expectJson(
      await sendOp(
        app,
        bob,
        albumId,
        opRequest(bob, albumId, assetId, bytes, { original, ...over }),
      ),
      200,
    );
  await send(manifest, { metadata: ciphertext("bob's op metadata", 30) });
  await send(ciphertext("bob's second", 70), {
    action: "replace",
    prior: hashOf(manifest),
  });
}

async function makeLinks(
  app: TestApp,
  { ada, bob }: { readonly ada: Person; readonly bob: Person },
  albumId: string,
) {
  const adas = await issueLink(app, ada, "ada's guests");
  await contribute(app, adas, ciphertext("brought", 400));
  const open = ciphertext("being brought", 500);
  const { upload_id } = await createGuestUpload(app, adas, open);
  await patchGuest(app, adas, upload_id, 0, open.slice(0, 200));
  const bobs = await issueLink(app, bob, "bob's guests", { album_id: albumId });
  const session = await createGuestUpload(app, bobs, GUEST_FILE);
  return { adas, bobs, bobsSession: session.upload_id };
}

async function mintFor(
  app: TestApp,
  owner: Person,
  albumId: string,
  member: string,
): Promise<Json> {
  return await expectJson(
    await mint(app, owner, albumId, { peer: PEER, member }),
    201,
  );
}

/** Open, half full and full, cancelled and expired ones among them. */
async function makeUploads(app: TestApp, ada: Person): Promise<void> {
  for (const sent of [0, 40, 80]) {
    const bytes = ciphertext(`open ${sent}`, 80);
    const { upload_id } = await createUpload(app, ada, bytes, {
      fileId: uuidOf(`open ${sent}`),
    });
    if (sent > 0) {
      await patchBytes(app, ada, upload_id, 0, bytes.slice(0, sent));
    }
  }
}

/** Whatever else an account has: ways in, and what it shows of itself. */
async function makeDoors(
  app: TestApp,
  ada: Person,
  albumId: string,
): Promise<void> {
  const intent = await intentBytes(ada, albumId, "one");
  await expectJson(await beginUpgrade(app, ada, albumId, intent), 200);
  await storeEscrow(app, ada, ciphertext("escrow", 100));
  await app.send("PUT", "/v1/auth/profile/public-record", {
    token: ada.token,
    json: { handle: HANDLE },
  });
  const channel = await openChannel(app, ada);
  await fill(app, channel, "to_enrollee", ["AAAA"]);
  await issueCode(app, ada);
  await app.send("POST", "/v1/auth/logout/all/challenge", ada);
  const peer = await pinnedPeer(app, "peer");
  await sendReport(app, await signedReport(peer, ada.userId));
  await enrollConfirmed(app, ada);
  await app.send("POST", "/v1/auth/login", {
    json: { address: ada.address, password: "a wrong password" },
  });
}

/** What deletes an account of an application; `over` takes a part's place. */
export function serviceContextOf(
  { app, clock }: TestApp,
  over: Partial<ServiceContext["platform"]> = {},
): ServiceContext {
  return {
    ...app,
    platform: { ...app.platform, now: () => clock.now, ...over },
  };
}

/** Deletes a person's account, as the operator does. */
export function removePerson(
  app: TestApp,
  person: Person,
  options: RemovalOptions = {},
) {
  return deleteAccount(serviceContextOf(app), person.address, options);
}
