/**
 * Back on a phone: it closes what lies over the page, once, and leaves the page
 * only then.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { expectQuiet } from "../support/browser.ts";
import { until } from "../support/until.ts";
import {
  addPhotos,
  appStory,
  PHONE,
  samplePhotos,
  signInAt,
  signUp,
} from "../support/web_app.ts";
import { photographer } from "../support/web_people.ts";

/** Whether what is open has its entry in the history. */
const hasEntry = (page: Page) =>
  until(() => page.evaluate("history.state?.layer !== undefined"), true);

function goTo(page: Page, name: string): Promise<void> {
  return page.getByRole("navigation", { name: "strongroom" })
    .getByRole("link", { name }).tap();
}

/** Presses Back while a dialog is open over `address`. */
async function backCloses(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name });
  await dialog.waitFor();
  await hasEntry(page);
  const address = page.url();
  await page.goBack();
  await dialog.waitFor({ state: "detached" });
  assert.equal(page.url(), address);
}

appStory(
  "on a phone Back closes a dialog, a menu and a question, each once",
  async ({ url, visit }) => {
    await visit(async (visitor) => {
      const { page } = visitor;
      await signUp(page, url, "ada@example.org");
      await addPhotos(page, samplePhotos().slice(0, 2));
      const photos = page.getByRole("link", { name: /^Photo, / });
      await photos.first().waitFor();

      await goTo(page, "Albums");
      await page.getByRole("button", { name: "New album" }).tap();
      await backCloses(page, "New album");
      // Closed by its own button it leaves nothing behind to go back through.
      await page.getByRole("button", { name: "New album" }).tap();
      await hasEntry(page);
      await page.getByRole("button", { name: "Cancel" }).tap();
      await until(() => page.evaluate("history.state?.layer"), undefined);
      await page.getByRole("button", { name: "Account" }).tap();
      await page.getByRole("menu").waitFor();
      await hasEntry(page);
      await page.goBack();
      await page.getByRole("menu").waitFor({ state: "detached" });
      await page.getByRole("heading", { name: "Albums", level: 1 }).waitFor();
      await page.goBack();
      await photos.first().waitFor();

      // What was made in a dialog is left for where the dialog was.
      await goTo(page, "Albums");
      await page.getByRole("button", { name: "New album" }).tap();
      await page.getByLabel("Name", { exact: true }).fill("Lake");
      await page.getByLabel("With others").check();
      await page.getByRole("button", { name: "Create" }).tap();
      await page.getByRole("heading", { name: "Lake", level: 1 }).waitFor();
      await page.goBack();
      await page.getByRole("heading", { name: "Albums", level: 1 }).waitFor();
      await page.getByRole("link", { name: /^Lake/ }).tap();
      // A menu, and the question of its item: Back takes the question alone.
      const askWhether = async () => {
        await page.getByRole("button", { name: "More" }).tap();
        await page.getByRole("menuitem", { name: "Delete album" }).tap();
      };
      await askWhether();
      await backCloses(page, "Delete “Lake”?");
      // A busy phone goes back late: what is open by then stays open.
      await page.evaluate(`(() => {
        const back = history.back.bind(history);
        history.back = () => setTimeout(back, 1000);
      })()`);
      await askWhether();
      await hasEntry(page);
      await page.waitForTimeout(1_500);
      await page.getByRole("dialog", { name: "Delete “Lake”?" }).waitFor();
      // A link that is followed meanwhile leads where it leads.
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" })
        .tap();
      await goTo(page, "Albums");
      await page.getByRole("heading", { name: "Albums", level: 1 }).waitFor();
      await page.waitForTimeout(1_500);
      assert(page.url().endsWith("#/albums"), page.url());
      await page.getByRole("link", { name: /^Lake/ }).tap();
      await askWhether();
      await page.getByRole("dialog", { name: "Delete “Lake”?" }).waitFor();
      await hasEntry(page);
      await page.evaluate("delete history.back");
      await page.getByRole("dialog").getByRole("button", {
        name: "Delete album",
      })
        .tap();
      await page.getByRole("heading", { name: "Albums", level: 1 }).waitFor();
      await page.getByText("No albums yet").waitFor();
      // What is gone is not come back to.
      await page.goBack();
      assert(page.url().endsWith("#/albums"), page.url());

      // Over a photo that is shown large, and what is known of it.
      await goTo(page, "Photos");
      await photos.first().tap();
      const photo = page.getByRole("dialog", { name: "Photo" });
      await photo.getByRole("button", { name: "Info" }).tap();
      await page.getByLabel("Caption").waitFor();
      await hasEntry(page);
      await photo.getByRole("button", { name: "Close" }).nth(1).tap();
      await photo.getByRole("button", { name: "Share" }).tap();
      await backCloses(page, "Share 1 photo with a link");
      await photo.waitFor();
      await page.goBack();
      await photo.waitFor({ state: "detached" });
      expectQuiet(visitor, url);
    }, PHONE);
  },
);

appStory(
  "Back leads from a way to the keys to the other ways",
  async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    await visit(async (visitor) => {
      const { page } = visitor;
      await signInAt(page, url, ada.address);
      const ways = page.getByRole("heading", {
        name: "Open your photos on this device",
      });
      await ways.waitFor();
      const address = page.url();
      for (const way of [/^With another device/, /^With your 24 words/]) {
        await page.getByRole("button", { name: way }).tap();
        await ways.waitFor({ state: "detached" });
        await hasEntry(page);
        await page.goBack();
        await ways.waitFor();
        assert.equal(page.url(), address);
      }
      // The page's own way back leaves nothing to go back through.
      await page.getByRole("button", { name: /^With another device/ }).tap();
      await hasEntry(page);
      await page.getByRole("button", { name: "Back" }).tap();
      await ways.waitFor();
      await until(() => page.evaluate("history.state?.layer"), undefined);
      expectQuiet(visitor, url);
    }, PHONE);
  },
);
