/**
 * Memories, which are loaded with the first of them.
 *
 * @module
 */
import {
  memoriesOn,
  type Memory,
  type MemoryOptions,
  rowsOfMemory,
} from "../../../library/finding/memories.ts";
import { hiddenMemories } from "../../../library/finding/memories_hidden.ts";
import type { Library, Row } from "../../../library/mod.ts";
import { DAY_MS, MINUTE_MS } from "../../../core/time.ts";
import { forgottenFiles } from "./faces_loader.ts";
import { fileOfRow } from "./file_of_row.ts";

/** A row of the timeline with what else is known of it. */
type Listed = readonly [row: Row, ...unknown[]];

/** The files with people who are to be in no memory, as of the last look. */
const forgotten = new WeakMap<Library, ReadonlySet<string>>();

/** Looks who is to be in no memory, before memories are shown. */
export async function prepare(library: Library): Promise<void> {
  forgotten.set(library, await forgottenFiles(library));
}

function withoutForgotten<T extends Listed>(
  library: Library,
  timeline: readonly T[],
): readonly T[] {
  const files = forgotten.get(library);
  if (files === undefined || files.size === 0) return timeline;
  return timeline.filter(([row]) => !files.has(fileOfRow(row) ?? ""));
}

/**
 * The memories of today in a timeline, by the clock and the time zone of this
 * browser.
 */
export function memoriesIn(
  library: Library,
  timeline: readonly Listed[],
): readonly Memory[] {
  const options = optionsOf(library);
  if (options.hidden.isOff) return [];
  const rows = withoutForgotten(library, timeline).map(([row]) => row);
  return memoriesOn(today(library), rows, options);
}

/** Those of a timeline that are of a memory, in their order. */
export function ofMemory<T extends Listed>(
  library: Library,
  whole: readonly T[],
  id: string,
): readonly T[] {
  const timeline = withoutForgotten(library, whole);
  const rows = timeline.map(([row]) => row);
  const within = new Set(rowsOfMemory(id, rows, optionsOf(library)));
  return timeline.filter(([row]) => within.has(row));
}

function optionsOf({ flags, state }: Library): MemoryOptions {
  return {
    isFavourite: (row) => flags.of(row).favourite,
    hidden: hiddenMemories(state.held.settings),
  };
}

/** Days since 1970. */
function today({ vault }: Library): number {
  const now = vault.session.platform.now();
  const offset = new Date(now).getTimezoneOffset() * MINUTE_MS;
  return Math.floor((now - offset) / DAY_MS);
}
