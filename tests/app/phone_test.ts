/**
 * What a person with a phone in the hand sees and touches.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { until } from "../support/until.ts";
import {
  addPhotos,
  appStory,
  PHONE,
  samplePhotos,
  signInAt,
  signUp,
} from "../support/web_app.ts";
import {
  openPhotos,
  photographer,
  photographerOfMonth,
  sample,
} from "../support/web_people.ts";

const photosIn = (page: Page) => page.getByRole("link", { name: /^Photo, / });

/** Notes from now on whether a text was ever on the page. */
async function watchFor(page: Page, text: string): Promise<void> {
  await page.evaluate(`new MutationObserver(() => {
    if (document.body.textContent.includes(${JSON.stringify(text)})) {
      document.documentElement.dataset.had = "yes";
    }
  }).observe(document.body, { childList: true, subtree: true })`);
}

appStory(
  "on a phone what is needed most is in reach, and nothing covers the photos that come",
  async ({ url, visit }) => {
    let words = "";
    await visit(async (visitor) => {
      const { page } = visitor;
      words = await signUp(page, url, "ada@example.org");
      const panel = page.getByRole("region", { name: "Adding photos" });
      const adding = addPhotos(page, samplePhotos().slice(0, 3));
      // Each file only for whoever asks for it.
      const each = panel.getByRole("button", { name: /^Show (each|less)/ });
      assert.equal(await each.getAttribute("aria-expanded"), "false");
      await adding;
      await photosIn(page).first().waitFor();
      await page.getByRole("button", { name: "Close" }).first().tap();

      // Delete is next to the count, and not behind a menu.
      await photosIn(page).first().focus();
      await page.keyboard.press("x");
      const selection = page.getByRole("toolbar", { name: "Selected photos" });
      await selection.getByText("1 selected").waitFor();
      await selection.getByRole("button", { name: "Delete" }).waitFor();
      const bar = await selection.boundingBox();
      const count = await selection.getByText("1 selected").boundingBox();
      assert(bar !== null && count !== null);
      assert(count.height < 30, "the count is in one line");
      await expectAccessible(page);
      await selection.getByRole("button", { name: "Delete" }).tap();
      await until(() => photosIn(page).count(), 2);
      await photosIn(page).first().focus();
      await page.keyboard.press("f");
      await page.getByRole("link", { name: /, favourite$/i }).waitFor();

      // A list without photos is not offered, and one with some is.
      const search = page.getByRole("combobox");
      await search.tap();
      await page.getByRole("option", { name: /20\d\d$/ }).first().waitFor();
      const offered = page.getByRole("option", { name: /^[A-Z][a-z]+$/ });
      assert.deepEqual(await offered.allInnerTexts(), ["Favourites"]);

      // Whoever types fast loses no letter, and what is emptied asks again.
      await search.fill("lake");
      await search.press("Enter");
      await page.getByText("Nothing found for “lake”").waitFor();
      await search.fill("");
      const typed = "screenshots of the lake in 2024";
      await search.pressSequentially(typed);
      await page.getByText(`Nothing found for “${typed}”`).waitFor();
      assert.equal(await search.inputValue(), typed);
      await page.getByRole("button", { name: "Clear the search" }).tap();
      await page.getByRole("heading", { name: "Search your photos", level: 2 })
        .waitFor();
      await page.goBack();
      await photosIn(page).first().waitFor();
      assert.equal(await search.inputValue(), "");

      // The names of the places are long in German, and none touches another.
      await page.evaluate(
        `localStorage.setItem("strongroom.language", "de"); location.reload()`,
      );
      await page.getByText("Papierkorb", { exact: true }).waitFor();
      for (const [width, apart] of [[390, 9], [320, 6]] as const) {
        await page.setViewportSize({ width, height: 844 });
        const names = await page.locator(".places a > span:first-of-type")
          .all();
        const boxes = await Promise.all(names.map((one) => one.boundingBox()));
        assert.equal(boxes.length, 5);
        let right = 0;
        for (const box of boxes) {
          assert(box !== null && box.x >= right + apart, JSON.stringify(boxes));
          right = box.x + box.width;
        }
        assert(right <= width);
      }
      expectQuiet(visitor, url);
    }, PHONE);

    // A device that knows nothing yet does not say that there is nothing.
    await visit(async ({ page }) => {
      await signInAt(page, url, "ada@example.org");
      await page.getByRole("button", { name: /^With your 24 words/ }).tap();
      await page.getByLabel("Your 24 words").fill(words);
      await watchFor(page, "No photos yet");
      await page.getByRole("button", { name: "Open", exact: true }).tap();
      await until(() => photosIn(page).count(), 2);
      const had = await page.evaluate("document.documentElement.dataset.had");
      assert.equal(had, undefined);
    }, PHONE);
  },
);

