/**
 * Photos found by the things in them: off until a person turns it on, looked at
 * once for all devices, and deleted whole.
 *
 * @module
 */
import assert from "node:assert/strict";
import { plainOf } from "../../src/library/mod.ts";
import { openPictureThings } from "../../src/library/finding/picture_things.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { pathsAsked, untilFound } from "../support/finding.ts";
import { pictureOf } from "../support/pictures.ts";
import { portrait } from "../support/portraits.ts";
import { sampleBytes } from "../support/samples.ts";
import { until } from "../support/until.ts";
import { appStory, BY_NIGHT, nightStory, PHONE } from "../support/web_app.ts";
import {
  openPhotos,
  type Photographer,
  photographer,
} from "../support/web_people.ts";

/** Files that only this needs. */
const FILES = /\/(?:things|faces)[.-]/;

async function take(
  { library }: Photographer,
  name: string,
  picture: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const { row } = await library.take({
    source: plainOf(picture),
    about: { name, mime: "image/jpeg", taken_at: "2024-06-01T10:00:00Z" },
    derivatives: [{ kind: "thumbnail", mime: "image/jpeg", bytes: picture }],
  });
  return row.id;
}

appStory(
  "photos are found by the things in them after a person turns that on, on all devices, and what was found is deleted whole",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const cat = await take(ada, "one.jpg", await sampleBytes("cat.jpg"));
    await take(ada, "three.jpg", await sampleBytes("hubble-deep-field.jpg"));
    const people = await take(
      ada,
      "four.jpg",
      new Uint8Array(await portrait(3)),
    );
    const secret = await take(
      ada,
      "five.jpg",
      new Uint8Array(await portrait(1)),
    );
    await ada.library.flags.change([secret], { hidden: true });

    await visit(async (visitor) => {
      const { page } = visitor;
      const asked = pathsAsked(page, FILES);
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/search?q=cat`);
      await page.getByRole("heading", { name: "Nothing found for “cat”" })
        .waitFor();
      // What may find more is offered there.
      await page.getByText("Search finds more once").waitFor();
      const offered = page.locator(".search-more summary");
      await until(
        async () => (await offered.allInnerTexts()).join(),
        "People,Things in photos,Words in photos",
      );
      await page.goto(`${url}/#/settings/find`);
      const turnOn = page.getByRole("switch", { name: "Find things" });
      await turnOn.waitFor();
      await expectAccessible(page);
      await turnOn.scrollIntoViewIfNeeded();
      await pictureOf(page, "things_off");
      assert.deepEqual(asked, [], "nothing is loaded before");

      await turnOn.click();
      await page.getByText("All photos were looked at.")
        .waitFor({ timeout: 120_000 });
      assert.match(asked.join(" "), /things-weights\.bin/);
      assert.doesNotMatch(asked.join(" "), /faces-find/, "nor faces' models");
      await expectAccessible(page);
      await page.getByRole("checkbox", {
        name: /^This device looks for things/,
      }).scrollIntoViewIfNeeded();
      await pictureOf(page, "things_settings");

      await untilFound(page, url, "cat", cat);
      await pictureOf(page, "things_found");
      // In any language, one or many, by its kind, and as people type it.
      for (const q of ["Katzen", "chat", "animals", "cat 2024", "anmials"]) {
        await untilFound(page, url, q, cat);
      }
      await untilFound(page, url, "people", people);
      await page.goto(`${url}/#/search?q=ca`);
      await page.getByRole("heading", { name: "Nothing found for “ca”" })
        .waitFor();

      // Suggested as one types.
      const search = page.getByRole("combobox", { name: "Search" });
      await search.fill("katz");
      await page.getByRole("option", { name: "katze" }).click();
      await page.getByRole("status").filter({ hasText: "1 photo found" })
        .waitFor();

      // A photo that comes later is looked at as well.
      const later = await take(
        ada,
        "six.jpg",
        new Uint8Array([...await sampleBytes("cat.jpg"), 0]),
      );
      await untilFound(page, url, "cat", cat, later);
      await page.goto(`${url}/#/settings/find`);
      await page.getByText("All photos were looked at.").waitFor();
      expectQuiet(visitor, new URL(url).origin);
    });

    // The hidden photo was not looked at.
    const slot = async () =>
      (await ada.library.vault.session.account.slot("things-1")).bytes.length;
    await ada.library.sync();
    const known = await openPictureThings(ada.library);
    await until(async () => {
      await known.read();
      return known.count;
    }, 4);
    const before = await slot();

    // By day faces_test.ts shows this on a phone;
    // tests/clients/library_faces_test.ts: turned off, all is gone.
    if (!BY_NIGHT) return;
    // A phone need not look, and finds what the computer found.
    await visit(async (visitor) => {
      const { page } = visitor;
      const asked = pathsAsked(page, FILES);
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/search?q=cats`);
      await until(() => page.locator(".grid a").count(), 2);
      await pictureOf(page, "things_found_phone_dark");
      await page.goto(`${url}/#/settings/find`);
      const off = page.getByRole("switch", { name: "Find things" });
      await off.waitFor();
      await expectAccessible(page);
      await off.scrollIntoViewIfNeeded();
      await pictureOf(page, "things_settings_phone_dark");
      assert.deepEqual(asked, [], "a phone looks at nothing");

      await off.click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Turn off and delete" }).click();
      await page.getByText("What was found is deleted.").waitFor();
      await page.getByRole("switch", { name: "Find things" }).waitFor();
      await page.goto(`${url}/#/search?q=cats`);
      await page.getByRole("heading", { name: "Nothing found for “cats”" })
        .waitFor();
      expectQuiet(visitor, new URL(url).origin);
    }, { ...PHONE, colorScheme: "dark" });
    assert(await slot() < before, "nothing is left on the server");
    await ada.library.sync();
    await known.read();
    assert.equal(known.count, 0);
  },
);

// By day the story above shows what such a search offers, and finds;
// tests/clients/looking_queue_test.ts: a picture is left to the device that
// looks.
nightStory(
  "a search that finds nothing offers to look at photos, and a phone that is told to look finds them there",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    const cat = await take(ada, "one.jpg", await sampleBytes("cat.jpg"));
    await visit(async (visitor) => {
      const { page } = visitor;
      const asked = pathsAsked(page, FILES);
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/search?q=cat`);
      await page.getByText("Search finds more once").waitFor();
      const offered = page.locator(".search-more summary");
      // Each is offered once it is known whether it may find more.
      await until(
        async () => (await offered.allInnerTexts()).join(),
        "People,Things in photos,Words in photos",
      );
      await offered.nth(1).click();
      await expectAccessible(page);
      await pictureOf(page, "search_more");
      assert.deepEqual(asked, [], "nothing is loaded before");
      await page.getByRole("button", { name: "Find things" }).click();
      await page.getByText("1 photo waits for a device").waitFor();
      await pictureOf(page, "search_waits");
      await page.getByRole("checkbox", {
        name: /^This device looks for things/,
      })
        .check();
      await page.locator(`.grid a[data-id="${cat}"]`)
        .waitFor({ timeout: 120_000 });
      // There is nothing more to look at for things.
      await page.goto(`${url}/#/search?q=boat`);
      await until(
        async () => (await offered.allInnerTexts()).join(),
        "People,Words in photos",
      );
      expectQuiet(visitor, new URL(url).origin);
    }, PHONE);
  },
);
