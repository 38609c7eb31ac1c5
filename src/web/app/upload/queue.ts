/**
 * The queue of files that are being added. Files are prepared in the media
 * threads, then sealed and sent in the vault's thread, several at a time.
 *
 * @module
 */
import type { DateFrom } from "../../../media/exif/about.ts";
import { signal } from "@preact/signals";
import { ThreadError } from "../../../client/stream/threads/thread_messages.ts";
import { isFull, isTemporary } from "../../../client/api/refusals.ts";

/** The states of a file in the queue. */
export type ItemState =
  | "waiting"
  /** Being hashed, read, and made into small pictures. */
  | "preparing"
  | "sending"
  /** The browser sends it, also while no page is open. */
  | "handed"
  /** On the server, with every receipt verified. */
  | "kept"
  /** It was in the library already. */
  | "known"
  /** The server had lost it, and has it again. */
  | "back"
  | "failed";

/** What a person is told of a file that is kept as it is. */
export type Note =
  | "empty"
  /** No small picture could be made of it. */
  | "undrawn"
  /** Its end is missing. */
  | "cut"
  /** A photo of its own, of the name of a live photo. */
  | "beside";

/** A file, or what is known of one that is opened when its turn comes. */
export type QueuedFile = Pick<File, "name" | "size" | "type" | "lastModified">;

/** What a file became ready for. */
export type Preparation<P> = { readonly known: true } | {
  readonly known: false;
  readonly prepared: P;
  readonly note?: Note;
  readonly dateFrom?: DateFrom;
};

/** A file that something else prepares, such as an import. */
export interface Imported<P> {
  prepare(id: string): Promise<Preparation<P>>;
  /** It is in the library, or was handed over to get there. */
  done(assetId: string): void;
}

/** A file of the queue. */
export interface Item<P = unknown> {
  readonly id: string;
  readonly file: QueuedFile;
  readonly imported?: Imported<P> | undefined;
  /** Its folders, separated by `/`. */
  readonly folder: string;
  /** The video of a live photo, which is stored with the still. */
  readonly motion?: File | undefined;
  /** A still of the name of a live photo, whose video is another still's. */
  readonly isBesidePair?: boolean;
  /** An album to put it into as well. */
  readonly albumId?: string | undefined;
  readonly state: ItemState;
  /** Bytes done of `file.size`. */
  readonly done: number;
  readonly fault?: unknown;
  readonly note?: Note;
  readonly dateFrom?: DateFrom;
}

/** The file itself, of an item that is not imported. */
export function fileOf({ file }: Item): File {
  if (!(file instanceof File)) throw new TypeError("it is not opened yet");
  return file;
}

/** More than the metadata and the heads of the blobs take (bytes). */
const ROOM_MARGIN_BYTES = 64 * 1024;

/** What a file and its small pictures take at the server at most (bytes). */
export function roomOf(
  { size }: QueuedFile,
  derivatives: readonly { readonly bytes: Uint8Array }[],
): number {
  const small = derivatives.reduce((sum, { bytes }) => sum + bytes.length, 0);
  // The chunks' tags are far less than a thousandth.
  return Math.ceil((size + small) * 1.001) + ROOM_MARGIN_BYTES;
}

/** Why the queue is halted. */
type Halt =
  | "paused"
  /** The server cannot be reached; the queue tries again. */
  | "offline"
  /** The account's storage is full; the queue goes on once there is room. */
  | "full"
  /** A receipt was false: nothing more is sent to this server. */
  | "lying";

/** The functions that do the work; those of the app are in `workers.ts`. */
export interface UploadWork<P> {
  /** Prepares a file; `known` if the library has it. */
  prepare(item: Item<P>): Promise<Preparation<P>>;
  send(
    item: Item<P>,
    prepared: P,
  ): Promise<"kept" | "known" | "back" | "handed">;
  /** Remembers, beyond this page, what is to be done. */
  remember?(items: readonly Item[]): void;
  /** It is done, or is not wanted any more. */
  forget?(items: readonly Item[]): void;
  /** Stops files that are being sent. */
  stop(ids: readonly string[]): void;
  wait(ms: number): Promise<void>;
  /** Whether the account has room for a file, where that can be asked. */
  hasRoom?(item: Item<P>, prepared: P): Promise<boolean>;
}

/** How many files are prepared and sent at a time. */
interface AtOnce {
  readonly preparing: number;
  readonly sending: number;
}

const ENDED: ReadonlySet<ItemState> = new Set([
  "handed",
  "kept",
  "known",
  "back",
  "failed",
]);
/** Between two looks whether a full account has room again (ms). */
const ROOM_PAUSE_MS = 20_000;
const PAUSES_MS = [2_000, 5_000, 15_000, 30_000];

