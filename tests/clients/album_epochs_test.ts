/**
 * Albums whose key changed, as their members read them from a server that knows
 * no key (protocol/client-cryptography.md#key-history).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  openAlbum,
  type OpenedAlbum,
  sealAlbumInfo,
  sealHistory,
} from "../../src/client/documents/album_keys.ts";
import { type Account, createClient } from "../../src/client/api/api.ts";
import { signDirectory } from "../../src/client/documents/directory.ts";
import {
  derivedFileKey,
  metadataKey,
} from "../../src/client/documents/file_key.ts";
import {
  type Identity,
  openIdentity,
} from "../../src/client/documents/identity.ts";
import {
  type ManifestEnvelope,
  signManifest,
  verifyManifest,
} from "../../src/client/documents/manifest.ts";
import {
  decodeMetadata,
  encodeMetadata,
} from "../../src/client/documents/metadata.ts";
import {
  amkCommitment,
  sealMember,
  signRoster,
  verifyRoster,
} from "../../src/client/documents/roster.ts";
import { decryptBytes, encryptBytes } from "../../src/client/stream/stream.ts";
import { sourceOf, uploadBlob } from "../../src/client/api/upload.ts";
import { type Bytes, toBase64, utf8 } from "../../src/core/bytes.ts";
import {
  ORIGIN,
  PROTOCOL,
  seededRandom,
  type TestApp,
  withTestApp,
} from "../support/app.ts";
import { expectJson } from "../support/expect.ts";
import { hashOf, PASSWORD, uuidOf } from "../support/people.ts";

const AT = "2026-11-21T12:00:00.000Z";

interface Someone {
  readonly account: Account;
  readonly identity: Identity;
  readonly masterKey: Bytes;
}

async function join(app: TestApp, name: string): Promise<Someone> {
  const client = createClient({
    baseUrl: ORIGIN,
    fetch: (input, init) => {
      const request = new Request(input, init);
      if (init.body instanceof Uint8Array) {
        request.headers.set("Content-Length", String(init.body.length));
      }
      return app.fetch(request, { clientAddress: "192.0.2.1" });
    },
  });
  const account = await client.register(`${name}@example.org`, PASSWORD);
  const masterKey = new Uint8Array(seededRandom(`master key of ${name}`)(32));
  const identity = await openIdentity(masterKey);
  const directory = await signDirectory(identity.signer, {
    user_id: account.userId,
    server_id: (await client.serverInfo()).server_id,
    directory_version: 1,
    sealing_key: await identity.sealing.publicKey(),
    devices: [],
    signed_at: AT,
  });
  await account.publishDirectory(directory, identity.signer.publicKey);
  return { account, identity, masterKey };
}

/** Stores a file; without an album its key comes of the library key. */
async function keep(
  { account, identity }: Someone,
  text: string,
  amk: Uint8Array,
  epoch: number,
  albumId?: string,
): Promise<string> {
  const fileId = uuidOf(text);
  const random = seededRandom(text);
  const fileKey = derivedFileKey(amk, fileId);
  const original = await encryptBytes({ fileKey }, random(16), utf8(text));
  const metadata = await encryptBytes(
    { fileKey: metadataKey(amk, fileId) },
    random(16),
    encodeMetadata({
      name: `${text}.txt`,
      mime: "text/plain",
      size: utf8(text).length,
      sha256: hashOf(utf8(text)),
      derivatives: [],
    }),
  );
  const envelope: ManifestEnvelope = {
    crypto_suite_id: 1,
    protocol_version: PROTOCOL,
    ...(albumId === undefined ? {} : { album_id: albumId }),
    file_id: fileId,
    amk_version: epoch,
    ciphertext_hash: hashOf(original),
    original_blob_hash: hashOf(original),
    metadata_blob_hash: hashOf(metadata),
    plaintext_size: utf8(text).length,
    chunk_size: 65_536,
    key_mode: "derived",
    created_by_user: account.userId,
    created_by_device: uuidOf("a device"),
    client_version: "test/1",
    timestamp: AT,
    action: "create",
  };
  const manifest = await signManifest(identity.signer, envelope);
  const blobs = [
    ["original", original],
    ["metadata", metadata],
    ["provenance", manifest],
  ] as const;
  for (const [role, bytes] of blobs) {
    const request = { role, hash: hashOf(bytes), size: bytes.length, envelope };
    await uploadBlob(account, request, sourceOf(bytes));
  }
  return fileId;
}

/** Reads a file by what its manifest says; the keys are by their epochs. */
async function read(
  { account }: Someone,
  assetId: string,
  anchor: Uint8Array,
  keys: ReadonlyMap<number, Uint8Array>,
): Promise<{ name: string; text: string }> {
  const { blobs } = await account.asset(assetId);
  const fetched = async (role: string) => {
    const blob = blobs.find((one) => one.role === role);
    assert(blob !== undefined, role);
    const { stream } = await account.blob(assetId, blob.hash);
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };
  const { envelope } = await verifyManifest(
    await fetched("provenance"),
    anchor,
  );
  const amk = keys.get(envelope.amk_version);
  assert(amk !== undefined, `no key of epoch ${envelope.amk_version}`);
  const fileKey = derivedFileKey(amk, assetId);
  const metadata = await decryptBytes(
    { fileKey: metadataKey(amk, assetId) },
    await fetched("metadata"),
  );
  const original = await decryptBytes({ fileKey }, await fetched("original"));
  return {
    name: decodeMetadata(metadata).name,
    text: new TextDecoder().decode(original),
  };
}

