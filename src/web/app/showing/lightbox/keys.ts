/**
 * The keys of the lightbox.
 *
 * @module
 */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { ActionKey } from "../../actions/action.ts";

/** The actions of keys. */
interface KeyActions {
  readonly step: (by: 1 | -1) => void;
  readonly first: () => void;
  readonly last: () => void;
  readonly close: () => void;
  readonly info: () => void;
  readonly zoom: (factor: number) => void;
  readonly whole: () => void;
  readonly fullScreen: () => void;
  readonly slideshow: () => void;
  /** Looks around, where the photo is a sphere. */
  readonly around: () => void;
  /** Acts on the photo, by the same keys as in the grid. */
  readonly act: (key: ActionKey) => void;
}

const STEP = 1.5;

/**
 * Listens to keys wherever the focus is, because the focus is lost when a
 * button disappears. Keys of a player, a dialog or a text field are left to
 * those.
 */
export function useKeys(act: KeyActions): void {
  const held = useRef(act);
  held.current = act;
  // From the moment it is drawn: keys come sooner than a later effect would.
  useLayoutEffect(() => {
    const heard = (event: KeyboardEvent) => hear(event, held.current);
    addEventListener("keydown", heard);
    return () => removeEventListener("keydown", heard);
  }, []);
}

function hear(event: KeyboardEvent, act: KeyActions): void {
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => act.step(-1),
    ArrowRight: () => act.step(1),
    Home: act.first,
    End: act.last,
    Escape: act.close,
    i: act.info,
    "+": () => act.zoom(STEP),
    "=": () => act.zoom(STEP),
    "-": () => act.zoom(1 / STEP),
    "0": act.whole,
    w: act.fullScreen,
    s: act.slideshow,
    l: act.around,
    e: () => act.act("e"),
    f: () => act.act("f"),
    Delete: () => act.act("Delete"),
  };
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.defaultPrevented) return;
  const { target, key } = event;
  const isTyped = target instanceof HTMLElement &&
    target.closest("input, textarea, select, dialog, [role=menu]") !== null;
  const isPlayers = target instanceof HTMLMediaElement && key !== "Escape";
  const isScrolled = target instanceof HTMLPreElement &&
    (key === "Home" || key === "End");
  if (isTyped || isPlayers || isScrolled) return;
  const wanted = Object.hasOwn(keys, key) ? keys[key] : undefined;
  if (wanted === undefined) return;
  event.preventDefault();
  wanted();
}
