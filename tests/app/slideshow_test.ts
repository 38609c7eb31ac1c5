/**
 * Slideshows of an album and of selected photos, and selecting all of a list.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { expectAccessible } from "../support/axe.ts";
import { until } from "../support/until.ts";
import { appStory, PHONE } from "../support/web_app.ts";
import {
  openPhotos,
  type Photographer,
  photographer,
  sample,
} from "../support/web_people.ts";

/**
 * Runs in the page: the next photo comes when the test says so, and the locks
 * that keep the screen on are counted.
 */
const HELD = `
  const { setTimeout: begin, clearTimeout: stop } = self;
  self.due = new Map();
  self.setTimeout = (act, ms, ...rest) => {
    if (ms !== 5000) return begin(act, ms, ...rest);
    const timer = begin(() => {}, 0);
    due.set(timer, act);
    return timer;
  };
  self.clearTimeout = (timer) => {
    due.delete(timer);
    stop(timer);
  };
  self.pass = () => {
    for (const [timer, act] of [...due]) {
      due.delete(timer);
      act();
    }
  };
  self.locks = 0;
  navigator.wakeLock.request = (kind) => {
    if (kind === "screen") locks += 1;
    return Promise.resolve({
      release() {
        locks -= 1;
        return Promise.resolve();
      },
    });
  };
`;

const FILES = ["cat.jpg", "coffee.jpg", "rocket.jpg"];

/** Photos in an album, with a file that nothing can be seen of. */
async function withAlbum(url: string): Promise<Photographer> {
  const ada = await photographer(url, "ada");
  const album = await ada.library.albums.create({ title: "Lake" });
  const take = async (name: string, about: object) => {
    const { row } = await ada.library.take(await sample(name, about));
    await ada.library.copyInto(row.id, album.id);
  };
  for (const [at, name] of FILES.entries()) {
    await take(name, { taken_at: `2024-06-1${5 - at}T10:00:00Z` });
  }
  await take("julia.png", {
    taken_at: "2024-06-14T12:00:00Z",
    name: "notes.bin",
    mime: "application/octet-stream",
  });
  return ada;
}

/** Waits until a photo is shown large. */
async function shown(page: Page, name: string): Promise<void> {
  await page.getByRole("dialog").getByText(new RegExp(`^${name}, \\d of `))
    .waitFor({ state: "attached" });
  await until(() => page.evaluate<boolean>("due.size > 0"), true);
}

const locks = (page: Page) => page.evaluate<number>("locks");

appStory(
  "an album's slideshow shows each photo after the other, passes over files, and keeps the screen on until it is stopped",
  async ({ url, visit }) => {
    const ada = await withAlbum(url);
    await visit(async ({ page }) => {
      await page.addInitScript(HELD);
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/albums`);
      await page.getByRole("link", { name: /Lake/ }).click();
      await page.locator(".album-head").getByRole("button", { name: "More" })
        .click();
      await page.getByRole("menuitem", { name: "Slideshow" }).click();
      for (const name of [...FILES, ...FILES.slice(0, 1)]) {
        await shown(page, name);
        assert.equal(await locks(page), 1);
        await page.evaluate("pass()");
      }
      await shown(page, "coffee.jpg");
      await page.getByRole("button", { name: "Stop the slideshow" }).click();
      await until(
        () => page.evaluate<boolean>("locks === 0 && due.size === 0"),
        true,
      );
      await page.keyboard.press("Escape");
      await page.getByRole("heading", { name: "Lake" }).waitFor();
      // A photo that is opened after it is shown alone.
      await page.getByRole("link", { name: /^Photo, / }).first().click();
      await page.getByRole("dialog").waitFor();
      await page.getByText("cat.jpg, 1 of 4").waitFor({ state: "attached" });
      const stop = page.getByRole("button", { name: "Stop the slideshow" });
      assert.equal(await stop.count(), 0);
      assert.equal(await locks(page), 0);
    });
  },
);

appStory(
  "all of a list are selected with the menu, and a slideshow of selected photos shows no others",
  async ({ url, visit }) => {
    const ada = await withAlbum(url);
    await visit(async ({ page }) => {
      await page.addInitScript(HELD);
      await openPhotos(page, url, ada);
      const bar = page.getByRole("toolbar", { name: "Selected photos" });
      const choose = async (item: string) => {
        await bar.getByRole("button", { name: "More" }).click();
        await page.getByRole("menuitem", { name: item }).click();
      };
      const photos = page.getByRole("link", { name: /^(Photo|File), / });
      await photos.first().waitFor();
      const count = await photos.count();
      await page.getByRole("link", { name: /^Photo, / }).first().focus();
      await page.keyboard.press("x");
      await bar.getByText("1 selected").waitFor();
      await bar.getByRole("button", { name: "More" }).click();
      await expectAccessible(page);
      await page.getByRole("menuitem", { name: "Select all" }).click();
      await bar.getByText(`${count} selected`).waitFor();
      await bar.getByRole("button", { name: "More" }).click();
      assert.equal(
        await page.getByRole("menuitem", { name: "Select all" }).count(),
        0,
      );
      await page.keyboard.press("Escape");
      await bar.getByRole("button", { name: "Clear selection" }).click();
      for (const at of [0, 2]) {
        await page.getByRole("link", { name: /^Photo, / }).nth(at).focus();
        await page.keyboard.press("x");
      }
      await bar.getByText("2 selected").waitFor();
      await choose("Slideshow");
      for (const name of ["cat.jpg", "rocket.jpg", "cat.jpg"]) {
        await shown(page, name);
        await page.evaluate("pass()");
      }
      await shown(page, "rocket.jpg");
      await page.keyboard.press("Escape");
      await until(() => page.evaluate<boolean>("locks === 0"), true);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }, PHONE);
  },
);
