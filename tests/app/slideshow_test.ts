/**
 * A slideshow of anything, and selecting everything.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { plainOf } from "../../src/library/mod.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { until } from "../support/until.ts";
import { FFMPEG, shortVideo } from "../support/videos.ts";
import {
  appStory,
  BY_NIGHT,
  nightStory,
  PHONE,
  selectPhotos,
} from "../support/web_app.ts";
import {
  openPhotos,
  type Photographer,
  photographer,
  sample,
} from "../support/web_people.ts";

/** Runs in the page: a screen that is kept on only on request is written down. */
const LOCKS = `
  self.locks = { asked: 0, held: 0 };
  Object.defineProperty(navigator, "wakeLock", { value: {
    async request() {
      self.locks.asked++;
      self.locks.held++;
      return { async release() { self.locks.held--; } };
    },
  } });
`;

/** Runs in the page: whether it is hidden, as a browser says it. */
const visible = (is: boolean) => `
  Object.defineProperty(document, "hidden", {
    value: ${!is}, configurable: true,
  });
  document.dispatchEvent(new Event("visibilitychange"));
`;

const PICTURES = Deno.env.get("TEST_PICTURES");

/** A picture of the screen, for who wants to look at it. */
async function picture(page: Page, name: string): Promise<void> {
  await expectAccessible(page);
  if (PICTURES === undefined) return;
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
}

const show = (page: Page) => page.getByRole("dialog", { name: "Slideshow" });

/** Opens the first of so many photos, once the viewer has all to show. */
async function openFirst(page: Page, of: number): Promise<void> {
  await page.locator(".grid a").nth(of - 1).waitFor();
  await page.locator(".grid a").first().click();
  await page.getByRole("dialog", { name: "Photo" }).getByRole("status")
    .filter({ hasText: `1 of ${of}` }).waitFor();
}

/** Waits until a photo of this name is shown. */
const shows = (page: Page, name: string) =>
  show(page).getByRole("img", { name, exact: true }).waitFor();

/** Moves to the next photo without waiting. */
const onward = (page: Page) => page.keyboard.press("ArrowRight");

/** Moves a slideshow that stands still to a place. */
async function walkTo(page: Page, place: string): Promise<void> {
  const told = show(page).getByRole("status");
  const placeNow = () => told.innerText();
  await until(placeNow, (now) => now !== "");
  for (let now = await placeNow(); now !== place; now = await placeNow()) {
    const before = now;
    await onward(page);
    await until(placeNow, (after) => after !== before);
  }
}

/** The animation by which a picture moves; `none` without. */
const motionOf = (picture: Locator) =>
  picture.evaluate((one) =>
    (globalThis as unknown as {
      getComputedStyle(of: unknown): { animationName: string };
    }).getComputedStyle(one).animationName
  );

/** Photos of three days, the newest first: rocket, coffee, cat. */
async function threePhotos({ library }: Photographer): Promise<string[]> {
  const ids: string[] = [];
  for (const [day, name] of ["cat", "coffee", "rocket"].entries()) {
    const { row } = await library.take(
      await sample(`${name}.jpg`, {
        taken_at: `2024-06-0${day + 1}T10:00:00Z`,
      }),
    );
    ids.push(row.id);
  }
  return ids;
}

