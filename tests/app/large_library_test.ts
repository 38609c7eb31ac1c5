/**
 * A library that no window shows at once: gone through, and opened again
 * without a connection.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { seedLibrary } from "../../scripts/bench/seeded_library.ts";
import { PAGE_ENTRIES } from "../../src/library/rows/cursor.ts";
import { expectAccessible } from "../support/axe.ts";
import { until } from "../support/until.ts";
import {
  type AppStory,
  appStory,
  BY_NIGHT,
  nightStory,
} from "../support/web_app.ts";
import { openPhotos, photographer } from "../support/web_people.ts";

/** More than a page of the feed. */
const PHOTOS = BY_NIGHT ? 1_500 : 1_100;
const NEWEST = Date.UTC(2026, 5, 30);
/** Colours of a photo, as a thumbhash tells them. */
const COLOURS = Uint8Array.fromBase64("1QcSHQRnh493V4dIh4eXh1h4kJUI");

/** A person with photos of four years. */
async function collector({ url, dataDir }: AppStory) {
  const ada = await photographer(url, "ada");
  const ids = await seedLibrary({
    dataDir: `${dataDir}/data`,
    vault: ada.library.vault,
    count: PHOTOS,
    pictures: [
      { name: "cat.jpg", width: 451, height: 300 },
      { name: "coffee.jpg", width: 300, height: 450 },
    ].map(({ name, ...extent }) => ({
      ...extent,
      thumbnail: Deno.readFileSync(
        new URL(`../samples/thumbnails/${name}`, import.meta.url),
      ),
      thumbhash: COLOURS,
    })),
    newestMs: NEWEST,
    days: 4 * 365,
  });
  return { ...ada, ids };
}

const pictures = (page: Page) => page.locator(".grid .thumb");

/** As many pictures are in the page as tiles: nothing is left out. */
async function expectEveryPicture(page: Page): Promise<void> {
  await until(async () => {
    const tiles = await page.locator(".tile").count();
    return tiles > 4 && await pictures(page).count() === tiles;
  }, true);
}

/** Goes through all of it; the nodes that the page has in memory then. */
async function nodesAfterScrolling(page: Page): Promise<number> {
  await page.evaluate(`(async () => {
    scrollTo(0, 0);
    const end = document.documentElement.scrollHeight - innerHeight;
    while (scrollY < end - 1) {
      scrollBy(0, 600);
      await new Promise((done) => setTimeout(done, 40));
    }
  })()`);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("HeapProfiler.collectGarbage");
  const { nodes } = await cdp.send("Memory.getDOMCounters");
  await cdp.detach();
  return nodes;
}

appStory(
  "a new device shows no hidden photo, even while it asks for the others; a large library is gone through to its oldest photo, and few of it are in the page",
  async (story) => {
    const ada = await collector(story);
    // The first are there to be shown before a page of the feed is through.
    const told: number[] = [];
    await ada.library.sync({ onProgress: (rows) => told.push(rows) });
    assert((told[0] ?? Infinity) < 1_000, `${told}`);
    assert.equal(told.at(-1), PHOTOS);
    // The first photos are the newest of the first page of the feed, in which
    // there are a few other changes, too.
    const [newest = "", second = ""] = ada.ids;
    const ofPage = ada.ids.slice(PHOTOS - PAGE_ENTRIES);
    const hidden = ofPage.slice(0, 10);
    const [first = ""] = ofPage.slice(10);
    await ada.library.flags.change([newest, ...hidden], { hidden: true });
    let asked = 0;
    story.wire.holdWhere((head) =>
      head.startsWith("POST /v1/assets/query") && ++asked > 1
    );
    await story.visit(async ({ page }) => {
      await openPhotos(page, story.url, ada);
      const months = page.getByRole("slider");
      const tile = (id: string) => page.locator(`.tile [data-id="${id}"]`);
      // The other photos are still asked for.
      await tile(first).waitFor();
      await expectEveryPicture(page);
      const before = Number(await months.getAttribute("aria-valuemax"));
      assert(before < 20, `${before} months`);
      for (const id of hidden) {
        assert.equal(await tile(id).count(), 0, "it is hidden");
      }
      story.wire.holdWhere(() => false);
      await tile(second).waitFor();
      assert.equal(await tile(newest).count(), 0, "it is hidden");

      const month = () => months.getAttribute("aria-valuetext");
      await until(() => months.count(), 1);
      await until(() => months.getAttribute("aria-valuemax"), (max) => {
        return Number(max) >= 40;
      });
      await until(month, "June 2026");
      await expectEveryPicture(page);
      await expectAccessible(page);

      await page.locator(".grid a").first().focus();
      await page.keyboard.press("End");
      const oldest = ada.ids.at(-1) ?? "";
      const focused = () =>
        page.evaluate("document.activeElement.getAttribute('data-id')");
      await until(focused, oldest);
      await expectEveryPicture(page);
      const elements = await page.evaluate<number>(
        "document.querySelectorAll('*').length",
      );
      assert(elements < 1_500, `${elements} elements`);
      await page.keyboard.press("PageUp");
      await page.keyboard.press("PageDown");
      await until(focused, oldest);

      // A month that is typed, and months that are stepped through.
      await months.focus();
      await page.keyboard.type("march 2025");
      await until(month, "March 2025");
      await page.keyboard.press("ArrowDown");
      await until(month, "February 2025");
      await page.keyboard.press("PageUp");
      await until(month, "February 2026");
      await expectEveryPicture(page);
      await page.getByRole("combobox").fill("march 2025 mp4");
      await page.getByRole("combobox").press("Enter");
      await page.getByRole("heading", { name: "march 2025 mp4" }).waitFor();
      const kinds = page.locator(".grid a").first();
      await until(() => kinds.getAttribute("aria-label"), (label) => {
        return /^Video, March/.test(label ?? "");
      });
    });
  },
);

nightStory(
  "a link to many photos keeps nothing in memory that was scrolled past",
  async (story) => {
    const { library, ids: assetIds } = await collector(story);
    await library.sync();
    const { url } = await library.share({ assetIds });
    await story.visit(async ({ page }) => {
      await page.goto(url);
      await expectEveryPicture(page);
      const nodes = await nodesAfterScrolling(page);
      assert(nodes < 5_000, `${nodes} nodes`);
    });
  },
);

// By day installed_test.ts draws the pictures that were seen without a network,
// and lightbox_test.ts shows an original once it is back. Small pictures that
// were never seen come then by night only.
nightStory(
  "photos that were seen are there without a connection, and others come when it is back",
  async (story) => {
    const ada = await collector(story);
    await story.visit(async ({ page }) => {
      await openPhotos(page, story.url, ada);
      await expectEveryPicture(page);
      await until(() => page.getByRole("slider").count(), 1);
      await page.evaluate("navigator.serviceWorker.ready.then(() => {})");
      await page.waitForTimeout(1_000);

      story.wire.cut();
      await page.reload();
      await expectEveryPicture(page);
      await page.getByText("The server does not answer.").waitFor();
      // What was never seen has its colours, and no picture.
      await page.locator(".grid a").first().focus();
      await page.keyboard.press("End");
      await page.locator(".grid canvas").first().waitFor();
      await page.waitForTimeout(500);
      assert.equal(await pictures(page).count(), 0);

      story.wire.mend();
      await expectEveryPicture(page);
    }, { serviceWorkers: "allow" });
  },
);
