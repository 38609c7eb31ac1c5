/**
 * Changes of the account's state that are made on this device at once and sent
 * to the server as soon as it takes them: marks on photos, the order of albums.
 * They are kept with the device's copy of the state, which is sealed, so they
 * outlast a closed page and are sent when the app is next opened.
 *
 * @module
 */
import * as z from "zod/mini";
import { ApiProblem } from "../../../client/api/api.ts";
import { isFull } from "../../../client/api/refusals.ts";
import type { StateEntry } from "../../../client/documents/state.ts";
import { fromUtf8, utf8 } from "../../../core/bytes.ts";
import { parseRfc3339 } from "../../../core/time.ts";
import { takingTurns } from "../../../core/turns.ts";
import {
  changedAt,
  type Library,
  type LibraryState,
} from "../../../library/mod.ts";
import { openFlags, type PhotoFlags } from "../../../library/showing/flags.ts";
import type { SharedState } from "../../../library/vault/shared_state.ts";
import {
  type Fault,
  faultOf,
} from "../../../client/stream/threads/thread_messages.ts";

/** The list of what is unsent, in the store. */
const UNSENT = { space: "program", key: "unsent" } as const;
const PAUSES_MS = [2_000, 5_000, 15_000, 60_000];

/** The sections of the state that are changed so; others stay as they are. */
const SECTIONS = ["flags", "settings"] as const;

/**
 * An entry of the state that a change wrote and that the server has yet to get.
 */
interface Unsent {
  readonly section: typeof SECTIONS[number];
  readonly key: string;
  /** The entry's `at`: with another one, it is another change's. */
  readonly at: string;
  /** The entry before, to which it returns if the server refuses it. */
  readonly before?: StateEntry | undefined;
  /** The number of the last change that wrote it. */
  readonly change: number;
}

/** By section and key. */
type UnsentEntries = ReadonlyMap<string, Unsent>;

const unsentList = z.array(z.object({
  section: z.enum(SECTIONS),
  key: z.string(),
  at: z.string(),
  before: z.optional(z.looseObject({
    at: z.string(),
    removed: z.optional(z.literal(true)),
  })),
  change: z.number(),
}));

/** Makes and sends the changes. */
export interface OwnChanges {
  /**
   * The account's state, changed here at once. A change resolves once the
   * server has it, or once it is known that it has to wait. One that the server
   * refuses is taken back, and rejects.
   */
  readonly state: SharedState;
  /** The marks of photos, changed here at once. */
  readonly flags: PhotoFlags;
  /**
   * Changes the state here alone. The returned function sends it, as a change
   * of {@link state} does.
   */
  note(
    change: (state: LibraryState) => LibraryState,
  ): Promise<() => Promise<void>>;
  /** Sends what waits, if anything does; never rejects. */
  resume(): Promise<void>;
}

/** What the changes need of the thread that they are made in. */
interface ChangesHost {
  readonly library: Pick<Library, "state" | "store" | "trust">;
  /** Aborted when the library is closed. */
  readonly signal: AbortSignal;
  /** Tells how many changes wait. */
  tellUnsent(count: number): void;
  /** Tells that the server refused a change for which no one waits any more. */
  tellTakenBack(fault: Fault): void;
  now(): number;
  /** Pauses before what waits is sent again (ms). */
  pause(ms: number): Promise<void>;
  /** Something that is shown was changed. */
  changed(): void;
}

/** Opens the changes of a library. */
export async function openOwnChanges(host: ChangesHost): Promise<OwnChanges> {
  return new LibraryChanges(host, await unsentIn(host.library));
}

/** The changes of a library that is open. */
class LibraryChanges implements OwnChanges {
  readonly state: SharedState;
  readonly flags: PhotoFlags;
  readonly #shared: SharedState;
  #unsent: UnsentEntries;
  /** The number of the last change. */
  #last: number;
  /** By their numbers, the changes whose callers wait for the server. */
  readonly #outcomes = new Map<number, PromiseWithResolvers<void>>();
  #failures = 0;
  #isSending = false;
  #isPausing = false;
  /** One after the other, so that each finds list and state as one. */
  readonly #inTurn = takingTurns();

  constructor(private readonly host: ChangesHost, unsent: UnsentEntries) {
    const { state, trust } = host.library;
    this.#shared = state;
    this.#unsent = unsent;
    this.#last = Math.max(0, ...changesOf(unsent));
    this.state = this.#changedAtOnce();
    this.flags = openFlags(
      this.state,
      host.now,
      () => trust.library === "whole",
    );
  }

