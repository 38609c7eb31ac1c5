/**
 * Places of photos in the app: their names, finding photos by them, and saying
 * where a photo was taken.
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { pictureOf } from "../support/pictures.ts";
import { until } from "../support/until.ts";
import { appStory, nightStory } from "../support/web_app.ts";
import { sampleBytes } from "../support/samples.ts";
import { plainOf } from "../../src/library/mod.ts";
import { openPhotos, photographer, sample } from "../support/web_people.ts";

appStory(
  "photos have the names of their places, are found by them, and are given one, without a request to another server",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { row: cat } = await ada.library.take(
      await sample("cat.jpg", {
        taken_at: "2024-06-12T10:00:00Z",
        place: { latitude: 45.987, longitude: 9.261 },
      }),
    );
    const { row: coffee } = await ada.library.take(
      await sample("coffee.jpg", {
        taken_at: "2023-06-11T10:00:00Z",
        place: { latitude: 38.72, longitude: -9.14 },
      }),
    );
    await ada.library.take(
      await sample("rocket.jpg", { taken_at: "2022-06-10T10:00:00Z" }),
    );
    await ada.library.collections.create("Journeys", [cat.id, coffee.id]);
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, ada);
      await page.getByRole("link", { name: "Albums" }).first().click();
      // Under the name of a list: where, and from when until when.
      const journeys = page.getByRole("link", { name: "Journeys" });
      await journeys.getByText(/^(Bellagio|Lisbon), \w+ · Jun\w* 2023 – Jun/)
        .waitFor();
      await expectAccessible(page);
      await journeys.click();
      await page.getByText(/^2 photos · \w+, \w+ · Jun\w* 2023 – Jun/)
        .waitFor();
      const search = page.getByRole("combobox", { name: "Search" });
      /** Waits until a search has found one photo. */
      const found = async (query: string) => {
        await page.getByRole("heading", { name: query, exact: true })
          .waitFor();
        await page.getByRole("status").filter({ hasText: "1 photo found" })
          .waitFor();
      };

      const photo = page.getByRole("dialog", { name: "Photo" });
      const about = page.getByRole("complementary", { name: "Information" });
      const leave = async () => {
        await about.getByRole("button", { name: "Close" }).click();
        await page.keyboard.press("Escape");
        // The tile takes the focus, from a field that has it before that too.
        await page.locator(".grid a:focus").waitFor();
      };
      const look = async () => {
        await page.locator(".grid a").first().click();
        await photo.waitFor();
        await page.keyboard.press("i");
        await about.waitFor();
      };

      // Suggested as one types, and found together with other words.
      await search.fill("bel");
      await page.getByRole("option", { name: "Bellagio" }).click();
      await found("bellagio");
      // A mistake is forgiven, also in what is suggested.
      await search.fill("bellagoi");
      await page.getByRole("option", { name: "Bellagio" }).click();
      await found("bellagio");
      await search.fill("summer");
      await page.getByRole("option", { name: "Summer 2023" }).click();
      await found("summer 2023");
      await search.fill("portugal 2023");
      await search.press("Enter");
      await found("portugal 2023");
      await search.fill("italien");
      await found("italien");
      // Around a town where no photo is in.
      await search.fill("como");
      await found("como");
      await search.fill("portugal 2024");
      await page.getByText("Nothing found for “portugal 2024”").waitFor();

      await search.fill("italy");
      await found("italy");
      await look();
      await about.getByText("Bellagio, Italy", { exact: true }).waitFor();
      await about.getByText("45.987° N, 9.261° E", { exact: true }).waitFor();
      await about.getByText("Names of places by GeoNames").waitFor();
      await expectAccessible(page);

      // A place is corrected by the name of a town, with any letters.
      await about.getByRole("button", { name: "Change the place" }).click();
      const where = about.getByLabel("Where was it taken?");
      await where.fill("no town has this name");
      await about.getByText("No town has this name.").waitFor();
      await where.fill("varenna");
      await about.getByRole("button", { name: "Varenna, Italy" }).waitFor();
      await expectAccessible(page);
      await about.getByRole("button", { name: "Varenna, Italy" }).click();
      await about.getByText("Varenna, Italy", { exact: true }).waitFor();
      await leave();

      // One without a place gets it, by coordinates too.
      await search.fill("rocket");
      await found("rocket");
      await look();
      await about.getByRole("button", { name: "Add a place" }).click();
      await where.fill("47.378, 8.540");
      await about.getByRole("button", { name: "47.378° N, 8.54° E" }).click();
      await about.getByText("Zurich, Switzerland", { exact: true }).waitFor();
      await leave();
      await search.fill("schweiz");
      await found("schweiz");
      expectQuiet(visitor, new URL(url).origin);
    });
    await ada.library.sync();
    const rocket = ada.library.list().find(({ metadata }) =>
      metadata?.name === "rocket.jpg"
    );
    const { latitude, longitude } = rocket?.metadata?.place ?? {};
    if (latitude !== 47.378 || longitude !== 8.54) {
      throw new Error(`another place: ${latitude}, ${longitude}`);
    }
  },
);

