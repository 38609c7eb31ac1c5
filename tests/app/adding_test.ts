/**
 * Adding photos: known ones are not sent twice, and what was cut off goes on.
 *
 * @module
 */
import assert from "node:assert/strict";
import { appStory, samplePhotos, signUp } from "../support/web_app.ts";

appStory(
  "a person adds photos, and a second time they are already here",
  async ({ lanUrl, wire, visit }) => {
    const photos = samplePhotos();
    await visit(async ({ page }) => {
      await signUp(page, lanUrl, "ada@example.org");
      const add = page.locator("input[data-add=files]");
      await add.setInputFiles(photos);
      await page.getByText(`${photos.length} files added`).first().waitFor();
      await page.getByText("The server has signed for every one").waitFor();
      const sent = wire.sentBytes;
      await page.getByRole("button", { name: "Close" }).click();

      await add.setInputFiles(photos);
      await page.getByText(`${photos.length} files already here`).first()
        .waitFor();
      assert(wire.sentBytes - sent < 20_000, `${wire.sentBytes - sent} bytes`);
    });
  },
);

appStory(
  "what a lost connection cut off goes on by itself, and after a reload when it is chosen again",
  async ({ url, wire, dataDir, visit }) => {
    const film = `${dataDir}/noise.mp4`;
    const bytes = new Uint8Array(24 * 1024 * 1024);
    for (let at = 0; at < bytes.length; at += 65_536) {
      crypto.getRandomValues(bytes.subarray(at, at + 65_536));
    }
    await Deno.writeFile(film, bytes);
    await visit(async ({ page }) => {
      let asked = "";
      await signUp(page, url, "ada@example.org");
      const add = page.locator("input[data-add=files]");
      wire.holdAfter(12 * 1024 * 1024);
      await add.setInputFiles([film]);
      await page.getByText("Adding 1 file").waitFor();
      await until(() => wire.sentBytes > 10 * 1024 * 1024);

      // Leaving asks, and what was begun is named afterwards.
      wire.cut();
      await page.getByText("It goes on by itself.").waitFor();
      wire.holdAfter(Infinity);
      wire.mend();
      page.once("dialog", (dialog) => {
        asked = dialog.type();
        dialog.accept();
      });
      await page.evaluate("void setTimeout(() => location.reload())");
      await page.getByText("1 file was not finished last time.").waitFor();
      assert.equal(asked, "beforeunload");
      const before = wire.sentBytes;
      wire.cut();
      await add.setInputFiles([film]);
      await page.getByText("It goes on by itself.").waitFor();
      wire.mend();
      await page.getByText("1 file added").first().waitFor();
      const sent = wire.sentBytes - before;
      assert(sent < 20 * 1024 * 1024, `${sent} bytes were sent again`);

      await page.reload();
      await page.locator('a[href*="/photo/"]').first().waitFor();
      assert.equal(await page.getByText("not finished").count(), 0);
    });
  },
);

/** Waits until something holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((done) => setTimeout(done, 20));
}