/** Whether two parts of the page lie over each other. */
async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = await Promise.all([one.boundingBox(), other.boundingBox()]);
  assert(a !== null && b !== null);
  return a.x < b.x + b.width && b.x < a.x + a.width &&
    a.y < b.y + b.height && b.y < a.y + a.height;
}

appStory(
  "what is added and what is exported at the same time stand one above the other",
  async ({ lanUrl, url, wire, dataDir, visit }) => {
    const ada = await photographer(url, "ada");
    await ada.library.take(await sample("cat.jpg"));
    const empty = `${dataDir}/empty.jpg`;
    await Deno.writeFile(empty, new Uint8Array());
    await visit(async ({ page }) => {
      await openPhotos(page, lanUrl, ada);
      await page.locator("input[data-add=files]").setInputFiles([empty]);
      const adding = page.getByRole("region", { name: "Adding photos" });
      await adding.getByText("1 file added").first().waitFor();
      await page.goto(`${lanUrl}#/settings/export`);
      await page.getByText("2 files", { exact: false }).waitFor();
      wire.holdAfter(0);
      await page.getByRole("button", { name: "Export", exact: true }).click();
      const exported = page.getByRole("region", { name: "Downloading" });
      await exported.waitFor();
      for (const width of [390, 1_280]) {
        await page.setViewportSize({ width, height: 800 });
        assert(!await overlap(adding, exported), `at ${width}`);
        const pictures = Deno.env.get("TEST_PICTURES");
        if (pictures !== undefined) {
          await page.screenshot({ path: `${pictures}/under-way-${width}.png` });
        }
      }
      wire.holdAfter(Infinity);
    });
  },
);

appStory(
  "a message covers neither what was added nor the photos that are selected",
  async ({ url, dataDir, visit }) => {
    const empty = `${dataDir}/empty.jpg`;
    await Deno.writeFile(empty, new Uint8Array());
    await visit(async ({ page }) => {
      await signUp(page, url, "ada@example.org");
      // The message about a file stays until a person has read it.
      await page.locator("input[data-add=files]")
        .setInputFiles([...samplePhotos().slice(0, 3), empty]);
      const panel = page.getByRole("region", { name: "Adding photos" });
      await panel.getByText("4 files added").first().waitFor();
      await until(
        () => page.getByRole("link", { name: /^Photo, / }).count(),
        4,
      );
      await page.getByRole("link", { name: /^Photo, / }).first().focus();
      await page.keyboard.press("x");
      await page.getByRole("button", { name: "Delete" }).tap();
      const toast = page.locator(".toast");
      await toast.getByText("1 photo moved to the trash").waitFor();
      for (const width of [390, 700, 1_000, 1_280]) {
        await page.setViewportSize({ width, height: 800 });
        assert(!await overlap(toast, panel), `over the panel at ${width}`);
        assert(!await overlap(toast, page.locator(".bar")), `bar at ${width}`);
      }

      // Whoever knows of no long press selects in the trash, too.
      await page.setViewportSize(PHONE.viewport);
      await page.getByRole("link", { name: "Trash", exact: true }).tap();
      await page.getByRole("button", { name: "Select", exact: true }).tap();
      const chosen = page.getByRole("toolbar", { name: "Selected photos" });
      await chosen.getByText("0 selected").waitFor();
      await expectAccessible(page);
      await page.locator(".tile").first().tap();
      await chosen.getByText("1 selected").waitFor();
      await chosen.getByRole("button", { name: "Restore" }).tap();
      await page.getByText("The trash is empty").waitFor();
      await chosen.waitFor({ state: "detached" });
    }, PHONE);
  },
);

appStory(
  "on a phone the days of photos to choose from are named in full, and each can be chosen",
  async ({ url, visit }) => {
    const ada = await photographerOfMonth(url, "June");
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/albums`);
      await page.getByRole("link", { name: /^June/ }).tap();
      await page.getByRole("main").getByRole("button", { name: "Add photos" })
        .first().tap();
      const dialog = page.getByRole("dialog");
      const days = dialog.getByRole("heading", { level: 3 });
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 844 });
        await days.first().waitFor();
        // Until the photos are laid out for that width.
        await until(
          () =>
            page.evaluate<string>(`
              [...document.querySelectorAll("dialog h3")]
                .filter((one) => one.scrollWidth > one.clientWidth)
                .map((one) => one.textContent).join()`),
          "",
        );
      }
      const day = dialog.getByRole("checkbox", { name: /^Select everything/ })
        .first();
      await until(
        () =>
          page.evaluate(
            `getComputedStyle(document.querySelector("dialog .of-day")).opacity`,
          ),
        "1",
      );
      await day.tap();
      await dialog.getByText(/^[1-9]\d* selected$/).waitFor();
      await expectAccessible(page);
    }, PHONE);
  },
);
