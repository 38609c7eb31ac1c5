/**
 * Photos found by what they show: by models that the operator put into a folder,
 * off until somebody turns it on, on each device by itself, and deleted whole.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { plainOf } from "../../src/client/library/mod.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { colourPicture } from "../support/colour_pictures.ts";
import { pathsAsked } from "../support/finding.ts";
import { pictureOf } from "../support/pictures.ts";
import { putTinyModels } from "../support/tiny_models.ts";
import { until } from "../support/until.ts";
import { appStory, PHONE } from "../support/web_app.ts";
import {
  openPhotos,
  type Photographer,
  photographer,
} from "../support/web_people.ts";

type Colour = readonly [red: number, green: number, blue: number];

/** Files that only this needs. */
const FILES = /\/(?:meaning[.-]|models\/)/;

async function take(
  { library }: Photographer,
  name: string,
  colour: Colour,
): Promise<string> {
  const picture = colourPicture(colour);
  const { row } = await library.take({
    source: plainOf(picture),
    about: {
      name,
      mime: "image/png",
      taken_at: "2024-06-01T10:00:00Z",
      width: 64,
      height: 48,
    },
    derivatives: [{ kind: "thumbnail", mime: "image/png", bytes: picture }],
  });
  return row.id;
}

/** Waits until these photos are shown, in that order. */
async function untilShown(page: Page, ...ids: string[]): Promise<void> {
  await until(async () => {
    const links = await page.locator(".grid a").all();
    const shown = await Promise.all(
      links.map((one) => one.getAttribute("data-id")),
    );
    return shown.join();
  }, ids.join());
}

const models = await Deno.makeTempDir({ prefix: "strongroom-models-" });
addEventListener("unload", () => Deno.removeSync(models, { recursive: true }));

appStory(
  "photos are found by what they show once somebody wants that, best first, and all of it is deleted again",
  async ({ url, visit }) => {
    await putTinyModels(models);
    const ada = await photographer(url, "ada");
    const red = await take(ada, "one.png", [250, 5, 10]);
    const brick = await take(ada, "two.png", [200, 80, 60]);
    const green = await take(ada, "three.png", [10, 240, 20]);
    const blue = await take(ada, "four.png", [5, 10, 250]);
    const secret = await take(ada, "five.png", [255, 0, 0]);
    await ada.library.flags.change([secret], { hidden: true });

    await visit(async (visitor) => {
      const { page } = visitor;
      const asked = pathsAsked(page, FILES);
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/search?q=red`);
      await page.getByRole("heading", { name: "Nothing found for “red”" })
        .waitFor();
      await page.goto(`${url}/#/settings/look`);
      await page.getByRole("heading", { name: "Search by what photos show" })
        .waitFor();
      await page.getByText("The models are: Colours.").waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Turn on" })
        .scrollIntoViewIfNeeded();
      await pictureOf(page, "meaning_off");
      assert.deepEqual(asked, [], "nothing is loaded before");

      await page.getByRole("button", { name: "Turn on" }).click();
      await page.getByText("All photos were looked at.")
        .waitFor({ timeout: 60_000 });
      await expectAccessible(page);
      await page.getByRole("button", { name: "Turn off and delete" })
        .scrollIntoViewIfNeeded();
      await pictureOf(page, "meaning_settings");
      assert.match(asked.join(" "), /meaning-engine\.wasm/);

      // A search for words finds what it always did, and offers the other one.
      await page.goto(`${url}/#/search?q=red`);
      await page.getByRole("heading", { name: "Nothing found for “red”" })
        .waitFor();
      const offer = page.getByRole("link", { name: "Photos that show “red”" });
      await offer.waitFor();
      await expectAccessible(page);
      await pictureOf(page, "meaning_offer");
      await offer.click();
      await page.getByRole("heading", { name: "red", exact: true }).waitFor();
      await untilShown(page, red, brick);
      await expectAccessible(page);
      await pictureOf(page, "meaning_found");
      await page.goto(`${url}/#/meaning?q=green`);
      await untilShown(page, green);
      await page.goto(`${url}/#/meaning?q=nothing`);
      await page.getByRole("heading", {
        name: "No photos seem to show “nothing”",
      }).waitFor();
      await expectAccessible(page);
      await pictureOf(page, "meaning_nothing");
      await page.getByRole("link", { name: "Search for the words instead" })
        .click();
      await page.getByRole("heading", { name: "Nothing found for “nothing”" })
        .waitFor();

      // A photo that comes later is looked at as well.
      await page.goto(`${url}/#/meaning?q=blue`);
      await untilShown(page, blue);
      const sea = await take(ada, "six.png", [0, 0, 255]);
      await untilShown(page, sea, blue);

      // The models are kept by this browser.
      const again = pathsAsked(page, FILES);
      await page.reload();
      await untilShown(page, sea, blue);
      const fetched = again.filter((one) => one.startsWith("/app/models/"));
      assert.deepEqual(fetched, []);

      // With another model all are looked at anew.
      await putTinyModels(models, { red: 3, name: "Other colours" });
      await page.reload();
      await untilShown(page, sea, blue);
      expectQuiet(visitor, new URL(url).origin);
    });

    // Another device looks itself.
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/meaning?q=red`);
      await page.getByText("This device has not looked at 5 photos").waitFor();
      await pictureOf(page, "meaning_phone_dark");
      await page.goto(`${url}/#/settings/look`);
      await page.getByRole("checkbox", { name: /^This device looks at photos/ })
        .check();
      await page.getByText("All photos were looked at.").waitFor();
      await page.getByRole("button", { name: "Turn off and delete" })
        .scrollIntoViewIfNeeded();
      await pictureOf(page, "meaning_settings_phone_dark");
      await page.goto(`${url}/#/meaning?q=red`);
      await untilShown(page, red, brick);
      await pictureOf(page, "meaning_found_phone_dark");

      await page.goto(`${url}/#/settings/look`);
      await page.getByRole("button", { name: "Turn off and delete" }).click();
      await page.getByRole("dialog")
        .getByRole("button", { name: "Turn off and delete" }).click();
      await page.getByRole("button", { name: "Turn on" }).waitFor();
      await page.getByText("What was found is deleted.").waitFor();
      assert.equal(
        await page.evaluate(async () => await caches.has("models")),
        false,
      );
      await page.goto(`${url}/#/search?q=red`);
      await page.getByRole("heading", { name: "Nothing found for “red”" })
        .waitFor();
      assert.equal(
        await page.getByRole("link", { name: /that show/ }).count(),
        0,
      );
      expectQuiet(visitor, new URL(url).origin);
    }, { ...PHONE, colorScheme: "dark" });
  },
  { STRONGROOM_MODELS_DIR: models },
);

appStory(
  "a server without models offers nothing",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    await take(ada, "one.png", [250, 5, 10]);
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/settings/look`);
      await page.getByRole("heading", { name: "People" }).waitFor();
      await page.goto(`${url}/#/meaning?q=red`);
      await page.getByText("Your server has no models for this.").waitFor();
      await page.goto(`${url}/#/settings/look`);
      await page.getByRole("heading", { name: "People" }).waitFor();
      const heading = page.getByRole("heading", { name: /what photos show/ });
      assert.equal(await heading.count(), 0);
      expectQuiet(visitor, new URL(url).origin);
    });
  },
);
