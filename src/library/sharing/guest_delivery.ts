/**
 * What a guest does at the server: verifying an upload link's key, and sending
 * a file that is sealed already until the server's receipt was verified.
 *
 * @module
 */
import { type Bytes, fromBase64, toHex } from "../../core/bytes.ts";
import type { HybridBackend } from "../../crypto/hybrid.ts";
import { readReceipt } from "../../crypto/receipt.ts";
import { verifyReceipt } from "../../crypto/receipt_chain.ts";
import type { AssetReceipt } from "../../wire/answers/receipts.ts";
import { ApiProblem, type Client, createClient } from "../../client/api/api.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { guestBinding } from "../../client/documents/guest.ts";
import { createGuest, type Guest } from "../../client/api/links.ts";
import type { SealedSource } from "../../client/stream/sealed_source.ts";
import { persist, sendBlob, type SendOptions } from "../../client/api/send.ts";
import type { OpenUpload } from "../../client/api/upload_calls.ts";
import {
  isRecipient,
  parseUploadLink,
  unwrapGate,
} from "../../client/documents/upload_link.ts";
import { CustodyError } from "../base/faults.ts";
import {
  clientOptions,
  type LibraryPlatform,
  passphraseOptions,
} from "../base/platform.ts";

/** An upload link whose key was verified. */
interface OpenLink {
  readonly origin: string;
  readonly opaqueId: string;
  /** The X-Wing public key of the link's owner. */
  readonly recipientKey: Bytes;
  /** What files are bound to; see `guestBinding`. */
  readonly binding: Bytes;
  /** RFC 3339. */
  readonly expiresAt: string;
}

/**
 * Asks the server for a link's key. Throws a TypeError if the text is no link,
 * EscrowError for a wrong passphrase, and DocumentError if the link is not whole
 * or the key is not that of the link's owner, so that nothing is sealed to it.
 */
export async function openUploadLink(
  platform: LibraryPlatform,
  link: string,
  passphrase?: string,
): Promise<OpenLink> {
  const parsed = parseUploadLink(link);
  if (parsed === undefined) throw new TypeError("not an upload link");
  const { origin, opaqueId } = parsed;
  const guest = createGuest(clientOptions(platform, origin), opaqueId);
  const view = await guest.viewLink();
  const recipientKey = fromBase64(view.recipient_key) ?? new Uint8Array();
  const { fingerprint } = parsed;
  if (fingerprint === undefined) {
    throw new DocumentError("the link is not whole");
  }
  if (!isRecipient(recipientKey, fingerprint)) {
    throw new DocumentError("the key is not that of the link's owner");
  }
  // The owner refuses what does not fit, whatever the server says here.
  if (view.passphrase_protected && passphrase === undefined) {
    throw new DocumentError("the link wants its passphrase");
  }
  if (!view.passphrase_protected && passphrase !== undefined) {
    throw new DocumentError("the server says that the link has no passphrase");
  }
  // The owner opens nothing that was sealed without the gate.
  if (passphrase === undefined && parsed.gate === undefined) {
    throw new DocumentError("the link is not whole");
  }
  const gate = passphrase === undefined ? parsed.gate : await unwrapGate(
    passphrase,
    await guest.linkSecret(),
    opaqueId,
    passphraseOptions(platform),
  );
  const binding = guestBinding(opaqueId, gate);
  const { expires_at: expiresAt } = view;
  return { origin, opaqueId, recipientKey, binding, expiresAt };
}

/** A sealed file of a guest; its key is in the sealed metadata alone. */
interface SealedFile extends SealedSource {
  readonly sealedMetadata: Uint8Array;
}

/** Options of sending a sealed file. */
interface Delivery extends Pick<SendOptions, "onProgress" | "pieceBytes"> {
  /** The session that an earlier attempt opened. */
  readonly upload?: string;
  /** Called before any byte is sent, so that another attempt goes on. */
  readonly onUpload?: (uploadId: string) => void | Promise<void>;
}

/**
 * Sends a sealed file by a link; resolves once its receipt was verified. Throws
 * ApiProblem, ConnectionError, CustodyError.
 */
export async function deliverSealed(
  platform: LibraryPlatform,
  { origin, opaqueId }: { readonly origin: string; readonly opaqueId: string },
  file: SealedFile,
  { upload, onUpload, ...options }: Delivery = {},
): Promise<AssetReceipt> {
  const given = clientOptions(platform, origin);
  const guest = createGuest(given, opaqueId);
  const open = await openedUpload(guest, upload) ?? await persist(
    guest,
    () => guest.createUpload(file),
    {},
  );
  await onUpload?.(open.upload_id);
  return await sendVerified(guest, createClient(given), open, file, {
    ...options,
    hybrid: platform.hybrid,
  });
}

/** The session that an earlier attempt opened, if it still exists. */
export async function openedUpload(guest: Guest, uploadId: string | undefined) {
  if (uploadId === undefined) return undefined;
  try {
    return await persist(guest, () => guest.upload(uploadId), {});
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return undefined;
    throw error;
  }
}

/** Sends what is missing of a blob, and verifies its receipt. */
export async function sendVerified(
  guest: Guest,
  client: Pick<Client, "attestationKeys">,
  upload: OpenUpload,
  blob: SealedSource,
  { hybrid, ...options }: SendOptions & {
    readonly hybrid: HybridBackend | undefined;
  },
): Promise<AssetReceipt> {
  const { hash, size } = blob;
  const { receipt, upload_id: uploadId } = await sendBlob(
    guest,
    upload,
    blob,
    options,
  );
  const bytes = fromBase64(receipt.receipt_cbor) ?? new Uint8Array();
  const keys = await client.attestationKeys();
  const verdict = await verifyReceipt(bytes, keys, hybrid);
  if (!verdict.ok) throw new CustodyError("receipt_forged", verdict.detail);
  const said = readReceipt(bytes);
  const fits = toHex(said.ciphertext_hash) === hash &&
    said.size === size && said.upload_id === uploadId;
  if (fits) return receipt;
  throw new CustodyError("receipt_mismatch", "it is another blob's");
}