/** The queue; its signals change when something has to be drawn again. */
export class UploadQueue<P> {
  /** Grows with changes, at most once in a turn of the event loop. */
  readonly version = signal(0);
  /** Why the queue is halted; undefined if it is not. */
  readonly halt = signal<Halt | undefined>(undefined);
  readonly #items = new Map<string, Item<P>>();
  readonly #ready: { readonly id: string; readonly prepared: P }[] = [];
  #preparing = 0;
  #sending = 0;
  #failures = 0;
  #last = 0;
  #told = false;
  /** What was refused last because the storage is full. */
  #refused: { readonly id: string; readonly prepared: P } | undefined;
  #isAwaitingRoom = false;

  constructor(
    private readonly work: UploadWork<P>,
    private readonly atOnce: AtOnce,
  ) {}

  /** All files, in the order in which they were added. */
  items(): readonly Item<P>[] {
    return [...this.#items.values()];
  }

  /**
   * Adds files, except those that are still in the queue. Returns the ids of
   * the others.
   */
  add(
    files: readonly Pick<
      Item<P>,
      "file" | "folder" | "motion" | "isBesidePair" | "albumId" | "imported"
    >[],
  ): readonly string[] {
    const here = new Set(
      this.items().filter(({ state }) => state !== "failed").map(markOf),
    );
    const added: Item<P>[] = [];
    for (const file of files) {
      // An import knows by itself what it adds.
      if (file.imported === undefined && here.has(markOf(file))) continue;
      const id = String(++this.#last);
      const item: Item<P> = { ...file, id, state: "waiting", done: 0 };
      this.#items.set(id, item);
      added.push(item);
    }
    if (added.length > 0) this.work.remember?.(added);
    this.#changed();
    this.#go();
    return added.map(({ id }) => id);
  }

  /** The file of an id; undefined if it is not in the list any more. */
  item(id: string): Item<P> | undefined {
    return this.#items.get(id);
  }

  /** Notes the progress of a file. */
  progress(id: string, done: number): void {
    const item = this.#items.get(id);
    if (item?.state === "sending") this.#put({ ...item, done });
  }

  /**
   * Halts the queue; files that are being sent are stopped and continue later.
   */
  pause(why: Halt = "paused"): void {
    this.halt.value = why;
    this.work.stop(
      this.items().filter(({ state }) => state === "sending")
        .map(({ id }) => id),
    );
  }

  /** Resumes the queue; with `failedToo`, also retries failed files. */
  resume({ failedToo = false } = {}): void {
    this.halt.value = undefined;
    if (failedToo) {
      for (const item of this.items()) {
        if (item.state === "failed") this.#again(item);
      }
    }
    this.#go();
  }

  /** Begins again with what is being sent, which is then sent otherwise. */
  restart(): void {
    this.pause();
    this.resume();
  }

  /** Notes what became of a file that the browser sent. */
  settle(id: string, outcome: "kept" | "failed"): void {
    const item = this.#items.get(id);
    if (item?.state !== "handed") return;
    if (outcome === "kept") {
      this.#put({ ...item, state: "kept", done: item.file.size });
    } else {
      // This page has the file, and sends it itself.
      this.#again(item);
      this.work.remember?.([item]);
      this.#go();
    }
  }

  /** Removes a file from the list, and stops it if it is being sent. */
  remove(id: string): void {
    const item = this.#items.get(id);
    this.work.stop([id]);
    this.#items.delete(id);
    if (item !== undefined) this.work.forget?.([item]);
    this.#changed();
    this.#go();
  }

  /** Takes everything off the list that has not ended. */
  cancel(): void {
    // What the browser sends is cancelled in the browser.
    const left = this.items().filter(({ state }) => !ENDED.has(state));
    this.work.stop(left.map(({ id }) => id));
    for (const { id } of left) this.#items.delete(id);
    this.work.forget?.(left);
    this.halt.value = undefined;
    this.#changed();
  }

  /** Retries a failed file. */
  retry(id: string): void {
    const item = this.#items.get(id);
    if (item?.state !== "failed") return;
    this.#again(item);
    this.#go();
  }

  /** Removes finished files from the list; with `all`, also those not begun. */
  clear(all = false): void {
    const gone = this.items().filter(({ state }) =>
      ENDED.has(state) || (all && state === "waiting")
    );
    for (const { id } of gone) this.#items.delete(id);
    // What is done was forgotten before.
    this.work.forget?.(
      gone.filter(({ state }) => state === "failed" || state === "waiting"),
    );
    this.#changed();
  }

  /** Whether files are waiting or being worked on. */
  get active(): boolean {
    return this.items().some(({ state }) =>
      state === "waiting" || state === "preparing" || state === "sending"
    );
  }

  #go(): void {
    if (this.halt.value !== undefined) return;
    while (
      this.#preparing < this.atOnce.preparing &&
      // Bounded, because prepared files have pictures in memory.
      this.#ready.length + this.#preparing < 2 * this.atOnce.sending
    ) {
      const next = this.#next();
      if (next === undefined) break;
      this.#prepare(next);
    }
    while (
      this.#sending < this.atOnce.sending && this.halt.value === undefined
    ) {
      const ready = this.#ready.shift();
      if (ready === undefined) break;
      const item = this.#items.get(ready.id);
      if (item !== undefined) this.#send(item, ready.prepared);
    }
  }

  #next(): Item<P> | undefined {
    for (const item of this.#items.values()) {
      if (item.state === "waiting") return item;
    }
    return undefined;
  }

