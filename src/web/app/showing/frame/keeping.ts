/**
 * A picture frame at work: follows its link, and has the next photo ready. It
 * knows the key of the link and no account.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { NewerDocumentError } from "../../../../client/documents/fields.ts";
import { parseFrameLink } from "../../../../client/documents/frame_link.ts";
import {
  type Line,
  ThreadError,
} from "../../../../client/stream/threads/thread_messages.ts";
import type { FrameItem } from "../../../workers/shared/share_calls.ts";
import { randomBytes } from "../../../browser.ts";
import { typed } from "../../addresses.ts";
import { drawable } from "../lightbox/drawable.ts";
import { threadAddress } from "../../trusted.ts";
import { answerWith, vault } from "../../vault.ts";
import { FrameStore, type KeptFrame } from "./frame_store.ts";
import { Deck } from "./order.ts";

/** Largest video or original that a frame fetches (bytes). */
const MOST_BYTES = 128 * 1024 * 1024;

/** A photo or a video that is ready to be shown. */
export interface FramePhoto {
  readonly item: FrameItem;
  readonly blob: Blob;
  readonly isVideo: boolean;
}

/** The states of the frame. */
type FrameState =
  | { readonly is: "opening" }
  /** No link was given yet; `refused` after a text that is no link. */
  | { readonly is: "new"; readonly refused?: true }
  /** The link is of another frame than the one that was set up here. */
  | { readonly is: "asking" }
  | {
    readonly is: "on";
    readonly frame: KeptFrame;
    /** Whether the server was reached at the last try. */
    readonly isOnline: boolean;
  }
  /** Its person ended it, or its key does not open it. */
  | { readonly is: "ended"; readonly why: "ended" | "key" };

export const frameState = signal<FrameState>({ is: "opening" });

let store: FrameStore | undefined;
/** Sets up the other frame, or keeps the one that is here. */
let decide: (isNew: boolean) => Promise<void> = () => Promise.resolve();
/** The index that the thread has open. */
let opened = "";
const deck = new Deck<FrameItem>((below) => {
  const [a = 0, b = 0, c = 0] = randomBytes(3);
  return (a * 65_536 + b * 256 + c) % below;
});

/** Opens what this browser keeps, and a link that the address has. */
export async function startFrame(): Promise<void> {
  answerWith((): Line =>
    new Worker(threadAddress("link.js"), { type: "module" })
  );
  store = await FrameStore.open();
  const kept = await store.frame();
  if (location.hash !== "#/frame") return await setUp(location.href, kept);
  if (kept === undefined) frameState.value = { is: "new" };
  else await begin(kept);
}

/** The parts of a link; of one that only a newer program reads, none. */
function readLink(link: string) {
  try {
    return parseFrameLink(link.trim());
  } catch (error) {
    if (error instanceof NewerDocumentError) return undefined;
    throw error;
  }
}

/** Answers which frame is shown, where the link is of another one. */
export function chooseFrame(isNew: boolean): Promise<void> {
  return decide(isNew);
}

/**
 * Sets the frame up with a link; says so if it is no link. Asks before it takes
 * the place of another frame.
 */
export async function setUp(link: string, before?: KeptFrame): Promise<void> {
  const read = readLink(link);
  // The key neither stays in the address nor in the history.
  history.replaceState(history.state, "", "#/frame");
  if (read === undefined || read.origin !== location.origin) {
    frameState.value = { is: "new", refused: true };
    return;
  }
  if (before !== undefined && before.opaqueId !== read.opaqueId) {
    decide = async (isNew) => {
      if (!isNew) return await begin(before);
      await store?.forget();
      await keep(read, before);
    };
    frameState.value = { is: "asking" };
    return;
  }
  await keep(read, before);
}

