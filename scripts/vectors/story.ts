/**
 * Vectors of an account's photos: an album over three epochs, its successor, the
 * library, and what a guest sent.
 *
 * @module
 */
import { toBase64, toHex } from "../../src/core/bytes.ts";
import { portableBackend } from "../../src/crypto/hybrid_portable.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { sealHistory } from "../../src/client/documents/album_keys.ts";
import {
  derivedFileKey,
  metadataKey,
  wrapFileKey,
} from "../../src/client/documents/file_key.ts";
import {
  guestBinding,
  sealGuestFile,
} from "../../src/client/documents/guest.ts";
import { openIdentity } from "../../src/client/documents/identity.ts";
import {
  type ManifestEnvelope,
  signManifest,
} from "../../src/client/documents/manifest.ts";
import { encodeMetadata } from "../../src/client/documents/metadata.ts";
import {
  amkCommitment,
  sealMember,
  signRoster,
} from "../../src/client/documents/roster.ts";
import { encryptBytes } from "../../src/client/stream/stream.ts";
import {
  DEVICE_ID,
  FILE_ID,
  MASTER_KEY,
  OPAQUE_ID,
  patternOf,
  randomOf,
  secretOf,
  SIGNED_AT,
  USER_ID,
} from "./seeds.ts";

const BEN_ID = "01930b6e-7a30-7c3a-8a8e-3f2d9c4b5a70";
const BENS_FILE = "1f8fad5b-d9cb-469f-a165-70867728950e";
const COPY_FILE = "2f8fad5b-d9cb-469f-a165-70867728950e";
const GUEST_FILE = "3f8fad5b-d9cb-469f-a165-70867728950e";
const LIBRARY_FILE = "4f8fad5b-d9cb-469f-a165-70867728950e";
const AMKS = [0, 1, 2].map((epoch) => secretOf(`story's epoch ${epoch}`));
const SUCCESSOR = secretOf("story's successor");

/** An asset's place, its key, and what is said of it. */
interface Step {
  readonly what: string;
  readonly by?: "ada" | "ben";
  readonly fileId: string;
  readonly album?: number;
  readonly epoch?: number;
  readonly amk: Uint8Array;
  /** In mode `wrapped`. */
  readonly fileKey?: Uint8Array;
  readonly size: number;
  readonly chunkSize?: number;
  readonly caption: string;
  readonly guest?: boolean;
}

