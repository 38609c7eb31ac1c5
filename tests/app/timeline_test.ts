/**
 * Photos that another device put there, looked at in the app.
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectQuiet } from "../support/browser.ts";
import { appStory } from "../support/web_app.ts";
import { openPhotos, photographer, sample } from "../support/web_people.ts";

const SAMPLES = [
  ["cat.jpg", "2024-06-12T10:00:00Z"],
  ["coffee.jpg", "2024-06-12T09:00:00Z"],
  ["rocket.jpg", "2023-01-05T12:00:00Z"],
] as const;

/** Runs in the page: how wide a picture is that decodes. */
async function naturalWidth(image: unknown): Promise<number> {
  const shown = image as { decode(): Promise<void>; naturalWidth: number };
  await shown.decode();
  return shown.naturalWidth;
}

appStory("a timeline has each day's photos, newest first", async (story) => {
  const ada = await photographer(story.url, "ada");
  for (const [name, taken_at] of SAMPLES) {
    await ada.library.take(await sample(name, { taken_at }));
  }
  await story.visit(async (visitor) => {
    const { page } = visitor;
    await openPhotos(page, story.url, ada);
    await page.locator(".grid img").nth(2).waitFor();
    const day = page.getByRole("region", { name: "June 12" });
    assert.equal(await day.getByRole("link").count(), 2);
    const tiles = page.locator(".grid img");
    // Every one of them is the picture that was put there.
    const widths = await Promise.all(
      (await tiles.all()).map((tile) => tile.evaluate(naturalWidth)),
    );
    assert(widths.every((width) => width > 100), String(widths));
    const days = await page.getByRole("heading", { level: 2 }).allInnerTexts();
    assert.deepEqual(days, ["Wed, June 12, 2024", "Thu, January 5, 2023"]);
    expectQuiet(visitor, new URL(story.url).origin);
  });
});
