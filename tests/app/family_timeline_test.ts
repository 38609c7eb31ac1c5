/**
 * A family's album in a person's own timeline, and leaving it with one's photos.
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectAccessible } from "../support/axe.ts";
import { somebody } from "../support/people_in_app.ts";
import { pictureOf } from "../support/pictures.ts";
import { until } from "../support/until.ts";
import { appStory, BY_NIGHT, PHONE } from "../support/web_app.ts";
import { openPhotos, photographer, sample } from "../support/web_people.ts";

appStory(
  "the timeline also shows a family's album with the owner of each photo, deletes own ones alone, and members who leave take theirs along",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const bob = await somebody(url, "bob");
    const { library } = ada;
    const { id } = await bob.albums.create({
      title: "Family",
      names: { [bob.vault.session.userId]: "Bob Miller" },
    });
    await bob.albums.invite(id, library.vault.session.userId, "contributor");
    await library.sync();
    await library.albums.accept(id);
    const at = (day: number) => ({ taken_at: `2024-06-0${day}T10:00:00Z` });
    await library.take(await sample("cat.jpg", at(1)));
    await library.take(await sample("cat.jpg", at(1)), { albumId: id });
    await bob.take(await sample("rocket.jpg", at(2)), { albumId: id });
    await bob.take(await sample("coffee.jpg", at(3)), { albumId: id });

    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      const tiles = page.locator(".grid .tile");
      await until(() => tiles.count(), 1);
      await page.goto(`${url}/#/album/${id}`);
      const more = page.locator(".album-head")
        .getByRole("button", { name: "More" });
      await more.click();
      await pictureOf(page, "family_menu");
      await page.getByRole("menuitem", { name: "Show in my timeline" }).click();
      await page.getByText("Photos now shows “Family”, too.").waitFor();

      await page.goto(`${url}/#/photos`);
      await until(() => tiles.count(), 3);
      const whose = tiles.locator(".whose");
      await until(async () => (await whose.allTextContents()).join(), "BM,BM");
      await expectAccessible(page);
      await pictureOf(page, "family_timeline");
      await tiles.first().click();
      await page.getByText("· Bob Miller").waitFor();
      await pictureOf(page, "family_viewer");
      await page.keyboard.press("Escape");

      // Archiving and deleting act on one's own.
      await tiles.first().locator("a").focus();
      await page.keyboard.press("Control+a");
      const bar = page.getByRole("toolbar", { name: "Selected photos" });
      await bar.getByText("3 selected").waitFor();
      await bar.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Archive" }).click();
      await until(() => tiles.count(), 2);
      await page.getByRole("button", { name: "Undo" }).click();
      await until(() => tiles.count(), 3);
      await tiles.first().locator("a").focus();
      await page.keyboard.press("Control+a");
      await bar.getByText("3 selected").waitFor();
      await bar.getByRole("button", { name: "Delete" }).click();
      const asked = page.getByRole("dialog");
      await asked.getByRole("button", { name: "Delete" }).click();
      await page.getByText("2 belong to others and stay").waitFor();
      await until(() => tiles.count(), 2);
      await page.getByRole("button", { name: "Undo" }).click();
      await until(() => tiles.count(), 3);
      // With its copy in the album.
      await page.goto(`${url}/#/album/${id}`);
      await until(() => tiles.count(), 3);
    });

    // By day tests/clients/member_calls_test.ts: who leaves takes their own
    // photos into the library or not, and keeps nothing of others. By night
    // only: the question, and what it passes on of the answer.
    if (!BY_NIGHT) return;
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await until(() => page.locator(".grid .whose").count(), 2);
      await pictureOf(page, "family_phone_dark");
      await page.goto(`${url}/#/album/${id}`);
      await page.locator(".album-head").getByRole("button", { name: "More" })
        .click();
      await page.getByRole("menuitem", { name: "Leave album" }).click();
      await page.getByLabel("Take them along").check();
      await expectAccessible(page);
      await pictureOf(page, "family_leaving_phone_dark");
      await page.getByRole("button", { name: "Leave album" }).click();
      await page.getByText("You left “Family”").waitFor();
      await page.goto(`${url}/#/photos`);
      await until(() => page.locator(".grid .tile").count(), 1);
    }, { ...PHONE, colorScheme: "dark" });
    await bob.sync();
    const left = bob.list().filter(({ album }) => album === id);
    assert.deepEqual(left.map(({ metadata }) => metadata?.name).sort(), [
      "coffee.jpg",
      "rocket.jpg",
    ]);
  },
);
