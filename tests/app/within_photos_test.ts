/**
 * What a photo has in addition to its picture: the video of a motion photo.
 *
 * @module
 */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { plainOf } from "../../src/library/mod.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { motionPhoto, samsungMotion } from "../support/motion_photos.ts";
import { pictureOf } from "../support/pictures.ts";
import { sampleBytes } from "../support/samples.ts";
import { until } from "../support/until.ts";
import { FFMPEG, shortVideo } from "../support/videos.ts";
import { appStory, BY_NIGHT, nightStory, PHONE } from "../support/web_app.ts";
import { openPhotos, photographer } from "../support/web_people.ts";

const LARGE = ".lightbox-slide[data-offset='0']";

/** The original of a photo on the stage. */
function original(page: Page, name: string) {
  return page.locator(`${LARGE} img[data-of=original][alt='${name}']`);
}

/** Presses the mark, and waits until a picture of the video is there. */
async function play(page: Page): Promise<void> {
  const mark = page.getByRole("button", { name: "Play the live photo" });
  // A mouse that stays over it would play the next one at once.
  await mark.focus();
  await page.keyboard.press("Enter");
  const video = page.locator("video.lightbox-picture");
  await video.waitFor();
  await until(
    () =>
      video.evaluate((element) => {
        const { videoWidth, currentTime } = element as unknown as {
          readonly videoWidth: number;
          readonly currentTime: number;
        };
        return videoWidth === 480 && currentTime > 0;
      }),
    true,
  );
  await page.keyboard.press("Enter");
  await page.locator("video.lightbox-picture").waitFor({ state: "detached" });
}

/** Goes through the photos, and plays those that have a video. */
async function leafThrough(page: Page, pictures: string): Promise<void> {
  await page.locator(".grid a").first().click();
  await original(page, "galaxy.jpg").waitFor();
  await play(page);
  await page.keyboard.press("ArrowRight");
  await original(page, "pixel.MP.jpg").waitFor();
  await play(page);
  await expectAccessible(page);
  await pictureOf(page, `motion_photo_${pictures}`);
  await page.keyboard.press("ArrowRight");
  await original(page, "still.jpg").waitFor();
  assert.equal(await page.locator(".lightbox-live").count(), 0);
}

appStory(
  "a motion photo of an Android phone plays the video that is in it",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const video = await shortVideo();
    const files = [
      ["galaxy.jpg", samsungMotion(await sampleBytes("cat.jpg"), video)],
      ["pixel.MP.jpg", motionPhoto(await sampleBytes("rocket.jpg"), video)],
      ["still.jpg", await sampleBytes("coffee.jpg")],
    ] as const;
    const ids: string[] = [];
    for (const [at, [name, bytes]] of files.entries()) {
      const { row } = await ada.library.take({
        source: plainOf(bytes),
        about: {
          name,
          mime: "image/jpeg",
          taken_at: `2026-03-0${9 - at}T12:00:00Z`,
        },
      });
      ids.push(row.id);
    }
    const { url: link } = await ada.library.share({ assetIds: ids });
    await visit(async (visitor) => {
      await openPhotos(visitor.page, url, ada);
      await leafThrough(visitor.page, "desktop");
      expectQuiet(visitor, new URL(url).origin);
    });
    // By day undrawn_test.ts shows originals by a link. By night only: a live
    // photo plays there, and on a phone.
    if (!BY_NIGHT) return;
    await visit(async ({ page }) => {
      await page.goto(link);
      await leafThrough(page, "link");
    });
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await leafThrough(page, "phone_dark");
    }, { ...PHONE, colorScheme: "dark" });
  },
  {},
  FFMPEG !== "",
);

// By day tests/clients/within_photos_test.ts: what is inside is among the facts
// that are noted. The search, and what the viewer says of an edit, are shown by
// night only.
nightStory(
  "a motion photo that is added is marked and found, and says that an edit is not of its video",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    const video = await shortVideo();
    const bytes = motionPhoto(await sampleBytes("rocket.jpg"), video);
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.locator("input[data-add=files]").setInputFiles([{
        name: "pixel.MP.jpg",
        mimeType: "image/jpeg",
        buffer: Buffer.from(bytes),
      }]);
      await page.getByRole("link", { name: /^Live photo/ }).waitFor();
      await page.goto(`${url}/#/search?q=live`);
      await page.getByRole("link", { name: /^Live photo/ }).click();
      await original(page, "pixel.MP.jpg").waitFor();
      await play(page);

      await until(async () => {
        await library.sync();
        return library.list()[0]?.metadata?.inside?.join();
      }, "video");
      await page.keyboard.press("e");
      const editor = page.getByRole("dialog", { name: "Edit photo" });
      await editor.getByRole("button", { name: "Turn right" }).click();
      await editor.getByRole("button", { name: "Save" }).click();
      await editor.waitFor({ state: "detached" });
      const mark = page.getByRole("button", {
        name: "Play the live photo as it was taken, without the edits",
      });
      await mark.waitFor();
      assert.equal((await mark.innerText()).trim(), "Live, unedited");
      await pictureOf(page, "motion_photo_edited");
    });
  },
  {},
  FFMPEG !== "",
);

/** Runs in a page: clicks say nothing of the pointer, as in Safari 17. */
const PLAIN_CLICKS = `
addEventListener("click", (event) => {
  if (!(event instanceof PointerEvent)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const { bubbles, cancelable, detail } = event;
  event.target.dispatchEvent(
    new MouseEvent("click", { bubbles, cancelable, detail }));
}, true)`;

appStory(
  "a mouse plays a live photo and a video where a click says nothing of the pointer, too",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const film = await shortVideo();
    await ada.library.take({
      source: plainOf(motionPhoto(await sampleBytes("rocket.jpg"), film)),
      about: {
        name: "pixel.MP.jpg",
        mime: "image/jpeg",
        taken_at: "2026-03-02T12:00:00Z",
      },
    });
    await ada.library.take({
      source: plainOf(film),
      about: {
        name: "lake.mp4",
        mime: "video/mp4",
        taken_at: "2026-03-01T12:00:00Z",
      },
    });
    await visit(async ({ page }) => {
      await page.addInitScript(PLAIN_CLICKS);
      await openPhotos(page, url, ada);
      await page.locator(".grid a").first().click();
      await original(page, "pixel.MP.jpg").waitFor();
      const mark = page.getByRole("button", { name: "Play the live photo" });
      await mark.click();
      await page.locator("video.lightbox-picture").waitFor();
      await mark.click();
      await until(() => mark.getAttribute("aria-pressed"), "true");
      await page.mouse.move(5, 300);
      await page.locator("video.lightbox-picture").waitFor({
        state: "detached",
      });
      await page.keyboard.press("ArrowRight");
      const pause = page.getByRole("button", { name: "Pause" });
      await pause.waitFor();
      await page.locator(`${LARGE} .video-cover`).click();
      await pause.waitFor({ state: "detached" });
    });
  },
  {},
  FFMPEG !== "",
);