/** Publishes the next roster: so many members, under the key of an epoch. */
async function publish(
  app: TestApp,
  ada: Someone,
  members: readonly Someone[],
  epochs: readonly Uint8Array[],
  title: string,
): Promise<Bytes> {
  const amkEpoch = epochs.length - 1;
  const of = { albumId: ada.identity.albumId(0), amkEpoch };
  const amk = epochs[amkEpoch];
  assert(amk !== undefined);
  const random = seededRandom(`roster of epoch ${amkEpoch}`);
  const bytes = await signRoster(ada.identity.signer, {
    album_id: of.albumId,
    owner: ada.account.userId,
    roster_version: amkEpoch + 1,
    amk_epoch: amkEpoch,
    amk_commitment: amkCommitment(amk, of),
    members: await Promise.all(
      members.map(async ({ account: { userId: member }, identity }) =>
        sealMember(
          amk,
          await identity.sealing.publicKey(),
          { ...of, member, role: "contributor" },
          random,
        )
      ),
    ),
    ...(amkEpoch === 0 ? {} : {
      sealed_history: sealHistory(
        amk,
        of,
        new Map(epochs.slice(0, -1).entries()),
        random,
      ),
    }),
    sealed_info: sealAlbumInfo(amk, of, { title }, random),
    signed_at: AT,
  });
  const response = await app.send("PUT", `/v1/albums/${of.albumId}/roster`, {
    token: ada.account.tokens().access_token,
    json: { roster_cbor: toBase64(bytes) },
  });
  await expectJson(response, 200);
  return bytes;
}

/** What the album's roster on the server gives a person. */
async function openedBy(
  app: TestApp,
  { account, identity }: Someone,
  ada: Someone,
): Promise<OpenedAlbum | undefined> {
  const path = `/v1/albums/${ada.identity.albumId(0)}/roster`;
  const response = await app.send("GET", path, {
    token: account.tokens().access_token,
  });
  assert.equal(response.status, 200);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const roster = await verifyRoster(bytes, ada.identity.signer.publicKey);
  return await openAlbum(roster, account.userId, identity.sealing);
}

Deno.test("a member of epoch 3 and the owner's new device read a photo of epoch 0, and who left reads nothing new", async () => {
  await withTestApp(async (app) => {
    const ada = await join(app, "ada");
    const ben = await join(app, "ben");
    const cem = await join(app, "cem");
    const albumId = ada.identity.albumId(0);
    await ada.account.provisionAlbum(albumId);
    const epochs = [0, 1, 2, 3].map((n) => seededRandom(`epoch ${n}`)(32));
    const [first, , , last] = epochs;
    assert(first !== undefined && last !== undefined);
    const old = await keep(ada, "a photo of epoch 0", first, 0, albumId);
    const early = await publish(app, ada, [ada, cem], epochs.slice(0, 1), "A");
    await publish(app, ada, [ada], epochs.slice(0, 2), "B");
    await publish(app, ada, [ada], epochs.slice(0, 3), "C");
    await publish(app, ada, [ada, ben], epochs, "Harbour");
    const late = await keep(ada, "a photo of epoch 3", last, 3, albumId);

    const anchor = ada.identity.signer.publicKey;
    const newDevice = {
      ...ada,
      identity: await openIdentity(new Uint8Array(ada.masterKey)),
    };
    for (const reader of [ben, newDevice]) {
      const album = await openedBy(app, reader, ada);
      assert(album !== undefined);
      assert.equal(album.info?.title, "Harbour");
      assert.deepEqual(await read(reader, old, anchor, album.keys), {
        name: "a photo of epoch 0.txt",
        text: "a photo of epoch 0",
      });
      const { text } = await read(reader, late, anchor, album.keys);
      assert.equal(text, "a photo of epoch 3");
    }

    const kept = await openAlbum(
      await verifyRoster(early, anchor),
      cem.account.userId,
      cem.identity.sealing,
    );
    assert.deepEqual([...kept?.keys.keys() ?? []], [0]);
    assert.equal(kept?.info?.title, "A");
  });
});

Deno.test("a photo in no album opens on every device that has the master key", async () => {
  await withTestApp(async (app) => {
    const ada = await join(app, "ada");
    const { libraryKey } = ada.identity;
    const assetId = await keep(ada, "a photo of my own", libraryKey, 0);
    const { identity } = {
      identity: await openIdentity(new Uint8Array(ada.masterKey)),
    };
    const anchor = identity.signer.publicKey;
    const keys = new Map([[0, identity.libraryKey]]);
    const found = await read({ ...ada, identity }, assetId, anchor, keys);
    assert.equal(found.text, "a photo of my own");
  });
});
