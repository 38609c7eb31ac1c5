/**
 * Stacks: a burst, or a photo with its raw file, is one tile that opens.
 *
 * @module
 */
import { mediaTypeOf } from "../../src/media/media_types.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { pictureOf } from "../support/pictures.ts";
import { appStory, BY_NIGHT, PHONE } from "../support/web_app.ts";
import {
  openPhotos,
  type Photographer,
  photographer,
  sample,
} from "../support/web_people.ts";
import { until } from "../support/until.ts";
import { plainOf } from "../../src/library/mod.ts";

/** A burst of three, a photo with its raw file, and two other photos. */
async function fill({ library }: Photographer): Promise<void> {
  const names: readonly (readonly [name: string, of: string, at: string])[] = [
    ["IMG_20240603_100000_BURST001.jpg", "cat.jpg", "2024-06-03T10:00:00Z"],
    [
      "IMG_20240603_100000_BURST002_COVER.jpg",
      "cat.jpg",
      "2024-06-03T10:00:01Z",
    ],
    ["IMG_20240603_100000_BURST003.jpg", "cat.jpg", "2024-06-03T10:00:02Z"],
    ["DSC_0001.JPG", "coffee.jpg", "2024-06-02T10:00:00Z"],
    ["DSC_0001.NEF", "coffee.jpg", "2024-06-02T10:00:00Z"],
    ["DSC_0002.JPG", "rocket.jpg", "2024-06-02T09:00:00Z"],
    ["DSC_0003.JPG", "hubble-deep-field.jpg", "2024-06-01T09:00:00Z"],
  ];
  for (const [at, [name, of, taken_at]] of names.entries()) {
    const file = await sample(of);
    const bytes = await file.source.read(0, file.source.size);
    await library.take({
      ...file,
      // What stands after the picture makes it another file.
      source: plainOf(new Uint8Array([...bytes, at])),
      about: { ...file.about, name, mime: mediaTypeOf(name), taken_at },
    });
  }
}

appStory(
  "a burst, and a photo with its raw file, are one tile that opens, and is selected as one",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    await fill(ada);
    await visit(async (visitor) => {
      const { page } = visitor;
      const tiles = page.locator(".grid a");
      await openPhotos(page, url, ada);
      await until(() => tiles.count(), 4);
      const burst = page.getByRole("link", { name: /stack of 3/ });
      await burst.waitFor();
      await page.getByRole("link", { name: /stack of 2/ }).waitFor();
      await page.locator(".grid img").nth(3).waitFor();
      await expectAccessible(page);
      await pictureOf(page, "stacks_desktop");

      // It opens by key, and its photos are seen large.
      await burst.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "3 photos of one moment" })
        .waitFor();
      await until(() => tiles.count(), 3);
      await page.locator(".grid img").nth(2).waitFor();
      await expectAccessible(page);
      await pictureOf(page, "stack_open_desktop");
      await tiles.nth(1).click();
      await page.getByRole("dialog", { name: "Photo" })
        .getByText("2 of 3").first().waitFor();
      await page.keyboard.press("Escape");

      // An address of one that is behind another shows that very one.
      const { id: raw } = ada.library.list().find(({ metadata }) =>
        metadata?.name === "DSC_0001.NEF"
      ) ?? { id: "" };
      await page.goto(`${url}/#/photos/photo/${raw}`);
      await page.getByRole("dialog", { name: "Photo" })
        .getByText("of 2").first().waitFor();
      await page.getByRole("dialog", { name: "Photo" })
        .getByAltText("DSC_0001.NEF").first().waitFor();
      await page.goto(`${url}/#/photos`);
      await until(() =>
        tiles.count(), 4);
      await burst.click();
      await until(() => tiles.count(), 3);

      // One of it is thrown away: the others stay a stack.
      await tiles.first().focus();
      await page.keyboard.press("Delete");
      await page.getByRole("heading", { name: "2 photos of one moment" })
        .waitFor();
      await page.locator("a.back").click();
      await until(() => tiles.count(), 4);

      // Selected, it is all that is behind it.
      await page.getByRole("link", { name: /stack of 2/ }).last().focus();
      await page.keyboard.press("x");
      await page.getByText("2 selected").first().waitFor();
      await pictureOf(page, "stack_selected_desktop");
      await page.keyboard.press("Delete");
      await until(() => tiles.count(), 3);
      await page.goto(`${url}/#/trash`);
      // In the trash and in a search each is there for itself.
      await until(() => tiles.count(), 3);
      await page.goto(`${url}/#/search?q=burst`);
      await until(() => tiles.count(), 2);
      expectQuiet(visitor, new URL(url).origin);
    });
    await ada.library.sync();

    // By day src/library/showing/stacks_test.ts: stacks are there until they
    // are turned off. By night only: a phone shows and opens them, and the box
    // in the settings turns them off.
    if (!BY_NIGHT) return;
    await visit(async ({ page }) => {
      const tiles = page.locator(".grid a");
      await openPhotos(page, url, ada);
      await until(() => tiles.count(), 3);
      await page.locator(".mark.stacked").waitFor();
      await expectAccessible(page);
      await pictureOf(page, "stacks_phone_dark");
      await page.getByRole("link", { name: /stack of 2/ }).tap();
      await page.getByRole("heading", { name: "2 photos of one moment" })
        .waitFor();
      await until(() => tiles.count(), 2);
      await expectAccessible(page);
      await pictureOf(page, "stack_open_phone_dark");
      await page.goBack();
      await until(() => tiles.count(), 3);

      // Without stacks each photo is there for itself, at once.
      await page.goto(`${url}/#/settings/look`);
      const box = page.getByRole("checkbox", {
        name: /Show bursts and raw files as stacks/,
      });
      await box.waitFor();
      await expectAccessible(page);
      await box.scrollIntoViewIfNeeded();
      await pictureOf(page, "stacks_setting_phone_dark");
      await box.uncheck();
      await page.goto(`${url}/#/photos`);
      await until(() => tiles.count(), 4);
      await until(() => page.locator(".mark.stacked").count(), 0);
    }, { ...PHONE, colorScheme: "dark" });
  },
);
