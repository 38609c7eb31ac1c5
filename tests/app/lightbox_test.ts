/**
 * One photo large: looked at, told of, and left again.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { plainOf } from "../../src/library/mod.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet, type Visitor } from "../support/browser.ts";
import {
  addPhotos,
  appStory,
  expectMissing,
  nightStory,
} from "../support/web_app.ts";
import { sampleBytes } from "../support/samples.ts";
import { until } from "../support/until.ts";
import {
  openPhotos,
  type Photographer,
  photographer,
  sample,
} from "../support/web_people.ts";

const LARGE = ".lightbox-slide[data-offset='0']";

const media = (name: string) =>
  Deno.readFile(new URL(`../support/media/${name}`, import.meta.url));

/** A file that a browser knows by its name and media type alone. */
async function put(
  { library }: Photographer,
  name: string,
  mime: string,
  content: string | Uint8Array<ArrayBuffer>,
  taken_at: string,
): Promise<void> {
  const bytes = typeof content === "string"
    ? new TextEncoder().encode(content)
    : content;
  await library.take({
    source: plainOf(bytes),
    about: { name, mime, taken_at },
  });
}

/** A PNG of 31 KB that says that it has 268 megapixels. */
function swelling(): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(31_000);
  file.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
  file.set(new TextEncoder().encode("IHDR"), 12);
  const view = new DataView(file.buffer);
  view.setUint32(16, 16_384);
  view.setUint32(20, 16_384);
  file.set([8, 2], 24);
  return file;
}

/** Waits until the original of the photo is on the stage. */
async function original(page: Page): Promise<void> {
  await page.locator(`${LARGE} [data-of=original]`).waitFor();
}

const isFull = (page: Page) =>
  page.evaluate<boolean>("document.fullscreenElement !== null");

/** Runs in the page: how an icon is filled. */
function fillOf(icon: unknown): string {
  const { getComputedStyle } = globalThis as unknown as {
    getComputedStyle(element: unknown): { fill: string };
  };
  return getComputedStyle(icon).fill;
}

const place = (page: Page) =>
  page.getByRole("dialog", { name: "Photo" }).getByText(/ · \d+ of \d+$/);

