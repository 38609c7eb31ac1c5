/**
 * What the page of an upload link asks of its thread: to look at the link, to
 * open it, and to seal and send one file after the other.
 *
 * @module
 */
import { createGuest } from "../../../client/links.ts";
import {
  type GuestAbout,
  type GuestBox,
  type LibraryPlatform,
  openGuestBox,
} from "../../../client/library/mod.ts";
import { ciphertextSize } from "../../../client/stream.ts";
import { parseUploadLink } from "../../../client/upload_link.ts";
import { browserFetch, now, randomBytes, sleep } from "../../browser.ts";
import { sendAloud } from "../../xhr.ts";
import { sourceOfFile } from "../files.ts";
import { type BrowserJournal, browserJournal } from "./browser_journal.ts";

/** What is known of a link before anything is sent. */
export interface GuestRoom {
  /** What it takes still. */
  readonly files: number;
  readonly bytes: number;
  readonly expiresAt: string;
  readonly hasPassphrase: boolean;
  /** What the address itself says of whose key is the right one. */
  readonly fingerprint: "there" | "missing" | "damaged";
  /** Who asks, and for what, in their own words. */
  readonly note?: string;
  /** Files that were begun in this browser and did not arrive. */
  readonly unfinished: number;
}

/** A file to send, as the page has described it. */
export interface GivenGuestFile {
  /** The page's own name of it, in what it is told of it. */
  readonly id: string;
  readonly file: Blob;
  readonly sha256: string;
  readonly about: GuestAbout;
}

/** What is known of a file. */
export interface KnownFile {
  /** What was begun has its room on the link already. */
  readonly state: "new" | "begun" | "sent";
  /** Bytes that it takes of the link. */
  readonly bytes: number;
}

/** Why the thread waits. */
export interface GuestWait {
  readonly ms: number;
  readonly why: "busy" | "offline";
}

/** A broken connection costs at most one of these (bytes). */
const PIECE_BYTES = 4 * 1024 * 1024;
/** Pages are told of progress this often at most (ms). */
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

  /** Knows afterwards whether there was any answer. */
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
  /** Passes on few of the steps. */
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
      /** What is known of a link; undefined where the address is none. */
      async look(address: string): Promise<GuestRoom | undefined> {
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
          fingerprint: link?.fingerprint !== undefined
            ? "there"
            : link === undefined && fragment !== ""
            ? "damaged"
            : "missing",
          ...(link?.note === undefined ? {} : { note: link.note }),
          unfinished: await journal.unfinished(),
        };
      },

      /** Opens it; DocumentError where the key is another's. */
      async open(link: string, passphrase?: string): Promise<void> {
        box = await openGuestBox(platform, link, passphrase, journal);
      },

      /** What this browser knows of a file, and what it takes of the link. */
      async known(sha256: string, size: number): Promise<KnownFile> {
        const state = await opened().wasSent(sha256)
          ? "sent"
          : await opened().wasBegun(sha256)
          ? "begun"
          : "new";
        return { state, bytes: ciphertextSize(size) };
      },

      /** Resolves once the receipt was verified. */
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

      /** Stops what is under way; what was sent stays for the next try. */
      stop(ids: readonly string[]): void {
        for (const id of ids) underWay.get(id)?.stopping.abort();
        wake();
      },

      /** Takes a file back, so that the link has its room again. */
      async giveUp(id: string, sha256: string): Promise<void> {
        // Until it has ended it may still get a place.
        await underWay.get(id)?.ended;
        await opened().giveUp(sha256);
      },

      /** The connection may be back. */
      wake,
    },
  };
}
