/**
 * The work of an upload link's queue: media threads for pictures, and one
 * thread that seals and sends.
 *
 * @module
 */
import { addressOf } from "../../addresses.ts";
import { signal } from "@preact/signals";
import { now, sleep } from "../../../browser.ts";
import type { GuestAbout } from "../../../../library/mod.ts";
import type { GuestGroups } from "../../../workers/guests/guest_box.ts";
import type {
  GuestWait,
  UploadLinkFacts,
} from "../../../workers/guests/guest_calls.ts";
import {
  type Remote,
  remote,
  ThreadError,
} from "../../../../client/stream/threads/thread_messages.ts";
import { stillOf } from "../../upload/stills.ts";
import {
  THREADS,
  withMedia,
  withPictures,
} from "../../upload/media_threads.ts";
import { guestName } from "./guest_name.ts";
import { fileOf, UploadQueue, type UploadWork } from "../../upload/queue.ts";
import { threadAddress } from "../../trusted.ts";

/** The link does not take a file. */
export class Refused extends Error {
  override readonly name = "Refused";
  constructor(
    readonly why: "files" | "bytes",
    /** The most files, or the bytes that are left. */
    readonly most: number,
  ) {
    super(why);
  }
}

/** Until when no request is made, and why. */
export const waiting = signal<
  { readonly until: number; readonly why: GuestWait["why"] } | undefined
>(undefined);
/** Whether the link ended while this page was open. */
export const hasEnded = signal(false);

let held: Remote<GuestGroups>["guest"] | undefined;

/** The functions of the thread; started at the first call. */
export function guestThread(): Remote<GuestGroups>["guest"] {
  return held ??= remote<GuestGroups>(
    new Worker(threadAddress("guest_box.js"), { type: "module" }),
    heard,
  ).guest;
}

// deno-lint-ignore no-explicit-any -- both sides are of one build
function heard(event: string, data: any): void {
  if (event === "sending") return guestQueue.progress(data.id, data.done);
  const wait: GuestWait | undefined = data;
  waiting.value = wait === undefined
    ? undefined
    : { until: now() + wait.ms, why: wait.why };
}

let room: Pick<UploadLinkFacts, "files" | "bytes" | "unfinished"> = {
  files: 0,
  bytes: 0,
  unfinished: 0,
};
/** Bytes of the link that files of this visit use, by their ids. */
const taken = new Map<string, number>();
/** Uploads that are being cancelled, whose room comes back with that. */
const leaving = new Set<Promise<void>>();
/** The files of this visit by their hashes. */
const hashes = new Map<string, string>();
/** Object URLs of small pictures by the files' ids, the oldest first. */
const pictures = new Map<string, string>();
/** Most pictures that are held; a page shows fewer. */
const MOST_PICTURES = 200;

/** Sets what the link takes. */
export function setRoom(given: UploadLinkFacts): void {
  room = given;
}

/** The small picture of a file, if there is one. */
export function pictureOf(id: string): string | undefined {
  return pictures.get(id);
}

/** Throws if the link has no room for another file. */
function assertRoom(id: string, bytes: number): void {
  if (taken.has(id)) return;
  if (taken.size >= room.files) throw new Refused("files", room.files);
  const sum = [...taken.values()].reduce((sum, one) => sum + one, 0);
  const left = room.bytes - sum;
  if (bytes > left) throw new Refused("bytes", Math.max(0, left));
}

interface Prepared {
  readonly sha256: string;
  readonly about: GuestAbout;
}

const work: UploadWork<Prepared> = {
  async prepare(item) {
    const { id, folder } = item;
    const file = fileOf(item);
    // Begun files have their room already, and only the hash tells which they
    // are.
    if (room.unfinished === 0) assertRoom(id, file.size);
    const sha256 = await withMedia(({ pictures }) => pictures.hash(file));
    const first = hashes.get(sha256);
    if (first !== undefined && first !== id) return { known: true };
    const { state, bytes } = await guestThread().known(sha256, file.size);
    if (state === "sent") return { known: true };
    if (state === "new") {
      assertRoom(id, bytes);
      taken.set(id, bytes);
    }
    hashes.set(sha256, id);
    const frame = file.type.startsWith("video/")
      ? await stillOf(file)
      : undefined;
    const about = await withPictures(({ pictures }, isPlain) =>
      pictures.introduce({
        isPlain,
        file,
        name: file.name,
        folder,
        modifiedAt: file.lastModified,
        frame,
      })
    ).finally(() => frame?.close());
    if (about.thumbnail !== undefined) keepPicture(id, about.thumbnail);
    return { known: false, prepared: { sha256, about } };
  },

  async send(item, { sha256, about }) {
    const { id } = item;
    const file = fileOf(item);
    // It may have been let in for the room that they leave.
    await Promise.all(leaving);
    try {
      const from = guestName.peek().trim();
      await guestThread().send({
        id,
        file,
        sha256,
        about: { ...about, ...(from === "" ? {} : { from }) },
      });
      return "kept";
    } catch (error) {
      if (
        error instanceof ThreadError &&
        error.fault.code === "error.upload_link.not_found"
      ) {
        hasEnded.value = true;
        guestQueue.pause();
      }
      throw error;
    }
  },

  stop(ids) {
    guestThread().stop(ids);
  },
  wait: (ms) => sleep(ms),
};

/** The queue of this page. */
export const guestQueue = new UploadQueue(work, {
  preparing: THREADS,
  sending: 3,
});

function keepPicture(id: string, jpeg: Uint8Array): void {
  forgetPicture(id);
  const blob = new Blob([new Uint8Array(jpeg)], { type: "image/jpeg" });
  pictures.set(id, addressOf(blob));
  const [oldest] = pictures.keys();
  if (pictures.size > MOST_PICTURES && oldest !== undefined) {
    forgetPicture(oldest);
  }
}

function forgetPicture(id: string): void {
  const address = pictures.get(id);
  if (address !== undefined) URL.revokeObjectURL(address);
  pictures.delete(id);
}

/** Removes a file from the list, and cancels its upload. */
export async function removeFile(id: string): Promise<void> {
  const item = guestQueue.items().find((one) => one.id === id);
  guestQueue.remove(id);
  forgetPicture(id);
  const [sha256] = [...hashes].find(([, one]) => one === id) ?? [];
  if (sha256 !== undefined) hashes.delete(sha256);
  if (item?.state === "kept" || item?.state === "known") return;
  taken.delete(id);
  // If that fails, the link gets its room back when the session expires.
  if (sha256 === undefined) return;
  const left = guestThread().giveUp(id, sha256).catch(() => {});
  leaving.add(left);
  await left;
  leaving.delete(left);
}

// Warns, because leaving the page would stop files that are being sent.
addEventListener("beforeunload", (event) => {
  if (guestQueue.active) event.preventDefault();
});

addEventListener("online", () => {
  guestThread().wake();
  if (guestQueue.halt.value === "offline") guestQueue.resume();
});
