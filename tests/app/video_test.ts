/**
 * Videos that play and are seeked before they are whole, over https's equal and
 * on plain http; live photos; and what is damaged, which is told.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { plainOf, type Row } from "../../src/library/mod.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet, type Visitor } from "../support/browser.ts";
import { appStory } from "../support/web_app.ts";
import {
  openPhotos,
  type Photographer,
  photographer,
  sample,
} from "../support/web_people.ts";
import { FFMPEG, madeVideo, VIDEO_SECONDS } from "../support/videos.ts";
import { damageBlob } from "../support/storage.ts";
import { until } from "../support/until.ts";

const LARGE = ".lightbox-slide[data-offset='0']";
const PLAYER = `${LARGE} video`;

/** What is used of a player, whose type tests do not have. */
interface Player {
  readonly dataset: { readonly way: string };
  readonly duration: number;
  readonly seeking: boolean;
  readonly paused: boolean;
  readonly readyState: number;
  readonly buffered: {
    readonly length: number;
    start(n: number): number;
    end(n: number): number;
  };
  currentTime: number;
  play(): Promise<void>;
}

/** What a player says of itself. */
function playing(page: Page) {
  return page.locator(PLAYER).evaluate((element) => {
    const { buffered, currentTime, duration, dataset } =
      element as unknown as Player;
    let there = 0;
    for (let n = 0; n < buffered.length; n++) {
      there += buffered.end(n) - buffered.start(n);
    }
    return { way: dataset.way, at: currentTime, seconds: duration, there };
  });
}

/** Waits until a picture of a second, or a later one, is there. */
async function shown(page: Page, seconds = 0): Promise<void> {
  await page.waitForFunction(({ selector, seconds }) => {
    const { document } = globalThis as unknown as {
      document: { querySelector(selector: string): Player | null };
    };
    const player = document.querySelector(selector);
    return player !== null && !player.seeking && player.readyState >= 2 &&
      player.currentTime >= seconds;
  }, { selector: PLAYER, seconds });
}

function seek(page: Page, seconds: number): Promise<void> {
  return page.locator(PLAYER).evaluate((player, at) => {
    (player as unknown as Player).currentTime = at;
  }, seconds);
}

async function putVideo({ library }: Photographer): Promise<Row> {
  const { row } = await library.take({
    source: plainOf(await madeVideo()),
    about: {
      name: "holiday.mp4",
      mime: "video/mp4",
      taken_at: "2024-06-12T10:00:00Z",
      duration_ms: VIDEO_SECONDS * 1_000,
    },
  });
  return row;
}

/** Changes a byte in the middle of an original, where the server keeps it. */
async function damage(dataDir: string, { blobs }: Row): Promise<void> {
  const original = blobs.find(({ role }) => role === "original");
  assert(original !== undefined);
  await damageBlob(
    { dataDir: `${dataDir}/data` },
    original.hash,
    "a flipped byte",
  );
}

/** Waits until the service worker has the files and serves the page. */
async function served(page: Page): Promise<void> {
  await until(
    () => page.evaluate("navigator.serviceWorker.controller !== null"),
    true,
  );
}

/** Opens the video, and goes to its end before it is there. */
async function seeks(page: Page, way: string): Promise<void> {
  await page.locator(".grid a").first().click();
  await page.locator(PLAYER).waitFor();
  await shown(page);
  // It plays at once.
  await page.getByRole("button", { name: "Pause" }).click();
  const first = await playing(page);
  assert.equal(first.way, way);
  // Each repetition rounds a little.
  const off = Math.abs(first.seconds - VIDEO_SECONDS);
  assert(off < 1 + VIDEO_SECONDS / 100, `${first.seconds} s`);
  assert(first.there < VIDEO_SECONDS / 2, `${first.there} s are there`);
  const wanted = VIDEO_SECONDS - 15;
  await seek(page, wanted);
  await shown(page, wanted);
  const then = await playing(page);
  assert(Math.abs(then.at - wanted) < 1, `${then.at} s`);
  assert(then.there < VIDEO_SECONDS * 0.8, `${then.there} s are there`);
  await page.locator(PLAYER).evaluate((player) =>
    (player as unknown as Player).play()
  );
  await shown(page, wanted + 0.3);
}