  note(
    change: (state: LibraryState) => LibraryState,
  ): Promise<() => Promise<void>> {
    const shared = this.#shared;
    return this.#inTurn(async () => {
      const number = this.#last + 1;
      const entries = changedEntries(shared.held, change(shared.held));
      if (entries.length === 0) return () => Promise.resolve();
      const list = new Map(this.#unsent);
      for (const { section, key, entry } of entries) {
        const id = `${section}/${key}`;
        const held = entriesOf(shared.held, section)[key];
        const known = this.#unsent.get(id);
        const before = known !== undefined && known.at === held?.at
          ? known.before
          : held;
        list.set(id, { section, key, at: entry.at, before, change: number });
      }
      // The list first: a change that is shown must be known to be unsent.
      await this.#writeList(list);
      [this.#unsent, this.#last] = [list, number];
      const outcome = Promise.withResolvers<void>();
      outcome.promise.catch(() => {});
      this.#outcomes.set(number, outcome);
      await shared.note((held) => withEntries(held, entries));
      this.host.changed();
      return async () => {
        // After a failure it is sent later, and its caller does not wait.
        if (this.#failures > 0) this.#letWait();
        else this.resume();
        await outcome.promise;
      };
    });
  }

  /** Sends until nothing is unsent, or it has to wait; never rejects. */
  async resume(): Promise<void> {
    const { signal } = this.host;
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#unsent.size > 0 && !signal.aborted) await this.#sendOnce();
    } catch {
      this.#failures += 1;
    } finally {
      this.#isSending = false;
    }
    if (this.#failures > 0 || signal.aborted) this.#letWait();
  }

  /** Sends what is unsent now. Throws what says that it has to wait. */
  async #sendOnce(): Promise<void> {
    const [sent, lastSent] = await this.#inTurn(
      () => [this.#unsent, this.#last] as const,
    );
    let tried = this.#shared.held;
    try {
      await this.#shared.change((held) => tried = held);
    } catch (error) {
      if (this.host.signal.aborted || !isRefusal(error)) throw error;
      await this.#inTurn(() => this.#takeBack(sent, lastSent, error));
      return;
    }
    await this.#inTurn(() => this.#acknowledge(tried));
  }

