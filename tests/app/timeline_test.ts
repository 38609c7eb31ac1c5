/**
 * Photos that another device put there, looked at in the app.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { until } from "../support/until.ts";
import { appStory, nightStory } from "../support/web_app.ts";
import { openPhotos, photographer, sample } from "../support/web_people.ts";

const SAMPLES = [
  ["cat.jpg", "2024-06-12T10:00:00Z"],
  ["coffee.jpg", "2024-06-12T09:00:00Z"],
  ["rocket.jpg", "2023-01-05T12:00:00Z"],
] as const;

/** Whether the history has an entry for what is open. */
function hasLayer(): boolean {
  const { history } = globalThis as unknown as {
    readonly history: { readonly state: { readonly layer?: string } | null };
  };
  return history.state?.layer !== undefined;
}

/** Runs in the page: how wide a picture is that decodes. */
async function naturalWidth(image: unknown): Promise<number> {
  const shown = image as { decode(): Promise<void>; naturalWidth: number };
  await shown.decode();
  return shown.naturalWidth;
}

async function withSamples(url: string) {
  const ada = await photographer(url, "ada");
  for (const [name, taken_at] of SAMPLES) {
    const camera = { model: name === "cat.jpg" ? "X100VI" : "Pixel 9" };
    await ada.library.take(await sample(name, { taken_at, camera }));
  }
  return ada;
}

/** Runs in the page: the time of one photo cannot be written. */
function withUnwritableTime(): void {
  const { prototype } = Intl.DateTimeFormat;
  const format = Object.getOwnPropertyDescriptor(prototype, "format");
  Object.defineProperty(prototype, "format", {
    get(this: Intl.DateTimeFormat) {
      const written: Intl.DateTimeFormat["format"] = format?.get?.call(this);
      const isMoment = this.resolvedOptions().timeStyle === "short";
      return (at: Date | number) => {
        if (isMoment && Number(at) === Date.parse("2024-06-12T09:00:00Z")) {
          throw new RangeError("this time cannot be written");
        }
        return written(at);
      };
    },
  });
}

const photosIn = (page: Page) => page.locator(".grid a");

/** As many photos are shown, and no more. */
const expectPhotos = (page: Page, count: number) =>
  until(() => photosIn(page).count(), count);

