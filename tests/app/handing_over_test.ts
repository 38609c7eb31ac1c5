/**
 * Adding photos while no page is open: the browser sends what was sealed
 * before.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet, hasWorker } from "../support/browser.ts";
import { until } from "../support/until.ts";
import {
  almostClose,
  appStory,
  samplePhotos,
  signUp,
} from "../support/web_app.ts";

const filesIn = (page: Page) => page.locator('a[href*="/photo/"]');

/** Whether a request sends the bytes of a blob. */
const sendsBlob = (head: string) => head.startsWith("PUT /v1/upload/");

/** Whether a tab holds, or waits for, the lock of tabs that add files. */
const locksOf = (page: Page, kind: "held" | "pending") =>
  page.evaluate<boolean>(
    `navigator.locks.query().then((locks) =>
      locks.${kind}.some(({ name }) => name === "adding"))`,
  );

/** Most that is passed on at a time. */
const PIECE_BYTES = 65_536;

async function sizeOf(paths: readonly string[]): Promise<number> {
  const stats = await Promise.all(paths.map((path) => Deno.stat(path)));
  return stats.reduce((sum, { size }) => sum + size, 0);
}

appStory(
  "what was handed over to the browser arrives while no page is open, once",
  async ({ url, wire, dataDir, visit }) => {
    const noise = `${dataDir}/noise.bin`;
    const bytes = new Uint8Array(2 * 1024 * 1024);
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      crypto.getRandomValues(bytes.subarray(at, at + PIECE_BYTES));
    }
    await Deno.writeFile(noise, bytes);
    const photos = [noise, ...samplePhotos()];
    await visit(async (visitor) => {
      const { page, context } = visitor;
      await signUp(page, url, "ada@example.org");
      await page.waitForFunction(hasWorker);
      wire.holdWhere(sendsBlob);
      await page.locator("input[data-add=files]").setInputFiles(photos);
      await page.getByText("files done").first().waitFor();
      // Another tab does not say that these files were not added.
      const other = await context.newPage();
      await other.goto(url);
      await other.getByRole("link", { name: "Safety" }).click();
      await other.getByRole("heading", { name: "Safety", level: 1 }).waitFor();
      await other.getByRole("link", { name: "Photos", exact: true }).click();
      await other.getByRole("heading", { name: "No photos yet" }).waitFor();
      await until(() => locksOf(other, "pending"), true);
      assert.equal(await other.getByText("not added").count(), 0);
      await other.goto("about:blank");
      await almostClose(page);
      await page.getByText(`Your browser sends ${photos.length} files`).first()
        .waitFor();
      await page.getByText("You can close this page.").waitFor();
      await expectAccessible(page);

      // The browser stays, without a page of the app: no page is asked.
      let asked = 0;
      page.on("dialog", (dialog) => {
        asked += 1;
        dialog.accept();
      });
      await page.close({ runBeforeUnload: true });
      await until(() => Promise.resolve(context.pages().length), 1);
      assert.equal(asked, 0);
      const before = wire.sentBytes;
      wire.holdWhere(() => false);
      // A piece of each request that was held is counted already.
      const least = await sizeOf(photos) - 6 * PIECE_BYTES;
      await until(
        () => Promise.resolve(wire.sentBytes - before > least),
        true,
      );

      await other.goto(url);
      // The browser may still be at the last of them: that is told later.
      const told = other.getByText(/^\d files? added in the background$/);
      await Promise.all([
        told.first().waitFor(),
        until(() => filesIn(other).count(), photos.length),
      ]);
      // By then it has asked what was not added.
      await until(() => locksOf(other, "held"), false);
      assert.equal(await other.getByText("not added").count(), 0);
      expectQuiet(visitor, url);
    }, { serviceWorkers: "allow", isWhole: true });
  },
);
