/**
 * Streets on the map, from a file of the operator's.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { plainOf } from "../../src/library/mod.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { mapAround } from "../support/map_file.ts";
import { pictureOf } from "../support/pictures.ts";
import { sampleBytes } from "../support/samples.ts";
import { until } from "../support/until.ts";
import { appStory, nightStory, PHONE } from "../support/web_app.ts";
import { openPhotos, photographer } from "../support/web_people.ts";

const BELLAGIO = { latitude: 45.987, longitude: 9.261 };
const FILE = "/app/map.pmtiles";

const FOLDER = await Deno.makeTempDir({ prefix: "strongroom-map-" });
const MAP = `${FOLDER}/streets.pmtiles`;
Deno.test.afterAll(() => Deno.remove(FOLDER, { recursive: true }));

/** A person with three photos of one place and one of another, at the map. */
async function openMap(page: Page, url: string): Promise<void> {
  const ada = await photographer(url, "ada");
  const cat = await sampleBytes("thumbnails/cat.jpg");
  const lisbon = { latitude: 38.72, longitude: -9.14 };
  for (
    const [name, place] of Object.entries({
      a: BELLAGIO,
      bb: BELLAGIO,
      // A few houses further on.
      ccc: { latitude: 45.9872, longitude: 9.2613 },
      dddd: lisbon,
    })
  ) {
    await ada.library.take({
      // What stands after the picture makes it another file.
      source: plainOf(new Uint8Array([...cat, name.length])),
      about: {
        name,
        mime: "image/jpeg",
        taken_at: "2024-06-12T10:00:00Z",
        place,
      },
    });
  }
  await openPhotos(page, url, ada);
  await page.getByRole("link", { name: "Albums" }).first().click();
  await page.getByRole("link", { name: "Map" }).click();
  await page.getByRole("link", { name: "Show 4 photos from here" }).waitFor();
}

/** Runs in a page: how many colours the map has. */
const COLOURS = `(() => {
  const colours = new Set();
  for (const drawn of document.querySelectorAll(".map-world canvas")) {
    const { width, height } = drawn;
    if (width === 0 || height === 0) continue;
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(drawn, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    // Each fourth pixel; a street is wider.
    for (let at = 0; at < data.length; at += 16) {
      colours.add(data[at] << 16 | data[at + 1] << 8 | data[at + 2]);
    }
  }
  return colours.size;
})()`;

async function coloursOf(page: Page): Promise<number> {
  return Number(await page.evaluate(COLOURS));
}

appStory(
  "streets come from the operator's file after a person turns them on, without a request to another server",
  async ({ url, visit }) => {
    await Deno.writeFile(MAP, mapAround(BELLAGIO));
    await visit(async (visitor) => {
      const { page, requests } = visitor;
      const ranges: (string | undefined)[] = [];
      page.on("request", (request) => {
        if (!request.url().endsWith(FILE)) return;
        ranges.push(request.headers()["range"]);
      });
      await openMap(page, url);
      const streets = page.getByRole("checkbox", { name: "Show streets" });
      await streets.waitFor();
      await page.getByText("Your server then sees which parts").waitFor();
      assert.equal(await streets.isChecked(), false);
      assert.deepEqual(
        requests.filter((one) => /pmtiles|streets/.test(one)),
        [],
        "nothing of streets is fetched before they are chosen",
      );
      await streets.check();
      await page.getByRole("link", { name: "© OpenStreetMap" }).waitFor();
      await expectAccessible(page);
      // Photos are on it as ever, and come apart deeper than on the other map.
      const three = page.getByRole("button", { name: "3 photos" });
      await three.click();
      await page.getByRole("button", { name: "2 photos" }).waitFor();
      await until(async () => await coloursOf(page) > 4, true);
      assert(ranges.length > 3, "the file is read");
      for (const range of ranges) {
        assert.match(range ?? "", /^bytes=\d+-\d+$/, "only parts are read");
      }
      await page.locator(".map-world").focus();
      await page.keyboard.press("-");
      await page.keyboard.press("-");
      await three.waitFor();

      // The choice is this browser's.
      await page.reload();
      await page.getByRole("link", { name: "© OpenStreetMap" }).waitFor();
      await three.click();
      // The map moves there slowly: what is unchecked midway stays above.
      await page.getByRole("button", { name: "2 photos" }).waitFor();
      await until(async () => await coloursOf(page) > 4, true);
      await streets.uncheck();
      await page.getByRole("link", { name: "© OpenStreetMap" }).waitFor({
        state: "detached",
      });
      // So deep in a country there is nothing else.
      await until(async () => await coloursOf(page) <= 2, true);
      const before = ranges.length;
      await page.getByRole("button", { name: "Zoom in" }).click();
      await page.getByRole("button", { name: "Show all places" }).click();
      await page.getByRole("link", { name: "Show 4 photos from here" })
        .waitFor();
      assert.equal(ranges.length, before, "nothing more is read of it");
      expectQuiet(visitor, new URL(url).origin);
    });
  },
  { STRONGROOM_MAP_FILE: MAP },
);

/** Runs in a page: how bright the map is on average, 0 to 255. */
const BRIGHTNESS = `(() => {
  let [sum, count] = [0, 0];
  for (const drawn of document.querySelectorAll(".map-world canvas")) {
    const { width, height } = drawn;
    if (width === 0 || height === 0) continue;
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(drawn, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    for (let at = 0; at < data.length; at += 64) {
      if (data[at + 3] < 255) continue;
      sum += data[at] + data[at + 1] + data[at + 2];
      count += 3;
    }
  }
  return sum / count;
})()`;

nightStory(
  "streets are drawn on a phone, and dark where the app is dark",
  async ({ url, visit }) => {
    await Deno.writeFile(MAP, mapAround(BELLAGIO));
    await visit(async (visitor) => {
      const { page } = visitor;
      await openMap(page, url);
      await page.getByRole("checkbox", { name: "Show streets" }).check();
      await page.getByRole("link", { name: "© OpenStreetMap" }).waitFor();
      await page.getByRole("button", { name: "3 photos" }).click();
      await page.getByRole("button", { name: "2 photos" }).waitFor();
      await until(async () => await coloursOf(page) > 4, true);
      await until(
        async () => Number(await page.evaluate(BRIGHTNESS)) < 100,
        true,
      );
      await expectAccessible(page);
      await pictureOf(page, "streets_phone_dark");
      await page.emulateMedia({ colorScheme: "light" });
      await until(
        async () => Number(await page.evaluate(BRIGHTNESS)) > 155,
        true,
      );
      // It is where it was.
      await page.getByRole("button", { name: "2 photos" }).waitFor();
      await pictureOf(page, "streets_phone");
      expectQuiet(visitor, new URL(url).origin);
    }, { ...PHONE, colorScheme: "dark" });
  },
  { STRONGROOM_MAP_FILE: MAP },
);

// By day tests/app/map_file_test.ts offers none without a file, and the map of
// places_test.ts has no choice of them.
nightStory(
  "without a file the map offers no streets",
  async ({ url, visit }) => {
    await visit(async (visitor) => {
      const { page, requests } = visitor;
      const asked = page.waitForResponse((response) =>
        response.url().endsWith("/app/map.json")
      );
      await openMap(page, url);
      assert.deepEqual(await (await asked).json(), { streets: false });
      await page.getByRole("button", { name: "3 photos" }).waitFor();
      assert.equal(await page.getByRole("checkbox").count(), 0);
      assert.deepEqual(requests.filter((one) => one.endsWith(FILE)), []);
      expectQuiet(visitor, new URL(url).origin);
    });
  },
);
