/**
 * Small signed files that people of two servers send each other through upload
 * links (protocol/albums-abroad.md#knock, #replies).
 *
 * @module
 */
import { type Bytes, concatBytes, fromBase64 } from "../../core/bytes.ts";
import { ReceiptError } from "../../crypto/receipt.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import type { Contribution } from "../../wire/answers/own_links.ts";
import { ApiProblem, UnexpectedAnswer } from "../../client/api/api.ts";
import type { UploadLinkRequest } from "../../client/api/link_calls.ts";
import { createGuest } from "../../client/api/links.ts";
import { ConnectionError } from "../../client/api/transport.ts";
import { MAIL_MAX_BYTES } from "../../client/documents/abroad_mail.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import {
  guestBinding,
  openGuestFile,
  sealGuestFile,
} from "../../client/documents/guest.ts";
import { KEY_BYTES } from "../../client/documents/suite.ts";
import {
  isRecipient,
  recipientFingerprint,
} from "../../client/documents/upload_link.ts";
import { plaintextSize } from "../../client/stream/stream.ts";
import { sealPart } from "../adding/sealed_part.ts";
import { CustodyError, isOfEverything } from "../base/faults.ts";
import {
  type LibraryPlatform,
  primitivesOf,
  sealerOn,
} from "../base/platform.ts";
import type { Library } from "../library.ts";
import { plainOf } from "../rows/plaintext_cache.ts";
import { DamagedBlob, openBlob } from "../rows/pull.ts";
import { sendVerified } from "../sharing/guest_delivery.ts";
import { contributionsOf, isGone } from "../sharing/inbox.ts";
import { clientOf, optionsAbroad } from "./other_servers.ts";

/** Files that are read of a link at once; no link of these takes more. */
const MOST_FILES = 256;

/** An upload link for such files, as the other person knows it. */
interface MailLink {
  readonly opaque_id: string;
  /** Of the recipient's key, 32 bytes. */
  readonly fingerprint: Uint8Array;
}

/**
 * Sends a file by an upload link of another server. Throws what
 * {@link isNotSent} names.
 */
export async function sendMail(
  platform: LibraryPlatform,
  serverId: string,
  { opaque_id: opaqueId, fingerprint }: MailLink,
  { mime, bytes }: { readonly mime: string; readonly bytes: Bytes },
): Promise<void> {
  const guest = createGuest(optionsAbroad(platform, serverId), opaqueId);
  const { recipient_key } = await guest.viewLink();
  const recipientKey = fromBase64(recipient_key) ?? new Uint8Array();
  if (!isRecipient(recipientKey, fingerprint)) {
    throw new DocumentError("the key is not that of the link's owner");
  }
  const key = new Uint8Array(platform.random(KEY_BYTES));
  const sha256 = sha256Hex(bytes);
  const sealer = sealerOn(platform);
  const file = await sealPart(plainOf(bytes), { fileKey: key, sealer }, sha256);
  const sealedMetadata = sealGuestFile(
    { v: 1, name: "strongroom", mime, key, size: bytes.length, sha256 },
    recipientKey,
    guestBinding(opaqueId),
    platform.random,
    primitivesOf(platform),
  );
  const { hash, size } = file;
  const upload = await guest.createUpload({ hash, size, sealedMetadata });
  const { hybrid } = platform;
  await sendVerified(guest, clientOf(platform, serverId), upload, file, {
    hybrid,
  });
}

/** Whether an error says that a file was not sent, and nothing else. */
export function isNotSent(error: unknown): error is Error {
  return error instanceof ApiProblem || error instanceof ConnectionError ||
    error instanceof UnexpectedAnswer || error instanceof DocumentError ||
    error instanceof CustodyError || error instanceof ReceiptError;
}

/**
 * An upload link of one's own for such files, which is made unless it is there;
 * undefined if the server makes none, such as when there are too many.
 */
export async function openBox(
  { vault: { session: { account }, identity } }: Library,
  opaqueId: string,
  limits: Pick<UploadLinkRequest, "expiresAt" | "maxBytes" | "maxFiles">,
): Promise<MailLink | undefined> {
  const recipientKey = await identity.uploadLinkKeys(opaqueId).publicKey();
  const fingerprint = recipientFingerprint(recipientKey);
  const link = { opaque_id: opaqueId, fingerprint };
  const links = await account.uploadLinks();
  if (links.some(({ opaque_id }) => opaque_id === opaqueId)) return link;
  try {
    await account.issueUploadLink({ opaqueId, recipientKey, ...limits });
    return link;
  } catch (error) {
    if (!(error instanceof ApiProblem) || isOfEverything(error)) throw error;
    return undefined;
  }
}

/** Ends a link and deletes what came by it, which the inbox would show. */
export async function closeBox(
  library: Library,
  opaqueId: string,
): Promise<void> {
  const { account } = library.vault.session;
  // First, so that nothing comes meanwhile.
  await account.revokeUploadLink(opaqueId);
  for (const { upload_id } of await contributionsOf(library, opaqueId)) {
    await dropFile(library, opaqueId, upload_id);
  }
}

async function dropFile(
  { vault: { session: { account } } }: Library,
  opaqueId: string,
  uploadId: string,
): Promise<void> {
  try {
    await account.deleteContribution(opaqueId, uploadId);
  } catch (error) {
    // Another device was faster.
    if (!isGone(error)) throw error;
  }
}

/** A file that came. */
export interface Mail {
  /** Undefined for a stranger's file, or a damaged one. */
  readonly bytes: Bytes | undefined;
  /** Deletes it. */
  drop(): Promise<void>;
}

/**
 * The files of one media type under a link of one's own, the newest first.
 * Others are strangers', and are not read.
 */
export async function readMail(
  library: Library,
  opaqueId: string,
  mime: string,
): Promise<readonly Mail[]> {
  const files = (await contributionsOf(library, opaqueId)).toReversed();
  const mail: Mail[] = [];
  for (const file of files.slice(0, MOST_FILES)) {
    mail.push({
      bytes: await opened(library, opaqueId, mime, file),
      drop: () => dropFile(library, opaqueId, file.upload_id),
    });
  }
  return mail;
}

/** The plaintext of a file; undefined for a stranger's or a damaged one. */
async function opened(
  library: Library,
  opaqueId: string,
  mime: string,
  one: Contribution,
): Promise<Bytes | undefined> {
  const { vault: { session: { account, platform }, identity } } = library;
  const size = plaintextSize(one.size);
  if (size === undefined || size > MAIL_MAX_BYTES) return undefined;
  const primitives = primitivesOf(platform);
  try {
    const file = openGuestFile(
      fromBase64(one.sealed_metadata) ?? new Uint8Array(),
      identity.uploadLinkKeys(opaqueId).secretKey,
      guestBinding(opaqueId),
      primitives,
    );
    if (file?.mime !== mime) return undefined;
    const fileKey = new Uint8Array(file.key);
    const pieces = await Array.fromAsync(openBlob(
      library,
      (range) => account.contributionBlob(opaqueId, one.upload_id, range),
      {
        hash: one.ciphertext_hash,
        size: one.size,
        key: { fileKey, primitives },
      },
    ));
    return concatBytes(...pieces);
  } catch (error) {
    const isItsOwn = error instanceof DocumentError ||
      error instanceof DamagedBlob || isGone(error);
    if (!isItsOwn) throw error;
    return undefined;
  }
}
