/**
 * How long the grid's layout takes in a browser.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { say } from "./support.ts";
import { LOCKED } from "../locked.ts";

const LAYOUT = fileURLToPath(
  new URL("../../src/web/app/grid/layout.ts", import.meta.url),
);
const ROUNDS = 7;

/** Lays a library out several times, and says how long it took. */
export async function layoutTimes(
  browser: Browser,
  photos: number,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/layout.js`;
  await new Deno.Command(Deno.execPath(), {
    args: [
      ...["bundle", "--quiet", ...LOCKED, "--platform=browser"],
      ...["-o", path, LAYOUT],
    ],
  }).output();
  const source = await Deno.readTextFile(path);
  await Deno.remove(folder, { recursive: true });
  const page = await browser.newPage();
  const times = await page.evaluate<number[]>(`(async () => {
    const source = ${JSON.stringify(source)};
    const url = URL.createObjectURL(
      new Blob([source], { type: "text/javascript" }));
    const { layOut } = await import(url);
    const ratios = Float32Array.from({ length: ${photos} },
      (_, i) => [1.5, 0.75, 1.33, 1, 1.78][(i * 7) % 5]);
    const days = Float64Array.from({ length: ${photos} },
      (_, i) => 20000 - Math.floor(i / (1 + i % 23)));
    days.sort().reverse();
    const times = [];
    for (let i = 0; i < ${ROUNDS}; i++) {
      const began = performance.now();
      layOut({
        count: ${photos},
        ratioAt: (at) => ratios[at],
        dayAt: (at) => days[at],
      }, { width: 1000, height: 200, gap: 4, heading: 44, between: 20,
        least: 150 });
      times.push(performance.now() - began);
    }
    return times;
  })()`);
  await page.close();
  say(
    `layout of ${photos.toLocaleString("en")}: first ` +
      `${times[0]?.toFixed(1)} ms, then ${Math.min(...times).toFixed(1)} ms`,
  );
}
