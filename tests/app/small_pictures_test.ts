/**
 * The app makes the same small pictures as the command line.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Bytes, toBase64 } from "../../src/core/bytes.ts";
import { describe } from "../../src/cli/person/files/describing.ts";
import type { FoundFile } from "../../src/cli/person/files/files.ts";

import { plainOf } from "../../src/library/mod.ts";
import { QUARTERED } from "../support/quartered.ts";
import { until } from "../support/until.ts";
import { addPhotos, appStory, signUp } from "../support/web_app.ts";

/** What only the app makes a small picture of, and why. */
const APP_ONLY: Readonly<Record<string, string>> = {
  "an AVIF": "neither the runtime nor the program has a decoder of AV1",
};

/** The small picture of the command line; undefined where it makes none. */
async function ofCommand(file: Bytes): Promise<string | undefined> {
  const found = {
    name: "a",
    folder: "",
    modifiedAt: 0,
    path: "a",
  } as FoundFile;
  const { derivatives = [] } = await describe(found, plainOf(file));
  const small = derivatives.find(({ kind }) => kind === "thumbnail");
  return small && toBase64(small.bytes);
}

/**
 * Of each of the grid's pictures: its quarters, R, G, B, W (white) or K (black),
 * and by how much it differs from the command's, in the mean of all samples.
 */
const SEEN = `async (given) => {
  const pixels = (picture, width, height) => {
    const context = new OffscreenCanvas(60, 60).getContext("2d");
    context.drawImage(picture, 0, 0, 60, 60);
    const { data } = context.getImageData(0, 0, 60, 60);
    return { wide: width > height, data };
  };
  const images = [...document.querySelectorAll(".grid img")];
  return await Promise.all(images.map(async (image, at) => {
    await image.decode();
    const { wide, data } = pixels(
      image, image.naturalWidth, image.naturalHeight);
    const letters = [[15, 15], [45, 15], [15, 45], [45, 45]].map(([x, y]) => {
      const from = (y * 60 + x) * 4;
      const [r, g, b] = [...data.slice(from, from + 3)].map((one) => one > 200);
      return r && g && b ? "W" : r ? "R" : g ? "G" : b ? "B" : "K";
    });
    if (given[at] === null) return [letters.join(""), 0];
    const bytes = Uint8Array.from(atob(given[at]), (one) => one.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const theirs = pixels(bitmap, bitmap.width, bitmap.height);
    const sum = data.reduce(
      (sum, one, n) => sum + Math.abs(one - theirs.data[n]), 0);
    return [letters.join(""), wide === theirs.wide ? sum / data.length : 255];
  }));
}`;

/** Two encoders, and two ways to make a picture smaller, differ by less. */
const MOST_DIFFERENCE = 4;

appStory(
  "small pictures are upright, on white and the command's, whatever the kind of file and its ending",
  async ({ url, dataDir, visit }) => {
    const paths: string[] = [];
    for (const [at, [, bytes]] of QUARTERED.entries()) {
      const path = `${dataDir}/quartered-${at}${["", ".jpg", ".png"][at % 3]}`;
      await Deno.writeFile(path, bytes);
      // The grid has the newest first.
      const taken = new Date(Date.UTC(2024, 5, 1, 12, 59 - at));
      await Deno.utime(path, taken, taken);
      paths.push(path);
    }
    const given: (string | null)[] = [];
    for (const [what, bytes] of QUARTERED) {
      const small = await ofCommand(bytes);
      assert.equal(small === undefined, what in APP_ONLY, what);
      given.push(small ?? null);
    }
    await visit(async ({ page }) => {
      await signUp(page, url, "ada@example.org");
      await addPhotos(page, paths);
      const images = page.locator(".grid img");
      await until(() => images.count(), paths.length);
      const seen = await page.evaluate(
        `(${SEEN})(${JSON.stringify(given)})`,
      ) as [quarters: string, difference: number][];
      for (const [at, [what, , quarters]] of QUARTERED.entries()) {
        const [look, difference = 255] = seen[at] ?? [];
        assert.equal(look, quarters, what);
        assert(difference < MOST_DIFFERENCE, `${what}: ${difference} apart`);
      }
    }, { viewport: { width: 1300, height: 2400 } });
  },
);
