/**
 * Files of guests that wait to be accepted or refused. Guests are strangers, so
 * their files are checked before they are taken in
 * (protocol/client-cryptography.md#upload-link): see `accept.ts`.
 *
 * @module
 */
import { type Bytes, concatBytes, fromBase64 } from "../../core/bytes.ts";
import type { Contribution } from "../asset_answers.ts";
import { DocumentError } from "../fields.ts";
import { type GuestFile, openGuestFile } from "../guest.ts";
import type { Metadata } from "../metadata.ts";
import { plaintextSize } from "../stream.ts";
import { ApiProblem, type Range } from "../transport.ts";
import type { IntakeContext, NewDerivative } from "./intake.ts";
import { primitivesOf } from "./platform.ts";
import { openBlob } from "./pull.ts";

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

/**
 * It waits no more: another of the account's programs accepted or refused it,
 * or its time was over.
 */
export class NoLongerWaits extends DocumentError {
  override readonly name = "NoLongerWaits";
}

/** Lists the files that wait under all links. */
export async function inbox(
  context: IntakeContext,
): Promise<readonly Waiting[]> {
  const { account } = context.vault.session;
  const waiting: Waiting[] = [];
  for (const { opaque_id: opaqueId } of await account.uploadLinks()) {
    for (const one of await contributionsOf(context, opaqueId)) {
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
 * Throws {@link NoLongerWaits}, DamagedBlob if it does not open, and
 * DocumentError if it is larger than `maxBytes`.
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

/** What waits under a link; nothing if another program ended it meanwhile. */
async function contributionsOf(
  { vault }: IntakeContext,
  opaqueId: string,
): Promise<readonly Contribution[]> {
  try {
    return await vault.session.account.contributions(opaqueId);
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

/** Whether the server says that it does not have that, or no more. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiProblem &&
    (error.code === "error.upload_link.not_found" ||
      error.code === "error.upload.not_found");
}

/** Throws NoLongerWaits for what the server does not have any more. */
async function ifWaiting<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (cause) {
    if (!isGone(cause)) throw cause;
    throw new NoLongerWaits("it waits no more", { cause });
  }
}

/** Finds a waiting file by its id, with the key that opens it. */
export async function waitingOf(
  context: IntakeContext,
  opaqueId: string,
  uploadId: string,
) {
  const { platform } = context.vault.session;
  const one = (await contributionsOf(context, opaqueId))
    .find((waiting) => waiting.upload_id === uploadId);
  if (one === undefined) throw new NoLongerWaits("nothing of that id waits");
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

/** Reads the blob of a waiting file. Throws NoLongerWaits. */
export function contributionOf(
  { vault }: IntakeContext,
  { upload_id: uploadId }: Contribution,
  opaqueId: string,
) {
  const { account } = vault.session;
  return (range?: Range) =>
    ifWaiting(account.contributionBlob(opaqueId, uploadId, range));
}

/** Deletes a guest's file. Throws {@link NoLongerWaits}. */
export async function refuseWaiting(
  { vault }: IntakeContext,
  opaqueId: string,
  uploadId: string,
): Promise<void> {
  const { account } = vault.session;
  await ifWaiting(account.deleteContribution(opaqueId, uploadId));
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