  async #prepare(item: Item<P>): Promise<void> {
    this.#preparing += 1;
    this.#put({ ...item, state: "preparing" });
    try {
      const found = await this.work.prepare(item);
      if (found.known) {
        this.#put({ ...item, state: "known" });
        this.work.forget?.([item]);
      } else {
        const { note, dateFrom } = found;
        if (note !== undefined || dateFrom !== undefined) {
          const said = { ...(note && { note }), ...(dateFrom && { dateFrom }) };
          this.#put({ ...item, state: "preparing", ...said });
        }
        this.#ready.push({ id: item.id, prepared: found.prepared });
      }
    } catch (error) {
      this.#put({ ...item, state: "failed", fault: error });
    } finally {
      this.#preparing -= 1;
      this.#go();
    }
  }

  async #send(item: Item<P>, prepared: P): Promise<void> {
    this.#sending += 1;
    this.#put({ ...item, state: "sending" });
    try {
      const state = await this.work.send(item, prepared);
      this.#failures = 0;
      this.#put({ ...item, state, done: item.file.size });
    } catch (error) {
      this.#failed(item, prepared, error);
    } finally {
      this.#sending -= 1;
      this.#go();
    }
  }

  #failed(item: Item<P>, prepared: P, error: unknown): void {
    const why = haltOf(error, this.halt.value);
    if (why === undefined) {
      this.#put({ ...item, state: "failed", fault: error });
      return;
    }
    // The file is not at fault: it continues later, with what was prepared.
    this.#put({ ...item, state: "preparing", done: 0 });
    this.#ready.unshift({ id: item.id, prepared });
    if (why === "paused") return;
    const first = this.halt.value === undefined;
    this.halt.value = why;
    if (!first) return;
    if (why === "full") {
      this.#refused = { id: item.id, prepared };
      this.#awaitRoom();
    }
    if (why !== "offline") return;
    const pause = PAUSES_MS[Math.min(this.#failures++, PAUSES_MS.length - 1)];
    this.work.wait(pause ?? 0).then(() => {
      if (this.halt.value === "offline") this.resume();
    });
  }

  /** Goes on once there is room for what was refused, or it is not wanted. */
  async #awaitRoom(): Promise<void> {
    // It goes on waiting where the queue was resumed by hand for a moment.
    if (this.#isAwaitingRoom) return;
    this.#isAwaitingRoom = true;
    while (this.halt.value === "full") {
      await this.work.wait(ROOM_PAUSE_MS);
      if (this.halt.value === "full" && await this.#isRoom()) this.resume();
    }
    this.#isAwaitingRoom = false;
  }

  async #isRoom(): Promise<boolean> {
    const refused = this.#refused;
    if (refused === undefined) return true;
    const item = this.#items.get(refused.id);
    if (item === undefined) return true;
    // Without a connection it is asked again after the next pause.
    const asked = this.work.hasRoom?.(item, refused.prepared);
    const isRoom = await asked?.catch(() => false) ?? true;
    // It may have been paused meanwhile.
    return isRoom && this.halt.value === "full";
  }

  #again(item: Item<P>): void {
    const { fault: _, ...rest } = item;
    this.#put({ ...rest, state: "waiting", done: 0 });
  }

  #put(item: Item<P>): void {
    // It may have been removed from the list meanwhile.
    if (this.#items.has(item.id)) this.#items.set(item.id, item);
    this.#changed();
  }

  #changed(): void {
    if (this.#told) return;
    this.#told = true;
    queueMicrotask(() => {
      this.#told = false;
      this.version.value += 1;
    });
  }
}

/** A key that is equal for two entries of the same file with the same video. */
function markOf(
  { file, folder, motion }: Pick<Item, "file" | "folder" | "motion">,
): string {
  const files = motion === undefined ? [file] : [file, motion];
  return [
    folder,
    ...files.flatMap(({ name, size, lastModified }) => [
      name,
      size,
      lastModified,
    ]),
  ].join("\0");
}

/** Why the queue has to halt; undefined if only this file is at fault. */
function haltOf(error: unknown, halted: Halt | undefined): Halt | undefined {
  if (!(error instanceof ThreadError)) return undefined;
  const { kind } = error.fault;
  if (kind === "ConnectionError") return "offline";
  if (kind === "CustodyError") return "lying";
  if (isFull(error.fault)) return "full";
  if (isTemporary(error.fault)) return "offline";
  // It was stopped because the queue was halted.
  return kind === "AbortError" ? halted ?? "paused" : undefined;
}
