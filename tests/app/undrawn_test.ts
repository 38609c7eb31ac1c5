/**
 * Pictures that browsers do not draw by themselves, large: raw files of cameras
 * and TIFF.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { utf8 } from "../../src/core/bytes.ts";
import { plainOf } from "../../src/library/mod.ts";
import { mediaTypeOf } from "../../src/media/media_types.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { pictureOf } from "../support/pictures.ts";
import { rawFiles, tiffFile } from "../support/raw_files.ts";
import { sampleBytes } from "../support/samples.ts";
import { until } from "../support/until.ts";
import { appStory, BY_NIGHT, nightStory, PHONE } from "../support/web_app.ts";
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

const NOT_DRAWN = "This browser cannot show this picture";
const TOO_LARGE = "This picture is too large for a preview. Download it";
const NO_PREVIEW = "There is no preview for this kind of file";

/** A BMP of 132 million pixels, of which there are few. */
function largeBmp(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(200_000);
  const view = new DataView(bytes.buffer);
  bytes.set([0x42, 0x4d]);
  view.setUint32(14, 40, true);
  view.setInt32(18, 12_000, true);
  view.setInt32(22, 11_000, true);
  return bytes;
}

/** A TIFF of 900 million pixels, of which there are few. */
const largeTiff = () =>
  tiffFile([[
    [0x0100, 3, 30_000],
    [0x0101, 3, 30_000],
    [0x0102, 3, 8],
    [0x0103, 3, 5],
    [0x0106, 3, 1],
    [0x0111, 4, { place: new Uint8Array(5_000) }],
    [0x0117, 4, 5_000],
  ]]);

/** A TIFF as fax machines store it. */
const fax = () =>
  tiffFile([[
    [0x0100, 3, 1_700],
    [0x0101, 3, 2_200],
    [0x0103, 3, 4],
    [0x0106, 3, 0],
    [0x0111, 4, { place: new Uint8Array(5_000) }],
    [0x0117, 4, 5_000],
  ]]);

/** A HEIC or AVIF that says that each of its sides has 30,000 pixels. */
async function enlarged(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await sampleBytes(`../pictures/${name}`);
  const text = new TextDecoder("latin1").decode(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (const { index } of text.matchAll(/ispe/g)) {
    view.setUint32(index + 8, 30_000);
    view.setUint32(index + 12, 30_000);
  }
  return bytes;
}

/** Files that are not drawn, in a row, and what is said of each. */
async function undrawable(): Promise<
  [name: string, bytes: Uint8Array<ArrayBuffer>, words: string][]
> {
  const cut = async (name: string, length: number) =>
    (await sampleBytes(name)).slice(0, length);
  const text = new TextEncoder().encode("This is a text, and no picture.");
  return [
    ["large.bmp", largeBmp(), TOO_LARGE],
    ["large.tif", largeTiff(), TOO_LARGE],
    ["large.heic", await enlarged("picture.heic"), TOO_LARGE],
    ["large.avif", await enlarged("picture.avif"), TOO_LARGE],
    ["cut.jpg", await cut("../pictures/baseline.jpg", 200), NOT_DRAWN],
    ["cut.png", await cut("../pictures/interlaced.png", 60), NOT_DRAWN],
    ["cut.webp", await cut("../pictures/transparent.webp", 24), NOT_DRAWN],
    ["cut.heic", await cut("../pictures/picture.heic", 500), NOT_DRAWN],
    ["cut.avif", await cut("../pictures/picture.avif", 60), NOT_DRAWN],
    ["cut.tif", await cut("../pictures/rgb.tif", 200), NOT_DRAWN],
    ["fax.tif", fax(), NO_PREVIEW],
    ["big.tif", utf8("II+\0\x08\0\0\0 and more"), NO_PREVIEW],
    ["text.jpg", text, NOT_DRAWN],
    ["empty.jpg", new Uint8Array(), NOT_DRAWN],
    ["drawing.psd", utf8("8BPS and more"), NO_PREVIEW],
    ["picture.jxl", new Uint8Array([0xff, 0x0a, 0, 0]), NO_PREVIEW],
    ["picture.jp2", utf8("no JPEG 2000"), NO_PREVIEW],
    [
      "drawing.svg",
      utf8("<svg xmlns='http://www.w3.org/2000/svg'/>"),
      NO_PREVIEW,
    ],
  ];
}

/** Walks over all of them, to and fro. */
async function walkUndrawable(page: Page): Promise<void> {
  const files = await undrawable();
  const large = page.locator(LARGE);
  const seen = async ([name, , words]: (typeof files)[number]) => {
    const message = large.getByText(words);
    await message.waitFor();
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
    // It slides in.
    await until(async () => {
      const box = await message.boundingBox();
      return box !== null && box.x >= 0 && box.y >= 0 &&
        box.x + box.width <= width && box.y + box.height <= height;
    }, true);
    assert.deepEqual(await scrolled(page), [0, 0], name);
  };
  for (const [at, file] of files.entries()) {
    if (at > 0) await page.keyboard.press("ArrowRight");
    await seen(file);
  }
  // By day a few on the way back.
  const back = files.toReversed().slice(1, BY_NIGHT ? undefined : 7);
  for (const file of back) {
    await page.keyboard.press("ArrowLeft");
    await seen(file);
  }
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
  // One that is cut off does no harm, and can still be saved.
  const large = page.locator(LARGE);
  await large.getByText("This browser cannot show this picture").waitFor();
  await large.getByRole("button", { name: "Download" }).waitFor();
  await expectAccessible(page);
  // The pictures before and after it stay where they belong.
  await page.keyboard.press("ArrowLeft");
  await drawn(page, "colours.tiff");
  await page.keyboard.press("ArrowRight");
  await large.getByText("This browser cannot show this picture").waitFor();
  assert.deepEqual(await scrolled(page), [0, 0]);
}

/** How far the stage scrolls where something tries to. */
async function scrolled(page: Page): Promise<number[]> {
  return await page.locator(".lightbox-stage").evaluate((element) => {
    const stage = element as unknown as {
      scrollLeft: number;
      scrollTop: number;
    };
    stage.scrollLeft += 100;
    stage.scrollTop += 100;
    return [stage.scrollLeft, stage.scrollTop];
  });
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
    if (!BY_NIGHT) return;
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.locator(".grid a").first().click();
      await leafThrough(page, "phone_dark");
    }, { ...PHONE, colorScheme: "dark" });
  },
);

