/**
 * Pictures in pixels, drawn from a seed: soft light with shapes before it, and
 * what happens to pictures afterwards.
 *
 * @module
 */
/** A picture in pixels of four bytes (RGBA), row by row. */
export interface Drawing {
  readonly pixels: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

/** Numbers from 0 to 1 that a seed brings: mulberry32, as in `app.ts`. */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws the picture of a seed, the same one in every size. */
export function drawn(seed: number, width: number, height: number): Drawing {
  const next = numbersOf(seed);
  const waves = Array.from({ length: 6 }, () => ({
    x: (next() - 0.5) * 18,
    y: (next() - 0.5) * 18,
    phase: next() * Math.PI * 2,
    weight: 10 + next() * 25,
  }));
  const shapes = Array.from({ length: 14 }, () => ({
    x: next(),
    y: next(),
    radius: 0.04 + next() * 0.16,
    light: (next() - 0.5) * 180,
  }));
  return of(width, height, (x, y) => {
    let light = 128;
    for (const wave of waves) {
      light += wave.weight * Math.sin(wave.x * x + wave.y * y + wave.phase);
    }
    for (const shape of shapes) {
      if (Math.hypot(x - shape.x, y - shape.y) < shape.radius) {
        light += shape.light;
      }
    }
    return light;
  });
}

/** A picture of nothing: one light, and hardly a wave. */
export function seascape(
  width: number,
  height: number,
  light: number,
): Drawing {
  return of(width, height, (x) => light + 0.4 * Math.sin(40 * x));
}

/** The picture moved by some pixels; what comes into it repeats the edge. */
export function moved(picture: Drawing, dx: number, dy: number): Drawing {
  return changed(picture, (at, x, y) => at(x + dx, y + dy));
}

/** The picture with another exposure. */
export function brighter(picture: Drawing, factor: number): Drawing {
  return changed(picture, (at, x, y) => at(x, y) * factor);
}

/** The picture as strong compression leaves it: in coarse steps, with noise. */
export function compressed(picture: Drawing, seed: number): Drawing {
  const next = numbersOf(seed);
  return changed(
    picture,
    (at, x, y) => Math.round(at(x, y) / 6) * 6 + (next() - 0.5) * 6,
  );
}

/** The picture out of focus, by a radius in pixels. */
export function blurred(picture: Drawing, radius: number): Drawing {
  return changed(picture, (at, x, y) => {
    let sum = 0;
    for (let dy = -radius; dy <= radius; dy++) {
      for (let dx = -radius; dx <= radius; dx++) sum += at(x + dx, y + dy);
    }
    return sum / (2 * radius + 1) ** 2;
  });
}

function changed(
  { pixels, width, height }: Drawing,
  light: (
    at: (x: number, y: number) => number,
    x: number,
    y: number,
  ) => number,
): Drawing {
  const within = (value: number, end: number) =>
    Math.max(0, Math.min(end - 1, value));
  const at = (x: number, y: number) =>
    pixels[(within(y, height) * width + within(x, width)) * 4] ?? 0;
  return of(
    width,
    height,
    (x, y) => light(at, Math.floor(x * width), Math.floor(y * height)),
  );
}

/** Draws pixel by pixel; the places are from 0 to 1. */
function of(
  width: number,
  height: number,
  light: (x: number, y: number) => number,
): Drawing {
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = light((x + 0.5) / width, (y + 0.5) / height);
      pixels.set([value, value, value, 255], (y * width + x) * 4);
    }
  }
  return { pixels, width, height };
}
