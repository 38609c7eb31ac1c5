/**
 * The archive: photos that are out of the timeline, but in albums and searches,
 * on every device.
 *
 * @module
 */
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { pictureOf } from "../support/pictures.ts";
import { appStory, BY_NIGHT, PHONE } from "../support/web_app.ts";
import { openPhotos, photographer, sample } from "../support/web_people.ts";
import { until } from "../support/until.ts";

appStory(
  "archived photos leave the timeline and stay in albums and searches, on every device",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    const { row: cat } = await library.take(await sample("cat.jpg"));
    await library.take(await sample("coffee.jpg"));
    await library.take(await sample("rocket.jpg"));
    const { id } = await library.albums.create({ title: "Pets" });
    await library.copyInto(cat.id, id);
    await visit(async (visitor) => {
      const { page } = visitor;
      const tiles = page.locator(".grid a");
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/archive`);
      await page.getByRole("heading", { name: "Nothing is archived" })
        .waitFor();
      await expectAccessible(page);

      // Archived where it is seen in an album, its photo leaves the timeline.
      await page.goto(`${url}/#/album/${id}`);
      await tiles.first().focus();
      await page.keyboard.press("x");
      await page.getByText("1 selected").first().waitFor();
      const more = page.getByRole("toolbar", { name: "Selected photos" })
        .getByRole("button", { name: "More" });
      await more.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("menuitem", { name: "Archive" }).waitFor();
      await expectAccessible(page);
      await pictureOf(page, "archive_menu");
      await page.getByRole("menuitem", { name: "Archive" }).click();
      await page.getByText("Archived: 1 photo").waitFor();
      await until(() => tiles.count(), 1);
      await page.goto(`${url}/#/photos`);
      await until(() => tiles.count(), 2);

      await page.goto(`${url}/#/search?q=cat.jpg`);
      await until(() => tiles.count(), 1);
      await page.goto(`${url}/#/search?q=archived`);
      await until(() => tiles.count(), 1);

      // It is undone at once.
      await page.goto(`${url}/#/photos`);
      await until(() => tiles.count(), 2);
      await tiles.first().focus();
      await page.keyboard.press("x");
      await more.click();
      await page.getByRole("menuitem", { name: "Archive" }).click();
      await until(() => tiles.count(), 1);
      await page.getByRole("button", { name: "Undo" }).last().click();
      await until(() => tiles.count(), 2);
      expectQuiet(visitor, new URL(url).origin);
    });

    // By day src/library/showing/flags_test.ts: another device learns of it, and
    // takes a photo out again. By night only: the page of the archive shows the
    // photo, and the viewer's menu takes it out.
    if (!BY_NIGHT) return;
    await visit(async ({ page }) => {
      const tiles = page.locator(".grid a");
      await openPhotos(page, url, ada);
      await until(() => tiles.count(), 2);
      await page.goto(`${url}/#/albums`);
      await page.getByRole("link", { name: "Archive" }).waitFor();
      await expectAccessible(page);
      await pictureOf(page, "archive_albums_phone_dark");
      await page.getByRole("link", { name: "Archive" }).click();
      await page.getByRole("heading", { name: "Archive" }).waitFor();
      await until(() => tiles.count(), 1);
      await expectAccessible(page);
      await pictureOf(page, "archive_phone_dark");
      await tiles.first().click();
      await page.getByRole("dialog", { name: "Photo" }).waitFor();
      await page.getByRole("button", { name: "Actions" }).or(
        page.getByRole("button", { name: "More" }),
      ).last().click();
      await page.getByRole("menuitem", { name: "Back to Photos" }).click();
      await page.getByText("Back in Photos: 1 photo").waitFor();
      await page.goto(`${url}/#/photos`);
      await until(() => tiles.count(), 3);
    }, { ...PHONE, colorScheme: "dark" });
  },
);
