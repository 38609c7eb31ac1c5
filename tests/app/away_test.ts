/**
 * The network is away for a moment, and what was asked for meanwhile comes
 * all the same.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { expectAccessible } from "../support/axe.ts";
import { hasWorker } from "../support/browser.ts";
import { pictureOf } from "../support/pictures.ts";
import { until } from "../support/until.ts";
import { appStory, nightStory } from "../support/web_app.ts";
import {
  openPhotos,
  type Photographer,
  photographer,
  sample,
} from "../support/web_people.ts";

const ORIGINAL = ".lightbox-slide[data-offset='0'] [data-of=original]";

async function withPhotos(url: string): Promise<Photographer> {
  const ada = await photographer(url, "ada");
  for (
    const [at, name] of ["cat", "coffee", "rocket", "hubble-deep-field"]
      .entries()
  ) {
    const taken_at = `2024-06-1${4 - at}T10:00:00Z`;
    await ada.library.take(await sample(`${name}.jpg`, { taken_at }));
  }
  return ada;
}

const again = (page: Page) => page.getByRole("button", { name: "Try again" });
const said = (page: Page) =>
  page.getByRole("alert").filter({ hasText: "could not be loaded" });

appStory(
  "a part of the app that did not come is tried again by itself, then said, and comes when it is asked for again",
  async ({ url, lanUrl, visit }) => {
    const ada = await withPhotos(url);
    await visit(async ({ page }) => {
      let tries = 0;
      // No service worker has it: the page is not in a secure context.
      await page.route(/\/(?:lightbox|albums|adding|de)-\d+\.js$/, (route) => {
        tries += 1;
        return route.abort();
      });
      await openPhotos(page, lanUrl, ada);
      await page.locator(".grid a").first().click();
      await said(page).waitFor();
      await expectAccessible(page);
      // Back leads to the photos, as from the photo.
      await page.goBack();
      await page.locator(".shell:not([inert])").waitFor();

      await page.getByRole("link", { name: "Albums" }).click();
      await said(page).waitFor();
      await page.unrouteAll();
      await again(page).click();
      await page.getByRole("heading", { name: "Albums", exact: true })
        .waitFor();
      await page.goBack();
      await page.locator(".grid a").first().click();
      await page.locator(ORIGINAL).waitFor();

      // What fails once is not even noticed.
      tries = 0;
      await page.route(/\/sharing-\d+\.js$/, (route) => {
        tries += 1;
        return tries > 1 ? route.continue() : route.abort();
      });
      await page.goBack();
      await page.getByRole("link", { name: "Sharing" }).click();
      await page.getByRole("heading", { name: "Sharing", exact: true })
        .waitFor();
    });
  },
);

appStory(
  "texts that did not come with a part are said to be missing, and come when they are asked for again",
  async ({ lanUrl, visit }) => {
    await visit(async ({ page }) => {
      let tries = 0;
      await page.route(/\/texts-en-later\.json$/, (route) => {
        tries += 1;
        return route.abort();
      });
      await page.goto(lanUrl);
      await said(page).waitFor();
      assert(tries > 1, `${tries} tries`);
      await page.unrouteAll();
      await again(page).click();
      await page.getByRole("heading", { level: 1 }).waitFor();
      assert.equal(await said(page).count(), 0);
    });
  },
);

// By day lightbox_test.ts says so, and the file comes by itself once the server
// answers again. By night only: the button brings it.
nightStory(
  "a photo whose file does not come says so, and comes when it is asked for again",
  async ({ url, wire, visit }) => {
    const ada = await withPhotos(url);
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.locator(".grid a").nth(3).waitFor();
      await page.locator(".grid a").first().click();
      await page.locator(ORIGINAL).waitFor();
      // All else is answered, so that nothing tries again by itself.
      wire.cutWhere((head) => /^GET \S+\/blobs\//.test(head));
      await page.keyboard.press("End");
      await again(page).waitFor();
      await page.getByText("The server cannot be reached").waitFor();
      await expectAccessible(page);
      wire.cutWhere(() => false);
      await again(page).click();
      await page.locator(ORIGINAL).waitFor();
    });
  },
);

// By day tests/clients/library_unopened_test.ts: an album that could not be
// opened for want of an answer opens by itself, without a sync, and the page is
// told. By night only: the same for want of a part of the app.
nightStory(
  "albums that could not be opened for want of a part of the app open by themselves once it comes",
  async ({ url, wire, visit }) => {
    const ada = await withPhotos(url);
    const { id } = await ada.library.albums.create({ title: "Our walks" });
    const [row] = ada.library.list();
    assert(row !== undefined);
    await ada.library.copyInto(row.id, id);
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      const albums = page.getByRole("navigation", { name: "strongroom" })
        .getByRole("link", { name: "Albums" });
      await albums.click();
      const card = page.locator("main").getByRole("link", {
        name: /Our walks.*1 photo/,
      });
      await card.waitFor();
      // The keys of albums are sealed by X-Wing, which is a part by itself. The
      // browser has not kept it, and no sync asks for the albums again.
      let tries = 0;
      const isSync = (head: string) => /^GET \/v1\/(?:sync|albums)/.test(head);
      wire.cutWhere((head) => {
        const isXWing = /^GET \S+\/sealing-\d+\.js/.test(head);
        if (isXWing) tries += 1;
        return isXWing || isSync(head);
      });
      const browser = await page.context().newCDPSession(page);
      await browser.send("Network.clearBrowserCache");
      await page.reload();
      await page.getByRole("link", { name: /No connection/ }).click();
      await page.getByText("because the connection failed").waitFor();
      await expectAccessible(page);
      assert(tries > 0);
      wire.cutWhere(isSync);
      await albums.click();
      await card.waitFor();
    }, { serviceWorkers: "block" });
  },
);

appStory(
  "what is pressed while the server does not answer is shown at once, said to wait, and sent by itself",
  async ({ url, wire, visit }) => {
    const ada = await withPhotos(url);
    const { library } = ada;
    const favourites = async () => {
      await library.sync();
      return library.list().filter((row) => library.flags.of(row).favourite)
        .length;
    };
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.locator(".grid a").first().click();
      await page.locator(ORIGINAL).waitFor();
      const heart = (isOn: boolean) =>
        page.locator(".lightbox-bar").getByRole("button", {
          name: /avourite/,
          pressed: isOn,
        });
      await heart(false).waitFor();
      // Every part of the app is there by then.
      await page.waitForFunction(hasWorker);
      wire.cut();
      await heart(false).click();
      await heart(true).waitFor();
      await page.keyboard.press("Escape");
      const line = page.getByText(
        "The server does not answer. strongroom keeps trying. " +
          "1 change waits to be sent.",
      );
      await line.waitFor();
      await expectAccessible(page);
      await pictureOf(page, "server_away");
      await page.setViewportSize({ width: 390, height: 844 });
      await pictureOf(page, "server_away_phone");
      await page.context().setOffline(true);
      await page.getByText("You're offline. 1 change waits").waitFor();
      await page.context().setOffline(false);
      wire.mend();
      await line.waitFor({ state: "detached" });
      await until(favourites, 1);
      await until(() => page.getByText("waits to be sent").count(), 0);
    }, { serviceWorkers: "allow" });
  },
);
