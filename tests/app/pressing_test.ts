/**
 * Pressing photos of a list that changes meanwhile.
 *
 * @module
 */
import assert from "node:assert/strict";
import { until } from "../support/until.ts";
import { appStory } from "../support/web_app.ts";
import { openPhotos, photographer, sample } from "../support/web_people.ts";

appStory(
  "the photo that was pressed is opened, also if others come in before the finger is lifted",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    await ada.library.take(
      await sample("coffee.jpg", { taken_at: "2024-06-11T10:00:00Z" }),
    );
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      const photos = page.locator(".grid a");
      // A banner that comes at that moment moves it from under the pointer.
      await until(async () => {
        await page.mouse.up();
        await photos.first().hover();
        await page.mouse.down();
        return await page.locator(".grid a:active").count();
      }, 1);
      // What is pressed is the link, and not a picture that may yet come.
      const under = `document.elementFromPoint(...Object.values(
        document.querySelector(".grid a").getBoundingClientRect().toJSON(),
      ).slice(0, 2).map((edge) => edge + 60)).tagName`;
      assert.equal(await page.evaluate(under), "A");
      await ada.library.take(
        await sample("cat.jpg", { taken_at: "2024-06-12T10:00:00Z" }),
      );
      await photos.nth(1).waitFor();
      await page.mouse.up();
      const large = page.getByRole("dialog", { name: "Photo" });
      await large.getByText(/ · 2 of 2$/).waitFor();
      await large.locator("[data-offset='0'] [data-of=original]").waitFor();
    });
  },
);
