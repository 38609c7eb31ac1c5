/**
 * Memories on the first page: opened, left out, and found again.
 *
 * @module
 */
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { appStory, BY_NIGHT, PHONE } from "../support/web_app.ts";
import { sampleBytes } from "../support/samples.ts";
import { until } from "../support/until.ts";
import { plainOf } from "../../src/library/mod.ts";
import {
  openPhotos,
  type Photographer,
  photographer,
} from "../support/web_people.ts";

const BELLAGIO = { latitude: 45.987, longitude: 9.261 };

/** Photos of this day some years ago, by their names. */
async function takeYearsAgo(
  ada: Photographer,
  years: number,
  names: readonly string[],
  place?: typeof BELLAGIO,
): Promise<void> {
  const picture = await sampleBytes("thumbnails/cat.jpg");
  const now = new Date();
  // At noon, where no time zone of a test makes another day of it.
  const date = new Date(
    Date.UTC(now.getFullYear() - years, now.getMonth(), now.getDate(), 12),
  );
  for (const name of names) {
    await ada.library.take({
      // What stands after the picture makes it another file.
      source: plainOf(
        new Uint8Array([...picture, ...new TextEncoder().encode(name)]),
      ),
      about: {
        name,
        mime: "image/jpeg",
        taken_at: date.toISOString(),
        ...(place === undefined ? {} : { place }),
      },
      derivatives: [{
        kind: "thumbnail",
        mime: "image/jpeg",
        bytes: picture,
      }],
    });
  }
}

appStory(
  "what was on this day in other years is above the photos, and what is left out stays out on every device",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    // Four are a memory of the week, too, should the test run past midnight.
    await takeYearsAgo(ada, 1, ["a", "b", "c", "h"], BELLAGIO);
    await takeYearsAgo(ada, 3, ["d", "e", "f", "g", "hidden", "deleted"]);
    // What is hidden or in the trash is in no memory.
    for (const { id, metadata } of ada.library.list()) {
      if (metadata?.name === "hidden") {
        await ada.library.flags.change([id], { hidden: true });
      }
      if (metadata?.name === "deleted") await ada.library.trash(id);
    }
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, ada);
      const row = page.getByRole("region", { name: "Memories" });
      const lastYear = row.getByRole("link", { name: "1 year ago Bellagio" });
      const before = row.getByRole("link", { name: /^3 years ago/ });
      await lastYear.waitFor();
      await before.waitFor();
      await expectAccessible(page);

      // Opened, it is a list like any other.
      await before.click();
      await until(() => page.locator(".grid a").count(), 4);
      await page.locator(".grid a").first().click();
      await page.getByRole("dialog", { name: "Photo" }).waitFor();
      await page.keyboard.press("Escape");
      await page.locator(".grid a:focus").waitFor();

      // A place is left out, and taken back at once.
      await page.goBack();
      await lastYear.click();
      await page.getByRole("heading", { name: "Bellagio" }).waitFor();
      await expectAccessible(page);
      const more = page.locator(".album-head").getByRole("button", {
        name: "More",
      });
      const without = async (name: string) => {
        await more.click();
        await page.getByRole("menuitem", { name }).click();
        await page.getByText("Left out of your memories").waitFor();
      };
      await without("Hide memories of Bellagio");
      await lastYear.waitFor({ state: "detached" });
      await before.waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await lastYear.click();
      await without("Hide memories of these days");
      await lastYear.waitFor({ state: "detached" });
      expectQuiet(visitor, new URL(url).origin);
    });

    // By day src/library/finding/memories_test.ts: what is left out is
    // shown again, and there are none where they are turned off. By night only:
    // another device's first page follows both, and the settings have them.
    if (!BY_NIGHT) return;
    // Another device knows it, and shows it again.
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      const row = page.getByRole("region", { name: "Memories" });
      await until(() => row.getByRole("link").count(), 1);
      await page.goto(`${url}/#/settings/look`);
      await page.getByText("1 time or place is left out.").waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Show again" }).click();
      await page.getByText("1 time or place is left out.")
        .waitFor({ state: "detached" });
      await page.goto(`${url}/#/photos`);
      await row.getByRole("link").nth(1).waitFor();
      await page.goto(`${url}/#/settings/look`);
      await page.getByLabel("Memories on the first page").click();
      await page.goto(`${url}/#/photos`);
      await row.waitFor({ state: "detached" });
    }, { ...PHONE, colorScheme: "dark" });
  },
);
