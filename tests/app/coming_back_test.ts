/**
 * Coming back to a list of photos: it is where one was.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { until } from "../support/until.ts";
import { appStory } from "../support/web_app.ts";
import { openPhotos, photographerOfMonth } from "../support/web_people.ts";

const SMALL = { viewport: { width: 600, height: 500 } };

const scrolled = (page: Page) => page.evaluate<number>("Math.round(scrollY)");

/** Scrolls far down, and tells where that is. */
async function scrollDown(page: Page, by: number): Promise<number> {
  await page.locator(".grid a").first().waitFor();
  await page.mouse.move(300, 300);
  await until(async () => {
    await page.mouse.wheel(0, by);
    return await scrolled(page);
  }, (top) => top >= by);
  // A wheel may still turn: at a given place the page is at rest.
  await until(async () => {
    await page.evaluate(`scrollTo({ top: ${by}, behavior: "instant" })`);
    await page.evaluate(TWO_FRAMES);
    return await scrolled(page);
  }, by);
  return by;
}

/** Runs in the page: what is scrolled is drawn, and the app was told. */
const TWO_FRAMES = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(resolve)))`;

/** Waits until the page is scrolled to there. */
const isAt = (page: Page, top: number) =>
  until(() => scrolled(page), (now) => Math.abs(now - top) <= 1);

async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation", { name: "strongroom" })
    .getByRole("link", { name }).click();
}

appStory(
  "photos keep their scroll position while another page is open",
  async ({ url, visit }) => {
    const ada = await photographerOfMonth(url, "June");
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      const timeline = await scrollDown(page, 900);
      await goTo(page, "Albums");
      const albums = page.getByRole("heading", { name: "Albums", level: 1 });
      await albums.waitFor();
      assert.equal(await scrolled(page), 0);
      await page.goBack();
      await isAt(page, timeline);
      await page.goForward();
      await albums.waitFor();

      // A collection is at its top when one goes to it, and else where it was.
      await page.getByRole("link", { name: /^June/ }).click();
      await page.getByRole("heading", { name: "June", level: 1 }).waitFor();
      assert.equal(await scrolled(page), 0);
      const june = await scrollDown(page, 600);
      await goTo(page, "Albums");
      await albums.waitFor();
      await page.goBack();
      await isAt(page, june);
      // A photo that is shown large moves nothing below it.
      const seen = await page.evaluate<string>(`
        [...document.querySelectorAll(".grid a")].find((one) => {
          const { top, bottom } = one.getBoundingClientRect();
          return top > 100 && bottom < innerHeight;
        }).dataset.id`);
      await page.locator(`.grid a[data-id="${seen}"]`).click();
      await page.locator(".lightbox-slide[data-offset='0'] [data-of=original]")
        .waitFor();
      await page.keyboard.press("Escape");
      await page.locator(".shell:not([inert])").waitFor();
      await isAt(page, june);
      await goTo(page, "Sharing");
      await page.getByRole("heading", { name: "Sharing", level: 1 }).waitFor();
      await page.goBack();
      await isAt(page, june);
      // A reload is no reason to begin at the top.
      await page.reload();
      await isAt(page, june);

      // And the entry of the timeline is still far up in the history.
      await page.goBack();
      await albums.waitFor();
      await page.goBack();
      await isAt(page, timeline);
      // Opening it from the menu is something else.
      await goTo(page, "Albums");
      await goTo(page, "Photos");
      await page.locator(".grid a").first().waitFor();
      assert.equal(await scrolled(page), 0);
    }, SMALL);
  },
);