  /** Drops what the server got. */
  async #acknowledge(got: LibraryState): Promise<void> {
    const left = [...this.#unsent].flatMap(([id, one]) => {
      const there = entriesOf(got, one.section)[one.key];
      const held = entriesOf(this.#shared.held, one.section)[one.key];
      const isOver = held?.at !== one.at;
      if (isOver || instantOf(there) >= instantOf(one)) return [];
      // Noted meanwhile: what it would return to is at the server now.
      return [[id, { ...one, before: there }] as const];
    });
    this.#unsent = new Map(left);
    const waiting = changesOf(this.#unsent);
    for (const [number, { resolve }] of this.#outcomes) {
      if (waiting.has(number)) continue;
      this.#outcomes.delete(number);
      resolve();
    }
    if (this.#failures > 0 || this.#unsent.size === 0) this.#tellCount();
    this.#failures = 0;
    await this.#writeList(this.#unsent);
  }

  /** Takes back what was refused, except entries that changed again since. */
  async #takeBack(
    sent: UnsentEntries,
    lastSent: number,
    error: unknown,
  ): Promise<void> {
    const shared = this.#shared;
    const left = new Map(this.#unsent);
    const undone: ChangedEntry[] = [];
    for (const [id, { section, key, at, before }] of sent) {
      if (left.get(id)?.at !== at) continue;
      left.delete(id);
      const held = entriesOf(shared.held, section)[key];
      const there = shared.shown && entriesOf(shared.shown, section)[key];
      // Another device's is newer; or the server has it from an earlier try.
      if (held?.at !== at || there?.at === at) continue;
      const old = instantOf(there) > instantOf(before) ? there : before;
      const entry = {
        ...(old ?? { removed: true }),
        at: changedAt(held, this.host.now()),
      };
      undone.push({ section, key, entry });
    }
    this.#unsent = left;
    this.#failures = 0;
    const isHeard = [...changesOf(sent)]
      .every((one) => this.#outcomes.has(one));
    await shared.note((held) => withEntries(held, undone));
    await this.#writeList(this.#unsent);
    this.#tellCount();
    this.host.changed();
    for (const [number, { reject }] of this.#outcomes) {
      if (number > lastSent) continue;
      this.#outcomes.delete(number);
      reject(error);
    }
    if (!isHeard) this.host.tellTakenBack(faultOf(error));
  }

  /** Lets the callers go, and sends it later. */
  async #letWait(): Promise<void> {
    for (const { resolve } of this.#outcomes.values()) resolve();
    this.#outcomes.clear();
    if (this.host.signal.aborted) return;
    this.#tellCount();
    if (this.#isPausing) return;
    this.#isPausing = true;
    const at = Math.min(this.#failures, PAUSES_MS.length) - 1;
    await this.host.pause(PAUSES_MS[at] ?? 0);
    this.#isPausing = false;
    await this.resume();
  }

  #writeList(list: UnsentEntries): Promise<void> {
    const value = list.size === 0
      ? null
      : utf8(JSON.stringify([...list.values()]));
    return this.host.library.store.write([{ ...UNSENT, value }]);
  }

  #tellCount(): void {
    this.host.tellUnsent(changesOf(this.#unsent).size);
  }

  /** The account's state with changes that are made here at once. */
  #changedAtOnce(): SharedState {
    const shared = this.#shared;
    const note: OwnChanges["note"] = (change) => this.note(change);
    return {
      get held() {
        return shared.held;
      },
      get fresh() {
        return shared.fresh;
      },
      get shown() {
        return shared.shown;
      },
      known: shared.known,
      read: shared.read,
      async note(change) {
        await note(change);
        return shared.held;
      },
      async change(change) {
        const send = await note(change);
        await send();
        return shared.held;
      },
    };
  }
}

/**
 * Whether the server, or the size of a state, refuses a change for good.
 * Everything else may pass: a proxy answers for a server that restarts, the
 * disk is full, another device was faster, the app is too old.
 */
function isRefusal(error: unknown): boolean {
  if (error instanceof RangeError) return true;
  return error instanceof ApiProblem && error.status < 500 &&
    ![401, 408, 426, 429].includes(error.status) && !isFull(error) &&
    error.code !== "error.state.version_conflict";
}

/** An entry as a change leaves it. */
interface ChangedEntry extends Pick<Unsent, "section" | "key"> {
  readonly entry: StateEntry;
}

function changedEntries(
  before: LibraryState,
  after: LibraryState,
): readonly ChangedEntry[] {
  return SECTIONS.flatMap((section) => {
    if (after[section] === before[section]) return [];
    const then = entriesOf(before, section);
    return Object.entries(entriesOf(after, section)).flatMap(([key, entry]) =>
      then[key]?.at === entry.at ? [] : [{ section, key, entry }]
    );
  });
}

function withEntries(
  state: LibraryState,
  changed: readonly ChangedEntry[],
): LibraryState {
  const bySection = Map.groupBy(changed, ({ section }) => section);
  const sections = [...bySection].map(([section, entries]) => {
    const news = entries.map(({ key, entry }) => [key, entry]);
    return [section, { ...state[section], ...Object.fromEntries(news) }];
  });
  return { ...state, ...Object.fromEntries(sections) };
}

function entriesOf(
  state: LibraryState,
  section: Unsent["section"],
): Readonly<Record<string, StateEntry>> {
  return state[section];
}

function changesOf(unsent: UnsentEntries): ReadonlySet<number> {
  return new Set([...unsent.values()].map(({ change }) => change));
}

function instantOf(entry: Pick<StateEntry, "at"> | undefined): number {
  return entry === undefined ? -Infinity : parseRfc3339(entry.at) ?? -Infinity;
}

/** The unsent entries that this device still has as they were noted. */
async function unsentIn(
  { state, store }: ChangesHost["library"],
): Promise<UnsentEntries> {
  const bytes = await store.get(UNSENT.space, UNSENT.key);
  const { data = [] } = unsentList.safeParse(jsonOf(bytes));
  return new Map(
    data.filter(({ section, key, at }) =>
      entriesOf(state.held, section)[key]?.at === at
    ).map((one) => [`${one.section}/${one.key}`, one]),
  );
}

function jsonOf(bytes: Uint8Array | undefined): unknown {
  try {
    return bytes && JSON.parse(fromUtf8(bytes) ?? "");
  } catch {
    return undefined;
  }
}
