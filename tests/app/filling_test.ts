/**
 * Albums that fill themselves with photos of people, and what was added last.
 *
 * @module
 */
import assert from "node:assert/strict";
import { fillRules, withFillRule } from "../../src/library/albums/filling.ts";
import { openFaces } from "../../src/library/finding/faces.ts";
import { pictureHash } from "../../src/library/finding/findings_pages.ts";
import { expectAccessible } from "../support/axe.ts";
import { pictureOf } from "../support/pictures.ts";
import { appStory, BY_NIGHT, PHONE } from "../support/web_app.ts";
import { openPhotos, photographer, sample } from "../support/web_people.ts";
import { until } from "../support/until.ts";

appStory(
  "an album fills itself with the photos of a person or a place, and what was added last comes first",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    const { id } = await library.albums.create({ title: "Mia" });
    // The newest photo is the oldest one in the library.
    const [cat, , rocket] = [
      (await library.take(
        await sample("cat.jpg", {
          taken_at: "2024-06-01T10:00:00Z",
        }),
      )).row,
      (await library.take(
        await sample("coffee.jpg", {
          place: { latitude: 38.72, longitude: -9.14 },
          taken_at: "2023-06-01T10:00:00Z",
        }),
      )).row,
      (await library.take(
        await sample("rocket.jpg", {
          taken_at: "1999-06-01T10:00:00Z",
        }),
      )).row,
    ];
    const faces = await openFaces(library);
    await faces.turn(true);
    const seen = (row: typeof rocket) => {
      assert(row.metadata !== undefined);
      const vector = Array.from({ length: 128 }, (_, at) => (at % 7) / 80);
      return {
        hash: pictureHash(row.metadata),
        faces: [{
          x: 0.3,
          y: 0.3,
          width: 0.3,
          height: 0.4,
          sure: 0.95,
          vector,
        }],
      };
    };
    await faces.note([seen(cat)]);
    const [mia] = faces.people();
    assert(mia !== undefined);
    await faces.change(mia.id, { name: "Mia" });
    await faces.send();

    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/recent`);
      await page.getByRole("heading", { name: "Recently added" }).waitFor();
      await page.getByText("Today").waitFor();
      const tiles = page.locator(".grid .tile");
      await until(() => tiles.count(), 3);
      await expectAccessible(page);
      await pictureOf(page, "recent");
      await tiles.first().click();
      await page.getByText("June 1, 1999").waitFor();

      await page.goto(`${url}/#/album/${id}`);
      await page.locator(".album-head").getByRole("button", { name: "More" })
        .click();
      await page.getByRole("menuitem", { name: "Fill by itself" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Mia" }).click();
      await expectAccessible(page);
      await pictureOf(page, "filling");
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByText("Fills itself with photos of 1 person.").waitFor();
      await until(() => tiles.count(), 1);
      await expectAccessible(page);
      await pictureOf(page, "filled");

      // Everything new of one's own, with the person or without.
      await page.getByRole("button", { name: "Change" }).click();
      await dialog.getByLabel("Everything new of mine").check();
      await expectAccessible(page);
      await pictureOf(page, "filling_all");
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByText("Everything new of yours comes into this album.")
        .waitFor();
      assert.equal(await tiles.count(), 1, "what was there before is not new");
      await library.take(await sample("hubble-deep-field.jpg"));
      await until(() => tiles.count(), 2);

      // By place, from a day on.
      await page.getByRole("button", { name: "Change" }).click();
      await dialog.getByText("Places", { exact: true }).click();
      await dialog.getByRole("button", { name: "Portugal", exact: true })
        .click();
      await dialog.getByLabel("Only photos taken from this day on").fill(
        "2023-01-01",
      );
      await expectAccessible(page);
      await pictureOf(page, "filling_places");
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByText("Only photos from Jan 1, 2023 on.").waitFor();
      await until(() => tiles.count(), 3);

      // What another device recognises later comes by itself.
      await page.getByRole("button", { name: "Change" }).click();
      await dialog.getByLabel("Only photos taken from this day on").fill("");
      await dialog.getByRole("button", { name: "Save" }).click();
      await faces.note([seen(rocket)]);
      await faces.send();
      await until(() => tiles.count(), 4);

      // The oldest first, for all members.
      await page.locator(".album-head").getByRole("button", { name: "More" })
        .click();
      await page.getByRole("menuitem", { name: "Show oldest photos first" })
        .click();
      await page.locator(".grid .tile").first().getByLabel(/1999/).waitFor();
    });

    // By day tests/clients/library_filling_test.ts: what was taken out by
    // hand no device adds again, and a rule names places. By night only: the
    // dialog shows a place that no photo is of, and it can be unchosen.
    if (!BY_NIGHT) return;
    // What is taken out by hand stays out.
    const copies = library.list().filter(({ album }) => album === id);
    assert.equal(copies.length, 0, "this device has not followed yet");
    await library.sync();
    const [copy] = library.list().filter(({ album }) => album === id);
    assert(copy !== undefined);
    await library.takeOutOf([copy.id]);
    await library.state.change((held) => {
      const rule = fillRules(held.settings).get(id);
      assert(rule !== undefined);
      const places = [...rule.places ?? [], "IS Reykjavík"];
      const settings = withFillRule(
        held.settings,
        id,
        { ...rule, places },
        Date.now(),
      );
      return { ...held, settings };
    });

    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/album/${id}`);
      await page.getByText("Everything new of yours").waitFor();
      await until(() => page.locator(".grid .tile").count(), 3);
      await page.getByText(/^3 photos/).first().waitFor();
      await pictureOf(page, "filled_phone_dark");

      // A place that no photo is of can be unchosen.
      await page.getByRole("button", { name: "Change" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Reykjavík, Iceland" }).click();
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "hidden" });
    }, { ...PHONE, colorScheme: "dark" });
    const { settings } = await library.state.read();
    assert.deepEqual(fillRules(settings).get(id)?.places, ["PT"]);
  },
);
