/**
 * Adding photos while no page is open: the browser sends what was sealed before.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet, hasWorker } from "../support/browser.ts";
import { until } from "../support/until.ts";
import { appStory, samplePhotos, signUp } from "../support/web_app.ts";

const photosIn = (page: Page) => page.getByRole("link", { name: /^Photo, / });

/** Whether a request sends the bytes of a blob. */
const sendsBlob = (head: string) => head.startsWith("PUT /v1/upload/");

appStory(
  "what was handed over to the browser arrives while no page is open, once",
  async ({ url, wire, visit }) => {
    const photos = samplePhotos().slice(0, 6);
    await visit(async (visitor) => {
      const { page, context } = visitor;
      await signUp(page, url, "ada@example.org");
      await page.waitForFunction(hasWorker);
      wire.holdWhere(sendsBlob);
      await page.locator("input[data-add=files]").setInputFiles(photos);
      await page.getByRole("button", { name: "Send without this page" })
        .click();
      await page.getByText(`Your browser sends ${photos.length} files`).first()
        .waitFor();
      await page.getByText("You can close this page.").waitFor();
      await expectAccessible(page);

      // The browser stays, without a page of the app: nobody is asked.
      const other = await context.newPage();
      let asked = 0;
      page.on("dialog", (dialog) => {
        asked += 1;
        dialog.accept();
      });
      await page.close({ runBeforeUnload: true });
      await until(() => Promise.resolve(context.pages().length), 1);
      assert.equal(asked, 0);
      // The manifests are the last to be sent.
      const applied = () =>
        Promise.resolve(
          wire.sent().split(/POST \/v1\/albums\/[^/]+\/ops /).length - 1,
        );
      assert.equal(await applied(), 0);
      wire.holdWhere(() => false);
      await until(applied, photos.length);

      await other.goto(url);
      // The browser may still be at the last of them: that is told later.
      const told = other.getByText(/^\d files? added without an open page$/);
      await Promise.all([
        told.first().waitFor(),
        until(() => photosIn(other).count(), photos.length),
      ]);
      assert.equal(await other.getByText("not added").count(), 0);
      expectQuiet(visitor, url);
    });
  },
);
