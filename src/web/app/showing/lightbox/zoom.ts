/**
 * The arithmetic of zooming a picture.
 *
 * @module
 */

/** A width and a height in CSS pixels. */
export interface Extent {
  readonly width: number;
  readonly height: number;
}

/** A point, relative to the middle of the stage. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The scale of a picture, 1 showing the whole of it, and its offset. */
export interface View extends Point {
  readonly scale: number;
}

/** The whole picture. */
export const WHOLE: View = { scale: 1, x: 0, y: 0 };

/** Greatest scale. */
const MOST_SCALE = 8;

/** The size of a picture that fits the stage. */
export function fitted(stage: Extent, ratio: number): Extent {
  const width = Math.min(stage.width, stage.height * ratio);
  return { width, height: width / ratio };
}

/** Limits a view, so that no side has more empty room than necessary. */
export function clamped(view: View, stage: Extent, picture: Extent): View {
  const scale = Math.min(MOST_SCALE, Math.max(1, view.scale));
  const most = (side: "width" | "height") =>
    Math.max(0, (picture[side] * scale - stage[side]) / 2);
  const held = (at: number, limit: number) =>
    Math.min(limit, Math.max(-limit, at));
  return {
    scale,
    // If nothing can move, the offset is 0 and not -0.
    x: held(view.x, most("width")) || 0,
    y: held(view.y, most("height")) || 0,
  };
}

/** Zooms so that the point under a position of the stage stays there. */
export function zoomedAt(view: View, factor: number, { x, y }: Point): View {
  const scale = Math.min(MOST_SCALE, Math.max(1, view.scale * factor));
  const by = scale / view.scale;
  return { scale, x: x - (x - view.x) * by, y: y - (y - view.y) * by };
}

/**
 * The scale of a double tap: visibly larger, but not beyond the picture's own
 * pixels.
 */
export function closeUp(pixels: number, picture: Extent): number {
  return Math.min(4, Math.max(2, pixels / Math.max(1, picture.width)));
}

/** The meanings of a swipe. */
export type Meant = "next" | "previous" | "close" | "nothing";

/**
 * The meaning of a swipe, which has to be long enough or quick (pixels, ms).
 */
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
