/**
 * Where a picture stands while it is zoomed: arithmetic alone.
 *
 * @module
 */

/** A width and a height in CSS pixels. */
export interface Extent {
  readonly width: number;
  readonly height: number;
}

/** A place, from the middle of the stage. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** How large a picture is drawn, 1 being the whole of it, and moved where. */
export interface View extends Point {
  readonly scale: number;
}

/** The whole picture. */
export const WHOLE: View = { scale: 1, x: 0, y: 0 };

/** Nobody sees more in fewer pixels than that. */
const MOST_SCALE = 8;

/** How large a picture is where all of it is to be seen. */
export function fitted(stage: Extent, ratio: number): Extent {
  const width = Math.min(stage.width, stage.height * ratio);
  return { width, height: width / ratio };
}

/** The same view, without more room at any side than there has to be. */
export function clamped(view: View, stage: Extent, picture: Extent): View {
  const scale = Math.min(MOST_SCALE, Math.max(1, view.scale));
  const most = (side: "width" | "height") =>
    Math.max(0, (picture[side] * scale - stage[side]) / 2);
  const held = (at: number, limit: number) =>
    Math.min(limit, Math.max(-limit, at));
  return {
    scale,
    // Nothing is left to move: not -0 either.
    x: held(view.x, most("width")) || 0,
    y: held(view.y, most("height")) || 0,
  };
}

/** Zooms so that what is at a place of the stage stays there. */
export function zoomedAt(view: View, factor: number, { x, y }: Point): View {
  const scale = Math.min(MOST_SCALE, Math.max(1, view.scale * factor));
  const by = scale / view.scale;
  return { scale, x: x - (x - view.x) * by, y: y - (y - view.y) * by };
}

/** The scale that a double tap goes to: nothing is blurred, and it is seen. */
export function closeUp(pixels: number, picture: Extent): number {
  return Math.min(4, Math.max(2, pixels / Math.max(1, picture.width)));
}

/** What a finger meant that went so far and so fast (pixels, milliseconds). */
export type Meant = "next" | "previous" | "close" | "nothing";

/** A way that is long enough, or a flick. */
export function meantBy(by: Point, ms: number, stage: Extent): Meant {
  const speed = (way: number) => Math.abs(way) / Math.max(1, ms);
  const [across, down] = [Math.abs(by.x), by.y];
  if (across > Math.abs(down)) {
    const far = across > stage.width / 4 ||
      (across > 30 && speed(across) > 0.4);
    return far ? by.x < 0 ? "next" : "previous" : "nothing";
  }
  const far = down > stage.height / 6 || (down > 40 && speed(down) > 0.5);
  return far ? "close" : "nothing";
}
