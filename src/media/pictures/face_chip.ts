/**
 * The piece of a picture that has one face, upright and always as large: what
 * the model compares.
 *
 * @module
 */

/** Sides of a chip (pixels), which the model was trained with. */
export const CHIP_SIDE = 150;
/** What is around the face, as a part of its size. */
const PADDING = 0.25;

/** A point in a picture (pixels). */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Pixels of a picture: red, green, blue and opacity of each. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

/**
 * Where the corners of the eyes and the nose are in the middle of all faces, by
 * their numbers among 68 points. They are those of dlib's
 * `get_face_chip_details`, with which the model was trained.
 */
const PLACES: readonly (readonly [number, number, number])[] = [
  [45, 0.8595674595992, 0.2134981538014],
  [42, 0.6460604764104, 0.2289674387677],
  [36, 0.1205750620789, 0.2137274526848],
  [39, 0.3340850613712, 0.2290642403242],
  [33, 0.4901123135679, 0.6277975316475],
];

/**
 * The chip of a face with 68 points: red, green and blue from 0 to 255.
 * Undefined if the points are no face.
 */
export function chipOf(
  pixels: Pixels,
  points: readonly Point[],
): Float32Array | undefined {
  const turn = turnOf(points);
  if (turn === undefined) return undefined;
  const chip = new Float32Array(CHIP_SIDE * CHIP_SIDE * 3);
  // Of a large face several places are the mean that one pixel has.
  const steps = Math.max(1, Math.round(Math.hypot(turn.cos, turn.sin)));
  for (let y = 0, at = 0; y < CHIP_SIDE; y++) {
    for (let x = 0; x < CHIP_SIDE; x++, at += 3) {
      for (let step = 0; step < steps * steps; step++) {
        const right = x + (step % steps + 0.5) / steps - 0.5;
        const down = y + (Math.floor(step / steps) + 0.5) / steps - 0.5;
        add(pixels, turn, right, down, chip, at);
      }
      for (let c = 0; c < 3; c++) {
        chip[at + c] = (chip[at + c] ?? 0) / (steps * steps);
      }
    }
  }
  return chip;
}

/** How a chip lies in the picture: turned, stretched and moved. */
interface Turn {
  readonly cos: number;
  readonly sin: number;
  readonly from: Point;
  readonly to: Point;
}

/** The one that brings the places of the chip closest to a face's points. */
function turnOf(points: readonly Point[]): Turn | undefined {
  const pairs = PLACES.flatMap(([number, x, y]) => {
    const to = points[number];
    const place = (part: number) =>
      (PADDING + part) / (2 * PADDING + 1) * CHIP_SIDE;
    return to === undefined ? [] : [{ from: { x: place(x), y: place(y) }, to }];
  });
  if (pairs.length < PLACES.length) return undefined;
  const from = middleOf(pairs.map((pair) => pair.from));
  const to = middleOf(pairs.map((pair) => pair.to));
  let [cos, sin, spread] = [0, 0, 0];
  for (const pair of pairs) {
    const [ax, ay] = [pair.from.x - from.x, pair.from.y - from.y];
    const [bx, by] = [pair.to.x - to.x, pair.to.y - to.y];
    cos += ax * bx + ay * by;
    sin += ax * by - ay * bx;
    spread += ax * ax + ay * ay;
  }
  const isTurned = Number.isFinite(cos) && Math.hypot(cos, sin) > 0;
  return isTurned
    ? { cos: cos / spread, sin: sin / spread, from, to }
    : undefined;
}

function middleOf(points: readonly Point[]): Point {
  const sum = (of: (point: Point) => number) =>
    points.reduce((all, point) => all + of(point), 0) / points.length;
  return { x: sum(({ x }) => x), y: sum(({ y }) => y) };
}

/** Adds the colour at a place of the chip, between four pixels. */
function add(
  { width, height, data }: Pixels,
  { cos, sin, from, to }: Turn,
  right: number,
  down: number,
  chip: Float32Array,
  at: number,
): void {
  const [dx, dy] = [right - from.x, down - from.y];
  const x = within(to.x + cos * dx - sin * dy, width);
  const y = within(to.y + sin * dx + cos * dy, height);
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [more, lower] = [
    Math.min(left + 1, width - 1),
    Math.min(top + 1, height - 1),
  ];
  const [fx, fy] = [x - left, y - top];
  const colour = (column: number, row: number, c: number) =>
    data[(row * width + column) * 4 + c] ?? 0;
  for (let c = 0; c < 3; c++) {
    const above = colour(left, top, c) * (1 - fx) + colour(more, top, c) * fx;
    const below = colour(left, lower, c) * (1 - fx) +
      colour(more, lower, c) * fx;
    chip[at + c] = (chip[at + c] ?? 0) + above * (1 - fy) + below * fy;
  }
}

/** The nearest place that is in the picture. */
function within(place: number, size: number): number {
  return Math.min(Math.max(place, 0), size - 1);
}
