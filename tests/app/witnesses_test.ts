/**
 * Who witnesses the public logs, in Safety: friends exchange keys by a code, and
 * the app says who saw what.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { expectAccessible } from "../support/axe.ts";
import {
  addPhotos,
  appStory,
  samplePhotos,
  signUp,
} from "../support/web_app.ts";
import { until } from "../support/until.ts";

appStory(
  "a friend's code makes their server a witness, and Safety says what it and the app have seen",
  async ({ url, operator, showCamera, visit }) => {
    await visit(async ({ page }) => {
      await signUp(page, url, "ada@example.org");
      await addPhotos(page, samplePhotos().slice(0, 1));
      const safety = async () => {
        await page.goto(`${url}/#/photos`);
        await page.getByRole("link", { name: "Safety", exact: true }).click();
        await page.getByText("Who else watches this server").click();
        await page.getByRole("button", { name: "Become witnesses" }).waitFor();
      };
      const isShown = (text: string | RegExp) =>
        until(async () => {
          await safety();
          return await page.getByText(text).count() > 0;
        }, true);
      await isShown(/one in the list \(\d\d+ files compared\)/);
      await page.getByText("No one witnesses these lists").waitFor();
      await page.getByText(
        /Your keys(: \d+ changes?, (all )?made by| have not)/,
      )
        .waitFor();

      // A friend's app shows the code, and this one's camera sees it.
      await page.getByRole("button", { name: "Become witnesses" }).click();
      await page.getByRole("img", { name: "key as a witness" }).waitFor();
      await expectAccessible(page);
      const key = await page.locator("figure code").innerText();
      const own = JSON.parse(await operator("witness", "key", "--json"));
      assert.equal(key, own.verifier_key);
      await showCamera(await pictureOf(page));
      await page.getByRole("button", { name: "Scan with the camera" }).click();
      await page.getByText("No witness has signed the newest").waitFor();

      // The operators have connected the two, which here are one.
      await operator("log", "witness", "add", own.url, own.verifier_key);
      const { logs } = JSON.parse(await operator("log", "show", "--json"));
      for (const { origin, verifier_key } of logs) {
        await operator("witness", "add", origin, verifier_key);
      }
      await isShown(/^Witnessed .* by .* \(1 of 1\)$/);
      await page.getByRole("button", { name: "Stop trusting" }).click();
      await page.getByText("No one witnesses these lists").waitFor();
    });
  },
  { STRONGROOM_WITNESS: "on", STRONGROOM_LOG_SECONDS: "1" },
);

/** What a camera sees that is held before the code on the page. */
async function pictureOf(page: Page): Promise<Uint8Array> {
  const shown = page.locator("svg.qr");
  await shown.scrollIntoViewIfNeeded();
  const code = await shown.boundingBox();
  if (code === null) throw new Error("no code is shown");
  const [width, height] = [640, 480];
  const x = Math.max(0, code.x + (code.width - width) / 2);
  // A picture that ends below the window would be a smaller one.
  const lowest = (page.viewportSize()?.height ?? height) - height;
  const middle = code.y + (code.height - height) / 2;
  const y = Math.max(0, Math.min(middle, lowest));
  return await page.screenshot({
    type: "jpeg",
    clip: { x, y, width, height },
  });
}
