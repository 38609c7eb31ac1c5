/**
 * Who added a photo to an album of several people, and finding all of theirs.
 *
 * @module
 */
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { pictureOf } from "../support/pictures.ts";
import { somebody } from "../support/people_in_app.ts";
import { appStory, BY_NIGHT, PHONE } from "../support/web_app.ts";
import { openPhotos, photographer, sample } from "../support/web_people.ts";
import { until } from "../support/until.ts";

appStory(
  "a photo in a shared album names who added it, and leads to all photos of that person",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const bob = await somebody(url, "bob");
    const { library } = ada;
    const bobsId = bob.vault.session.userId;
    const { id } = await library.albums.create({
      title: "Summer",
      names: { [bobsId]: "Bob Miller" },
    });
    await library.albums.invite(id, bobsId, "contributor");
    await bob.sync();
    await bob.albums.accept(id);
    const [cat, rocket] = [await sample("cat.jpg"), await sample("rocket.jpg")];
    const { row: own } = await library.take(rocket, { albumId: id });
    const { row: bobs } = await bob.take(cat, { albumId: id });
    await bob.take(await sample("coffee.jpg"), { albumId: id });

    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/album/${id}/photo/${bobs.id}`);
      const info = page.getByRole("complementary", { name: "Information" });
      const addedBy = info.getByRole("link", { name: "Added by Bob Miller" });
      await page.getByRole("dialog", { name: "Photo" }).waitFor();
      await page.keyboard.press("i");
      await addedBy.waitFor();
      await expectAccessible(page);
      await pictureOf(page, "added_by");

      // A person's own photos name no one.
      await page.goto(`${url}/#/album/${id}/photo/${own.id}`);
      await info.getByText("rocket.jpg").waitFor();
      await addedBy.waitFor({ state: "detached" });

      // The name leads to the photos of the person, by the keyboard too.
      await page.goto(`${url}/#/album/${id}/photo/${bobs.id}`);
      await addedBy.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "by Bob Miller" }).waitFor();
      await until(() => page.locator(".grid .tile").count(), 2);
      expectQuiet(visitor, new URL(url).origin);
    });

    if (!BY_NIGHT) return;
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/album/${id}/photo/${bobs.id}`);
      await page.getByRole("button", { name: "Info" }).click();
      await page.getByRole("link", { name: "Added by Bob Miller" }).waitFor();
      await expectAccessible(page);
      await pictureOf(page, "added_by_phone_dark");
    }, { ...PHONE, colorScheme: "dark" });
  },
);
