/**
 * The calls of an upload link's thread: looking at the link, opening it, and
 * sealing and sending files.
 *
 * @module
 */
import { createGuest } from "../../../client/api/links.ts";
import {
  type GuestAbout,
  type GuestBox,
  type LibraryPlatform,
  openGuestBox,
} from "../../../library/mod.ts";
import { ciphertextSize } from "../../../client/stream/stream.ts";
import { parseUploadLink } from "../../../client/documents/upload_link.ts";
import { browserFetch, now, randomBytes, sleep } from "../../browser.ts";
import { sendAloud } from "../../xhr.ts";
import { sourceOfFile } from "../../../client/stream/threads/file_source.ts";
import { swiftPrimitives } from "../sealing/lazy_libsodium.ts";
import { type BrowserJournal, browserJournal } from "./browser_journal.ts";

/** The facts about a link before anything is sent. */
export interface UploadLinkFacts {
  /** The files and bytes that it still takes. */
  readonly files: number;
  readonly bytes: number;
  readonly expiresAt: string;
  readonly hasPassphrase: boolean;
  /** The state of the part of the address behind `#`. */
  readonly key: "whole" | "missing" | "damaged";
  /** The note of the person who asks. */
  readonly note?: string;
  /** Files that were begun in this browser and did not arrive. */
  readonly unfinished: number;
}

/** A file to send, with the page's description. */
interface GivenGuestFile {
  /** The page's own id of the file, for events about it. */
  readonly id: string;
  readonly file: Blob;
  readonly sha256: string;
  readonly about: GuestAbout;
}

/** The state of a file on the link. */
interface KnownFile {
  /** A begun file has its room on the link already. */
  readonly state: "new" | "begun" | "sent";
  /** Bytes of the link that it uses. */
  readonly bytes: number;
}

/** Why the thread waits. */
export interface GuestWait {
  readonly ms: number;
  readonly why: "busy" | "offline";
}

/** Size of a piece (bytes); a broken connection costs at most one. */
const PIECE_BYTES = 4 * 1024 * 1024;
/** Least interval between two progress events (ms). */
const TOLD_EVERY_MS = 100;

/** The calls of an upload link's thread. */
export function guestCalls(
  origin: string,
  tell: (event: string, data: unknown) => void,
) {
  const underWay = new Map<string, {
    readonly stopping: AbortController;
    readonly ended: Promise<void>;
  }>();
  const waits = new Set<AbortController>();
  let isOffline = false;
  let box: GuestBox | undefined;
  let journal: BrowserJournal | undefined;

  /** Makes a request and notes whether it got an answer. */
  const heard = async (
    asking: Promise<Response>,
    stopped?: AbortSignal | null,
  ): Promise<Response> => {
    try {
      const answer = await asking;
      isOffline = false;
      return answer;
    } catch (error) {
      isOffline = stopped?.aborted !== true;
      throw error;
    }
  };
  const platform: LibraryPlatform = {
    fetch: (input, init) => heard(browserFetch(input, init), init.signal),
    now,
    random: randomBytes,
    primitives: swiftPrimitives,
    async wait(ms) {
      const waking = new AbortController();
      waits.add(waking);
      const wait: GuestWait = { ms, why: isOffline ? "offline" : "busy" };
      tell("waiting", wait);
      await sleep(ms, waking.signal);
      waits.delete(waking);
      if (waits.size === 0) tell("waiting", undefined);
    },
    clientVersion: "strongroom-web/1",
  };
  const opened = (): GuestBox => {
    if (box === undefined) throw new Error("the link is not open");
    return box;
  };
  const wake = () => {
    for (const waking of waits) waking.abort();
  };
  /** Passes on progress at a limited rate. */
  const teller = (id: string) => {
    let told = 0;
    return (done: number) => {
      if (now() - told < TOLD_EVERY_MS) return;
      told = now();
      tell("sending", { id, done });
    };
  };

  return {
    guest: {
      /** The facts about a link; undefined if the address is not one. */
      async look(address: string): Promise<UploadLinkFacts | undefined> {
        const [bare = "", fragment = ""] = address.split("#");
        const opaqueId = parseUploadLink(bare)?.opaqueId;
        if (opaqueId === undefined) return undefined;
        const link = parseUploadLink(address);
        journal = await browserJournal(opaqueId);
        const options = { baseUrl: origin, ...platform };
        const said = await createGuest(options, opaqueId).viewLink();
        return {
          files: said.files_left,
          bytes: said.max_bytes_left,
          expiresAt: said.expires_at,
          hasPassphrase: said.passphrase_protected,
          key: fragment === ""
            ? "missing"
            : link?.gate !== undefined || said.passphrase_protected && link
            ? "whole"
            : "damaged",
          ...(link?.note === undefined ? {} : { note: link.note }),
          unfinished: await journal.unfinished(),
        };
      },

      /**
       * Opens the link; throws a DocumentError if the server's key is not the
       * right one.
       */
      async open(link: string, passphrase?: string): Promise<void> {
        box = await openGuestBox(platform, link, passphrase, journal);
      },

      /**
       * The state of a file in this browser's journal, and the bytes it uses.
       */
      async known(sha256: string, size: number): Promise<KnownFile> {
        const state = await opened().wasSent(sha256)
          ? "sent"
          : await opened().wasBegun(sha256)
          ? "begun"
          : "new";
        return { state, bytes: ciphertextSize(size) };
      },

      /** Sends a file; resolves once its receipt was verified. */
      async send({ id, file, sha256, about }: GivenGuestFile): Promise<void> {
        const stopping = new AbortController();
        const { promise: ended, resolve: end } = Promise.withResolvers<void>();
        underWay.set(id, { stopping, ended });
        const { signal } = stopping;
        const told = teller(id);
        let held = 0;
        try {
          await opened().send({ source: sourceOfFile(file), sha256, about }, {
            signal,
            pieceBytes: PIECE_BYTES,
            onProgress: (bytes) => {
              held = bytes;
              told(held);
            },
            fetch: (input, init) =>
              init.body instanceof Uint8Array
                ? heard(
                  sendAloud(input, init, {
                    signal,
                    onSent: (bytes) => told(held + bytes),
                  }),
                  signal,
                )
                : platform.fetch(input, init),
          });
        } finally {
          underWay.delete(id);
          end();
        }
      },

      /** Stops files under way; what was sent stays for the next attempt. */
      stop(ids: readonly string[]): void {
        for (const id of ids) underWay.get(id)?.stopping.abort();
        wake();
      },

      /** Cancels a file, so that the link gets its room back. */
      async giveUp(id: string, sha256: string): Promise<void> {
        // Only then, because it could open a session until it has ended.
        await underWay.get(id)?.ended;
        await opened().giveUp(sha256);
      },

      /** Ends a wait, because the connection may be back. */
      wake,
    },
  };
}