appStory(
  "a slideshow shows one photo after the other, keeps the screen on, obeys keys, and passes over what cannot be shown",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    await threePhotos(ada);
    const text = new TextEncoder();
    for (
      const [name, mime, day] of [
        ["notes.txt", "text/plain", "02T12"],
        ["broken.jpg", "image/jpeg", "02T13"],
      ] as const
    ) {
      await ada.library.take({
        source: plainOf(text.encode(`this is ${name}`)),
        about: { name, mime, taken_at: `2024-06-${day}:00:00Z` },
      });
    }
    await visit(async (visitor) => {
      const { page } = visitor;
      await page.addInitScript(LOCKS);
      await openPhotos(page, url, ada);
      await openFirst(page, 5);
      await page.keyboard.press("s");
      await shows(page, "rocket.jpg");
      await until(() => page.evaluate("self.locks.held"), 1);
      await until(
        () => page.evaluate("document.fullscreenElement?.className"),
        "slideshow-screen",
      );
      // By itself, and over the two that cannot be shown.
      await shows(page, "coffee.jpg");
      await page.keyboard.press("Space");
      await show(page).getByRole("button", { name: "Go on" }).waitFor();
      // It may have gone on before the key was there.
      await walkTo(page, "4 of 5");
      await shows(page, "coffee.jpg");
      await picture(page, "slideshow");
      await onward(page);
      await shows(page, "cat.jpg");
      // After the last one comes the first.
      await onward(page);
      await shows(page, "rocket.jpg");
      await page.keyboard.press("ArrowLeft");
      await shows(page, "cat.jpg");
      await page.keyboard.press("ArrowLeft");
      await shows(page, "coffee.jpg");

      // How long each is shown is kept for the next time.
      const pace = show(page).getByLabel("How long each photo is shown");
      await pace.selectOption("3 seconds");
      // A browser lets the lock go with a hidden page.
      const asked = await page.evaluate<number>("self.locks.asked");
      await page.evaluate(visible(false));
      assert.equal(await page.evaluate("self.locks.asked"), asked);
      await page.evaluate(visible(true));
      await until(() => page.evaluate("self.locks.asked"), asked + 1);

      await show(page).getByRole("button", { name: "Go on" }).click();
      await shows(page, "cat.jpg");
      await page.keyboard.press("Escape");
      await show(page).waitFor({ state: "detached" });
      await until(() => page.evaluate("document.fullscreenElement"), null);
      // The photo that it began with is there again.
      await page.getByRole("dialog", { name: "Photo" }).waitFor();
      // Its entry in the history is left a moment later.
      await until(() => page.evaluate("history.state?.layer"), undefined);
      await page.keyboard.press("s");
      await show(page).waitFor();
      assert.equal(await pace.inputValue(), "3");
      // Back ends it as well.
      await until(
        () => page.evaluate("history.state?.layer !== undefined"),
        true,
      );
      await until(
        () => page.evaluate("document.fullscreenElement?.className"),
        "slideshow-screen",
      );
      // A busy browser leaves the full screen late: not that of the next show.
      await page.evaluate(`(() => {
        const exit = document.exitFullscreen.bind(document);
        const late = Promise.withResolvers();
        self.leaveNow = late.resolve;
        document.exitFullscreen = () =>
          late.promise.then(exit).finally(() => self.hasLeft = true);
      })()`);
      await page.goBack();
      await show(page).waitFor({ state: "detached" });
      await page.getByRole("dialog", { name: "Photo" }).waitFor();
      // Nothing moves for a person who wants no motion.
      await page.emulateMedia({ reducedMotion: "reduce" });
      await page.keyboard.press("s");
      await show(page).getByRole("img").waitFor();
      await page.evaluate("self.leaveNow()");
      await until(() => page.evaluate("self.hasLeft"), true);
      await until(
        () => page.evaluate("document.fullscreenElement?.className"),
        "slideshow-screen",
      );
      assert.equal(await motionOf(show(page).getByRole("img")), "none");
      expectQuiet(visitor, url);
    });
  },
);

// By day the story above begins one with a photo, and nothing moves for a
// person who wants no motion; hidden_test.ts begins one from a list, and
// links_test.ts from a link. By night only: from a search, an album and a
// selection, of which it shows nothing else, and on a phone.
nightStory(
  "a slideshow begins from a search, an album, a selection and a link, on a phone too, and moves nothing for a person who wants no motion",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const [cat = "", coffee = ""] = await threePhotos(ada);
    await ada.library.collections.create("Kitchen", [cat, coffee]);
    await ada.library.flags.change([cat, coffee], { favourite: true });
    const { url: link } = await ada.library.share({
      assetIds: [cat, coffee],
      title: "For Tom",
    });
    const ends = async (page: Page) => {
      await page.keyboard.press("Escape");
      await show(page).waitFor({ state: "detached" });
    };
    await visit(async (visitor) => {
      const { page } = visitor;
      await page.emulateMedia({ reducedMotion: "reduce" });
      await openPhotos(page, url, ada);
      const button = page.getByRole("button", { name: "Slideshow" });
      for (const at of ["favourites", "search?q=june"]) {
        await page.goto(`${url}/#/${at}`);
        const [photos, first] = at === "favourites"
          ? [2, "coffee.jpg"] as const
          : [3, "rocket.jpg"] as const;
        await until(() => page.locator(".grid a").count(), photos);
        await button.click();
        await shows(page, first);
        await ends(page);
      }
      await page.goto(`${url}/#/albums`);
      await page.getByRole("link", { name: /Kitchen/ }).click();
      await page.getByRole("main").getByRole("button", { name: "More" })
        .click();
      await page.getByRole("menuitem", { name: "Slideshow" }).click();
      await show(page).getByRole("img").waitFor();
      assert.equal(await motionOf(show(page).getByRole("img")), "none");
      await ends(page);

      await page.goto(`${url}/#/photos`);
      await selectPhotos(page, 2);
      const bar = page.getByRole("toolbar", { name: "Selected photos" });
      await bar.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Slideshow" }).click();
      await shows(page, "rocket.jpg");
      await onward(page);
      await shows(page, "coffee.jpg");
      // Only what was selected.
      await onward(page);
      await shows(page, "rocket.jpg");
      await ends(page);
      await bar.getByText("2 selected").waitFor();
      expectQuiet(visitor, url);
    });
    await visit(async (visitor) => {
      const { page } = visitor;
      await page.goto(link);
      await page.getByRole("button", { name: "Slideshow" }).click();
      await show(page).getByRole("img").waitFor();
      await show(page).getByRole("button", { name: "Pause" }).click();
      await picture(page, "slideshow-link");
      await show(page).getByRole("button", { name: "End the slideshow" })
        .click();
      await show(page).waitFor({ state: "detached" });
      expectQuiet(visitor, url);
    }, { ...PHONE, colorScheme: "dark" });
  },
);

