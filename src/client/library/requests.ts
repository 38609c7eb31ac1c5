/**
 * The account's own upload links and the guests' files under them. Guests are
 * strangers, so their files are checked before they are taken in
 * (protocol/client-cryptography.md#upload-link).
 *
 * @module
 */
import {
  type Bytes,
  concatBytes,
  fromBase64,
  toHex,
} from "../../core/bytes.ts";
import type { Contribution, UploadLinkEntry } from "../asset_answers.ts";
import { DocumentError } from "../fields.ts";
import { wrapFileKey } from "../file_key.ts";
import { type GuestFile, openGuestFile } from "../guest.ts";
import { createGuest } from "../links.ts";
import { newShare } from "../share.ts";
import { plaintextSize, SALT_BYTES } from "../stream.ts";
import {
  buildUploadLink,
  recipientFingerprint,
  wrapFingerprint,
} from "../upload_link.ts";
import {
  clientOptions,
  newId,
  passphraseOptions,
  primitivesOf,
} from "./platform.ts";
import { inParallel } from "./parallel.ts";
import type { Metadata } from "../metadata.ts";
import type { Range } from "../transport.ts";
import type { IntakeContext, Kept, NewDerivative } from "./intake.ts";
import { DamagedBlob, openBlob } from "./pull.ts";
import { sealDerivatives } from "./derivatives.ts";
import { storeAsset } from "./store_asset.ts";

/** A link to make, by which others can send files. */
export interface NewRequest {
  /** RFC 3339, at most 90 days ahead. */
  readonly expiresAt: string;
  readonly maxBytes: number;
  readonly maxFiles: number;
  /** If given, the link works only with it. */
  readonly passphrase?: string;
  /** Who asks and what for; it is in the link and not at the server. */
  readonly note?: string;
}

/** The link that was made. */
export interface MadeRequest {
  readonly opaqueId: string;
  readonly url: string;
}

/** One of the account's upload links. */
export interface OwnRequest extends UploadLinkEntry {
  readonly url: string;
  readonly note: string | undefined;
}

/** A guest's file that waits to be accepted or refused. */
export interface Waiting {
  readonly opaqueId: string;
  readonly uploadId: string;
  /** Ciphertext bytes. */
  readonly size: number;
  readonly receivedAt: string;
  /** The guest's description; undefined if it does not open. */
  readonly file: Omit<GuestFile, "key"> | undefined;
}

/** Options of accepting a guest's file. */
export interface AcceptOptions {
  /** Default: the library. */
  readonly albumId?: string;
  /** Facts read from the bytes, which replace the guest's claims. */
  readonly about?: Pick<
    Metadata,
    | "taken_at"
    | "taken_offset"
    | "taken_source"
    | "width"
    | "height"
    | "duration_ms"
    | "place"
    | "camera"
    | "thumbhash"
  >;
  readonly derivatives?: readonly NewDerivative[];
}

/** Makes an upload link whose key only this account has. */
export async function makeRequest(
  { vault }: IntakeContext,
  request: NewRequest,
): Promise<MadeRequest> {
  const { session, identity } = vault;
  const { platform, account, server: origin } = session;
  const { opaqueId } = newShare(platform.random);
  const recipientKey = identity.uploadLinkKeys(opaqueId).publicKey;
  const fingerprint = recipientFingerprint(recipientKey);
  const { passphrase, expiresAt, maxBytes, maxFiles, note } = request;
  await account.issueUploadLink({
    opaqueId,
    recipientKey,
    expiresAt,
    maxBytes,
    maxFiles,
    ...(passphrase === undefined ? {} : {
      wrappedSecret: await wrapFingerprint(
        passphrase,
        fingerprint,
        platform.random,
        passphraseOptions(platform),
      ),
    }),
  });
  const url = buildUploadLink({
    origin,
    opaqueId,
    ...(passphrase === undefined ? { fingerprint } : {}),
    ...(note === undefined ? {} : { note }),
  });
  return { opaqueId, url };
}

/**
 * The account's upload links, each with its URL to hand out again; `noteOf`
 * returns the note of a link.
 */
export async function ownRequests(
  { vault }: IntakeContext,
  noteOf: (opaqueId: string) => string | undefined,
): Promise<readonly OwnRequest[]> {
  const { account, server: origin, platform } = vault.session;
  const entries = await account.uploadLinks();
  return await inParallel(entries, 4, async (entry) => {
    const opaqueId = entry.opaque_id;
    const { publicKey } = vault.identity.uploadLinkKeys(opaqueId);
    const fingerprint = recipientFingerprint(publicKey);
    const guest = createGuest(clientOptions(platform, origin), opaqueId);
    // The URL of a link with a passphrase must not contain the fingerprint.
    const isOpen = await guest.viewLink()
      .then((view) => !view.passphrase_protected, () => false);
    const note = noteOf(opaqueId);
    const url = buildUploadLink({
      origin,
      opaqueId,
      ...(isOpen ? { fingerprint } : {}),
      ...(note === undefined ? {} : { note }),
    });
    return { ...entry, url, note };
  });
}

