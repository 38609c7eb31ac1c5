/**
 * What can be undone is offered, and nothing else.
 *
 * @module
 */
import assert from "node:assert/strict";
import { appStory } from "../support/web_app.ts";
import { openPhotos, photographer, sample } from "../support/web_people.ts";

/** Runs in the page: no message ends by itself, however long a test takes. */
const MESSAGES_STAY = `
  const { setTimeout: real } = self;
  self.setTimeout = (act, ms, ...rest) =>
    real(act, ms === 6000 ? 3_600_000 : ms, ...rest);
`;

appStory(
  "nobody is offered to undo a deletion after the photos were restored, or deleted for good",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    for (const name of ["cat.jpg", "coffee.jpg", "rocket.jpg"]) {
      await ada.library.take(await sample(name));
    }
    await visit(async ({ page }) => {
      await page.addInitScript(MESSAGES_STAY);
      await openPhotos(page, url, ada);
      const photos = page.locator(".grid a");
      const undo = page.getByRole("button", { name: "Undo" });
      const deleteFirst = async () => {
        await photos.nth(2).waitFor();
        await photos.first().focus();
        await page.keyboard.press("x");
        await page.getByText("1 selected").first().waitFor();
        await page.keyboard.press("Delete");
        await undo.waitFor();
        assert.equal(await undo.count(), 1);
        await page.getByRole("navigation", { name: "strongroom" })
          .getByRole("link", { name: "Trash" }).click();
        await page.getByRole("heading", { name: "Trash", level: 1 }).waitFor();
      };
      await deleteFirst();
      await photos.first().focus();
      await page.keyboard.press("x");
      await page.getByRole("button", { name: "Bring back" }).click();
      await page.getByText("1 photo brought back").waitFor();
      await undo.waitFor({ state: "detached" });

      await page.goto(`${url}/#/photos`);
      await deleteFirst();
      await page.getByRole("button", { name: "Empty the trash" }).click();
      await page.getByRole("dialog").getByRole("button", {
        name: "Empty the trash",
      }).click();
      await page.getByRole("heading", { name: "The trash is empty" }).waitFor();
      await undo.waitFor({ state: "detached" });

      // What is still in the trash can be restored.
      await page.goto(`${url}/#/photos`);
      await photos.nth(1).waitFor();
      await photos.first().focus();
      await page.keyboard.press("x");
      await page.keyboard.press("Delete");
      await undo.click();
      await photos.nth(1).waitFor();
    });
  },
);
