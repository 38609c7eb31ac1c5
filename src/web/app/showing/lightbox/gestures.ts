/**
 * Recognising gestures on the stage, by fingers, mouse wheel and double clicks.
 *
 * @module
 */
import { now } from "../../../browser.ts";
import {
  clamped,
  closeUp,
  type Extent,
  type Meant,
  meantBy,
  type Point,
  type View,
  WHOLE,
  zoomedAt,
} from "./zoom.ts";

/** The object that gestures act on. */
interface Gestured {
  /** Whether zooming is off, as for a video or a text. */
  readonly still: () => boolean;
  readonly stage: () => Extent;
  /** The size of the whole picture on the stage. */
  readonly picture: () => Extent;
  /** The picture's own width in pixels. */
  readonly pixels: () => number;
  readonly view: () => View;
  readonly show: (view: View, smooth: boolean) => void;
  /** Moves with a swipe; undefined when it is over. */
  readonly drag: (by: Point | undefined) => void;
  readonly meant: (meant: Exclude<Meant, "nothing">) => void;
  readonly tap: () => void;
}

/** A finger that moves less counts as still (pixels). */
const SLACK_PX = 8;
const DOUBLE_TAP_MS = 300;

interface Start {
  readonly at: Point;
  readonly apart: number;
  readonly view: View;
  readonly ms: number;
}

/** Watches the gestures on a stage; the returned function stops that. */
export function watchGestures(
  element: HTMLElement,
  target: Gestured,
): () => void {
  const fingers = new Map<number, Point>();
  let start: Start | undefined;
  let mode: "none" | "across" | "down" | "pan" | "pinch" = "none";
  let tapped = 0;
  /** What pointed last: the events of a double click do not say it. */
  let pointer = "mouse";
  let waiting: ReturnType<typeof setTimeout> | undefined;

  const middle = (event: MouseEvent): Point => {
    const box = element.getBoundingClientRect();
    return {
      x: event.clientX - box.left - box.width / 2,
      y: event.clientY - box.top - box.height / 2,
    };
  };
  const held = (view: View) => clamped(view, target.stage(), target.picture());
  const begin = () => {
    const [a, b] = [...fingers.values()];
    if (a === undefined) return;
    start = {
      at: b === undefined ? a : { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 },
      apart: b === undefined ? 1 : Math.hypot(a.x - b.x, a.y - b.y),
      view: target.view(),
      ms: now(),
    };
  };
  const doubled = (at: Point) => {
    const isWhole = target.view().scale === 1;
    const view = isWhole
      ? zoomedAt(WHOLE, closeUp(target.pixels(), target.picture()), at)
      : WHOLE;
    target.show(held(view), true);
  };

  const down = (event: PointerEvent) => {
    pointer = event.pointerType;
    if (event.button !== 0 || isOwn(event)) return;
    fingers.set(event.pointerId, middle(event));
    if (fingers.size === 2 && !target.still()) {
      if (mode === "across" || mode === "down") target.drag(undefined);
      mode = "pinch";
    }
    begin();
  };
  const move = (event: PointerEvent) => {
    if (!fingers.has(event.pointerId) || start === undefined) return;
    const at = middle(event);
    fingers.set(event.pointerId, at);
    if (mode === "pinch") return pinched(start);
    if (fingers.size > 1) return;
    const by = { x: at.x - start.at.x, y: at.y - start.at.y };
    if (mode === "none") {
      if (Math.hypot(by.x, by.y) < SLACK_PX) return;
      if (start.view.scale > 1) mode = "pan";
      else if (event.pointerType === "mouse") return;
      else mode = Math.abs(by.x) > Math.abs(by.y) ? "across" : "down";
      // Only now, because it could have been a click on an element below.
      element.setPointerCapture(event.pointerId);
    }
    if (mode === "pan") {
      const { view } = start;
      target.show(held({ ...view, x: view.x + by.x, y: view.y + by.y }), false);
    } else if (mode === "across") target.drag({ x: by.x, y: 0 });
    else if (mode === "down") target.drag({ x: 0, y: Math.max(0, by.y) });
  };
  const pinched = ({ view, apart, at }: Start) => {
    const [a, b] = [...fingers.values()];
    if (a === undefined || b === undefined) return;
    const mid = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    const factor = Math.hypot(a.x - b.x, a.y - b.y) / Math.max(1, apart);
    const zoomed = zoomedAt(view, factor, at);
    target.show(
      held({
        ...zoomed,
        x: zoomed.x + mid.x - at.x,
        y: zoomed.y + mid.y - at.y,
      }),
      false,
    );
  };
  const up = (event: PointerEvent) => {
    if (!fingers.has(event.pointerId) || start === undefined) return;
    const at = middle(event);
    fingers.delete(event.pointerId);
    if (fingers.size > 0) {
      // The remaining finger of a pinch continues as panning.
      mode = mode === "pinch" ? "pan" : mode;
      return begin();
    }
    const by = { x: at.x - start.at.x, y: at.y - start.at.y };
    const was = mode;
    mode = "none";
    if (was === "across" || was === "down") {
      const cancelled = event.type === "pointercancel";
      const way = was === "across" ? { x: by.x, y: 0 } : { x: 0, y: by.y };
      const meant = cancelled
        ? "nothing"
        : meantBy(way, now() - start.ms, target.stage());
      target.drag(undefined);
      if (meant !== "nothing") target.meant(meant);
    } else if (
      was === "none" && event.type === "pointerup" &&
      event.pointerType !== "mouse"
    ) touched(at, event.timeStamp);
  };
  /** `ms` is when it was touched, however late that is heard of. */
  const touched = (at: Point, ms: number) => {
    clearTimeout(waiting);
    // What is not zoomed has no double taps to wait for.
    if (target.still()) return target.tap();
    if (ms - tapped < DOUBLE_TAP_MS) {
      tapped = 0;
      return doubled(at);
    }
    tapped = ms;
    waiting = setTimeout(() => target.tap(), DOUBLE_TAP_MS);
  };
  const double = (event: MouseEvent) => {
    // Of a finger, it was seen above.
    if (pointer !== "mouse" || target.still() || isOwn(event)) return;
    doubled(middle(event));
  };
  const wheel = (event: WheelEvent) => {
    if (target.still()) return;
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const factor = Math.exp(
      -event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.002),
    );
    target.show(held(zoomedAt(target.view(), factor, middle(event))), false);
  };

  const ending = new AbortController();
  const { signal } = ending;
  element.addEventListener("pointerdown", down, { signal });
  element.addEventListener("pointermove", move, { signal });
  element.addEventListener("pointerup", up, { signal });
  element.addEventListener("pointercancel", up, { signal });
  element.addEventListener("dblclick", double, { signal });
  element.addEventListener("wheel", wheel, { signal, passive: false });
  return () => {
    clearTimeout(waiting);
    ending.abort();
  };
}

/** A swipe does not begin on buttons, links or a player's controls. */
function isOwn({ target }: MouseEvent): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest("button, a, input, pre, video[controls], .notice") !==
    null;
}