appStory(
  "an opened photo is large, keys show the next one, and closing it keeps the scroll position",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    await ada.library.take(
      await sample("cat.jpg", {
        taken_at: "2024-06-12T10:00:00Z",
        taken_offset: 120,
        camera: { make: "Canon", model: "EOS 550D", lens: "EF 50mm" },
        place: { latitude: 47.3769, longitude: -8.5417 },
        width: 451,
        height: 300,
      }),
    );
    await ada.library.take(
      await sample("coffee.jpg", { taken_at: "2024-06-11T10:00:00Z" }),
    );
    await ada.library.take(
      await sample("rocket.jpg", { taken_at: "2024-06-10T10:00:00Z" }),
    );
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, ada);
      await page.locator(".grid a").first().click();
      await original(page);
      await place(page).filter({ hasText: "1 of 3" }).waitFor();
      await expectAccessible(page);

      // A photo has an address, which a reload keeps.
      await page.keyboard.press("End");
      await place(page).filter({ hasText: "3 of 3" }).waitFor();
      await page.keyboard.press("ArrowLeft");
      await place(page).filter({ hasText: "2 of 3" }).waitFor();
      const address = page.url();
      await page.reload();
      await original(page);
      assert.equal(page.url(), address);
      await place(page).filter({ hasText: "2 of 3" }).waitFor();

      // The page behind is out of reach, and does not scroll.
      await until(() => page.locator(".shell").getAttribute("inert"), "");
      await page.mouse.move(600, 400);
      await page.mouse.wheel(0, -400);
      await page.locator(`${LARGE} .lightbox-hold[style*=scale]`).waitFor();
      await page.keyboard.press("Escape");
      await page.locator(`${LARGE} .lightbox-hold:not([style*=scale])`)
        .waitFor();

      await page.keyboard.press("Home");
      await place(page).filter({ hasText: "1 of 3" }).waitFor();
      await page.keyboard.press("i");
      const about = page.getByRole("complementary", { name: "Information" });
      for (
        const text of [
          "Wednesday, June 12, 2024 at 12:00 PM UTC+02:00",
          "Canon EOS 550D",
          "EF 50mm",
          "cat.jpg",
          "47.3769° N, 8.5417° W",
          "Not in any album",
        ]
      ) await about.getByText(text, { exact: true }).waitFor();
      // No map is asked before a person follows the link to it.
      const map = about.getByRole("link", { name: "Show on OpenStreetMap" });
      assert.equal(
        await map.getAttribute("href"),
        "https://www.openstreetmap.org/?mlat=47.3769&mlon=-8.5417" +
          "#map=15/47.3769/-8.5417",
      );
      assert.equal(await map.getAttribute("rel"), "noopener noreferrer");
      await about.getByRole("button", { name: "Copy the coordinates" })
        .click();
      await page.getByText("Coordinates copied").waitFor();
      await expectAccessible(page);

      await about.getByLabel("Caption").fill("Chelsea");
      await about.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved", { exact: true }).waitFor();
      await about.getByLabel("Change date and time").click();
      const day = about.getByLabel("Date", { exact: true });
      await day.fill("");
      await about.getByRole("button", { name: "Save" }).click();
      await expectMissing(page, day);
      await day.fill("1700-01-01");
      await about.getByRole("button", { name: "Save" }).click();
      await about.getByText("This doesn't look right.").waitFor();
      await day.fill("2023-01-02");
      await about.getByLabel("Time zone").selectOption("UTC−05:00");
      await expectAccessible(page);
      await about.getByRole("button", { name: "Save" }).click();
      await about.getByText("Set by you").waitFor();

      // It is now the last of its list, and what Back goes to is its tile.
      await place(page).filter({ hasText: "3 of 3" }).waitFor();
      // What was typed is not lost when the panel is closed without a Save.
      await about.getByLabel("Caption").fill("Chelsea, asleep");
      await about.getByRole("button", { name: "Close" }).click();
      await page.locator(".lightbox-below", { hasText: "Chelsea, asleep" })
        .waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog", { name: "Photo" }).waitFor({
        state: "detached",
      });
      await page.locator(".grid a[href*=photo]:focus").waitFor();
      await page.locator(".grid a:focus").press("Enter");
      await original(page);
      await place(page).filter({ hasText: "3 of 3" }).waitFor();
      await page.goBack();
      await page.locator(".shell:not([inert])").waitFor();
      expectQuiet(visitor, new URL(url).origin);
    });
    await ada.library.sync();
    const cat = ada.library.list().find(({ metadata }) =>
      metadata?.name === "cat.jpg"
    );
    assert.equal(cat?.metadata?.caption, "Chelsea, asleep");
    assert.equal(cat?.metadata?.taken_at, "2023-01-02T17:00:00.000Z");
    assert.equal(cat?.metadata?.taken_offset, -300);
  },
);