appStory(
  "a slideshow plays a video to its end and then goes on",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    await ada.library.take({
      source: plainOf(await shortVideo()),
      about: {
        name: "sea.mp4",
        mime: "video/mp4",
        taken_at: "2024-06-09T10:00:00Z",
      },
    });
    await threePhotos(ada);
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, ada);
      await openFirst(page, 4);
      await page.keyboard.press("s");
      const player = show(page).locator("video");
      await player.waitFor();
      const has = (what: string) =>
        player.evaluate(
          (one, what) => (one as unknown as Record<string, unknown>)[what],
          what,
        );
      await until(async () => Number(await has("currentTime")) > 0, true);
      await page.keyboard.press("Space");
      await until<unknown>(() => has("paused"), true);
      await page.keyboard.press("Space");
      await until<unknown>(() => has("paused"), false);
      await player.evaluate((one) => {
        const video = one as unknown as {
          currentTime: number;
          duration: number;
        };
        video.currentTime = video.duration - 0.5;
      });
      await shows(page, "rocket.jpg");
      expectQuiet(visitor, url);
    });
  },
  {},
  FFMPEG !== "",
);

appStory(
  "everything in a list is selected at one press, also in the trash and on a phone",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const ids = await threePhotos(ada);
    await ada.library.collections.create("Kitchen", ids);
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, ada);
      await selectPhotos(page, 1);
      const bar = page.getByRole("toolbar", { name: "Selected photos" });
      const all = bar.getByRole("button", { name: "Select all" });
      await page.locator(".grid a").nth(2).waitFor();
      await all.click();
      await bar.getByText("3 selected").waitFor();
      // There is nothing left to select.
      await all.waitFor({ state: "detached" });
      await picture(page, "select-all");
      await bar.getByRole("button", { name: "Delete" }).click();
      await page.getByText("3 photos moved to the trash").waitFor();
      await page.goto(`${url}/#/trash`);
      await page.getByRole("button", { name: "Select", exact: true }).click();
      await bar.getByText("0 selected").waitFor();
      await page.locator(".grid a").nth(2).waitFor();
      await all.click();
      await bar.getByText("3 selected").waitFor();
      await page.keyboard.press("Escape");
      await bar.waitFor({ state: "detached" });
      await page.keyboard.press("Control+a");
      await bar.getByText("3 selected").waitFor();
      await bar.getByRole("button", { name: "Restore" }).click();
      await page.getByText("3 photos restored").waitFor();
      expectQuiet(visitor, url);
    });
    // By day the button is enough; what a phone has in a menu is the same.
    if (!BY_NIGHT) return;
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, ada);
      await selectPhotos(page, 1);
      const bar = page.getByRole("toolbar", { name: "Selected photos" });
      await page.locator(".grid a").nth(2).waitFor();
      await bar.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Select all" }).click();
      await bar.getByText("3 selected").waitFor();
      await picture(page, "select-all-phone");
      expectQuiet(visitor, url);
    }, { viewport: PHONE.viewport });
  },
);