// By day tests/clients/viewing_calls_test.ts: the page is told that it is still
// to be made, and the worker replaces it; lightbox_test.ts: the page makes those
// of what has none.
nightStory(
  "the small picture that EXIF had is replaced once a browser decodes the photo",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const jpeg = await sampleBytes("thumbnails/cat.jpg");
    await ada.library.take({
      source: plainOf(tiff(900, 600)),
      about: { name: "a.tiff", mime: "image/tiff", width: 900, height: 600 },
      // As large as a camera says it is.
      derivatives: [{
        kind: "thumbnail",
        mime: "image/jpeg",
        width: 160,
        height: 107,
        bytes: jpeg,
      }],
    });
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.locator(".grid a").first().click();
      assert.deepEqual(await drawn(page, "a.tiff"), [900, 600]);
      await page.keyboard.press("Escape");
      await until(async () => {
        await ada.library.sync();
        const [row] = ada.library.index.all();
        return row?.metadata?.derivatives.map(({ kind, width }) =>
          `${kind} ${width}`
        ).sort().join();
      }, "preview 900,thumbnail 512");
    });
  },
);

appStory(
  "every kind of file that is not drawn says why on the screen, and its neighbours stay where they belong",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const ids: string[] = [];
    for (const [at, [name, bytes]] of (await undrawable()).entries()) {
      const { row } = await ada.library.take({
        source: plainOf(bytes),
        about: {
          name,
          mime: mediaTypeOf(name),
          taken_at: `2024-06-${30 - at}T10:00:00Z`,
          // As whatever adds one reads them.
          ...(name.startsWith("large.") && { width: 30_000, height: 30_000 }),
        },
      });
      ids.push(row.id);
    }
    const { url: link } = await ada.library.share({ assetIds: ids });
    const photos = async (page: Page) => {
      await openPhotos(page, url, ada);
      await page.locator(".tile").filter({ hasText: "large.bmp" })
        .getByText("This picture is too large for a preview here").waitFor();
      await page.locator(".grid a").first().click();
      await walkUndrawable(page);
    };
    const shared = async (page: Page) => {
      await page.goto(link);
      await page.locator(".grid a").first().click();
      await walkUndrawable(page);
    };
    await visit(({ page }) => photos(page), PHONE);
    // By day the story above shows by a link why a file is not drawn.
    if (!BY_NIGHT) return;
    await visit(({ page }) => photos(page));
    await visit(({ page }) => shared(page), PHONE);
    await visit(({ page }) => shared(page));
  },
);