appStory(
  "whatever a file says that it is, it stays a file",
  async ({ lanUrl, url, visit }) => {
    const eve = await photographer(url, "eve");
    const script = "<script>top.hacked = 1</script>";
    // A leap second, which many parsers do not take.
    await put(eve, "-\u009b\uffff.txt", "\u0001", "x", "2016-12-31T23:59:60Z");
    await put(eve, "a.html", "text/html", script, "2024-01-09T00:00:00Z");
    await put(
      eve,
      "b.svg",
      "image/svg+xml",
      `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" onload="top.hacked = 1">${script}<image href="https://evil.example/x.png"/><rect width="40" height="30"/></svg>`,
      "2024-01-08T00:00:00Z",
    );
    await put(
      eve,
      `<img src=x onerror=top.hacked=1>\u202egpj.exe`,
      "image/jpeg",
      `\xff\xd8\xff${script}`,
      "2024-01-07T00:00:00Z",
    );
    await put(
      eve,
      "d.heic",
      "image/heic",
      await media("camera.heic"),
      "2024-01-06T00:00:00Z",
    );
    await put(
      eve,
      "e.pdf",
      "application/pdf",
      `%PDF-1.4${script}`,
      "2024-01-05T00:00:00Z",
    );
    await put(
      eve,
      "f.mp4",
      "video/mp4",
      `ftyp${script}`,
      "2024-01-04T00:00:00Z",
    );
    const html = new TextEncoder().encode(`<!doctype html>${script}`);
    await eve.library.take({
      source: plainOf(swelling()),
      about: {
        name: "g.png",
        mime: "image/png",
        taken_at: "2024-01-03T00:00:00Z",
      },
      derivatives: (["thumbnail", "preview"] as const).map((kind) => ({
        kind,
        mime: "text/html",
        bytes: html,
        width: 512,
        height: 384,
      })),
    });
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, lanUrl, eve);
      await page.locator(".grid a").first().click();
      const large = page.locator(LARGE);
      await large.getByText(script).waitFor();
      await expectAccessible(page);
      await page.keyboard.press("ArrowRight");
      // Neither drawn nor opened: it could hold scripts.
      await large.getByText("b.svg").waitFor();
      await page.keyboard.press("ArrowRight");
      await large.getByText("This browser cannot show this picture").waitFor();
      await expectAccessible(page);
      await page.keyboard.press("ArrowRight");
      // HEIC, which this browser does not know, comes of libheif.
      await large.locator("img[data-of=original]").waitFor();
      await page.keyboard.press("ArrowRight");
      await large.getByText("e.pdf").waitFor();
      assert.equal(await large.getByRole("link", { name: "Open" }).count(), 0);
      await expectAccessible(page);
      await page.keyboard.press("ArrowRight");
      await large.getByText("This browser cannot play this video").waitFor();
      await page.keyboard.press("ArrowRight");
      // 31 KB that would take a gibibyte to decode, behind a document.
      await large.getByText("This picture is too large for a preview")
        .waitFor();
      // What was decoded once has a small picture from then on.
      await page.keyboard.press("Escape");
      await page.locator(".grid a[aria-label*='Jan'] img").first().waitFor();
      // Whatever can be opened in a tab of its own is a picture there.
      const types = await page.evaluate(() =>
        [...(globalThis as unknown as { madeBlobs: Map<string, Blob> })
          .madeBlobs.values()].map(({ type }) => type)
      );
      assert.notEqual(types.length, 0);
      assert.deepEqual(types.filter((type) => type !== "image/jpeg"), []);
      assert.equal(await page.evaluate("globalThis.hacked"), undefined);
      assert(visitor.requests.every((one) => !one.includes("evil.example")));
      expectQuiet(visitor, new URL(lanUrl).origin);
    });
  },
);

/** Fingers on a screen, from place to place. */
async function touch(
  { context, page }: Visitor,
  ...way: readonly (readonly { readonly x: number; readonly y: number }[])[]
): Promise<void> {
  const session = await context.newCDPSession(page);
  const send = (
    type: "touchStart" | "touchMove" | "touchEnd",
    places: readonly { readonly x: number; readonly y: number }[],
  ) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: places.map((place, id) => ({ ...place, id })),
    });
  const [first = [], ...rest] = way;
  await send("touchStart", first);
  for (const places of rest) await send("touchMove", places);
  await send("touchEnd", []);
  await session.detach();
}

/** Two taps as quick as fingers are, however busy this machine is. */
async function tapTwice(
  { context, page }: Visitor,
  place: { readonly x: number; readonly y: number },
): Promise<void> {
  const session = await context.newCDPSession(page);
  const start = Date.now() / 1_000;
  await Promise.all(
    [0, 0.03, 0.1, 0.13].map((after, n) =>
      session.send("Input.dispatchTouchEvent", {
        type: n % 2 === 0 ? "touchStart" : "touchEnd",
        touchPoints: n % 2 === 0 ? [place] : [],
        timestamp: start + after,
      })
    ),
  );
  await session.detach();
}

