/**
 * Editing photos by a recipe (protocol/client-cryptography.md#metadata): the
 * geometry of turning, straightening and cutting, and the light of pixels. It
 * draws nothing by itself, so that every program can.
 *
 * @module
 */
import type { CropBox, PhotoEdit } from "../../client/documents/metadata.ts";

/** Sides in pixels. */
export interface Sides {
  readonly width: number;
  readonly height: number;
}

/** The whole picture. */
export const WHOLE: CropBox = { x: 0, y: 0, width: 1, height: 1 };
/** Smallest side of a part, as a fraction. */
const LEAST_PART = 0.05;

/** The sides of a picture after its quarter turns. */
export function turnedSides(
  { width, height }: Sides,
  { turns = 0 }: PhotoEdit,
): Sides {
  return turns % 2 === 0 ? { width, height } : { width: height, height: width };
}

/** How much a picture is enlarged so that no corner is empty. */
function enlargement(of: Sides, { angle = 0 }: PhotoEdit): number {
  const { width, height } = of;
  const radians = Math.abs(angle) * Math.PI / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  return Math.max(
    (width * cos + height * sin) / width,
    (width * sin + height * cos) / height,
  );
}

/** How a picture is drawn into the edited one, as canvases take it. */
interface Drawing extends Sides {
  /** `x' = a x + c y + e` and `y' = b x + d y + f`. */
  readonly matrix: readonly [
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
  ];
}

/**
 * How an upright picture is drawn by a recipe, at its own scale or smaller: with
 * at most so many pixels.
 */
export function drawingOf(
  picture: Sides,
  edit: PhotoEdit,
  mostPixels = Infinity,
): Drawing {
  const turned = turnedSides(picture, edit);
  const enlarged = enlargement(turned, edit);
  const { x, y, width, height } = part(edit.crop);
  const own = {
    width: turned.width * width / enlarged,
    height: turned.height * height / enlarged,
  };
  const fit = Math.min(1, Math.sqrt(mostPixels / (own.width * own.height)));
  const made = {
    width: Math.max(1, Math.round(own.width * fit)),
    height: Math.max(1, Math.round(own.height * fit)),
  };
  // Backwards: what is done last stands first.
  const scaleX = made.width / (turned.width * width);
  const scaleY = made.height / (turned.height * height);
  const radians = (edit.angle ?? 0) * Math.PI / 180;
  const matrix = [
    scaled(scaleX, scaleY),
    moved(-x * turned.width, -y * turned.height),
    moved(turned.width / 2, turned.height / 2),
    rotated(radians),
    scaled(enlarged, enlarged),
    rotated((edit.turns ?? 0) * Math.PI / 2),
    scaled(edit.mirrored === true ? -1 : 1, 1),
    moved(-picture.width / 2, -picture.height / 2),
  ].reduce(product);
  return { ...made, matrix };
}

type Matrix = Drawing["matrix"];

function product(m: Matrix, n: Matrix): Matrix {
  return [
    m[0] * n[0] + m[2] * n[1],
    m[1] * n[0] + m[3] * n[1],
    m[0] * n[2] + m[2] * n[3],
    m[1] * n[2] + m[3] * n[3],
    m[0] * n[4] + m[2] * n[5] + m[4],
    m[1] * n[4] + m[3] * n[5] + m[5],
  ];
}

function scaled(x: number, y: number): Matrix {
  return [x, 0, 0, y, 0, 0];
}

function moved(x: number, y: number): Matrix {
  return [1, 0, 0, 1, x, y];
}

function rotated(radians: number): Matrix {
  // Quarter turns are whole numbers.
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)].map((one) =>
    Math.abs(one - Math.round(one)) < 1e-12 ? Math.round(one) : one
  );
  return [cos ?? 1, sin ?? 0, -(sin ?? 0), cos ?? 1, 0, 0];
}

