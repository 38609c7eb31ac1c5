/**
 * Pictures that browsers do not draw by themselves, large: raw files of cameras
 * and TIFF.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { plainOf } from "../../src/client/library/mod.ts";
import { mediaTypeOf } from "../../src/client/media_types.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { pictureOf } from "../support/pictures.ts";
import { rawFiles, tiffFile } from "../support/raw_files.ts";
import { sampleBytes } from "../support/samples.ts";
import { appStory, PHONE } from "../support/web_app.ts";
import { openPhotos, photographer } from "../support/web_people.ts";

const LARGE = ".lightbox-slide[data-offset='0']";

/** A plain TIFF whose red grows to the right and whose green grows downwards. */
function tiff(width: number, height: number): Uint8Array<ArrayBuffer> {
  const pixels = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)];
    pixels.set([x * 255 / width, y * 255 / height, 128], at * 3);
  }
  return tiffFile([[
    [0x0100, 3, width],
    [0x0101, 3, height],
    [0x0102, 3, [8, 8, 8]],
    [0x0103, 3, 1],
    [0x0106, 3, 2],
    [0x0111, 4, { place: pixels }],
    [0x0115, 3, 3],
    [0x0116, 3, height],
    [0x0117, 4, pixels.length],
  ]]);
}

/** The files of the stories, newest first. */
async function files(): Promise<[name: string, Uint8Array<ArrayBuffer>][]> {
  const { dng, cr3, nef } = rawFiles({
    jpeg: await sampleBytes("rocket.jpg"),
    small: await sampleBytes("thumbnails/rocket.jpg"),
    orientation: 6,
  });
  assert(dng !== undefined && cr3 !== undefined && nef !== undefined);
  return [
    ["rocket.dng", dng],
    ["rocket.cr3", cr3],
    ["colours.tiff", tiff(900, 600)],
    ["cut.nef", nef.slice(0, 200)],
  ];
}

/** Pixels of the original on the stage. */
async function drawn(page: Page, name: string): Promise<number[]> {
  const image = page.locator(`${LARGE} img[data-of=original][alt='${name}']`);
  await image.waitFor();
  return await image.evaluate(async (element) => {
    const image = element as unknown as {
      decode(): Promise<void>;
      naturalWidth: number;
      naturalHeight: number;
    };
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  });
}

/** Goes from one large picture to the next. */
async function leafThrough(page: Page, pictures: string): Promise<void> {
  // As the camera says, they are upright.
  assert.deepEqual(await drawn(page, "rocket.dng"), [427, 640]);
  await expectAccessible(page);
  await pictureOf(page, `undrawn_raw_${pictures}`);
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await drawn(page, "rocket.cr3"), [427, 640]);
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await drawn(page, "colours.tiff"), [900, 600]);
  await expectAccessible(page);
  await pictureOf(page, `undrawn_tiff_${pictures}`);
  await page.keyboard.press("ArrowRight");
  // One that is cut off harms nobody, and can still be saved.
  const large = page.locator(LARGE);
  await large.getByText("This browser cannot show this picture").waitFor();
  await large.getByRole("button", { name: "Download" }).waitFor();
  await expectAccessible(page);
}

appStory(
  "raw files of cameras and TIFF pictures are seen large, by those with a link too",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const ids: string[] = [];
    for (const [at, [name, bytes]] of (await files()).entries()) {
      const { row } = await ada.library.take({
        source: plainOf(bytes),
        about: {
          name,
          mime: mediaTypeOf(name),
          taken_at: `2024-06-1${9 - at}T10:00:00Z`,
        },
      });
      ids.push(row.id);
    }
    const { url: link } = await ada.library.share({ assetIds: ids });
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, ada);
      await page.locator(".grid a").first().click();
      await leafThrough(page, "desktop");
      // It can be zoomed into like any other picture.
      await page.keyboard.press("ArrowLeft");
      await drawn(page, "colours.tiff");
      await page.keyboard.press("+");
      await page.locator(".lightbox-hold[style*=scale]").waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      // What was seen once has a small picture from then on.
      await page.locator(".grid img").nth(2).waitFor();
      expectQuiet(visitor, new URL(url).origin);
    });
    await visit(async ({ page }) => {
      await page.goto(link);
      await page.locator(".grid a").first().click();
      await leafThrough(page, "link");
    });
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.locator(".grid a").first().click();
      await leafThrough(page, "phone_dark");
    }, { ...PHONE, colorScheme: "dark" });
  },
);
