/**
 * Changing dates, captions, ratings and keywords of many photos at once, and of
 * one.
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { pictureOf } from "../support/pictures.ts";
import { appStory, BY_NIGHT, PHONE } from "../support/web_app.ts";
import { openPhotos, photographer, sample } from "../support/web_people.ts";
import { until } from "../support/until.ts";

appStory(
  "dates, captions, ratings and tags of several photos are changed at once, and of one",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    await library.take(
      await sample("cat.jpg", {
        taken_at: "2024-06-30T12:00:00Z",
        caption: "the cat",
        keywords: ["pets", "old"],
      }),
    );
    await library.take(
      await sample("coffee.jpg", {
        taken_at: "2024-07-01T12:00:00Z",
        taken_offset: 60,
        keywords: ["old"],
      }),
    );
    const said = async (name: string) => {
      await library.sync();
      const { metadata } = library.list()
        .find((row) => row.metadata?.name === name) ?? {};
      const { taken_at, taken_offset, caption, rating, keywords } = metadata ??
        {};
      return { taken_at, taken_offset, caption, rating, keywords };
    };

    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, ada);
      const tiles = page.locator(".grid a");
      await tiles.nth(1).waitFor();
      const dialog = page.getByRole("dialog");
      const bar = page.getByRole("toolbar", { name: "Selected photos" });
      const editBoth = async () => {
        // By the keyboard alone; a list that is drawn again has lost the focus.
        await until(async () => {
          const isChosen = await bar.getByText("2 selected").isVisible();
          if (!isChosen) {
            await tiles.first().focus();
            await page.keyboard.press("Control+a");
          }
          return isChosen;
        }, true);
        await bar.getByRole("button", { name: "More" }).focus();
        await page.keyboard.press("Enter");
        await page.getByRole("menuitem", { name: "Edit details…" }).click();
        await dialog.getByRole("heading", { name: "Edit 2 photos" }).waitFor();
      };
      const save = async (count: string) => {
        await dialog.getByRole("button", { name: "Save" }).click();
        await page.getByText(`Changed: ${count}`).last().waitFor();
        await dialog.waitFor({ state: "detached" });
      };

      await editBoth();
      const date = dialog.getByLabel("Date", { exact: true });
      await date.selectOption("Shift by hours");
      const hours = dialog.getByLabel("Hours");
      await hours.fill("two");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByText("This is no number of hours.").waitFor();
      await hours.fill("-1:30");
      await dialog.getByLabel("Rating").selectOption("★★★★");
      await dialog.getByLabel("Add tags").fill("lake, grandma");
      await dialog.getByLabel("old").uncheck();
      await expectAccessible(page);
      await pictureOf(page, "editing");
      await save("2 photos");
      assert.deepEqual(await said("cat.jpg"), {
        taken_at: "2024-06-30T10:30:00.000Z",
        taken_offset: undefined,
        // Captions differed, and no other one was typed.
        caption: "the cat",
        rating: 4,
        keywords: ["pets", "lake", "grandma"],
      });
      assert.deepEqual(await said("coffee.jpg"), {
        taken_at: "2024-07-01T10:30:00.000Z",
        taken_offset: 60,
        caption: undefined,
        rating: 4,
        keywords: ["lake", "grandma"],
      });

      // The panel tells of it, and leads to all with that tag.
      await page.keyboard.press("Escape");
      await bar.waitFor({ state: "detached" });
      await tiles.first().click();
      await page.getByRole("dialog", { name: "Photo" }).waitFor();
      await page.keyboard.press("i");
      const info = page.getByRole("complementary", { name: "Information" });
      await info.getByRole("img", { name: "4 stars of 5" }).waitFor();
      await expectAccessible(page);
      await pictureOf(page, "editing_info");
      await info.getByRole("link", { name: "grandma" }).click();
      await page.getByRole("heading", { name: "grandma" }).waitFor();
      await until(() => tiles.count(), 2);
      expectQuiet(visitor, new URL(url).origin);

      // By day src/library/adding/edits_test.ts: dates are also set and given a
      // zone, captions change, and a place is set.
      if (!BY_NIGHT) return;
      await page.goto(`${url}/#/photos`);
      await until(() => tiles.count(), 2);
      // The zone: the clock stays.
      await editBoth();
      await date.selectOption("Set the time zone");
      await dialog.getByLabel("Time zone").selectOption("UTC−05:00");
      await save("2 photos");
      assert.equal(
        (await said("cat.jpg")).taken_at,
        "2024-06-30T15:30:00.000Z",
      );
      assert.equal(
        (await said("coffee.jpg")).taken_at,
        "2024-07-01T16:30:00.000Z",
      );

      // A date for all, and a caption.
      await editBoth();
      await date.selectOption("Set date and time");
      await dialog.getByLabel("Day").fill("2020-01-02");
      await dialog.getByLabel("Time", { exact: true }).fill("09:30");
      await dialog.getByLabel("Caption").fill("at the lake");
      await save("2 photos");
      await page.getByRole("heading", { name: /2 Jan 2020|Jan 2, 2020/ })
        .waitFor();
      assert.equal((await said("cat.jpg")).caption, "at the lake");
      await page.keyboard.press("Escape");

      // A place for all: what is no place is said, a town is chosen.
      await editBoth();
      await dialog.getByLabel("Place", { exact: true })
        .selectOption("Set the place");
      const where = dialog.getByLabel("Town or coordinates");
      await where.fill("xqzzq");
      await dialog.getByText("No town has this name.").waitFor();
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByText("No town has this name.").nth(1).waitFor();
      await where.fill("bellag");
      await dialog.getByRole("button", { name: "Bellagio, Italy" }).click();
      await dialog.getByText("Bellagio, Italy").waitFor();
      await expectAccessible(page);
      await pictureOf(page, "editing_place");
      await save("2 photos");
      await library.sync();
      for (const { metadata } of library.list()) {
        assert.equal(metadata?.place?.latitude.toFixed(0), "46");
        assert.equal(metadata.place.longitude.toFixed(0), "9");
      }
      await page.keyboard.press("Escape");
      expectQuiet(visitor, new URL(url).origin);
    });

    // By day src/library/adding/edits_test.ts: captions and ratings are
    // also taken away; lightbox_test.ts edits one photo.
    if (!BY_NIGHT) return;
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.locator(".grid a").first().click();
      await page.getByRole("dialog", { name: "Photo" }).waitFor();
      await page.locator(".lightbox-bar").getByRole("button", { name: "More" })
        .click();
      await page.getByRole("menuitem", { name: "Edit details…" }).click();
      const dialog = page.getByRole("dialog", { name: "Edit 1 photo" });
      assert.equal(
        await dialog.getByLabel("Caption").inputValue(),
        "at the lake",
      );
      await dialog.getByLabel("Caption").fill("");
      await dialog.getByLabel("Rating").selectOption("No rating");
      await expectAccessible(page);
      await pictureOf(page, "editing_phone_dark");
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByText("Changed: 1 photo").waitFor();
      const one = [await said("cat.jpg"), await said("coffee.jpg")];
      assert.deepEqual(
        one.map(({ rating }) => rating).toSorted(),
        [4, undefined],
      );
    }, { ...PHONE, colorScheme: "dark" });
  },
);