/** A part that lies within the picture, whoever wrote it. */
function part(crop: CropBox = WHOLE): CropBox {
  const width = Math.min(1, Math.max(LEAST_PART, crop.width));
  const height = Math.min(1, Math.max(LEAST_PART, crop.height));
  return {
    width,
    height,
    x: Math.min(Math.max(0, crop.x), 1 - width),
    y: Math.min(Math.max(0, crop.y), 1 - height),
  };
}

/** The recipe for the picture as it is seen, turned clockwise once more. */
export function turnedRight(edit: PhotoEdit): PhotoEdit {
  const { crop, turns = 0 } = edit;
  return {
    ...edit,
    turns: (turns + 1) % 4,
    ...(crop === undefined ? {} : {
      crop: {
        x: 1 - crop.y - crop.height,
        y: crop.x,
        width: crop.height,
        height: crop.width,
      },
    }),
  };
}

/** The recipe for the picture as it is seen, with left and right exchanged. */
export function mirrored(edit: PhotoEdit): PhotoEdit {
  const { crop, turns = 0, angle = 0 } = edit;
  return {
    ...edit,
    mirrored: edit.mirrored !== true,
    turns: (4 - turns) % 4,
    angle: -angle,
    ...(crop === undefined
      ? {}
      : { crop: { ...crop, x: 1 - crop.x - crop.width } }),
  };
}

/**
 * A recipe without what changes nothing; undefined if nothing is left of it.
 */
export function simplified(edit: PhotoEdit): PhotoEdit | undefined {
  const { crop } = edit;
  const isWhole = crop === undefined ||
    (crop.width > 0.999 && crop.height > 0.999);
  const kept = {
    ...(edit.mirrored === true ? { mirrored: true } : {}),
    ...edit.turns ? { turns: edit.turns } : {},
    ...edit.angle ? { angle: edit.angle } : {},
    ...(isWhole ? {} : { crop: part(crop) }),
    ...edit.brightness ? { brightness: edit.brightness } : {},
    ...edit.contrast ? { contrast: edit.contrast } : {},
    ...edit.saturation ? { saturation: edit.saturation } : {},
  };
  return Object.keys(kept).length === 0 ? undefined : kept;
}

/** The corners of a part. */
export const CORNERS = ["nw", "ne", "sw", "se"] as const;
export type Corner = (typeof CORNERS)[number];

/**
 * A part with a corner at another point, as far as the picture goes. With
 * `ratio`, width to height in fractions, it keeps that.
 */
export function withCorner(
  crop: CropBox,
  corner: Corner,
  to: { readonly x: number; readonly y: number },
  ratio?: number,
): CropBox {
  const isWest = corner.endsWith("w");
  const isNorth = corner.startsWith("n");
  // The corner across stays.
  const across = {
    x: isWest ? crop.x + crop.width : crop.x,
    y: isNorth ? crop.y + crop.height : crop.y,
  };
  const roomX = isWest ? across.x : 1 - across.x;
  const roomY = isNorth ? across.y : 1 - across.y;
  const reach = (at: number, from: number, isBefore: boolean, room: number) =>
    Math.min(room, Math.max(LEAST_PART, isBefore ? from - at : at - from));
  let width = reach(to.x, across.x, isWest, roomX);
  let height = reach(to.y, across.y, isNorth, roomY);
  if (ratio !== undefined) {
    width = Math.min(Math.max(width, height * ratio), roomX, roomY * ratio);
    height = width / ratio;
  }
  return {
    x: isWest ? across.x - width : across.x,
    y: isNorth ? across.y - height : across.y,
    width,
    height,
  };
}

/** A part that was moved, as far as the picture goes. */
export function movedBy(crop: CropBox, dx: number, dy: number): CropBox {
  return part({ ...crop, x: crop.x + dx, y: crop.y + dy });
}

/**
 * The largest part of these proportions (width to height, in pixels) in the
 * middle of a part; without them the part itself.
 */
