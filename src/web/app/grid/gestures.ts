/**
 * Using the grid by mouse and touch: opening photos, and selecting them by
 * check mark, by Shift, or by a long press and a drag over others.
 *
 * @module
 */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { hrefAt } from "../list.ts";
import { go } from "../routes.ts";
import type { GridStand } from "./stand.ts";
import { isSelecting, selectedIds, selectTo, toggle } from "./selection.ts";

const LONG_MS = 420;
/** A finger that moves this far scrolls (pixels). */
const STILL_PX = 10;
/** Within this distance of the edge, dragging scrolls (pixels). */
const EDGE_PX = 90;

interface Drag {
  readonly kept: ReadonlySet<string>;
  x: number;
  y: number;
}

/** The list position of the tile at which an event happened. */
function placeOf(target: EventTarget | Element | null): number | undefined {
  if (!(target instanceof Element)) return undefined;
  const at = target.closest("[data-at]")?.getAttribute("data-at");
  return at === null || at === undefined ? undefined : Number(at);
}

/** Handlers for the root of a grid. */
export function useGestures(
  root: RefObject<HTMLDivElement | null>,
  stand: GridStand | undefined,
  reach: (at: number) => void,
) {
  const held = useRef(stand);
  held.current = stand;
  const press = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const began = useRef({ x: 0, y: 0 });
  const drag = useRef<Drag | undefined>(undefined);
  /** Set after a long press, so that its click does not open the photo. */
  const swallow = useRef(false);
  /**
   * The photo that is pressed. If photos come in before it is let go, another
   * one is there by then, or nothing is clicked at all.
   */
  const pressed = useRef<{ id: string; x: number; y: number }>(undefined);

  const over = () => {
    const { current } = drag;
    const list = held.current?.list;
    if (current === undefined || list === undefined) return;
    const at = placeOf(document.elementFromPoint(current.x, current.y));
    if (at !== undefined) selectTo(list, at, current.kept);
  };
  useEffect(() => {
    const element = root.current;
    if (element === null) return;
    // The page must not scroll during a drag that selects.
    const still = (event: TouchEvent) => {
      if (drag.current !== undefined) event.preventDefault();
    };
    element.addEventListener("touchmove", still, { passive: false });
    const edge = setInterval(() => {
      const { current } = drag;
      if (current === undefined) return;
      const under = innerHeight - current.y;
      const speed = current.y < EDGE_PX
        ? current.y - EDGE_PX
        : under < EDGE_PX
        ? EDGE_PX - under
        : 0;
      if (speed === 0) return;
      scrollBy({ top: speed / 4 });
      over();
    }, 16);
    return () => {
      clearInterval(edge);
      clearTimeout(press.current);
      element.removeEventListener("touchmove", still);
    };
  }, []);

  const end = () => {
    clearTimeout(press.current);
    drag.current = undefined;
  };
  const click = (event: MouseEvent) => {
    const under = placeOf(event.target);
    const { current: begun } = pressed;
    pressed.current = undefined;
    if (stand === undefined) return;
    const { list, source } = stand;
    const isMoved = begun !== undefined &&
      Math.hypot(event.clientX - begun.x, event.clientY - begun.y) <=
        STILL_PX &&
      (under === undefined || list.idAt(under) !== begun.id);
    const at = isMoved ? list.indexOf(begun.id) : under;
    if (at === undefined || at < 0) return;
    if (swallow.current) {
      swallow.current = false;
      event.preventDefault();
      return;
    }
    const checks = event.target instanceof Element &&
      event.target.closest(".check") !== null;
    const selecting = isSelecting.peek();
    if (event.ctrlKey || event.metaKey) return;
    reach(at);
    if (event.shiftKey && (selecting || checks)) selectTo(list, at);
    else if (checks || selecting) toggle(list, at);
    else if (isMoved) go(hrefAt(list, source, at));
    else return;
    event.preventDefault();
  };
  return {
    // The keyboard continues from the tile that got the focus.
    onFocusIn: (event: FocusEvent) => {
      const at = placeOf(event.target);
      if (at !== undefined) reach(at);
    },
    onClick: click,
    onPointerDown: (event: PointerEvent) => {
      swallow.current = false;
      const at = placeOf(event.target);
      pressed.current = at === undefined || stand === undefined ? undefined : {
        id: stand.list.idAt(at),
        x: event.clientX,
        y: event.clientY,
      };
      if (event.pointerType === "mouse" || !event.isPrimary) return;
      if (at === undefined) return;
      began.current = { x: event.clientX, y: event.clientY };
      press.current = setTimeout(() => {
        const list = held.current?.list;
        if (list === undefined) return;
        swallow.current = true;
        const id = list.idAt(at);
        if (!selectedIds.peek().has(id)) toggle(list, at);
        navigator.vibrate?.(12);
        drag.current = { kept: selectedIds.peek(), ...began.current };
        reach(at);
      }, LONG_MS);
    },
    onPointerMove: (event: PointerEvent) => {
      const { clientX: x, clientY: y } = event;
      if (drag.current !== undefined) {
        [drag.current.x, drag.current.y] = [x, y];
        over();
        return;
      }
      const moved = Math.hypot(x - began.current.x, y - began.current.y);
      if (moved > STILL_PX) clearTimeout(press.current);
    },
    onPointerUp: end,
    onPointerCancel: end,
    onContextMenu: (event: MouseEvent) => {
      // The browser's context menu would end a long press.
      if (swallow.current || drag.current !== undefined) event.preventDefault();
    },
  };
}
