/**
 * The people of an album on a phone.
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectAccessible } from "../support/axe.ts";
import { pictureOf } from "../support/pictures.ts";
import { appStory, PHONE } from "../support/web_app.ts";
import { openPhotos, photographer } from "../support/web_people.ts";

appStory(
  "on a phone, the menu of each member is wholly on the screen",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { id } = await ada.library.albums.create({ title: "Summer" });
    for (const name of ["bob", "carol", "dave"]) {
      const other = await photographer(url, name);
      const { session } = other.library.vault;
      const { userId } = await ada.library.people.find({
        address: `${name}@example.org`,
      });
      assert.equal(userId, session.userId);
      await ada.library.albums.invite(id, userId, "contributor");
    }
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/album/${id}`);
      await page.getByRole("button", { name: /^People/ }).click();
      const people = page.getByRole("dialog");
      const dots = people.getByRole("button", { name: /^More: / });
      await dots.nth(2).waitFor();
      await pictureOf(page, "people_phone");
      for (const at of [0, 2]) {
        // It stands at the end of its line, where the thumb is.
        const button = await dots.nth(at).boundingBox();
        assert(button !== null);
        const end = button.x + button.width;
        assert(end > PHONE.viewport.width - 24, `ends at ${end}`);
        await dots.nth(at).click();
        const menu = people.getByRole("menu");
        await menu.waitFor();
        await pictureOf(page, `people_phone_menu_${at}`);
        await expectAccessible(page);
        const box = await menu.boundingBox();
        assert(box !== null);
        const { width, height } = PHONE.viewport;
        assert(box.x >= 0 && box.x + box.width <= width, JSON.stringify(box));
        assert(box.y >= 0 && box.y + box.height <= height, JSON.stringify(box));
        // Nothing lies over it.
        const x = box.x + box.width / 2;
        const y = box.y + box.height - 20;
        const isSeen: unknown = await page.evaluate(
          `document.elementFromPoint(${x}, ${y})?.closest("[role=menu]") != null`,
        );
        assert.equal(isSeen, true, `menu ${at}`);
        await page.keyboard.press("Escape");
      }
    }, PHONE);
  },
);