/** Lists the files that wait under all links. */
export async function inbox(
  context: IntakeContext,
): Promise<readonly Waiting[]> {
  const { account } = context.vault.session;
  const waiting: Waiting[] = [];
  for (const { opaque_id: opaqueId } of await account.uploadLinks()) {
    for (const one of await account.contributions(opaqueId)) {
      const file = openGuest(context, opaqueId, one);
      waiting.push({
        opaqueId,
        uploadId: one.upload_id,
        size: one.size,
        receivedAt: one.received_at,
        file: file === undefined ? undefined : withoutKey(file),
      });
    }
  }
  return waiting;
}

function withoutKey({ key: _key, ...file }: GuestFile): Omit<GuestFile, "key"> {
  return file;
}

/**
 * Opens a guest's file so that the person can look at it before deciding.
 * Throws DamagedBlob if it does not open, and DocumentError if no file of that
 * id waits or it is larger than `maxBytes`.
 */
export async function peekWaiting(
  context: IntakeContext,
  opaqueId: string,
  uploadId: string,
  maxBytes: number,
): Promise<{ readonly bytes: Bytes; readonly file: Omit<GuestFile, "key"> }> {
  const { one, file, readable } = await waitingOf(context, opaqueId, uploadId);
  if (one.size > maxBytes) throw new DocumentError("it is too large to show");
  const pieces = await Array.fromAsync(openBlob(
    context,
    contributionOf(context, one, opaqueId),
    readable,
  ));
  return { bytes: concatBytes(...pieces), file: withoutKey(file) };
}

/** Finds a waiting file by its id, with the key that opens it. */
async function waitingOf(
  context: IntakeContext,
  opaqueId: string,
  uploadId: string,
) {
  const { account, platform } = context.vault.session;
  const one = (await account.contributions(opaqueId))
    .find((waiting) => waiting.upload_id === uploadId);
  if (one === undefined) throw new DocumentError("nothing of that id waits");
  const file = openGuest(context, opaqueId, one);
  const size = plaintextSize(one.size);
  if (file === undefined || size === undefined) {
    throw new DocumentError("what the guest wrote does not open");
  }
  const readable = {
    hash: one.ciphertext_hash,
    size: one.size,
    key: { fileKey: file.key, primitives: primitivesOf(platform) },
  };
  return { one, file, size, readable };
}

function contributionOf(
  { vault }: IntakeContext,
  { upload_id: uploadId }: Contribution,
  opaqueId: string,
) {
  const { account } = vault.session;
  return (range?: Range) => account.contributionBlob(opaqueId, uploadId, range);
}

/**
 * Takes a guest's file into the library or an album, after reading and opening
 * it, without sending it again. A file that is there already is not taken
 * twice, and the outcome is `known`. Throws DamagedBlob if it does not open, and
 * DocumentError if no file
 * of that id waits or its sealed metadata is unreadable.
 */
export async function acceptWaiting(
  context: IntakeContext,
  opaqueId: string,
  uploadId: string,
  options: AcceptOptions = {},
): Promise<Kept> {
  const { vault, keys, index } = context;
  const { account, platform } = vault.session;
  const primitives = primitivesOf(platform);
  const albumId = options.albumId ?? vault.libraryAlbumId;
  const { one, file, size, readable } = await waitingOf(
    context,
    opaqueId,
    uploadId,
  );
  const running = primitives.sha256();
  const pieces = openBlob(
    context,
    contributionOf(context, one, opaqueId),
    readable,
  );
  for await (const piece of pieces) running.update(piece);
  const sha256 = toHex(running.digest());
  const known = index.byPlaintext(sha256, albumId);
  if (known !== undefined) {
    // The same photo is there already, so the guest's file is deleted.
    await account.deleteContribution(opaqueId, uploadId);
    return { outcome: "known", row: known };
  }
  const { epoch, amk } = await keys.newestOf(albumId);
  const assetId = newId(platform);
  const { name, mime, taken_at, modified_at } = file;
  const made = await sealDerivatives(
    context,
    file.key,
    options.derivatives ?? [],
    0,
  );
  const { row, receipts } = await storeAsset(context, {
    assetId,
    albumId,
    epoch,
    fileKey: new Uint8Array(file.key),
    sealedKey: wrapFileKey(amk, assetId, file.key, platform.random, primitives),
    original: {
      hash: one.ciphertext_hash,
      size: one.size,
      plaintextSize: size,
      origin: { adopts: uploadId },
      read: () => Promise.reject(new DamagedBlob("the server wants it sent")),
    },
    derivatives: made.map(({ part }) => part),
    metadata: {
      taken_at,
      modified_at,
      ...options.about,
      name,
      mime,
      size,
      sha256,
      derivatives: made.map(({ named }) => named),
    },
    metadataSalt: new Uint8Array(platform.random(SALT_BYTES)),
  });
  await index.append(row, receipts);
  return { outcome: "kept", row };
}

/**
 * Opens a guest's sealed metadata; undefined if it does not open or is not
 * valid.
 */
function openGuest(
  { vault }: IntakeContext,
  opaqueId: string,
  { sealed_metadata: sealed }: Contribution,
): GuestFile | undefined {
  const { secretKey } = vault.identity.uploadLinkKeys(opaqueId);
  const bytes: Bytes = fromBase64(sealed) ?? new Uint8Array();
  try {
    return openGuestFile(
      bytes,
      secretKey,
      opaqueId,
      primitivesOf(vault.session.platform),
    );
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}
