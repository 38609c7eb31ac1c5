/**
 * Using the grid by keyboard: arrows, first and last, pages, selecting with x
 * and Shift, and the keys of actions.
 *
 * @module
 */
import { isActionKey } from "../actions/action.ts";
import { useLayoutEffect, useRef } from "preact/hooks";
import { photoOf } from "../list.ts";
import { withPart } from "../parts/lazy.tsx";
import { overlay } from "../parts/overlays.tsx";
import { route } from "../routes.ts";
import type { GridStand } from "./stand.ts";
import { beside } from "./layout.ts";
import {
  anchorAt,
  clearSelection,
  selectAll,
  selectedIds,
  selectedOf,
  selectTo,
  toggle,
} from "./selection.ts";

/**
 * The handler of a grid's keys. Keys that work from anywhere are heard on the
 * document.
 */
export function useKeyboard(
  stand: GridStand | undefined,
): (event: KeyboardEvent) => void {
  const held = useRef(stand);
  held.current = stand;
  useLayoutEffect(() => {
    const anywhere = (event: KeyboardEvent) => {
      if (isAll(event) && photoOf(route.peek()) === undefined) {
        if (held.current === undefined) return;
        event.preventDefault();
        selectAll(held.current.list);
      }
      if (!isFree(event) || photoOf(route.peek()) !== undefined) return;
      if (event.key === "Escape") clearSelection();
      else if (event.key === "/") {
        document.querySelector<HTMLElement>(".bar input[type=search]")?.focus();
        event.preventDefault();
      } else if (event.key === "?") {
        event.preventDefault();
        showKeys();
      }
    };
    addEventListener("keydown", anywhere);
    return () => removeEventListener("keydown", anywhere);
  }, []);
  return (event) => {
    if (stand === undefined || !isFree(event)) return;
    if (move(stand, event) || choose(stand, event)) event.preventDefault();
  };
}

/**
 * Whether a key event is free: no one is typing and no dialog has handled it.
 */
function isFree(event: KeyboardEvent): boolean {
  const { ctrlKey, metaKey, altKey } = event;
  return !ctrlKey && !metaKey && !altKey && isOfPage(event);
}

/** Whether the keys are those that select everything, of the page itself. */
function isAll(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  return key.toLowerCase() === "a" && (ctrlKey || metaKey) && !altKey &&
    !shiftKey && isOfPage(event);
}

function isOfPage({ target, defaultPrevented }: KeyboardEvent): boolean {
  if (defaultPrevented || document.querySelector("dialog[open]") !== null) {
    return false;
  }
  const typing = target instanceof HTMLElement &&
    target.closest("input, textarea, select, dialog, [role=menu]") !== null;
  return !typing;
}

function showKeys(): Promise<void> {
  return withPart(
    () => import("./keys_help.tsx"),
    ({ KeysHelp }) => overlay((close) => KeysHelp({ close })),
  );
}

function move(stand: GridStand, event: KeyboardEvent): boolean {
  const next = target(stand, event.key);
  if (next === undefined) return false;
  const { list, at } = stand;
  if (event.shiftKey) {
    if (selectedIds.peek().size === 0) anchorAt(list.idAt(at));
    selectTo(list, next);
  }
  stand.moveTo(next);
  return true;
}

/** The list position to which a key leads. */
function target(stand: GridStand, key: string): number | undefined {
  const { layout, list, at } = stand;
  const last = list.length - 1;
  switch (key) {
    case "ArrowLeft":
      return Math.max(0, at - 1);
    case "ArrowRight":
      return Math.min(last, at + 1);
    case "ArrowUp":
      return beside(layout, at, -1);
    case "ArrowDown":
      return beside(layout, at, 1);
    case "Home":
      return 0;
    case "End":
      return last;
    case "PageUp":
      return byPage(stand, -1);
    case "PageDown":
      return byPage(stand, 1);
    default:
      return undefined;
  }
}

function byPage({ layout, at }: GridStand, way: 1 | -1): number {
  const { rowOf, rowTop, rows } = layout;
  const row = rowOf[at] ?? 0;
  const wanted = (rowTop[row] ?? 0) + way * (innerHeight - 160);
  let next = row + way;
  while (
    next > 0 && next < rows - 1 &&
    (way > 0
      ? (rowTop[next + 1] ?? 0) < wanted
      : (rowTop[next - 1] ?? 0) > wanted)
  ) next += way;
  return beside(layout, at, Math.min(rows - 1, Math.max(0, next)) - row);
}

function choose(stand: GridStand, { key }: KeyboardEvent): boolean {
  const { list, source, at } = stand;
  if (key === "x") {
    toggle(list, at);
    return true;
  }
  if (!isActionKey(key)) return false;
  const { size } = selectedIds.peek();
  const ids = size > 0 ? [...selectedIds.peek()] : list.wholeIds(at, at + 1);
  // The actions are loaded separately, as the bar that shows them is.
  withPart(
    () => import("./acting.ts"),
    ({ actByKey }) => actByKey(selectedOf(list, source, ids), key),
  );
  return true;
}