appStory(
  "a map shows where photos were taken, opens those of a place, and is the same after Back",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const cat = await sampleBytes("thumbnails/cat.jpg");
    const take = async (
      name: string,
      place?: { readonly latitude: number; readonly longitude: number },
    ) => {
      const { row } = await ada.library.take({
        // What stands after the picture makes it another file.
        source: plainOf(new Uint8Array([...cat, name.length])),
        about: {
          name,
          mime: "image/jpeg",
          taken_at: "2024-06-12T10:00:00Z",
          ...(place === undefined ? {} : { place }),
        },
      });
      return row.id;
    };
    const bellagio = { latitude: 45.987, longitude: 9.261 };
    for (const name of ["a", "bb", "ccc"]) await take(name, bellagio);
    await take("dddd", { latitude: 38.72, longitude: -9.14 });
    await take("eeeee", { latitude: -33.8568, longitude: 151.2153 });
    await take("nowhere");
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, ada);
      await page.getByRole("link", { name: "Albums" }).first().click();
      const asked = page.waitForResponse((response) =>
        response.url().endsWith("/app/map.json")
      );
      await page.getByRole("link", { name: "Map" }).click();
      await page.getByRole("heading", { name: "Map" }).waitFor();
      const all = page.getByRole("link", { name: "Show 5 photos from here" });
      await all.waitFor();
      await expectAccessible(page);
      // Photos that are close to each other are one marker, until one zooms in.
      const three = page.getByRole("button", { name: "3 photos" });
      await three.waitFor();
      const four = page.getByRole("button", { name: "4 photos" });
      await page.locator(".map-world").focus();
      await page.keyboard.press("-");
      await page.keyboard.press("-");
      await four.click();
      await three.waitFor();
      await page.getByRole("button", { name: "1 photo" }).first().waitFor();
      // Without the operator's file there are no streets to choose; the map has
      // been drawn several times since the server said so.
      assert.deepEqual(await (await asked).json(), { streets: false });
      assert.equal(await page.getByRole("checkbox").count(), 0);
      await three.click();
      await page.getByRole("heading", { name: "Photos from this area" })
        .waitFor();
      await page.locator(".grid a").nth(2).waitFor();
      await page.locator(".grid a").first().click();
      await page.getByRole("dialog", { name: "Photo" }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog", { name: "Photo" }).waitFor({
        state: "detached",
      });
      await page.goBack();
      await three.waitFor();

      await page.getByRole("button", { name: "Show all places" }).click();
      await all.waitFor();
      await all.click();
      await page.locator(".grid a").nth(4).waitFor();
      expectQuiet(visitor, new URL(url).origin);
    });
  },
);

// By day tests/clients/places_test.ts says the same.
nightStory(
  "a town has its name in the app's language, and is found by its name in any",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { row } = await ada.library.take(
      await sample("cat.jpg", {
        taken_at: "2024-06-12T10:00:00Z",
        place: { latitude: 48.137, longitude: 11.575 },
      }),
    );
    await ada.library.take(await sample("coffee.jpg"));
    await ada.library.collections.create("Zoo", [row.id]);
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/albums`);
      await page.getByText(/^Munich · Jun 12/).waitFor();
      await page.goto(`${url}/#/settings/look`);
      await page.getByLabel("Language").selectOption("de");
      await page.goto(`${url}/#/albums`);
      await page.getByText(/^München · 12\. Juni 2024/).waitFor();
      await pictureOf(page, "town_de");
      for (const name of ["münchen", "munich", "Monaco di Baviera"]) {
        await page.goto(`${url}/#/search?q=${encodeURIComponent(name)}`);
        await until(() => page.locator(".grid a").count(), 1);
      }
      await page.getByRole("searchbox").or(page.getByRole("combobox")).first()
        .fill("monaco");
      await page.getByRole("option", { name: "München" }).waitFor();
    });
  },
);
