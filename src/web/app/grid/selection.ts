/**
 * The selected photos. There is one selection at a time, in the present list;
 * it stays while a photo is shown large.
 *
 * @module
 */
import { computed, signal } from "@preact/signals";
import { listHref, type ListSource, type PhotoList } from "../list.ts";
import type { Selected, SelectedFlag } from "../actions/action.ts";

interface Selection {
  /** The address of its list. */
  readonly of: string;
  readonly ids: ReadonlySet<string>;
  /** The photo at which a range begins. */
  readonly anchor: string | undefined;
  /** Whether a press selects, although nothing is selected yet. */
  readonly begun: boolean;
}

const NONE: Selection = {
  of: "",
  ids: new Set(),
  anchor: undefined,
  begun: false,
};
const held = signal<Selection>(NONE);

/** The ids of the selected photos. */
export const selectedIds = computed(() => held.value.ids);

/** Whether a press selects a photo and does not open it. */
export const isSelecting = computed(() =>
  held.value.begun || held.value.ids.size > 0
);

/** Selects nothing, and a press opens a photo. */
export function clearSelection(): void {
  if (isSelecting.peek()) held.value = NONE;
}

/** From now on a press selects, for whoever knows of no long press. */
export function beginSelecting(): void {
  held.value = { ...held.peek(), begun: true };
}

/** Clears the selection if the list is another one. */
export function selectIn(source: ListSource): void {
  const of = listHref(source);
  if (held.peek().of !== of) held.value = { ...NONE, of };
}

/**
 * Selects or deselects a photo with those behind it; the next range begins
 * there.
 */
export function toggle(list: PhotoList, at: number): void {
  toggleAll(list.wholeIds(at, at + 1));
}

/** Selects many photos, or deselects them if all were selected. */
export function toggleAll(all: readonly string[]): void {
  const ids = new Set(held.peek().ids);
  const every = all.every((id) => ids.has(id));
  for (const id of all) {
    if (every) ids.delete(id);
    else ids.add(id);
  }
  held.value = { ...held.peek(), ids, anchor: all[0] };
}

/** Selects every photo of a list, those behind others too. */
export function selectAll(list: PhotoList): void {
  const ids = list.wholeIds();
  held.value = { ...held.peek(), ids: new Set(ids), anchor: ids[0] };
}

/**
 * Selects everything between the anchor and a position, in addition to `kept`.
 */
export function selectTo(
  list: PhotoList,
  at: number,
  kept: ReadonlySet<string> = held.peek().ids,
): void {
  const { anchor } = held.peek();
  const from = anchor === undefined ? at : list.indexOf(anchor);
  const ids = new Set(kept);
  const [first, last] = from < 0 ? [at, at] : [
    Math.min(from, at),
    Math.max(from, at),
  ];
  for (const id of list.wholeIds(first, last + 1)) ids.add(id);
  held.value = {
    ...held.peek(),
    ids,
    anchor: from < 0 ? list.idAt(at) : anchor,
  };
}

/** Sets the photo at which the next range begins. */
export function anchorAt(id: string): void {
  held.value = { ...held.peek(), anchor: id };
}

/** Deselects photos that are no longer in the list. */
export function keepWithin(list: PhotoList): void {
  const { ids } = held.peek();
  if (ids.size === 0) return;
  const left = new Set([...ids].filter((id) => list.tileOf(id) >= 0));
  if (left.size < ids.size) held.value = { ...held.peek(), ids: left };
}

/** Photos of a list in the form that actions take. */
export function selectedOf(
  list: PhotoList,
  source: ListSource,
  ids: readonly string[],
): Selected {
  const those = (is: SelectedFlag) =>
    ids.filter((id) => {
      const at = list.tileOf(id);
      if (at < 0) return false;
      return is === "video" ? list.kindAt(at) === "video" : list.is(at, is);
    });
  return {
    ids,
    source,
    noun: list.noun(ids),
    those,
    count: (is) => those(is).length,
  };
}
