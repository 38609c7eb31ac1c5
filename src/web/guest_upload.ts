/**
 * One file on its way to the recipient of an upload link: encrypted here, sent
 * in pieces, paused and resumed, and patient with a connection that breaks.
 *
 * @module
 */
import { SECOND_MS, toRfc3339 } from "../core/time.ts";
import { GUEST_THUMBNAIL_MAX_BYTES, sealGuestFile } from "../client/guest.ts";
import { createGuest } from "../client/links.ts";
import { quickPrimitives } from "../client/quick.ts";
import { type PlainSource, sealedSource } from "../client/sealed_source.ts";
import { persist, sendBlob } from "../client/send.ts";
import { SALT_BYTES } from "../client/stream.ts";
import { KEY_BYTES } from "../client/suite.ts";
import type { Fetch } from "../client/transport.ts";
import { browserFetch, randomBytes, sleep } from "./browser.ts";
import { smallJpeg } from "./small_jpeg.ts";
import { sendAloud } from "./xhr.ts";

/** A broken connection costs at most one of these (bytes). */
const PIECE_BYTES = 4 * 1024 * 1024;
const NAME_MAX = 1_024;
const OCTETS = "application/octet-stream";

/** Where files of a link go. */
export interface Recipient {
  readonly opaqueId: string;
  readonly recipientKey: Uint8Array;
}

/** How an upload stands. */
export type Standing =
  | { readonly kind: "preparing" | "sending"; readonly done: number }
  | { readonly kind: "paused" | "finishing" }
  | { readonly kind: "waiting"; readonly forMs: number };

/** An upload that was taken back. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";
}

/** Sends one file; made anew for another try. */
export class GuestUpload {
  #paused = Promise.withResolvers<void>();
  #isPaused = false;
  #isCancelled = false;
  #request = new AbortController();
  #wake = new AbortController();
  #uploadId: string | undefined;
  /** Bytes of the blob that the server holds, and its size. */
  #held = 0;
  #size = 1;

  constructor(
    private readonly file: File,
    private readonly recipient: Recipient,
    private readonly tell: (standing: Standing) => void,
  ) {
    this.#paused.resolve();
  }

  /** Stops sending; what has arrived stays there. */
  pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#paused = Promise.withResolvers();
    this.tell({ kind: "paused" });
    this.#request.abort();
    this.goOn();
  }

  resume(): void {
    this.#isPaused = false;
    this.#paused.resolve();
    this.goOn();
  }

  /** Ends a wait: the connection may be back. */
  goOn(): void {
    this.#wake.abort();
  }

  /** Takes the upload back. */
  cancel(): void {
    this.#isCancelled = true;
    this.#request.abort();
    this.resume();
  }

  /**
   * Encrypts and sends the file. Throws {@link Cancelled}, and what would not go
   * away by trying again.
   */
  async run(): Promise<void> {
    const guest = createGuest({
      baseUrl: location.origin,
      fetch: this.#fetch,
      wait: (ms) => this.#wait(ms),
    }, this.recipient.opaqueId);
    const { file } = this;
    const key = new Uint8Array(randomBytes(KEY_BYTES));
    const source = await sealedSource(
      plainSource(file),
      { fileKey: key, primitives: quickPrimitives },
      randomBytes(SALT_BYTES),
      (bytes) => {
        if (this.#isCancelled) throw new Cancelled();
        if (this.#isPaused) return;
        this.tell({ kind: "preparing", done: bytes / Math.max(1, file.size) });
      },
    );
    this.#size = source.size;
    const thumbnail = await smallJpeg(file, GUEST_THUMBNAIL_MAX_BYTES);
    await this.#gate();
    try {
      const request = {
        hash: source.hash,
        size: source.size,
        sealedMetadata: this.#seal(key, thumbnail),
      };
      const patient = { mostFailures: Infinity };
      // An answer that is lost costs one of the link's files, for a day.
      const upload = await persist(
        guest,
        () => guest.createUpload(request),
        patient,
      );
      this.#uploadId = upload.upload_id;
      await sendBlob(guest, upload, source, {
        ...patient,
        pieceBytes: PIECE_BYTES,
        onProgress: (held) => {
          this.#held = held;
          this.#tellSent(0);
        },
      });
    } catch (error) {
      // The link gets its room back, for another try too; where that fails, the
      // session expires.
      if (this.#uploadId !== undefined) {
        await guest.cancelUpload(this.#uploadId).catch(() => {});
      }
      if (!this.#isCancelled) throw error;
      throw new Cancelled("", { cause: error });
    }
  }

  #seal(key: Uint8Array, thumbnail: Uint8Array | undefined) {
    const { opaqueId, recipientKey } = this.recipient;
    const name = [...this.file.name].slice(0, NAME_MAX).join("") || "unnamed";
    const mime = /^[^\s]{1,255}$/.test(this.file.type)
      ? this.file.type
      : OCTETS;
    return sealGuestFile(
      {
        v: 1,
        name: name.slice(0, NAME_MAX),
        mime,
        key,
        size: this.file.size,
        modified_at: modifiedAt(this.file),
        thumbnail,
      },
      recipientKey,
      opaqueId,
      randomBytes,
    );
  }

  /** Bodies of bytes go aloud and can be stopped; the rest is short. */
  readonly #fetch: Fetch = async (input, init) => {
    if (!(init.body instanceof Uint8Array)) {
      if (init.method !== "DELETE") await this.#gate();
      return await browserFetch(input, init);
    }
    await this.#gate();
    this.#request = new AbortController();
    const { signal } = this.#request;
    return await sendAloud(input, init, {
      signal,
      onSent: (bytes) => this.#tellSent(bytes),
    });
  };

  #tellSent(onTheWay: number): void {
    if (this.#isPaused || this.#isCancelled) return;
    const done = Math.min(1, (this.#held + onTheWay) / this.#size);
    this.tell(done < 1 ? { kind: "sending", done } : { kind: "finishing" });
  }

  /** Goes through unless the upload is paused. */
  async #gate(): Promise<void> {
    await this.#paused.promise;
    if (this.#isCancelled) throw new Cancelled();
  }

  async #wait(ms: number): Promise<void> {
    const { signal } = this.#wake = new AbortController();
    for (let left = ms; left > 0 && !signal.aborted; left -= SECOND_MS) {
      if (this.#isPaused || this.#isCancelled) break;
      this.tell({ kind: "waiting", forMs: left });
      await sleep(Math.min(SECOND_MS, left), signal);
    }
    await this.#gate();
  }
}

/** When a file was changed last, where that is a time at all. */
function modifiedAt({ lastModified }: File): string | undefined {
  const isTime = Number.isFinite(lastModified) && lastModified >= 0 &&
    lastModified < Date.UTC(10_000, 0);
  return isTime ? toRfc3339(lastModified) : undefined;
}

/** A file of the visitor's as a source; it may be read again and again. */
function plainSource(file: File): PlainSource {
  return {
    size: file.size,
    async read(offset, length) {
      const part = file.slice(offset, offset + length);
      return new Uint8Array(await part.arrayBuffer());
    },
  };
}
