/**
 * Looking around in a 360° photo: marked in the list, found, opened and turned;
 * also from a link, and without WebGL.
 *
 * @module
 */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { plainOf } from "../../src/library/mod.ts";
import { fromBase64, toBase64 } from "../../src/core/bytes.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { withXmp } from "../support/motion_photos.ts";
import { pictureOf } from "../support/pictures.ts";
import { until } from "../support/until.ts";
import { appStory, BY_NIGHT, PHONE } from "../support/web_app.ts";
import { openPhotos, photographer } from "../support/web_people.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Runs in a page: a JPEG with a colour for each quarter of the horizon, white
 * above and black below. The seam is in the middle of the blue.
 */
const AROUND = `(async () => {
  const canvas = new OffscreenCanvas(2048, 1024);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const colours = ["#0000e0", "#e0e000", "#e00000", "#00a000", "#0000e0"];
  for (const [at, colour] of colours.entries()) {
    context.fillStyle = colour;
    context.fillRect(at * 512 - 256, 0, 512, 1024);
  }
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, 2048, 170);
  context.fillStyle = "#000000";
  context.fillRect(0, 854, 2048, 170);
  context.strokeStyle = "#80808080";
  for (let x = 0; x <= 2048; x += 64) context.strokeRect(x, 0, 0.5, 1024);
  for (let y = 0; y <= 1024; y += 64) context.strokeRect(0, y, 2048, 0.5);
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 1 });
  let text = "";
  for (const byte of new Uint8Array(await blob.arrayBuffer())) {
    text += String.fromCharCode(byte);
  }
  return btoa(text);
})()`;

/** A sphere as a camera writes it; only a part of it with `part`. */
function sphereOf(jpeg: Bytes, part = ""): Bytes {
  return withXmp(
    jpeg,
    `<rdf:Description rdf:about="" ` +
      `xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" ` +
      `GPano:ProjectionType="equirectangular" ${part}/>`,
  );
}

/** Half of the horizon, and of the height. */
const PART = `GPano:FullPanoWidthPixels="4096" ` +
  `GPano:FullPanoHeightPixels="2048" GPano:CroppedAreaLeftPixels="1024" ` +
  `GPano:CroppedAreaTopPixels="512" ` +
  `GPano:CroppedAreaImageWidthPixels="2048" ` +
  `GPano:CroppedAreaImageHeightPixels="1024"`;

/** Few pixels: without graphics the processor draws each of them. */
const SMALL = { width: 800, height: 500 };

const dialog = (page: Page) => page.getByRole("dialog", { name: "360° photo" });

