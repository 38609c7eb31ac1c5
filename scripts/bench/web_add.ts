/**
 * What adding many photos takes of the browser: memory of the process that draws
 * the page, and how long the page's thread is held up.
 *
 * @module
 */
import type { Page } from "playwright-core";
import { say } from "./support.ts";
import { renderers } from "./web_frames.ts";

const KIB = 1_024;
const MIB = KIB * KIB;
/** Each of the photos (bytes). */
const SIZE = 2 * MIB;
/** Pixels of the photos: what a telephone makes. */
const WIDTH = 4_000;
const HEIGHT = 3_000;
/** Different pictures; the photos differ by a comment besides. */
const PICTURES = 8;
const SAMPLE_MS = 250;
const LONG_MS = 100;
/** All of them, on a machine that does other things as well (ms). */
const PATIENCE_MS = 3_600_000;

/** Adds so many photos on a page whose library is open, and says what it took. */
export async function measureAdding(
  page: Page,
  folder: string,
  count: number,
): Promise<void> {
  const paths = await writePhotos(folder, count);
  await page.evaluate(`(() => {
    globalThis.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longTasks.push(duration);
    }).observe({ type: "longtask" });
  })()`);
  const before = memory();
  let peak = before;
  const sampling = setInterval(() => {
    const now = memory();
    if (now.largest > peak.largest) peak = now;
  }, SAMPLE_MS);
  const began = performance.now();
  try {
    await page.locator("input[data-add=files]").setInputFiles(paths);
    const said = page.getByText(/^[\d,]+ files? (added|already here)/).first();
    await said.waitFor({ timeout: PATIENCE_MS });
    const seconds = (performance.now() - began) / 1_000;
    const long = await page.evaluate<number[]>("longTasks");
    const over = long.filter((ms) => ms > LONG_MS);
    const [load] = Deno.loadavg();
    say(
      `${await said.textContent()} of 2 MiB and 12 megapixels within ` +
        `${seconds.toFixed(0)} s (load ${(load ?? NaN).toFixed(1)}): the ` +
        `page's process at most ${peak.largest.toFixed(0)} MiB (target 500), ` +
        `${before.largest.toFixed(0)} before, all of the browser's that draw ` +
        `${peak.all.toFixed(0)} MiB`,
    );
    say(
      `the page's tasks above 50 ms: ${long.length}, above ${LONG_MS} ms ` +
        `${over.length} (target 0), the longest ` +
        `${Math.max(0, ...long).toFixed(0)} ms`,
    );
  } finally {
    clearInterval(sampling);
    for (const path of paths) await Deno.remove(path);
  }
}

/** Memory of their own of the processes that draw (MiB). */
function memory(): { readonly largest: number; readonly all: number } {
  const each = renderers().map((pid) => {
    try {
      const told = Deno.readTextFileSync(`/proc/${pid}/status`);
      const kib = ["RssAnon", "RssShmem"].map((name) =>
        Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(told)?.[1] ?? 0)
      );
      return kib.reduce((sum, one) => sum + one, 0) / KIB;
    } catch {
      // It has ended meanwhile.
      return 0;
    }
  });
  return {
    largest: Math.max(0, ...each),
    all: each.reduce((sum, one) => sum + one, 0),
  };
}

/** Writes photos that are all different; returns their paths. */
async function writePhotos(folder: string, count: number): Promise<string[]> {
  const pictures: Uint8Array<ArrayBuffer>[] = [];
  for (let i = 0; i < Math.min(PICTURES, count); i++) {
    pictures.push(await picture(i));
  }
  const paths: string[] = [];
  for (let i = 0; i < count; i++) {
    const drawn = pictures[i % pictures.length];
    if (drawn === undefined) throw new Error("no picture");
    const file = new Uint8Array(SIZE);
    file.set(drawn.subarray(0, 2));
    const comment = new TextEncoder().encode(`photo ${i}`);
    file.set([0xff, 0xfe, 0, comment.length + 2], 2);
    file.set(comment, 6);
    // What is behind the end of a JPEG is not read: zeros up to its size.
    file.set(drawn.subarray(2), 6 + comment.length);
    const path = `${folder}/photo-${i}.jpg`;
    await Deno.writeFile(path, file);
    paths.push(path);
  }
  return paths;
}

/** A JPEG somewhat below 2 MiB: areas of colour under the noise of a sensor. */
async function picture(seed: number): Promise<Uint8Array<ArrayBuffer>> {
  const pixels = new Uint8ClampedArray(4 * WIDTH * HEIGHT);
  const noise = new Uint8Array(65_536);
  crypto.getRandomValues(noise);
  for (let at = 0; at < WIDTH * HEIGHT; at++) {
    const [x, y] = [at % WIDTH, Math.floor(at / WIDTH)];
    const grain = ((noise[(at * 7 + y * 131) % noise.length] ?? 0) & 15) - 8;
    pixels[4 * at] = 128 + 100 * Math.sin((x + seed * 300) / 400) + grain;
    pixels[4 * at + 1] = 128 + 100 * Math.sin(y / 300 + seed) + grain;
    pixels[4 * at + 2] = (x + y) / 28 + grain;
    pixels[4 * at + 3] = 255;
  }
  const bitmap = await createImageBitmap(new ImageData(pixels, WIDTH, HEIGHT));
  const canvas = new OffscreenCanvas(WIDTH, HEIGHT);
  canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(bitmap);
  for (const quality of [0.8, 0.7, 0.6, 0.5, 0.3]) {
    const blob = await canvas.convertToBlob({ type: "image/jpeg", quality });
    if (blob.size < SIZE - KIB) return await blob.bytes();
  }
  throw new Error("the picture is larger than a photo is to be");
}