/** The address of the photo that has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate("document.activeElement.getAttribute('data-id')");
}

appStory(
  "a timeline has each day's photos, newest first, and one that cannot be drawn is shown as damaged",
  async (story) => {
    const ada = await withSamples(story.url);
    await story.visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, story.url, ada);
      await page.locator(".grid img").nth(2).waitFor();
      const day = page.getByRole("region", { name: /Jun.* 12/ });
      assert.equal(await day.getByRole("link").count(), 2);
      // Every one of them is the picture that was put there.
      const tiles = await page.locator(".grid img").all();
      const widths = await Promise.all(
        tiles.map((tile) => tile.evaluate(naturalWidth)),
      );
      assert(widths.every((width) => width > 100), String(widths));
      const days = await page.getByRole("heading", { level: 2 })
        .allInnerTexts();
      assert.equal(days.length, 2);
      assert.match(days[0] ?? "", /Jun.* 12, 2024/);
      assert.match(days[1] ?? "", /Jan.* 5, 2023/);
      await expectAccessible(page);
      expectQuiet(visitor, new URL(story.url).origin);
    });
    await story.visit(async ({ page }) => {
      await page.addInitScript(withUnwritableTime);
      await openPhotos(page, story.url, ada);
      await page.locator(".grid .damaged").waitFor();
      // The others are shown as ever.
      await page.locator(".grid img").nth(1).waitFor();
      await expectPhotos(page, SAMPLES.length);
      assert.equal(await page.locator(".grid .damaged").count(), 1);
    });
  },
);

appStory(
  "photos are gone through and chosen by keyboard alone",
  async (story) => {
    const ada = await withSamples(story.url);
    const [cat, coffee, rocket] = ada.library.list().map(({ id }) => id);
    await story.visit(async ({ page }) => {
      await openPhotos(page, story.url, ada);
      await expectPhotos(page, 3);
      await photosIn(page).first().focus();
      await page.keyboard.press("ArrowRight");
      await until(() => focused(page), coffee);
      await page.keyboard.press("End");
      await until(() => focused(page), rocket);
      await page.keyboard.press("Home");
      await until(() => focused(page), cat);
      // One stop for the tabulator in all photos.
      assert.equal(await page.locator(".grid a[tabindex='0']").count(), 1);

      await page.keyboard.press("x");
      await page.getByText("1 selected").first().waitFor();
      await page.keyboard.press("Shift+ArrowRight");
      await page.keyboard.press("Shift+ArrowRight");
      await page.getByRole("toolbar").getByText("3 selected").waitFor();
      await expectAccessible(page);
      await page.keyboard.press("Escape");
      await page.getByRole("toolbar").waitFor({ state: "detached" });
      await until(() => page.evaluate(hasLayer), false);
      // Back selects nothing, too, and leaves everything else as it is.
      const address = page.url();
      await page.keyboard.press("x");
      await page.getByRole("toolbar").waitFor();
      await until(() => page.evaluate(hasLayer), true);
      await page.goBack();
      await page.getByRole("toolbar").waitFor({ state: "detached" });
      await until(() => page.evaluate(hasLayer), false);
      assert.equal(page.url(), address);
      await expectPhotos(page, 3);
      // What closes a menu opens nothing below it.
      await page.getByRole("button", { name: "Account" }).click();
      await page.getByRole("menu").waitFor();
      await photosIn(page).first().click();
      await page.getByRole("menu").waitFor({ state: "detached" });
      await until(() => page.evaluate(hasLayer), false);
      assert.equal(page.url(), address);

      // On a telephone, too.
      await page.setViewportSize({ width: 390, height: 844 });
      await expectAccessible(page);
      await page.setViewportSize({ width: 1_280, height: 720 });

      // Whoever has scrolled on since stays there when what is open closes, and
      // the keyboard is at the photo again, also where its button is gone.
      await page.setViewportSize({ width: 1_280, height: 300 });
      const scrolled = () => page.evaluate<number>("scrollY");
      let low = -1;
      // The photos have found their places in the lower window.
      await until(async () => {
        const before = low;
        low = await page.evaluate<number>("scrollTo(0, 1e4), scrollY");
        return low > 50 && low === before;
      }, true);
      const scrollOn = async () => {
        await page.evaluate("scrollTo(0, 0)");
        await photosIn(page).first().focus();
        await page.keyboard.press("x");
        await until(() => page.evaluate(hasLayer), true);
        await page.evaluate("scrollTo(0, 1e4)");
      };
      await scrollOn();
      await page.keyboard.press("Escape");
      await until(() => page.evaluate(hasLayer), false);
      await until(scrolled, low);
      await scrollOn();
      await page.getByRole("button", { name: "Share" }).click();
      await page.getByRole("button", { name: "Create link" }).click();
      const made = page.getByRole("dialog", { name: "The link is ready" });
      await made.waitFor();
      await until(
        () =>
          made.evaluate((it) => it.contains(it.ownerDocument.activeElement)),
        true,
      );
      await page.keyboard.press("Escape");
      await made.waitFor({ state: "detached" });
      await until(() => page.evaluate(hasLayer), false);
      await until(() => focused(page), cat);
      await until(scrolled, low);
      await page.setViewportSize({ width: 1_280, height: 720 });

      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
      await expectAccessible(page);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await until(() => page.evaluate(hasLayer), false);
      await photosIn(page).nth(1).focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/#/photos/photo/${coffee}`);
      await page.goBack();
      await until(() => focused(page), coffee);
      // The keys of the timeline are there once the large photo is gone.
      await until(async () => {
        await page.keyboard.press("/");
        return await page.evaluate("document.activeElement.type");
      }, "search");
    });
  },
);

appStory(
  "favourites, hiding, deleting, undoing and the trash",
  async (story) => {
    const ada = await withSamples(story.url);
    const [, coffee] = ada.library.list().map(({ id }) => id);
    await story.visit(async ({ page }) => {
      await openPhotos(page, story.url, ada);
      await expectPhotos(page, 3);
      const choose = async (at: number) => {
        await page.locator(".tile").nth(at).hover();
        await page.locator(".tile .check").nth(at).click();
      };
      const press = (name: string) =>
        page.getByRole("button", { name }).click();

      await choose(1);
      await press("Add to favourites");
      await page.getByRole("link", { name: "favourite" }).waitFor();
      await press("Clear selection");
      await choose(0);
      await press("More");
      await page.getByRole("menuitem", { name: "Hide" }).click();
      await expectPhotos(page, 2);
      await page.goto(`${story.url}/#/albums`);
      await page.getByRole("link", { name: "Favourites" }).click();
      await expectPhotos(page, 1);
      await expectAccessible(page);
      await page.goBack();
      await page.getByRole("link", { name: "Hidden" }).click();
      await expectPhotos(page, 1);

      await page.goto(`${story.url}/#/photos`);
      await expectPhotos(page, 2);
      await photosIn(page).last().focus();
      await page.keyboard.press("Delete");
      await page.getByText("1 photo moved to the trash").waitFor();
      await expectPhotos(page, 1);
      // The keyboard goes on at the next photo.
      await until(() => focused(page), coffee);
      await page.getByRole("button", { name: "Undo" }).last().click();
      await expectPhotos(page, 2);
      await choose(1);
      await press("Delete");
      await expectPhotos(page, 1);
      await until(() => focused(page), coffee);

      await page.getByRole("link", { name: "Trash" }).click();
      const left = page.getByText("30 days left");
      await left.waitFor();
      // It is read on a bright photo, too.
      const behind = await left.evaluate((mark) => {
        const { getComputedStyle } = globalThis as unknown as {
          getComputedStyle(of: unknown): { backgroundColor: string };
        };
        return getComputedStyle(mark).backgroundColor;
      });
      assert.equal(behind, "rgba(0, 0, 0, 0.65)");
      await expectAccessible(page);
      await choose(0);
      await press("Restore");
      await page.getByRole("heading", { name: "The trash is empty" }).waitFor();
      // No photo is left next to it: the heading has the focus.
      await page.locator("h1:focus", { hasText: "Trash" }).waitFor({
        state: "attached",
      });
      await expectAccessible(page);
      await page.getByRole("link", { name: "Photos", exact: true }).click();
      await expectPhotos(page, 2);
      // Shown large as well.
      await photosIn(page).last().click();
      const large = page.getByRole("dialog", { name: "Photo" });
      await large.getByRole("button", { name: "Delete" }).click();
      await page.waitForURL(`**/photo/${coffee}`);
      await large.and(page.locator(":focus")).waitFor();
      await page.keyboard.press("Escape");
      await until(() => focused(page), coffee);
      await expectPhotos(page, 1);
      await page.getByRole("link", { name: "Trash" }).click();
      await press("Empty the trash");
      const sure = page.getByRole("dialog");
      await expectAccessible(page);
      await sure.getByRole("button", { name: "Cancel" }).click();
      await expectPhotos(page, 1);
      await press("Empty the trash");
      await sure.getByRole("button", { name: "Empty the trash" }).click();
      await page.getByText("1 photo deleted permanently").waitFor();
      await page.getByRole("heading", { name: "The trash is empty" }).waitFor();
    });
    // The account's other programs know it too.
    await ada.library.sync();
    assert.deepEqual(
      ada.library.list().map((row) => {
        const { favourite, hidden } = ada.library.flags.of(row);
        return [row.metadata?.name, favourite, hidden];
      }),
      [["cat.jpg", false, true], ["coffee.jpg", true, false]],
    );
  },
);

// By day src/library/finding/search_test.ts finds by all of these;
// places_test.ts and phone_test.ts type, choose from what is suggested, and go
// back.
nightStory("a search knows months, cameras, names and lists", async (story) => {
  const ada = await withSamples(story.url);
  await ada.library.collections.create("Breakfast", [
    ada.library.list()[1]?.id ?? "",
  ]);
  // A name may say what it likes: a month of a year is when it was taken.
  await ada.library.take(
    await sample("hubble-deep-field.jpg", {
      name: "PXL_20240612_june_2024.jpg",
      taken_at: "2022-09-25T10:00:00Z",
    }),
  );
  await story.visit(async ({ page }) => {
    await openPhotos(page, story.url, ada);
    await expectPhotos(page, 4);
    const field = page.getByRole("combobox");
    // Before anything is typed there is something to choose from.
    await field.focus();
    await page.getByRole("option", { name: "January 2023" }).waitFor();
    await page.getByRole("option", { name: "Pixel 9" }).waitFor();
    // A pause in typing opens the results from any page.
    await field.fill("june 2024");
    await page.getByText("2 photos found").waitFor();
    await page.goBack();
    await expectPhotos(page, 4);
    const find = async (words: string, count: number) => {
      await field.fill(words);
      await field.press("Enter");
      await expectPhotos(page, count);
    };
    await find("june 2024", 2);
    await page.getByText("2 photos found").waitFor();
    await find("12. Juni 2024", 2);
    await find("jun 2024 rocket", 0);
    await find("pxl_2024", 1);
    await find("x100vi", 1);
    await find("rocket", 1);
    await find("breakfast", 1);
    await find("june pixel", 1);
    await field.fill("no such thing");
    await page.getByText("Nothing found for “no such thing”").waitFor();
    await expectAccessible(page);

    await page.getByRole("button", { name: "Clear the search" }).click();
    assert.equal(await field.inputValue(), "");
    await field.fill("janu");
    await page.getByRole("option", { name: "January 2023" }).waitFor();
    await expectAccessible(page);
    await field.press("ArrowDown");
    await field.press("Enter");
    await expectPhotos(page, 1);
    // Back leads to where one was before searching, not to every letter.
    await page.goBack();
    await page.goBack();
  });
});
