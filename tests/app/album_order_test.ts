/**
 * The order of albums, and their folders.
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { pictureOf } from "../support/pictures.ts";
import { appStory, PHONE } from "../support/web_app.ts";
import { openPhotos, photographer, sample } from "../support/web_people.ts";
import { until } from "../support/until.ts";

appStory(
  "albums are sorted as a person chose on any device, and titles with a slash make folders",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    const at = (year: number) => ({ taken_at: `${year}-06-01T10:00:00Z` });
    const { row: cat } = await library.take(await sample("cat.jpg", at(2019)));
    const { row: cup } = await library.take(
      await sample("coffee.jpg", at(2025)),
    );
    const { row: rocket } = await library.take(
      await sample("rocket.jpg", at(2022)),
    );
    const { create } = library.collections;
    await create("Zoo", [cup.id]);
    await create("Ants", [rocket.id, cat.id]);
    await create("Trips / Italy", [rocket.id]);
    await create("Trips / Alps / Winter", [cat.id]);
    const { id: shared } = await library.albums.create({
      title: "Trips / Rome",
    });
    await library.copyInto(cup.id, shared);

    await visit(async (visitor) => {
      const { page } = visitor;
      const names = async (section: string) =>
        (await page.locator(".album-section", {
          has: page.getByRole("heading", { name: section, exact: true }),
        }).locator(".card-title").allInnerTexts()).map((text) => text.trim());
      const sorted = async () => (await names("Only for me")).join(", ");
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/albums`);
      await page.getByRole("heading", { name: "Folders" }).waitFor();
      assert.deepEqual(await names("Folders"), ["Trips"]);
      assert.deepEqual(await names("Only for me"), ["Ants", "Zoo"]);
      await expectAccessible(page);
      const sort = page.getByLabel("Sort by");
      await sort.selectOption("Name");
      await sort.selectOption("Newest photo");
      await until(() => sorted(), "Zoo, Ants");
      await sort.selectOption("Oldest photo");
      await until(() => sorted(), "Ants, Zoo");
      await sort.selectOption("Newest photo");
      await until(() => sorted(), "Zoo, Ants");
      await pictureOf(page, "albums_folders");

      // By the keyboard into the folder, and on.
      const folder = page.getByRole("link", { name: /^Trips/ });
      await page.getByText("3 albums", { exact: true }).waitFor();
      await folder.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Trips", level: 1 }).waitFor();
      assert.deepEqual(await names("Folders"), ["Alps"]);
      assert.deepEqual(await names("Only for me"), ["Italy"]);
      await page.getByRole("link", { name: /^Rome/ }).waitFor();
      await expectAccessible(page);
      await page.getByRole("link", { name: /^Alps/ }).click();
      await page.getByRole("link", { name: /^Winter/ }).click();
      await page.getByRole("heading", { name: "Trips / Alps / Winter" })
        .waitFor();
      await expectAccessible(page);
      await pictureOf(page, "albums_crumbs");
      const crumbs = page.getByRole("navigation", { name: "Where it is" });
      assert.deepEqual(
        (await crumbs.getByRole("link").allInnerTexts())
          .map((text) => text.trim()),
        ["Albums", "Trips", "Alps"],
      );
      await crumbs.getByRole("link", { name: "Trips" }).click();
      await page.getByRole("heading", { name: "Trips", level: 1 }).waitFor();

      // A favourite is first, although its newest photo is older.
      await page.goto(`${url}/#/albums`);
      await page.getByRole("link", { name: /^Ants/ }).click();
      await page.getByRole("heading", { name: "Ants", level: 1 }).waitFor();
      await page.getByRole("button", { name: "More" }).click();
      await pictureOf(page, "albums_favourite_menu");
      await page.getByRole("menuitem", { name: "Add to favourites" }).click();
      await page.goto(`${url}/#/albums`);
      await until(() => sorted(), "Ants, Zoo");
      await page.getByRole("link", { name: /^Favourite Ants/ }).waitFor();
      await expectAccessible(page);
      await pictureOf(page, "albums_favourite");

      // A folder ends with its last album.
      await page.goto(`${url}/#/albums/Nowhere`);
      await page.getByRole("heading", { name: "This folder is empty" })
        .waitFor();
      expectQuiet(visitor, new URL(url).origin);
    });

    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/albums`);
      const sort = page.getByLabel("Sort by");
      await until(() => sort.inputValue(), "newest");
      // The mark came along.
      await page.getByRole("link", { name: /^Favourite Ants/ }).waitFor();
      await expectAccessible(page);
      await pictureOf(page, "albums_folders_phone_dark");
      await page.getByRole("link", { name: /^Trips/ }).click();
      await page.getByRole("heading", { name: "Trips", level: 1 }).waitFor();
      await expectAccessible(page);
      await pictureOf(page, "albums_folder_phone_dark");
    }, { ...PHONE, colorScheme: "dark" });
  },
);