async function keep(
  { opaqueId, secret }: Pick<KeptFrame, "opaqueId" | "secret">,
  before: KeptFrame | undefined,
): Promise<void> {
  const frame: KeptFrame = {
    opaqueId,
    secret,
    title: "",
    n: before?.opaqueId === opaqueId ? before.n : 0,
    index: "",
    items: [],
    order: before?.order ?? "random",
    dims: before?.dims ?? false,
  };
  await store?.keep(frame);
  // Otherwise a browser that is short of room may forget it.
  await navigator.storage?.persist?.().catch(() => false);
  await begin(frame);
}

async function begin(frame: KeptFrame): Promise<void> {
  deck.set(frame.items, frame.order);
  frameState.value = { is: "on", frame, isOnline: true };
  await refresh();
}

/** Ends the frame on this device: its link, its key and its photos go. */
export async function forgetFrame(): Promise<void> {
  await store?.forget();
  location.reload();
}

/** Changes how it shows its photos. */
export async function changeFrame(
  change: Partial<Pick<KeptFrame, "order" | "dims">>,
): Promise<void> {
  const state = frameState.peek();
  if (state.is !== "on") return;
  const frame = { ...state.frame, ...change };
  deck.set(frame.items, frame.order);
  frameState.value = { ...state, frame };
  await store?.keep(frame);
}

let refreshing: Promise<void> | undefined;

/** Looks whether the link shows something else by now; never rejects. */
export function refresh(): Promise<void> {
  return refreshing ??= look().finally(() => refreshing = undefined);
}

async function look(): Promise<void> {
  const kept = await store?.frame();
  if (kept === undefined) return;
  const { opaqueId, secret: fragment, n: seen } = kept;
  try {
    const share = await vault().link.look(opaqueId);
    let frame = kept;
    if (share.metadataHash !== opened) {
      const head = await vault().link.open(opaqueId, share, {
        fragment,
        seen,
      });
      const items = await vault().link.items();
      // What was changed by hand meanwhile stays.
      const now = await store?.frame() ?? kept;
      frame = {
        ...now,
        title: head.title ?? "",
        n: head.n,
        index: share.metadataHash,
        items,
      };
      // First: a photo that is just arriving must not be kept after it went,
      // and what has left the link is not shown, also where nothing more is
      // kept.
      deck.set(items, frame.order);
      await store?.keepOnly(new Set(items.map(({ hash }) => hash)));
      await store?.keep(frame);
      opened = share.metadataHash;
    }
    frameState.value = { is: "on", frame, isOnline: true };
  } catch (error) {
    const { kind = "", status } = error instanceof ThreadError
      ? error.fault
      : {};
    if (status === 404 || kind === "WrongKey") {
      // It asks again: a server that was restored may know the link once more.
      opened = "";
      deck.set([], kept.order);
      frameState.value = {
        is: "ended",
        why: status === 404 ? "ended" : "key",
      };
      // What cannot be deleted now goes when it asks the next time.
      await Promise.allSettled([
        store?.dropPictures(),
        store?.keep({ ...kept, index: "", items: [] }),
      ]);
    } else {
      frameState.value = { is: "on", frame: kept, isOnline: false };
    }
  }
}

/** The next photo that can be shown; undefined if there is none. */
export async function nextPhoto(): Promise<FramePhoto | undefined> {
  for (let n = deck.size; n > 0; n--) {
    const item = deck.next();
    if (item === undefined) return undefined;
    const isVideo = item.mime.startsWith("video/");
    if (!isVideo && !item.mime.startsWith("image/")) continue;
    if (item.size > MOST_BYTES) continue;
    try {
      let blob = await store?.picture(item.hash);
      if (blob === undefined) {
        blob = await typed(await vault().link.picture(item.hash));
        if (!isVideo) await drawable(blob);
        if (!deck.has(item.hash)) continue;
        // Where there is no room, it shows what the network brings.
        await store?.keepPicture(item.hash, blob).catch(() => {});
      }
      return { item, blob, isVideo };
    } catch {
      // It cannot be drawn here, or there is no network: the next one may be
      // kept.
    }
  }
  return undefined;
}
