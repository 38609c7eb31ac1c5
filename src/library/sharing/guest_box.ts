/**
 * Sending files through someone's upload link, without an account, such as
 * from a camera or a machine that must not be able to read what it sent: each
 * file's key is forgotten after it was sent
 * (protocol/client-cryptography.md#upload-link).
 *
 * @module
 */
import type { AssetReceipt } from "../../wire/answers/receipts.ts";
import { type GuestJournal, guestNotes } from "./guest_journal.ts";
import { type GuestFile, sealGuestFile } from "../../client/documents/guest.ts";
import { createGuest } from "../../client/api/links.ts";
import type { PlainSource } from "../../client/stream/sealed_source.ts";
import { persist } from "../../client/api/send.ts";
import { KEY_BYTES } from "../../client/documents/suite.ts";
import { createClient } from "../../client/api/api.ts";
import type { ClientOptions, Fetch } from "../../client/api/transport.ts";
import {
  openedUpload,
  openUploadLink,
  sendVerified,
} from "./guest_delivery.ts";
import {
  clientOptions,
  type LibraryPlatform,
  primitivesOf,
  sealerOn,
} from "../base/platform.ts";
import { hashSource, sealPart } from "../adding/sealed_part.ts";

/** The description of a file that is sent with it. */
export type GuestAbout = Omit<GuestFile, "v" | "key" | "size" | "sha256">;

/** An opened upload link. */
export interface GuestBox {
  /** The bytes and files that the link still takes. */
  left(): Promise<{ readonly bytes: number; readonly files: number }>;
  /** Whether, according to the journal, a file of this hash was sent. */
  wasSent(sha256: string): Promise<boolean>;
  /**
   * Whether, according to the journal, an earlier attempt has opened a session.
   */
  wasBegun(sha256: string): Promise<boolean>;
  /** Cancels an unfinished session, so that the link gets its room back. */
  giveUp(sha256: string): Promise<void>;
  /**
   * Sends a file; resolves once its receipt was verified. Throws ApiProblem,
   * ConnectionError, CustodyError, SourceChanged.
   */
  send(
    file: {
      readonly source: PlainSource;
      readonly about: GuestAbout;
      /** SHA-256 of its bytes in hex, if the caller has just computed it. */
      readonly sha256?: string;
    },
    options?: GuestSending,
  ): Promise<AssetReceipt>;
}

/** Options of sending a guest's file. */
export interface GuestSending {
  readonly onProgress?: (heldBytes: number) => void;
  /** Stops the sending; what has arrived stays for the next attempt. */
  readonly signal?: AbortSignal;
  /** Size of a piece (bytes); a broken connection costs at most one. */
  readonly pieceBytes?: number;
  /**
   * Replaces the platform's fetch, for example to report the progress of a
   * piece.
   */
  readonly fetch?: Fetch;
}

/**
 * Opens an upload link. Throws a TypeError if the text is no link, EscrowError
 * for a wrong passphrase, and DocumentError if the server's key is not that of
 * the link's owner, so that nothing is sealed to it.
 */
export async function openGuestBox(
  platform: LibraryPlatform,
  link: string,
  passphrase?: string,
  journal?: GuestJournal,
): Promise<GuestBox> {
  const { origin, opaqueId, recipientKey, binding } = await openUploadLink(
    platform,
    link,
    passphrase,
  );
  const primitives = primitivesOf(platform);
  const options = clientOptions(platform, origin);
  const guest = createGuest(options, opaqueId);
  const client = createClient(options);
  const notes = guestNotes(journal, `${origin}/${opaqueId}`);
  return {
    wasSent: async (sha256) => (await notes.read(sha256))?.sent === true,
    wasBegun: async (sha256) =>
      (await notes.read(sha256))?.open?.upload !== undefined,
    async giveUp(sha256) {
      const begun = (await notes.read(sha256))?.open;
      if (begun === undefined) return;
      const { upload } = begun;
      // A session that has expired has given its room back already.
      if (
        await openedUpload(guest, upload) !== undefined && upload !== undefined
      ) {
        await guest.cancelUpload(upload);
      }
      await notes.write(sha256, {});
    },
    async left() {
      const now = await guest.viewLink();
      return { bytes: now.max_bytes_left, files: now.files_left };
    },
    async send({ source, about, ...given }, sending = {}) {
      const { onProgress, signal, pieceBytes } = sending;
      const by = createGuest(stoppable(options, sending), opaqueId);
      const sha256 = given.sha256 ??
        await hashSource(source, primitives, { signal });
      const before = (await notes.read(sha256))?.open;
      const key = before?.key ?? new Uint8Array(platform.random(KEY_BYTES));
      const fileKey = new Uint8Array(key);
      const part = await sealPart(
        source,
        { fileKey, sealer: sealerOn(platform) },
        sha256,
        { signal },
      );
      const sealed = before?.sealed ?? sealGuestFile(
        { v: 1, ...about, key: fileKey, size: source.size, sha256 },
        recipientKey,
        binding,
        platform.random,
        primitives,
      );
      const sealedMetadata = new Uint8Array(sealed);
      const { hash, size } = part;
      signal?.throwIfAborted();
      const open = { key, sealed };
      if (before === undefined) await notes.write(sha256, { open });
      const upload = await openedUpload(by, before?.upload) ?? await persist(
        by,
        () => by.createUpload({ hash, size, sealedMetadata }),
        {},
      );
      await notes.write(sha256, {
        open: { ...open, upload: upload.upload_id },
      });
      const receipt = await sendVerified(by, client, upload, part, {
        hybrid: platform.hybrid,
        ...(pieceBytes === undefined ? {} : { pieceBytes }),
        onProgress: (held) => {
          signal?.throwIfAborted();
          onProgress?.(held);
        },
      });
      // The key is forgotten, so that the file cannot be read here any more.
      await notes.write(sha256, { sent: true });
      return receipt;
    },
  };
}

/**
 * Client options under which sending can be stopped, while bytes are on their
 * way and between two attempts. A request without bytes is short and is never
 * stopped, because an upload could not be continued if its id were lost.
 */
function stoppable(
  options: ClientOptions,
  { signal, ...given }: GuestSending,
): ClientOptions {
  const ask = given.fetch ?? options.fetch;
  if (signal === undefined) return { ...options, fetch: ask };
  const { wait } = options;
  return {
    ...options,
    fetch: (input, init) =>
      ask(
        input,
        init.body instanceof Uint8Array ? { ...init, signal } : init,
      ),
    wait: async (ms) => {
      signal.throwIfAborted();
      await wait?.(ms);
      signal.throwIfAborted();
    },
  };
}