export function proportioned(
  crop: CropBox,
  turned: Sides,
  proportion: number | undefined,
): CropBox {
  if (proportion === undefined) return crop;
  const ratio = ratioOf(turned, proportion);
  const width = Math.min(crop.width, crop.height * ratio);
  const height = width / ratio;
  return part({
    x: crop.x + (crop.width - width) / 2,
    y: crop.y + (crop.height - height) / 2,
    width,
    height,
  });
}

/** Proportions in pixels as those of fractions of a picture. */
export function ratioOf({ width, height }: Sides, proportion: number): number {
  return proportion * height / width;
}

/** Share of pixels at either end that may become black or white. */
const CLIPPED = 0.005;
/** The levels that the darkest and the brightest of the rest are to get. */
const [DARKEST, BRIGHTEST] = [4, 251];
/** How far automatic light goes, of 100. */
const MOST_AUTOMATIC = 60;

/**
 * Brightness and contrast that spread the levels of a picture over the whole
 * range, as {@link light} changes them. Both are 0 where there is nothing to
 * spread.
 */
export function automaticLight(
  rgba: Uint8ClampedArray,
): { readonly brightness: number; readonly contrast: number } {
  const counts = new Uint32Array(256);
  let all = 0;
  for (let at = 0; at + 3 < rgba.length; at += 4) {
    // ITU-R BT.709.
    const grey = 0.2126 * (rgba[at] ?? 0) + 0.7152 * (rgba[at + 1] ?? 0) +
      0.0722 * (rgba[at + 2] ?? 0);
    const level = Math.round(grey);
    counts[level] = (counts[level] ?? 0) + 1;
    all += 1;
  }
  const low = levelAt(counts, all * CLIPPED);
  const high = levelAt(counts, all * (1 - CLIPPED));
  if (high <= low) return { brightness: 0, contrast: 0 };
  // `(level * gain - 128) * slope + 128` is to be DARKEST at the one end and
  // BRIGHTEST at the other.
  const wanted = (high * (BRIGHTEST - DARKEST) / (high - low) + 128 -
    BRIGHTEST) / 128;
  const contrast = bounded((wanted - 1) * 100);
  const gain = ((BRIGHTEST - 128) / (1 + contrast / 100) + 128) / high;
  return { brightness: bounded(Math.log2(gain) * 100), contrast };
}

/** The level below which so many pixels are. */
function levelAt(counts: Uint32Array, share: number): number {
  let before = 0;
  for (const [level, count] of counts.entries()) {
    before += count;
    if (before > share) return level;
  }
  return counts.length - 1;
}

function bounded(value: number): number {
  const most = Math.min(MOST_AUTOMATIC, Math.round(value));
  return Math.max(-MOST_AUTOMATIC, most) + 0;
}

/**
 * Changes the light of pixels in place: brightness by up to a stop either way,
 * contrast around the middle, and saturation around the grey of each pixel.
 */
export function light(rgba: Uint8ClampedArray, edit: PhotoEdit): void {
  const { brightness = 0, contrast = 0, saturation = 0 } = edit;
  if (brightness === 0 && contrast === 0 && saturation === 0) return;
  const table = new Uint8ClampedArray(256).map((_, level) =>
    Math.round(
      (level * 2 ** (brightness / 100) - 128) * (1 + contrast / 100) + 128,
    )
  );
  const colour = 1 + saturation / 100;
  for (let at = 0; at + 3 < rgba.length; at += 4) {
    const red = table[rgba[at] ?? 0] ?? 0;
    const green = table[rgba[at + 1] ?? 0] ?? 0;
    const blue = table[rgba[at + 2] ?? 0] ?? 0;
    // ITU-R BT.709.
    const grey = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    rgba[at] = grey + (red - grey) * colour;
    rgba[at + 1] = grey + (green - grey) * colour;
    rgba[at + 2] = grey + (blue - grey) * colour;
  }
}
