/**
 * Turning a sphere by a mouse, by fingers and by a wheel.
 *
 * @module
 */
import type { Point } from "../lightbox/zoom.ts";

/** What turns. */
interface Turned {
  /** By so many pixels of the view. */
  readonly drag: (by: Point) => void;
  readonly zoom: (factor: number) => void;
}

/** Watches what is done to the view; the returned function stops that. */
export function watchTurning(view: HTMLElement, target: Turned): () => void {
  const fingers = new Map<number, Point>();
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    view.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const before = fingers.get(event.pointerId);
    if (before === undefined) return;
    const at = { x: event.clientX, y: event.clientY };
    const [other] = [...fingers].filter(([id]) => id !== event.pointerId)
      .map(([, finger]) => finger);
    fingers.set(event.pointerId, at);
    // Of two fingers, each turns half as far.
    const share = other === undefined ? 1 : 0.5;
    target.drag({
      x: share * (at.x - before.x),
      y: share * (at.y - before.y),
    });
    if (other === undefined) return;
    target.zoom(apart(at, other) / apart(before, other));
  };
  const up = ({ pointerId }: PointerEvent) => {
    fingers.delete(pointerId);
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const step = event.ctrlKey ? 0.01 : 0.002;
    target.zoom(Math.exp(-event.deltaY * lines * step));
  };
  const ending = new AbortController();
  const { signal } = ending;
  view.addEventListener("pointerdown", down, { signal });
  view.addEventListener("pointermove", move, { signal });
  view.addEventListener("pointerup", up, { signal });
  view.addEventListener("pointercancel", up, { signal });
  view.addEventListener("wheel", wheel, { signal, passive: false });
  return () => ending.abort();
}

function apart(a: Point, b: Point): number {
  return Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
}