appStory(
  "a finger goes on, zooms, moves, and closes; twice shows more or all of it",
  async ({ lanUrl, url, visit }) => {
    const ada = await photographer(url, "ada");
    for (const [n, name] of ["cat.jpg", "coffee.jpg"].entries()) {
      await ada.library.take(
        await sample(name, { taken_at: `2024-06-1${2 - n}T10:00:00Z` }),
      );
    }
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, lanUrl, ada);
      await page.locator(".grid a").first().click();
      await original(page);
      const across = [300, 260, 200, 140, 80].map((x) =>
        [{ x, y: 420 }] as const
      );
      await touch(visitor, ...across);
      await place(page).filter({ hasText: "2 of 2" }).waitFor();
      await touch(visitor, ...across.toReversed());
      await place(page).filter({ hasText: "1 of 2" }).waitFor();

      // What is known of it is closed first by Back, and by pulling it down.
      const about = page.getByRole("complementary", { name: "Information" });
      const tell = async () => {
        // Browsers make no click of a tap that stops a swipe's last motion.
        await page.getByRole("button", { name: "Info" }).click();
        await about.waitFor();
      };
      await tell();
      await expectAccessible(page);
      await page.goBack();
      await about.waitFor({ state: "detached" });
      await place(page).filter({ hasText: "1 of 2" }).waitFor();
      await tell();
      const { y: top = 0 } = await about.boundingBox() ?? {};
      await touch(
        visitor,
        ...[20, 60, 120, 200, 260].map((by) => [{ x: 195, y: top + by }]),
      );
      await about.waitFor({ state: "detached" });
      // The next photo is not covered by it, and whoever comes back finds none.
      await tell();
      await touch(visitor, ...across.map(([{ x }]) => [{ x, y: 120 }]));
      await place(page).filter({ hasText: "2 of 2" }).waitFor();
      await about.waitFor({ state: "detached" });
      await tell();
      await page.getByRole("button", { name: "Close" }).first().click();
      await page.locator(".shell:not([inert])").waitFor();
      await page.locator(".grid a").first().click();
      await place(page).filter({ hasText: "1 of 2" }).waitFor();
      assert.equal(await about.count(), 0);
      await original(page);

      // The first things to do with it are below, by name.
      const below = page.getByRole("toolbar");
      await until(
        async () =>
          (await below.getByRole("button").allInnerTexts()).map((one) =>
            one.trim()
          ).join(),
        "Share,Favourite,Album,Edit,Delete,Info",
      );

      const hold = page.locator(`${LARGE} .lightbox-hold`);
      const apart = [20, 40, 60, 80].map((by) => [
        { x: 195 - by, y: 420 },
        { x: 195 + by, y: 420 },
      ]);
      await touch(visitor, ...apart);
      const styled = async () => await hold.getAttribute("style") ?? "";
      await until(styled, (style) => style.includes("scale(4)"));
      const zoomed = await styled();
      // Now the same way moves it, and turns no page.
      await touch(visitor, ...across);
      await until(styled, (style) => style !== zoomed);
      await place(page).filter({ hasText: "1 of 2" }).waitFor();
      await touch(visitor, ...apart.toReversed());
      await page.locator(`${LARGE} .lightbox-hold:not([style*=scale])`)
        .waitFor();

      const twice = async () => {
        await tapTwice(visitor, { x: 195, y: 420 });
        // Longer than it takes to know that there is no second one.
        await page.waitForTimeout(400);
      };
      await twice();
      await until(styled, (style) => /scale\([2-4]/.test(style));
      await twice();
      await until(styled, (style) => !style.includes("scale"));
      assert.equal(
        await page.locator(".lightbox").getAttribute("data-bare"),
        "false",
      );

      await touch(
        visitor,
        ...[300, 340, 400, 480, 560].map((y) => [{ x: 195, y }]),
      );
      await page.getByRole("dialog", { name: "Photo" }).waitFor({
        state: "detached",
      });
      // Days of few photos share a row, and are named as in this country.
      await page.getByRole("heading", { name: /^11.+12 Jun 2024$/ }).waitFor();
      // HEIC, which this browser does not know, gets a small picture too.
      await addPhotos(page, [
        new URL("../support/media/camera.heic", import.meta.url).pathname,
      ]);
      await page.locator(".grid img").nth(2).waitFor();
      expectQuiet(visitor, new URL(lanUrl).origin);
    }, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      locale: "en-GB",
    });
  },
);