/** Manifests in the order in which they were signed. */
export async function storyVectors() {
  const bensKey = secretOf("ben's master key");
  const ada = await openIdentity(MASTER_KEY, undefined, portableBackend);
  const ben = await openIdentity(bensKey, undefined, portableBackend);
  const people = {
    ada: { id: USER_ID, identity: ada, role: "contributor" as const },
    ben: { id: BEN_ID, identity: ben, role: "contributor" as const },
  };
  const rosterOf = async (
    { album, version, epoch, amk, names }: {
      album: number;
      version: number;
      epoch: number;
      amk: Uint8Array;
      names: readonly (keyof typeof people)[];
    },
  ) => {
    const of = { albumId: ada.albumId(album), amkEpoch: epoch };
    const random = randomOf(`story's roster ${album}/${version}`);
    const members = [];
    for (const { id, identity, role } of names.map((name) => people[name])) {
      const key = await identity.sealing.publicKey();
      const member = { ...of, member: id, role };
      members.push(await sealMember(amk, key, member, random));
    }
    const before = new Map(AMKS.slice(0, epoch).entries());
    return toBase64(
      await signRoster(ada.signer, {
        album_id: of.albumId,
        owner: USER_ID,
        roster_version: version,
        amk_epoch: epoch,
        amk_commitment: amkCommitment(amk, of),
        members,
        ...(epoch === 0
          ? {}
          : { sealed_history: sealHistory(amk, of, before, random) }),
        signed_at: SIGNED_AT,
      }),
    );
  };
  const [first, , newest] = AMKS;
  if (first === undefined || newest === undefined) throw new Error("no keys");
  const rosters = [
    await rosterOf({
      album: 2,
      version: 1,
      epoch: 0,
      amk: first,
      names: ["ada", "ben"],
    }),
    await rosterOf({
      album: 2,
      version: 3,
      epoch: 2,
      amk: newest,
      names: ["ada"],
    }),
    await rosterOf({
      album: 3,
      version: 1,
      epoch: 0,
      amk: SUCCESSOR,
      names: ["ada"],
    }),
  ];
  const guestKey = secretOf("story's guest key");
  const adasKey = derivedFileKey(first, FILE_ID);
  const bensFileKey = derivedFileKey(first, BENS_FILE);
  const photo = { fileId: FILE_ID, size: 5_000, chunkSize: 4_096 };
  const steps: Step[] = [
    {
      what: "created in the library",
      fileId: LIBRARY_FILE,
      amk: ada.libraryKey,
      size: 60,
      caption: "Zu Hause",
    },
    {
      what: "created in the album at epoch 0",
      ...photo,
      album: 2,
      epoch: 0,
      amk: first,
      caption: "Am Hafen",
    },
    {
      what: "captioned again after the epoch changed",
      ...photo,
      album: 2,
      epoch: 2,
      amk: newest,
      fileKey: adasKey,
      caption: "Am Hafen, abends",
    },
    {
      what: "moved to the successor of the album",
      ...photo,
      album: 3,
      epoch: 0,
      amk: SUCCESSOR,
      fileKey: adasKey,
      caption: "Am Hafen, abends",
    },
    {
      what: "created by a contributor who was removed later",
      by: "ben",
      fileId: BENS_FILE,
      album: 2,
      epoch: 0,
      amk: first,
      size: 0,
      caption: "leer",
    },
    {
      what: "copied out of the album into the library",
      fileId: COPY_FILE,
      amk: ada.libraryKey,
      fileKey: bensFileKey,
      size: 0,
      caption: "leer",
    },
    {
      what: "adopted from a guest",
      fileId: GUEST_FILE,
      album: 2,
      epoch: 2,
      amk: newest,
      fileKey: guestKey,
      size: 70,
      caption: "",
      guest: true,
    },
  ];
  const heads = new Map<string, { hash: string; revision: number }>();
  const assets = [];
  const blobs: Record<string, string> = {};
  for (const step of steps) {
    const { fileId, amk, album, epoch = 0, size, chunkSize = 65_536 } = step;
    const { id, identity } = people[step.by ?? "ada"];
    const { caption, fileKey = derivedFileKey(amk, fileId) } = step;
    const random = randomOf(`story: ${step.what}`);
    const plaintext = patternOf(size);
    const metadata = {
      v: 1 as const,
      name: `${caption}.jpg`,
      mime: "image/jpeg",
      size,
      sha256: sha256Hex(plaintext),
      ...(caption === "" ? {} : { caption }),
      derivatives: [],
    };
    const salt = randomOf(`story's blob of ${toHex(fileKey)}`)(16);
    const original = await encryptBytes(
      { fileKey, chunkSize },
      salt,
      plaintext,
    );
    const metadataBlob = await encryptBytes(
      { fileKey: metadataKey(amk, fileId) },
      random(16),
      encodeMetadata(metadata),
    );
    const head = heads.get(fileId);
    const revision = head === undefined ? 0 : head.revision + 1;
    const envelope: ManifestEnvelope = {
      crypto_suite_id: 1,
      protocol_version: "2026-11-01",
      ...(album === undefined ? {} : { album_id: ada.albumId(album) }),
      file_id: fileId,
      amk_version: epoch,
      ciphertext_hash: sha256Hex(original),
      plaintext_size: size,
      chunk_size: chunkSize,
      key_mode: step.fileKey === undefined ? "derived" : "wrapped",
      metadata_blob_hash: sha256Hex(metadataBlob),
      original_blob_hash: sha256Hex(original),
      created_by_user: id,
      created_by_device: DEVICE_ID,
      client_version: "strongroom-client/1",
      timestamp: SIGNED_AT,
      action: head === undefined ? "create" : "replace",
      ...(head === undefined ? {} : { prior_provenance_hash: head.hash }),
    };
    const manifest = await signManifest(
      identity.signer,
      envelope,
      step.fileKey && wrapFileKey(amk, fileId, step.fileKey, random),
      revision,
    );
    for (const blob of [original, metadataBlob]) {
      blobs[sha256Hex(blob)] = toBase64(blob);
    }
    heads.set(fileId, { hash: sha256Hex(manifest), revision });
    assets.push({
      what: step.what,
      file_id: fileId,
      revision,
      file_key: toHex(fileKey),
      metadata,
      manifest: toBase64(manifest),
      ...(step.guest === true
        ? {
          sealed_metadata: toBase64(sealGuestFile(
            { v: 1, name: "gift.jpg", mime: "image/jpeg", key: fileKey, size },
            await ada.uploadLinkKeys(OPAQUE_ID).publicKey(),
            guestBinding(OPAQUE_ID),
            random,
          )),
        }
        : {}),
    });
  }
  return {
    users: {
      [USER_ID]: {
        master_key: toHex(MASTER_KEY),
        identity_key: toBase64(ada.signer.publicKey),
      },
      [BEN_ID]: {
        master_key: toHex(bensKey),
        identity_key: toBase64(ben.signer.publicKey),
      },
    },
    album_id: ada.albumId(2),
    successor_album_id: ada.albumId(3),
    opaque_id: OPAQUE_ID,
    rosters,
    assets,
    blobs,
  };
}