/** Opens the video with a finger: it plays, and the finger shows it alone. */
async function plays(
  page: Page,
  url: string,
  ada: Photographer,
): Promise<void> {
  await openPhotos(page, url, ada);
  await page.locator(".grid a").first().tap();
  await shown(page, 0.2);
  const { x = 0, y = 0, width = 0, height = 0 } =
    await page.locator(PLAYER).boundingBox() ?? {};
  assert.deepEqual([x + width / 2, y + height / 2], [195, 422]);
  for (const bare of ["true", "false"]) {
    await page.touchscreen.tap(195, 300);
    await page.locator(`.lightbox[data-bare=${bare}]`).waitFor();
  }
  const isPaused = () =>
    page.locator(PLAYER).evaluate((one) => (one as unknown as Player).paused);
  assert.equal(await isPaused(), false);
  await page.getByRole("button", { name: "Pause" }).tap();
  await expectAccessible(page);
  assert.equal(await isPaused(), true);
  await page.getByRole("button", { name: "Picture in picture" }).waitFor();
  // The large button, where the picture is.
  await page.touchscreen.tap(195, 422);
  await page.getByRole("button", { name: "Pause" }).waitFor();
}

/** An uploaded file is no page, no script and no answer of this origin. */
async function isNoDocument(
  { context, page }: Visitor,
  { href }: URL,
): Promise<void> {
  const tab = await context.newPage();
  // An answer without content is an error page of the browser's own.
  const gone = await tab.goto(href).catch(() => undefined);
  assert.equal(gone?.status() ?? 404, 404);
  await tab.close();
  const status = await page.evaluate(
    async (address) => (await fetch(address)).status,
    href,
  );
  assert.equal(status, 404);
}

appStory(
  "a video is seeked before it is whole, with a service worker and on plain http",
  async ({ url, lanUrl, visit }) => {
    const ada = await photographer(url, "ada");
    const video = await putVideo(ada);
    await visit(({ page }) => plays(page, url, ada), {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    for (const [at, way] of [[url, "stream"], [lanUrl, "remux"]] as const) {
      await visit(async (visitor) => {
        const { page } = visitor;
        await openPhotos(page, at, ada);
        if (way === "stream") await served(page);
        await seeks(page, way);
        await isNoDocument(visitor, new URL(`/app/stream/${video.id}`, at));
        await expectAccessible(page);
        // Chromium complains of the answers that were asked for last.
        const others = visitor.complaints.filter((one) => !/404/.test(one));
        expectQuiet({ ...visitor, complaints: others }, new URL(at).origin);
      }, { serviceWorkers: "allow" });
    }
  },
  {},
  FFMPEG !== "",
);

appStory(
  "what the server damaged is told, and never shown; a live photo plays",
  async ({ url, dataDir, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    const cat = await sample("cat.jpg", { taken_at: "2024-06-12T10:00:00Z" });
    const [thumbnail] = cat.derivatives ?? [];
    assert(thumbnail !== undefined);
    const motion = await Deno.readFile(
      new URL("../support/media/android.mp4", import.meta.url),
    );
    await library.take({
      ...cat,
      derivatives: [
        thumbnail,
        { kind: "motion", mime: "video/mp4", bytes: motion },
      ],
    });
    const hubble = await library.take(
      await sample("hubble-deep-field.jpg", {
        taken_at: "2024-06-11T10:00:00Z",
      }),
    );
    await damage(dataDir, hubble.row);
    await damage(dataDir, await putVideo(ada));
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, ada);
      await page.locator(".grid a[aria-label^=Live]").click();
      await page.locator(`${LARGE} [data-of=original]`).waitFor();
      await page.getByRole("button", { name: "Play the live photo" }).focus();
      await page.keyboard.press("Enter");
      await page.locator(`${LARGE} video`).waitFor();
      await expectAccessible(page);

      await page.keyboard.press("End");
      const large = page.locator(LARGE);
      const told = "The original on the server is damaged";
      await large.getByText(told).waitFor();
      assert.equal(await large.locator("[data-of=original]").count(), 0);
      await expectAccessible(page);

      await page.keyboard.press("Escape");
      await page.locator(".grid a[aria-label^=Video]").click();
      await shown(page);
      await seek(page, VIDEO_SECONDS / 2);
      await large.getByText("The file is damaged").waitFor();
      assert.equal(await page.locator(PLAYER).count(), 0);
    }, { serviceWorkers: "allow" });
  },
  {},
  FFMPEG !== "",
);
