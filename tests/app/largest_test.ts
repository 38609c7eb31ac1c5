/**
 * What takes most of the storage: the largest photos first, selected and
 * deleted as in any list.
 *
 * @module
 */
import assert from "node:assert/strict";
import { plainOf } from "../../src/library/mod.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { pictureOf } from "../support/pictures.ts";
import { sampleBytes } from "../support/samples.ts";
import { appStory, BY_NIGHT, PHONE } from "../support/web_app.ts";
import {
  openPhotos,
  type Photographer,
  photographer,
} from "../support/web_people.ts";
import { until } from "../support/until.ts";

/** Adds a picture that is so many bytes longer than another one. */
async function takeLarge(
  { library }: Photographer,
  name: string,
  more: number,
  taken: string,
): Promise<void> {
  const picture = await sampleBytes("thumbnails/cat.jpg");
  const longer = new Uint8Array(picture.length + more);
  longer.set(picture);
  await library.take({
    source: plainOf(longer),
    about: { name, mime: "image/jpeg", taken_at: taken },
    derivatives: [{ kind: "thumbnail", mime: "image/jpeg", bytes: picture }],
  });
}

appStory(
  "the storage page leads to the largest photos, which are selected and deleted like any others",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    await takeLarge(ada, "small.jpg", 1, "2025-06-02T10:00:00Z");
    await takeLarge(ada, "largest.jpg", 3_000_000, "2019-06-02T10:00:00Z");
    await takeLarge(ada, "large.jpg", 1_200_000, "2026-01-02T10:00:00Z");
    await takeLarge(ada, "middle.jpg", 500_000, "2022-01-02T10:00:00Z");
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/settings/storage`);
      await page.getByText("What takes the most space").waitFor();
      await expectAccessible(page);
      await pictureOf(page, "storage");
      await page.getByRole("link", { name: "Show", exact: true }).click();
      await page.getByRole("heading", { name: "What takes the most space" })
        .waitFor();
      const tiles = page.locator(".grid a");
      const sizes = () => page.locator(".grid .mark.bottom").allInnerTexts();
      await until(async () => (await sizes()).length, 4);
      const [first, second, third, last] = await sizes();
      assert.deepEqual([first, second], ["2.9 MiB", "1.2 MiB"]);
      assert(third?.endsWith("KiB") && last?.endsWith("KiB"), `${third}`);
      // Those of about one size have a heading.
      await page.getByRole("heading", { name: "1.2 MiB – 2.9 MiB" }).waitFor();
      // The pictures are there, or it is said that there are none.
      await until(() => page.locator(".grid .coming").count(), 0);
      await expectAccessible(page);
      await pictureOf(page, "largest");

      // By the keyboard alone.
      await tiles.first().focus();
      await page.keyboard.press("x");
      await page.getByText("1 selected").first().waitFor();
      await page.keyboard.press("Delete");
      await page.getByText("1 photo moved to the trash").waitFor();
      await until(async () => (await sizes())[0], "1.2 MiB");
      await tiles.first().click();
      await page.getByRole("dialog", { name: "Photo" }).waitFor();
      await page.keyboard.press("Escape");
      await page.locator(".grid a:focus").waitFor();
      await page.getByRole("link", { name: "Settings" }).click();
      await page.getByText("What takes the most space").waitFor();
      expectQuiet(visitor, new URL(url).origin);
    });

    if (!BY_NIGHT) return;
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/largest`);
      await page.getByRole("heading", { name: "1.2 MiB" }).waitFor();
      await expectAccessible(page);
      await pictureOf(page, "largest_phone_dark");
    }, { ...PHONE, colorScheme: "dark" });
  },
);