/** The name of the colour that is seen at a share of the view. */
async function colourAt(page: Page, x = 0.5, y = 0.5): Promise<string> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  // One pixel: to draw and send all of them takes much of a processor.
  const clip = { x: x * width + 5, y: y * height + 5, width: 1, height: 1 };
  const picture = toBase64(await page.screenshot({ clip }));
  return String(
    await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob("${picture}"), (one) => one.charCodeAt());
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(1, 1);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(bitmap, 0, 0);
    const data = context.getImageData(0, 0, 1, 1).data;
    const [r, g, b] = [...data].map((one) => one > 110);
    return r && g && b ? "white" : r && g ? "yellow" : r ? "red" : g ? "green"
      : b ? "blue" : "black";
  })()`),
  );
}

/** Opens the sphere that is shown large, and waits for its picture. */
async function lookAround(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Look around" }).waitFor();
  await page.keyboard.press("l");
  await dialog(page).locator("canvas[data-shown=true]").waitFor();
}

/** Adds files in the app, and waits until they are in the list. */
async function add(
  page: Page,
  files: readonly (readonly [name: string, bytes: Bytes])[],
): Promise<void> {
  await page.locator("input[data-add=files]").setInputFiles(
    files.map(([name, buffer]) => ({
      name,
      mimeType: "image/jpeg",
      buffer: Buffer.from(buffer),
    })),
  );
  await until(() => page.locator(".grid a[data-id]").count(), files.length);
}

appStory(
  "a 360° photo is marked and found, and one looks around in it by keys, mouse, finger and buttons, also from a link",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, ada);
      const jpeg = fromBase64(String(await page.evaluate(AROUND)));
      assert(jpeg !== undefined);
      await add(page, [["around.jpg", sphereOf(jpeg)], ["flat.jpg", jpeg]]);

      // It is noted, so the list and the search know it.
      const tile = page.getByRole("link", { name: /^360° photo/ });
      await tile.waitFor();
      assert.equal(await page.getByText("360°", { exact: true }).count(), 1);
      await pictureOf(page, "sphere_grid");
      await page.goto(`${url}/#/search?q=360`);
      await tile.waitFor();
      await tile.click();
      const button = page.getByRole("button", { name: "Look around" });
      await button.waitFor();
      await expectAccessible(page);
      await pictureOf(page, "sphere_viewer");

      /** What Back would close, by the history. */
      const layer = () => page.evaluate("history.state?.layer");
      const below = await layer();
      await lookAround(page);
      await expectAccessible(page);
      await pictureOf(page, "sphere_ahead");
      await until(() => colourAt(page), "red");
      // Six steps are a right angle.
      for (let n = 0; n < 6; n++) await page.keyboard.press("ArrowRight");
      await until(() => colourAt(page), "green");
      for (let n = 0; n < 6; n++) await page.keyboard.press("ArrowRight");
      // Behind is the seam, and no line in it.
      await until(() => colourAt(page), "blue");
      await pictureOf(page, "sphere_behind");
      for (let n = 0; n < 6; n++) await page.keyboard.press("ArrowUp");
      await until(() => colourAt(page), "white");
      await pictureOf(page, "sphere_above");
      await page.keyboard.press("Home");
      await until(() => colourAt(page), "red");
      // What is below the mouse goes along.
      const { width, height } = page.viewportSize() ?? { width: 1, height: 1 };
      await page.mouse.move(width * 0.1, height / 2);
      await page.mouse.down();
      await page.mouse.move(width * 0.9, height / 2, { steps: 5 });
      await page.mouse.up();
      await until(() => colourAt(page), "yellow");
      await page.getByRole("button", { name: "Look right" }).focus();
      for (let n = 0; n < 6; n++) await page.keyboard.press("Enter");
      await until(() => colourAt(page), "red");
      // Farther away there is more than the red, and nearer only the red.
      await page.mouse.move(width / 2, height / 2);
      await page.mouse.wheel(0, 2_000);
      await until(() => colourAt(page, 0.05), "yellow");
      for (let n = 0; n < 8; n++) await page.keyboard.press("+");
      await until(() => colourAt(page, 0.05), "red");
      await page.keyboard.press("Escape");
      await dialog(page).waitFor({ state: "detached" });
      assert.equal(await button.count(), 1);
      // A browser goes back a moment later, and it has its entry after that.
      await until(layer, below);
      await page.keyboard.press("l");
      await dialog(page).waitFor();
      await until(async () => await layer() !== below, true);
      await page.goBack();
      await dialog(page).waitFor({ state: "detached" });
      assert.equal(await button.count(), 1);
      await page.keyboard.press("Escape");

      // Another photo has nothing of it.
      await page.goto(`${url}/#/search?q=flat`);
      // The list before may be there for a moment.
      await page.locator(".grid a[data-id]:not([aria-label^='360'])").click();
      await page.locator("img[data-of=original][alt='flat.jpg']").waitFor();
      assert.equal(await button.count(), 0);
      await page.keyboard.press("l");
      assert.equal(await dialog(page).count(), 0);
      // The driver without graphics complains that screenshots take time.
      const complaints = visitor.complaints.filter((one) =>
        !one.includes("GPU stall due to ReadPixels")
      );
      expectQuiet({ ...visitor, complaints }, new URL(url).origin);

      await library.sync();
      // By day src/media/pictures/sphere_view_test.ts: the view stays within a
      // part; tests/clients/within_photos_test.ts reads which part that is. By
      // night only: the viewer finds and draws it in another program's file.
      if (!BY_NIGHT) return;
      // Of another program, which noted nothing, the viewer sees it.
      const { row } = await library.take({
        source: plainOf(sphereOf(jpeg, PART)),
        about: { name: "part.jpg", mime: "image/jpeg" },
      });
      await page.goto(`${url}/#/photos/photo/${row.id}`);
      await lookAround(page);
      await pictureOf(page, "sphere_part");
      assert.equal(await colourAt(page), "red");
      // It ends where the picture ends.
      for (let n = 0; n < 30; n++) await page.keyboard.press("ArrowRight");
      await until(() => colourAt(page, 0.97), "blue");
      await pictureOf(page, "sphere_part_end");
    }, { viewport: SMALL });

    const [found] = library.list().filter(({ metadata }) =>
      metadata?.name === "around.jpg"
    );
    assert.deepEqual(found?.metadata?.inside, ["sphere"]);
    const { url: link } = await library.share({
      assetIds: [found?.id ?? ""],
    });
    await visit(async ({ page }) => {
      await page.addInitScript(() => {
        const { HTMLCanvasElement: Canvas } = globalThis as unknown as {
          HTMLCanvasElement: { prototype: { getContext: unknown } };
        };
        Canvas.prototype.getContext = () => null;
      });
      await page.goto(link);
      await page.locator(".grid a").first().click();
      await page.getByRole("button", { name: "Look around" }).click();
      await page.getByText("This browser cannot show 360° photos").waitFor();
      await expectAccessible(page);
      await pictureOf(page, "sphere_no_webgl");
    });
    // By day a link offers to look around. By night only: it draws what one
    // sees there, on a phone, by touches.
    if (!BY_NIGHT) return;
    await visit(async ({ page }) => {
      await page.goto(link);
      await page.locator(".grid a").first().tap();
      await page.getByRole("button", { name: "Look around" }).tap();
      await dialog(page).locator("canvas[data-shown=true]").waitFor();
      await expectAccessible(page);
      await pictureOf(page, "sphere_phone_dark");
      assert.equal(await colourAt(page), "red");
      await page.getByRole("button", { name: "Look left" }).tap();
      await page.getByRole("button", { name: "Back to the photo" }).tap();
      await dialog(page).waitFor({ state: "detached" });
    }, { ...PHONE, colorScheme: "dark" });
  },
);
