/**
 * People found by their faces: off until a person turns it on, named once, the
 * same on every device, and deleted whole.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { openFaces } from "../../src/library/finding/faces.ts";
import { plainOf } from "../../src/library/mod.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { pathsAsked } from "../support/finding.ts";
import { pictureOf } from "../support/pictures.ts";
import { portrait } from "../support/portraits.ts";
import { sampleBytes } from "../support/samples.ts";
import { until } from "../support/until.ts";
import { appStory, nightStory, PHONE } from "../support/web_app.ts";
import {
  openPhotos,
  type Photographer,
  photographer,
} from "../support/web_people.ts";

/** Files that only this needs. */
const FILES = /\/faces[.-]/;

async function take(
  { library }: Photographer,
  picture: Uint8Array,
  name: string,
): Promise<string> {
  const now = new Date();
  // At noon, where no time zone of a test makes another day of it.
  const lastYear = Date.UTC(
    now.getFullYear() - 1,
    now.getMonth(),
    now.getDate(),
    12,
  );
  const { row } = await library.take({
    // What stands after the picture makes it another file.
    source: plainOf(
      new Uint8Array([...picture, ...new TextEncoder().encode(name)]),
    ),
    about: {
      name,
      mime: "image/jpeg",
      taken_at: new Date(lastYear).toISOString(),
    },
    derivatives: [{
      kind: "thumbnail",
      mime: "image/jpeg",
      bytes: new Uint8Array(picture),
    }],
  });
  return row.id;
}

/** The thread that finds faces. */
const PROGRAM = /\/faces\.js$/;

