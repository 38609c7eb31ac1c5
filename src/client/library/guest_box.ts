/**
 * Sending files through somebody's upload link, with no account: a camera, or a
 * machine that must not be able to read what it sent. The keys are forgotten
 * with each file (protocol/client-cryptography.md#upload-link).
 *
 * @module
 */
import { fromBase64, toHex } from "../../core/bytes.ts";
import type { AssetReceipt } from "../answers.ts";
import { DocumentError } from "../fields.ts";
import { type GuestFile, sealGuestFile } from "../guest.ts";
import { createGuest } from "../links.ts";
import type { PlainSource } from "../sealed_source.ts";
import { persist, sendBlob } from "../send.ts";
import { SALT_BYTES } from "../stream.ts";
import { KEY_BYTES } from "../suite.ts";
import {
  isRecipient,
  parseUploadLink,
  unwrapFingerprint,
} from "../upload_link.ts";
import { readReceipt } from "../../crypto/receipt.ts";
import { verifyReceipt } from "../../crypto/receipt_chain.ts";
import { createClient } from "../api.ts";
import { CustodyError } from "./faults.ts";
import {
  clientOptions,
  type LibraryPlatform,
  passphraseOptions,
  primitivesOf,
} from "./platform.ts";
import { hashSource, sealPart } from "./sealed_part.ts";

/** What is told of a file beside its bytes. */
export type GuestAbout = Omit<GuestFile, "v" | "key" | "size" | "sha256">;

/** An upload link that is open. */
export interface GuestBox {
  /** What it takes still. */
  left(): Promise<{ readonly bytes: number; readonly files: number }>;
  /**
   * Sends a file; resolves once its receipt was verified. Throws ApiProblem,
   * ConnectionError, CustodyError, SourceChanged.
   */
  send(
    file: { readonly source: PlainSource; readonly about: GuestAbout },
    options?: {
      readonly onProgress?: (heldBytes: number) => void;
      readonly signal?: AbortSignal;
    },
  ): Promise<AssetReceipt>;
}

/**
 * Opens an upload link. Throws a TypeError for what is none, EscrowError for a
 * wrong passphrase, and DocumentError where the key is not the one that the
 * link's owner named: nothing is sent to it.
 */
export async function openGuestBox(
  platform: LibraryPlatform,
  link: string,
  passphrase?: string,
): Promise<GuestBox> {
  const parsed = parseUploadLink(link);
  if (parsed === undefined) throw new TypeError("not an upload link");
  const { origin, opaqueId } = parsed;
  const primitives = primitivesOf(platform);
  const options = clientOptions(platform, origin);
  const guest = createGuest(options, opaqueId);
  const view = await guest.viewLink();
  const recipientKey = fromBase64(view.recipient_key) ?? new Uint8Array();
  const fingerprint = parsed.fingerprint ??
    (passphrase === undefined ? undefined : await unwrapFingerprint(
      passphrase,
      await guest.linkSecret(),
      passphraseOptions(platform),
    ));
  if (fingerprint === undefined) {
    throw new DocumentError("the link is not whole, or wants its passphrase");
  }
  if (!isRecipient(recipientKey, fingerprint)) {
    throw new DocumentError("the key is not that of the link's owner");
  }
  const client = createClient(options);
  return {
    async left() {
      const now = await guest.viewLink();
      return { bytes: now.max_bytes_left, files: now.files_left };
    },
    async send({ source, about }, { onProgress, signal } = {}) {
      const key = new Uint8Array(platform.random(KEY_BYTES));
      const sha256 = await hashSource(source, primitives, { signal });
      const part = await sealPart(
        source,
        { fileKey: key, primitives },
        new Uint8Array(platform.random(SALT_BYTES)),
        sha256,
      );
      const sealedMetadata = sealGuestFile(
        { v: 1, ...about, key, size: source.size, sha256 },
        recipientKey,
        opaqueId,
        platform.random,
        primitives,
      );
      const { hash, size } = part;
      signal?.throwIfAborted();
      const upload = await persist(
        guest,
        () => guest.createUpload({ hash, size, sealedMetadata }),
        {},
      );
      const { receipt, upload_id: uploadId } = await sendBlob(
        guest,
        upload,
        part,
        {
          onProgress: (held) => {
            signal?.throwIfAborted();
            onProgress?.(held);
          },
        },
      );
      const bytes = fromBase64(receipt.receipt_cbor) ?? new Uint8Array();
      const keys = await client.attestationKeys();
      const verdict = await verifyReceipt(bytes, keys, platform.hybrid);
      if (!verdict.ok) {
        throw new CustodyError("receipt_forged", verdict.detail);
      }
      const said = readReceipt(bytes);
      const fits = toHex(said.ciphertext_hash) === hash &&
        said.size === size && said.upload_id === uploadId;
      if (fits) return receipt;
      throw new CustodyError("receipt_mismatch", "it is another blob's");
    },
  };
}
