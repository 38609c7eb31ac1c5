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
  const { signal, now } = host;
  const { state, store, trust } = host.library;
  let unsent = await unsentIn(host.library);
  let last = Math.max(0, ...changesOf(unsent));
  /** By their numbers, the changes whose callers wait for the server. */
  const outcomes = new Map<number, PromiseWithResolvers<void>>();
  let failures = 0;
  let isSending = false;
  let isPausing = false;
  /** One after the other, so that each finds list and state as one. */
  const inTurn = takingTurns();
  const writeList = (list: UnsentEntries) => {
    const value = list.size === 0
      ? null
      : utf8(JSON.stringify([...list.values()]));
    return store.write([{ ...UNSENT, value }]);
  };
  const tellCount = () => host.tellUnsent(changesOf(unsent).size);

  const note = (
    change: (state: LibraryState) => LibraryState,
  ): Promise<() => Promise<void>> =>
    inTurn(async () => {
      const number = last + 1;
      const entries = changedEntries(state.held, change(state.held));
      if (entries.length === 0) return () => Promise.resolve();
      const list = new Map(unsent);
      for (const { section, key, entry } of entries) {
        const id = `${section}/${key}`;
        const held = entriesOf(state.held, section)[key];
        const known = unsent.get(id);
        const before = known !== undefined && known.at === held?.at
          ? known.before
          : held;
        list.set(id, { section, key, at: entry.at, before, change: number });
      }
      // The list first: a change that is shown must be known to be unsent.
      await writeList(list);
      [unsent, last] = [list, number];
      const outcome = Promise.withResolvers<void>();
      outcome.promise.catch(() => {});
      outcomes.set(number, outcome);
      await state.note((held) => withEntries(held, entries));
      host.changed();
      return async () => {
        // After a failure it is sent later, and its caller does not wait.
        if (failures > 0) letWait();
        else run();
        await outcome.promise;
      };
    });

  /** Drops what the server got. */
  const acknowledge = async (got: LibraryState) => {
    const left = [...unsent].flatMap(([id, one]) => {
      const there = entriesOf(got, one.section)[one.key];
      const held = entriesOf(state.held, one.section)[one.key];
      const isOver = held?.at !== one.at;
      if (isOver || instantOf(there) >= instantOf(one)) return [];
      // Noted meanwhile: what it would return to is at the server now.
      return [[id, { ...one, before: there }] as const];
    });
    unsent = new Map(left);
    const waiting = changesOf(unsent);
    for (const [number, { resolve }] of outcomes) {
      if (waiting.has(number)) continue;
      outcomes.delete(number);
      resolve();
    }
    if (failures > 0 || unsent.size === 0) tellCount();
    failures = 0;
    await writeList(unsent);
  };

  /** Takes back what was refused, except entries that changed again since. */
  const takeBack = async (
    sent: UnsentEntries,
    lastSent: number,
    error: unknown,
  ) => {
    const left = new Map(unsent);
    const undone: ChangedEntry[] = [];
    for (const [id, { section, key, at, before }] of sent) {
      if (left.get(id)?.at !== at) continue;
      left.delete(id);
      const held = entriesOf(state.held, section)[key];
      const there = state.shown && entriesOf(state.shown, section)[key];
      // Another device's is newer; or the server has it from an earlier try.
      if (held?.at !== at || there?.at === at) continue;
      const old = instantOf(there) > instantOf(before) ? there : before;
      const entry = {
        ...(old ?? { removed: true }),
        at: changedAt(held, now()),
      };
      undone.push({ section, key, entry });
    }
    unsent = left;
    failures = 0;
    const isHeard = [...changesOf(sent)].every((one) => outcomes.has(one));
    await state.note((held) => withEntries(held, undone));
    await writeList(unsent);
    tellCount();
    host.changed();
    for (const [number, { reject }] of outcomes) {
      if (number > lastSent) continue;
      outcomes.delete(number);
      reject(error);
    }
    if (!isHeard) host.tellTakenBack(faultOf(error));
  };

  /** Sends what is unsent now. Throws what says that it has to wait. */
  const sendOnce = async () => {
    const [sent, lastSent] = await inTurn(() => [unsent, last] as const);
    let tried = state.held;
    try {
      await state.change((held) => tried = held);
    } catch (error) {
      if (signal.aborted || !isRefusal(error)) throw error;
      await inTurn(() => takeBack(sent, lastSent, error));
      return;
    }
    await inTurn(() => acknowledge(tried));
  };

  /** Sends until nothing is unsent, or it has to wait; never rejects. */
  const run = async (): Promise<void> => {
    if (isSending) return;
    isSending = true;
    try {
      while (unsent.size > 0 && !signal.aborted) await sendOnce();
    } catch {
      failures += 1;
    } finally {
      isSending = false;
    }
    if (failures > 0 || signal.aborted) letWait();
  };

  /** Lets the callers go, and sends it later. */
  const letWait = async () => {
    for (const { resolve } of outcomes.values()) resolve();
    outcomes.clear();
    if (signal.aborted) return;
    tellCount();
    if (isPausing) return;
    isPausing = true;
    await host.pause(PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] ?? 0);
    isPausing = false;
    await run();
  };

  const changed: SharedState = {
    get held() {
      return state.held;
    },
    get fresh() {
      return state.fresh;
    },
    get shown() {
      return state.shown;
    },
    known: state.known,
    read: state.read,
    async note(change) {
      await note(change);
      return state.held;
    },
    async change(change) {
      const send = await note(change);
      await send();
      return state.held;
    },
  };
  return {
    state: changed,
    flags: openFlags(changed, now, () => trust.library === "whole"),
    note,
    resume: run,
  };
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
