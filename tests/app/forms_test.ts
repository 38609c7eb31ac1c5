/**
 * Forms: what they say of a field that is missing, what they carry along, and
 * how well a finger meets them.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { expectAccessible } from "../support/axe.ts";
import { until } from "../support/until.ts";
import {
  appStory,
  expectMissing,
  giveCredentials,
  nightStory,
  PASSWORD,
  PHONE,
  signUp,
} from "../support/web_app.ts";

appStory(
  "a person who already has an account signs in with the address that they typed",
  async ({ url, visit }) => {
    await visit(async ({ page }) => {
      await signUp(page, url, "ada@example.org");
    });
    await visit(async ({ page }) => {
      await page.goto(`${url}/#/sign-up`);
      await giveCredentials(page, "ada@example.org");
      await page.getByText("This address already has an account.").waitFor();
      await expectAccessible(page);
      await page.getByRole("link", { name: "Sign in with this address" })
        .click();
      const address = page.getByLabel("Email address");
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await until(() => address.inputValue(), "ada@example.org");
      // It is in no address of the browser's.
      assert(!page.url().includes("ada"), page.url());
      const password = page.getByLabel("Password", { exact: true });
      await password.and(page.locator(":focus")).waitFor();
      await password.fill(PASSWORD);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", {
        name: "Open your photos on this device",
      }).waitFor();
    });
  },
);

appStory(
  "on a phone every link and button of signing up and signing in is as large as a finger",
  async ({ lanUrl, visit }) => {
    await visit(async ({ page }) => {
      await page.goto(`${lanUrl}/#/sign-up`);
      await page.getByRole("heading", { name: "Create an account" }).waitFor();
      assert.deepEqual(await smallTargets(page), []);
      await page.getByRole("link", { name: "I already have an account" })
        .tap();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      assert.deepEqual(await smallTargets(page), []);
      await page.goto(`${lanUrl}/#/sign-up`);
      await giveCredentials(page, "ada@example.org");
      await page.getByLabel("Browser phrase").waitFor();
      assert.deepEqual(await smallTargets(page), []);
    }, PHONE);
  },
);

// By day first_visit_test.ts and account_test.ts say what is missing in other
// forms, and languages_test.ts shows the app in German. By night only: the forms
// of a new album and of another password, and what is missing said in German.
nightStory(
  "what is missing is said at its field, in the language of the app",
  async ({ url, visit }) => {
    await visit(async ({ page }) => {
      await page.goto(url);
      await page.getByRole("button", { name: "Deutsch" }).click();
      await page.getByRole("button", { name: "Konto anlegen" }).click();
      await page.getByRole("button", { name: "Konto anlegen" }).click();
      const address = page.getByLabel("E-Mail-Adresse");
      await expectMissing(page, address, 2, "Bitte ausfüllen.");
      await expectAccessible(page);
      await address.fill("ada");
      await until(() => page.getByText("Bitte ausfüllen.").count(), 1);
    });
    await visit(async ({ page }) => {
      await signUp(page, url, "ada@example.org");
      await page.goto(`${url}/#/albums`);
      await page.getByRole("button", { name: "New album" }).first().click();
      await page.getByRole("button", { name: "Create", exact: true }).click();
      await expectMissing(page, page.getByRole("dialog").getByLabel("Name"));
      await page.keyboard.press("Escape");

      await page.goto(`${url}/#/settings/security`);
      const change = { name: "Change password" };
      await page.getByRole("button", change).click();
      await page.getByRole("dialog").getByRole("button", change).click();
      await expectMissing(page, page.getByLabel("Current password"), 2);
    });
  },
);

/** What can be touched on the page and is smaller than 44 pixels. */
async function smallTargets(page: Page): Promise<string[]> {
  return await page.evaluate(`
    [...document.querySelectorAll("a, button, summary, input")].filter((one) => {
      const { width, height } = one.getBoundingClientRect();
      return width > 0 && (Math.round(height) < 44 || Math.round(width) < 44);
    }).map((one) => one.textContent + " " + one.getBoundingClientRect().height)`);
}
