/**
 * The app as one that was installed: it opens without a network, and other apps
 * share photos with it.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { expectAccessible } from "../support/axe.ts";
import { CHROMIUM, hasWorker, sharedChromium } from "../support/browser.ts";
import { serveHere, withDataDir } from "../support/program.ts";
import { sampleBytes } from "../support/samples.ts";
import { openPhotos, photographer, sample } from "../support/web_people.ts";

const browser = sharedChromium();

/** Runs in the page: what another app's share sheet does. */
async function share(base64: string): Promise<string> {
  const bytes = Uint8Array.fromBase64(base64);
  const form = new FormData();
  form.append("files", new File([bytes], "shared.jpg", { type: "image/jpeg" }));
  const answer = await fetch("/app/shared", { method: "POST", body: form });
  return answer.url;
}

async function tiles(page: Page, count: number): Promise<void> {
  await page.locator(".grid img").nth(count - 1).waitFor();
}

Deno.test({
  name:
    "an installed app takes what others share, and opens without a network with the photos that were seen",
  ignore: CHROMIUM === "",
  // The driver keeps its pipes to the browser for a moment.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: () =>
    withDataDir(async (dataDir) => {
      const server = await serveHere({
        STRONGROOM_DATA_DIR: `${dataDir}/data`,
        STRONGROOM_ARGON2_MEMORY_KIB: "8",
      });
      let running = true;
      try {
        const { url } = server;
        const ada = await photographer(url, "ada");
        await ada.library.take(
          await sample("cat.jpg", { taken_at: "2024-06-12T10:00:00Z" }),
        );
        await browser.visit(async ({ page }) => {
          await openPhotos(page, url, ada);
          await tiles(page, 1);
          await page.waitForFunction(hasWorker);
          const coffee = await sampleBytes("coffee.jpg");
          const shared = await page.evaluate(share, coffee.toBase64());
          assert.equal(new URL(shared).pathname, "/");
          await page.goto(`${url}#/upload`);
          // A website can do as an app does: nothing is added before they agree.
          const question = page.getByRole("dialog", { name: "Add 1 file?" });
          await question.getByText("shared.jpg").waitFor();
          await expectAccessible(page);
          assert.equal(await page.locator(".grid a").count(), 1);
          await question.getByRole("button", { name: "Add" }).click();
          await tiles(page, 2);
          assert.equal(new URL(page.url()).hash, "#/photos");

          await server.stop();
          running = false;
          await page.reload();
          await page.getByText("The server does not answer.").waitFor();
          // Drawn, not only there: what was seen is kept.
          await tiles(page, 2);
        }, { serviceWorkers: "allow" });
        await assert.rejects(fetch(url));
      } finally {
        if (running) await server.stop();
      }
    }),
});