appStory(
  "faces are found after a person turns that on, are named once for all devices, and are deleted whole",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    // One person is in 1 and in 3; the four of 4 are in two photos of it.
    await take(ada, await portrait(1), "party.jpg");
    await take(ada, await portrait(3), "bar.jpg");
    await take(ada, await portrait(4), "dance.jpg");
    await take(ada, await portrait(4), "again.jpg");
    await take(ada, await sampleBytes("thumbnails/coffee.jpg"), "coffee.jpg");
    const secret = await take(ada, await portrait(5), "secret.jpg");
    await ada.library.flags.change([secret], { hidden: true });

    await visit(async (visitor) => {
      const { page } = visitor;
      const asked = pathsAsked(page, FILES);
      await page.clock.install();
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/albums`);
      await page.getByRole("link", { name: "People" }).click();
      await page.getByRole("heading", { name: "People" }).waitFor();
      await page.getByRole("button", { name: "Find people" }).waitFor();
      await expectAccessible(page);
      await pictureOf(page, "people_off");
      assert.deepEqual(asked, [], "nothing is loaded before");

      // What cannot be loaded is said to be missing, and tried again by itself.
      await page.context().route(PROGRAM, (route) => route.abort());
      await page.getByRole("button", { name: "Find people" }).click();
      await page.getByText("What finds faces could not be loaded").waitFor();
      await expectAccessible(page);
      await page.context().unroute(PROGRAM);
      await page.clock.fastForward("00:31");
      await page.getByText("All photos were looked at.")
        .waitFor({ timeout: 120_000 });
      const tiles = page.locator(".view > .people .person");
      await until(() => tiles.count(), 5);
      await page.locator(".portrait img").nth(4).waitFor();
      // Three of the party and three of the bar, one of them in both.
      await page.getByText("In one photo only (4)").waitFor();
      assert.match(asked.join(" "), /faces-compare\.bin/);
      await expectAccessible(page);
      await pictureOf(page, "people");

      // Named once, found by that name.
      await tiles.first().click();
      await page.getByRole("heading", { name: "No name yet" }).waitFor();
      await until(() => page.locator(".grid a").count(), 2);
      await page.getByRole("button", { name: "Add a name" }).click();
      await page.getByLabel("Name", { exact: true }).fill("Grandma Rosa");
      await expectAccessible(page);
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { name: "Grandma Rosa" }).waitFor();
      await expectAccessible(page);
      await pictureOf(page, "person");
      await page.goto(`${url}/#/search?q=grandma`);
      await until(() => page.locator(".grid a").count(), 2);
      await page.goto(`${url}/#/search?q=grandma%20coffee`);
      await page.getByRole("heading", { name: "Nothing found" }).waitFor();

      // A face that is another person's.
      const more = (name: string) => menu(page, name);
      await page.goto(`${url}/#/person`);
      await page.getByRole("link", { name: /^Grandma Rosa/ }).click();
      await more("Remove wrong faces");
      await page.getByRole("button", { name: "Face 2" }).click();
      await expectAccessible(page);
      await pictureOf(page, "people_wrong");
      await page.getByRole("button", { name: "Not this person" }).click();
      await until(() => page.locator(".grid a").count(), 1);
      await page.goto(`${url}/#/person`);
      await page.getByText("In one photo only (5)").click();

      // They are the same after all.
      const once = page.locator(".faces-others .person");
      await until(() => once.count(), 5);
      await page.getByRole("link", { name: /^Grandma Rosa/ }).click();
      await more("Same person as …");
      const dialog = page.getByRole("dialog");
      await expectAccessible(page);
      await pictureOf(page, "people_same");
      const others = dialog.locator(".person");
      await until(() => others.count(), 9);
      await others.last().click();
      await page.getByText("Shown as one person").waitFor();
      await page.getByRole("heading", { name: "Grandma Rosa" }).waitFor();
      await until(() => page.locator(".grid a").count(), 2);

      // She is named in the information of a photo, and leads to her page.
      await page.locator(".grid a").first().click();
      await page.getByRole("dialog", { name: "Photo" }).waitFor();
      await page.keyboard.press("i");
      const info = page.getByRole("complementary", { name: "Information" });
      await until(() => info.locator(".people-in a").count(), 4);
      await info.locator(".portrait img").nth(3).waitFor();
      await expectAccessible(page);
      await pictureOf(page, "people_in_photo");
      await info.getByRole("link", { name: "Grandma Rosa" }).click();
      await page.getByRole("heading", { name: "Grandma Rosa" }).waitFor();

      // Without the two photos with her three are left of the day.
      const memory = async (photos: string) => {
        await page.goto(`${url}/#/photos`);
        await page.getByRole("region", { name: "Memories" })
          .getByRole("link", { name: /^1 year ago/ }).click();
        await page.getByText(photos, { exact: true }).waitFor();
        await page.goto(`${url}/#/person`);
        await page.getByRole("link", { name: /^Grandma Rosa/ }).click();
      };
      await memory("5 photos");
      await more("Leave out of memories");
      await page.getByText("Left out of memories").waitFor();
      await memory("3 photos");
      await more("Show in memories again");
      await memory("5 photos");
      // The browser complains of the file that could not be loaded.
      for (const complaint of visitor.complaints.splice(0)) {
        assert.match(complaint, /ERR_FAILED/);
      }
      expectQuiet(visitor, new URL(url).origin);
    });

    // Another device has them without looking itself.
    await visit(async (visitor) => {
      const { page } = visitor;
      const asked = pathsAsked(page, FILES);
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/person`);
      const rosa = page.getByRole("link", { name: /^Grandma Rosa/ });
      await rosa.waitFor();
      await page.getByText("All photos were looked at.").waitFor();
      await expectAccessible(page);
      await pictureOf(page, "people_phone_dark");
      assert.deepEqual(asked, [], "what was found is shared");

      // A hidden photo does not count as hers meanwhile.
      const { flags, list } = ada.library;
      const again = list().find(({ metadata }) =>
        metadata?.name === "again.jpg"
      );
      assert(again !== undefined);
      await flags.change([again.id], { hidden: true });
      await page.getByRole("link", { name: "Grandma Rosa 1 photo" }).waitFor();
      await flags.change([again.id], { hidden: false });
      await page.getByRole("link", { name: "Grandma Rosa 2 photos" }).waitFor();

      await rosa.click();
      await menu(page, "Hide this person");
      await page.goto(`${url}/#/person`);
      await rosa.waitFor({ state: "detached" });
      await page.getByText("Hidden people (1)").click();
      await rosa.click();
      await menu(page, "Show this person again");
      await pictureOf(page, "person_phone_dark");

      await page.goto(`${url}/#/settings/find`);
      const find = page.getByRole("switch", { name: "Find people" });
      await find.waitFor();
      await pictureOf(page, "people_settings_phone_dark");
      await find.click();
      await expectAccessible(page);
      await page.getByRole("dialog")
        .getByRole("button", { name: "Turn off and delete" }).click();
      await find.and(page.locator(":not(:checked)")).waitFor();
      await page.goto(`${url}/#/search?q=grandma`);
      await page.getByRole("heading", { name: "Nothing found" }).waitFor();
      expectQuiet(visitor, new URL(url).origin);
    }, { ...PHONE, colorScheme: "dark" });

    // Nothing of it is left at the server, and no name in the state.
    const { library } = ada;
    const state = await library.state.read();
    assert(!JSON.stringify(state).includes("Rosa"));
    const faces = await openFaces(library);
    await faces.read();
    assert.equal(faces.count, 0);
    const { bytes } = await library.vault.session.account.slot("faces-1");
    assert(bytes.length < 200, `${bytes.length} bytes`);
  },
);

async function menu(page: Page, name: string): Promise<void> {
  await page.locator(".album-head").getByRole("button", { name: "More" })
    .click();
  await page.getByRole("menuitem", { name }).click();
}

nightStory(
  "a phone says that no device looks for faces, and looks when it is told to",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    await take(ada, await portrait(1), "party.jpg");
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/person`);
      await page.getByRole("button", { name: "Find people" }).click();
      await page.getByText("1 photo waits for a device").waitFor();
      await page.getByText("A phone does only if you say so").waitFor();
      await expectAccessible(page);
      await pictureOf(page, "people_phone");
      await page.getByRole("button", { name: "Look on this device" }).click();
      await page.getByText("In one photo only (3)")
        .waitFor({ timeout: 120_000 });
      assert(
        await page.getByRole("checkbox", { name: /^This device looks/ })
          .isChecked(),
      );
    }, PHONE);
  },
);