appStory(
  "keys do the same in the viewer as in the grid, and the title says what is looked at",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    for (
      const [at, name] of ["cat.jpg", "coffee.jpg", "rocket.jpg"].entries()
    ) {
      await ada.library.take(
        await sample(name, { taken_at: `2024-06-1${9 - at}T10:00:00Z` }),
      );
    }
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await until(() => page.title(), "Photos · strongroom");
      const photos = page.locator(".grid a");
      await photos.nth(2).waitFor();
      // Everything is selected, and not the text of the page.
      await page.keyboard.press("Control+a");
      await page.getByText("3 selected").first().waitFor();
      assert.equal(await page.evaluate("String(getSelection())"), "");
      await page.keyboard.press("Escape");

      await photos.first().click();
      const viewer = page.getByRole("dialog", { name: "Photo" });
      await place(page).filter({ hasText: "1 of 3" }).waitFor();
      await until(() => page.title(), "cat.jpg · strongroom");
      await page.keyboard.press("f");
      const heart = viewer.getByRole("button", {
        name: "Remove from favourites",
        pressed: true,
      });
      await heart.waitFor();
      assert.match(await heart.locator("svg").evaluate(fillOf), /^rgb/);
      assert.equal(await isFull(page), false);
      await page.keyboard.press("w");
      await until(() => isFull(page), true);
      await page.keyboard.press("w");
      await until(() => isFull(page), false);

      // Escape closes what lies over the photo first.
      await page.keyboard.press("i");
      const about = page.getByRole("complementary", { name: "Information" });
      await about.waitFor();
      await page.keyboard.press("Escape");
      await about.waitFor({ state: "detached" });
      await place(page).filter({ hasText: "1 of 3" }).waitFor();

      await page.keyboard.press("Delete");
      await page.getByText("1 photo moved to the trash").waitFor();
      await until(() => page.title(), "coffee.jpg · strongroom");
      await page.keyboard.press("Escape");
      await until(() => page.title(), "Photos · strongroom");
      await page.goto(`${url}/#/settings/devices`);
      await until(() => page.title(), "Security and devices · strongroom");
    });
  },
);

/** A part of the vault, which reads originals. */
const VIEWING = /^GET \/app\/\w+\/viewing_calls/;

for (const isPartHere of [true, false]) {
  const story = isPartHere ? appStory : nightStory;
  story(
    `without a connection the viewer says so and shows the small picture, and the original once it is back${
      isPartHere ? "" : ", with the part of the app that reads it"
    }`,
    async ({ url, visit, wire }) => {
      const ada = await photographer(url, "ada");
      for (let at = 0; at < 6; at++) {
        const name = ["cat.jpg", "coffee.jpg", "rocket.jpg"][at % 3] ?? "";
        await ada.library.take({
          ...await sample(name, { taken_at: `2024-06-1${9 - at}T10:00:00Z` }),
          // What stands behind the end of a JPEG makes it another file.
          source: plainOf(
            new Uint8Array([...await sampleBytes(name), at]),
          ),
        });
      }
      await visit(async ({ page }) => {
        if (!isPartHere) wire.holdWhere((head) => VIEWING.test(head));
        await openPhotos(page, url, ada);
        // The parts of the viewer are loaded, and all small pictures are seen.
        await page.locator(".grid img").nth(5).waitFor();
        await page.locator(".grid a").first().click();
        await page.locator(`${LARGE} img`).waitFor();
        await page.keyboard.press("Escape");
        wire.cut();
        wire.holdWhere(() => false);
        await page.locator(".grid a").last().click();
        const shown = page.locator(`${LARGE} img[data-of]`);
        await shown.waitFor();
        assert.notEqual(await shown.getAttribute("data-of"), "original");
        if (isPartHere) {
          await page.getByRole("button", { name: "Try again" }).waitFor();
          await page.getByText("The server cannot be reached").waitFor();
          await expectAccessible(page);
        }
        // It comes by itself. By night away_test.ts presses the button.
        wire.mend();
        await original(page);
      });
    },
  );
}
