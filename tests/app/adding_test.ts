/**
 * Adding photos: known ones are not sent twice, and what was cut off goes on.
 *
 * @module
 */
import assert from "node:assert/strict";
import { liveStill, liveVideo } from "../support/live_pairs.ts";
import { expectAccessible } from "../support/axe.ts";
import { sampleBytes } from "../support/samples.ts";
import {
  appStory,
  closeAdded,
  nightStory,
  samplePhotos,
  signUp,
} from "../support/web_app.ts";
import { hasWorker } from "../support/browser.ts";

appStory(
  "a person adds photos, and a second time they are already here",
  async ({ lanUrl, wire, dataDir, visit }) => {
    const photos = samplePhotos();
    await visit(async ({ page }) => {
      await signUp(page, lanUrl, "ada@example.org");
      const add = page.locator("input[data-add=files]");
      await add.setInputFiles(photos);
      await page.getByText(`${photos.length} files added`).first().waitFor();
      await page.getByText("The server has signed for all of them").waitFor();
      const sent = wire.sentBytes;
      await closeAdded(page);

      await add.setInputFiles(photos);
      await page.getByText(`${photos.length} files already here`).first()
        .waitFor();
      assert(wire.sentBytes - sent < 20_000, `${wire.sentBytes - sent} bytes`);

      // The proof of a photo is no photo, and is named.
      const proof = `${dataDir}/walk.jpg.tlog-proof`;
      await Deno.writeTextFile(proof, "a proof");
      await add.setInputFiles([proof]);
      await page.getByText("1 proof not added: walk.jpg.tlog-proof").waitFor();
      assert(wire.sentBytes - sent < 20_000, `${wire.sentBytes - sent} bytes`);
    });
  },
);

appStory(
  "what a lost connection cut off goes on by itself, and after a reload when it is chosen again",
  async ({ url, wire, dataDir, visit }) => {
    const video = `${dataDir}/noise.mp4`;
    const bytes = new Uint8Array(16 * 1024 * 1024);
    for (let at = 0; at < bytes.length; at += 65_536) {
      crypto.getRandomValues(bytes.subarray(at, at + 65_536));
    }
    await Deno.writeFile(video, bytes);
    await visit(async ({ page }) => {
      let asked = "";
      await signUp(page, url, "ada@example.org");
      const add = page.locator("input[data-add=files]");
      // What is held would keep it from being installed.
      await page.waitForFunction(hasWorker);
      wire.holdAfter(10 * 1024 * 1024);
      await add.setInputFiles([video]);
      await page.getByText("0 of 1 file done").waitFor();
      await until(() => wire.sentBytes > 9 * 1024 * 1024);

      // Leaving asks, and what was begun is named afterwards.
      wire.cut();
      await page.getByText("Uploading continues automatically.").waitFor();
      page.once("dialog", (dialog) => {
        asked = dialog.type();
        dialog.accept();
      });
      await page.evaluate("void setTimeout(() => location.reload())");
      await page.getByText("1 file was not added.").waitFor();
      assert.equal(asked, "beforeunload");
      const before = wire.sentBytes;
      await add.setInputFiles([video]);
      await page.getByText("Uploading continues automatically.").waitFor();
      wire.holdAfter(Infinity);
      wire.mend();
      await page.getByText("1 file added").first().waitFor();
      const sent = wire.sentBytes - before;
      assert(sent < 12 * 1024 * 1024, `${sent} bytes were sent again`);

      await page.reload();
      await page.locator('a[href*="/photo/"]').first().waitFor();
      assert.equal(await page.getByText("not added").count(), 0);
    }, { serviceWorkers: "allow" });
  },
);

// By day tests/app/unfinished_test.ts: every file is remembered until it is
// added, and what a person does not want any more is forgotten. The story above
// names one after a reload, handing_over_test.ts opens another tab, and
// import_test.ts cancels the rest.
nightStory(
  "every file that a reload kept from being added is counted and named, and a person may cancel the rest",
  async ({ url, wire, dataDir, visit }) => {
    const folder = `${dataDir}/Camera`;
    await Deno.mkdir(folder);
    for (let at = 0; at < 25; at++) {
      const bytes = crypto.getRandomValues(new Uint8Array(60_000));
      await Deno.writeFile(`${folder}/IMG_${at}.bin`, bytes);
    }
    await visit(async ({ page }) => {
      await signUp(page, url, "ada@example.org");
      const add = page.locator("input[data-add=folder]");
      // No more than some get through before it is paused.
      wire.holdAfter(10 * 65_000);
      await add.setInputFiles(folder);
      await page.getByText(/^[1-9]\d* of 25 files done/).waitFor();
      await page.getByRole("button", { name: "Pause" }).click();
      wire.holdAfter(Infinity);
      await page.getByText("Paused.").waitFor();
      // Nothing turns while nothing moves.
      await until(async () =>
        await page.locator(".queue .spinner").count() === 0
      );
      await expectAccessible(page);
      // Another tab does not say that these files were not added.
      const unadded = /^\d+ of 25 files were not added\.$/;
      const other = await page.context().newPage();
      await other.goto(url);
      await other.locator('a[href*="/photo/"]').first().waitFor();
      await other.getByRole("link", { name: "Safety" }).click();
      await other.getByRole("heading", { name: "Check again" }).waitFor();
      await other.getByRole("link", { name: "Photos", exact: true }).click();
      await other.locator('a[href*="/photo/"]').first().waitFor();
      assert.equal(await other.getByText(unadded).count(), 0);
      page.once("dialog", (dialog) => dialog.accept());
      await page.evaluate("void setTimeout(() => location.reload())");
      await other.getByText(unadded).waitFor();
      await other.close();
      const banner = page.getByText(unadded);
      await banner.waitFor();
      const left = Number((await banner.innerText()).split(" ")[0]);
      assert(left > 4 && left < 25, `${left} are left`);
      await page.getByText(/IMG_\d+\.bin, .* more files/).waitFor();
      await expectAccessible(page);

      await page.getByRole("button", { name: "Choose the folder" }).waitFor();
      const sent = wire.sentBytes;
      await page.locator("input[data-add=folder]").setInputFiles(folder);
      await page.getByText(`${left} files added, ${25 - left} already here`)
        .first().waitFor();
      assert(wire.sentBytes - sent < (left + 2) * 70_000);
      // All is well: the panel goes by itself.
      await page.locator(".queue").waitFor({ state: "detached" });

      // Every part of the app is there by then.
      await page.waitForFunction(hasWorker);
      wire.holdAfter(0);
      await page.locator("input[data-add=files]").setInputFiles(
        samplePhotos().slice(0, 2),
      );
      await page.getByRole("button", { name: "Cancel the rest" }).click();
      await page.getByRole("dialog")
        .getByRole("button", { name: "Cancel the rest" }).click();
      await page.locator(".queue").waitFor({ state: "detached" });
      wire.holdAfter(Infinity);
      await page.reload();
      await page.locator('a[href*="/photo/"]').first().waitFor();
      assert.equal(await page.getByText("not added").count(), 0);
    }, { serviceWorkers: "allow" });
  },
);

const PATIENCE_MS = 60_000;

/** Waits until something holds, often: what it looks for passes quickly. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!await holds()) {
    assert(performance.now() < deadline, `it never held: ${holds}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

// By day tests/people/folder_test.ts: empty files, and files that are cut or do
// not open, are kept and said to be so; tests/app/queue_test.ts counts them;
// undrawn_test.ts shows such files by their names.
nightStory(
  "an empty file, a cut one and one that cannot be decoded are kept, said to be so, and shown by their names",
  async ({ url, dataDir, visit }) => {
    const paths = ["broken.jpg", "empty.txt", "cut.jpg"]
      .map((name) => `${dataDir}/${name}`);
    await Deno.writeTextFile(paths[0] ?? "", "no JPEG");
    await Deno.writeTextFile(paths[1] ?? "", "");
    const whole = await sampleBytes("thumbnails/cat.jpg");
    await Deno.writeFile(paths[2] ?? "", whole.slice(0, whole.length / 2));
    await visit(async ({ page }) => {
      await signUp(page, url, "ada@example.org");
      await page.locator("input[data-add=files]").setInputFiles(paths);
      const queue = page.getByRole("region", { name: "Adding photos" });
      await queue.getByText("3 files are empty, cut off or without a preview.")
        .waitFor();
      await queue.getByText("added, but its end is missing").waitFor();
      // A text needs no date.
      await queue.getByText(
        "2 files have no date of their own: they stand at the file's date.",
      ).waitFor();
      await expectAccessible(page);
      await queue.getByRole("button", { name: "Close" }).click();
      for (const name of ["broken.jpg", "empty.txt"]) {
        await page.locator(".grid").getByText(name, { exact: true }).waitFor();
      }
    });
  },
);

// By day tests/clients/picture_calls_test.ts: the app makes a thumbnail of such
// a picture.
nightStory(
  "a picture of few pixels in a large file is seen in lists",
  async ({ url, dataDir, visit }) => {
    const small = await sampleBytes("thumbnails/cat.jpg");
    // What moves is in such files, or the video of a motion photo.
    const large = new Uint8Array(600_000);
    large.set(small);
    await Deno.writeFile(`${dataDir}/cat.jpg`, large);
    await visit(async ({ page }) => {
      await signUp(page, url, "ada@example.org");
      await page.locator("input[data-add=files]")
        .setInputFiles(`${dataDir}/cat.jpg`);
      const queue = page.getByRole("region", { name: "Adding photos" });
      await queue.getByText("1 file added").first().waitFor();
      await page.locator(".grid img.thumb").waitFor();
      assert.equal(await page.getByText("without a preview").count(), 0);
    });
  },
);

// By day tests/clients/picture_calls_test.ts: the app pairs such files, and
// names the still; tests/app/queue_test.ts counts it. What the panel says of it
// is shown by night only.
nightStory(
  "a renamed pair is one live photo by its content identifier, and a still of its name is named",
  async ({ url, dataDir, visit }) => {
    const files = {
      "beach.jpg": liveStill("beach", "1111-2222"),
      "sea.MOV": liveVideo("sea", "1111-2222"),
      "IMG_1.JPG": liveStill("camera", "3333-4444"),
      "IMG_1.png": liveStill("edited"),
      "IMG_1.MOV": liveVideo("film", "3333-4444"),
    };
    for (const [name, bytes] of Object.entries(files)) {
      await Deno.writeFile(`${dataDir}/${name}`, bytes);
    }
    await visit(async ({ page }) => {
      await signUp(page, url, "ada@example.org");
      await page.locator("input[data-add=files]")
        .setInputFiles(Object.keys(files).map((name) => `${dataDir}/${name}`));
      const queue = page.getByRole("region", { name: "Adding photos" });
      await queue.getByText("3 files added").first().waitFor();
      await queue.getByText("1 photo has the name of a live photo: it stays")
        .waitFor();
      await queue.getByText("added as a separate photo, next to").waitFor();
      await expectAccessible(page);
      await queue.getByRole("button", { name: "Close" }).click();
      await page.getByRole("link", { name: /Live photo/ }).nth(1).waitFor();
      assert.equal(await page.locator(".grid a").count(), 3);
    });
  },
);

// By day tests/clients/import_calls_test.ts: the video of a still that is here
// is added to it, and another one is a file of its own.
nightStory(
  "the video of a live photo whose still is there already is added to it, or is a file of its own",
  async ({ url, dataDir, visit }) => {
    const files = {
      "one.jpg": liveStill("one", "1111-2222"),
      "one.MOV": liveVideo("one", "1111-2222"),
      "again/one.jpg": liveStill("one", "1111-2222"),
      "again/one.MOV": liveVideo("another", "1111-2222"),
    };
    await Deno.mkdir(`${dataDir}/again`);
    for (const [name, bytes] of Object.entries(files)) {
      await Deno.writeFile(`${dataDir}/${name}`, bytes);
      // Nothing but the video tells the second pair from the first.
      await Deno.utime(`${dataDir}/${name}`, 1_700_000_000, 1_700_000_000);
    }
    await visit(async ({ page }) => {
      await signUp(page, url, "ada@example.org");
      const queue = page.getByRole("region", { name: "Adding photos" });
      const add = async (...names: readonly string[]) => {
        await page.locator("input[data-add=files]")
          .setInputFiles(names.map((name) => `${dataDir}/${name}`));
      };
      await add("one.jpg");
      await queue.getByText("1 file added").first().waitFor();
      await queue.getByRole("button", { name: "Close" }).click();
      await page.locator(".grid a").first().waitFor();
      assert.equal(
        await page.getByRole("link", { name: /Live photo/ }).count(),
        0,
      );
      await add("one.jpg", "one.MOV");
      await page.getByRole("link", { name: /Live photo/ }).waitFor();
      assert.equal(await page.locator(".grid a").count(), 1);
      await queue.getByText(/already here/).first().waitFor();
      // It has a video, and this is another one.
      await add("again/one.jpg", "again/one.MOV");
      await page.locator(".grid a").nth(1).waitFor();
    });
  },
);

// By day tests/app/queue_test.ts: what was refused for want of room goes on by
// itself.
nightStory(
  "an upload that halts because the storage is full goes on by itself once there is room",
  async ({ url, operator, visit }) => {
    await visit(async ({ page }) => {
      await signUp(page, url, "ada@example.org");
      await operator("account", "quota", "ada@example.org", "1");
      const [photo = ""] = samplePhotos();
      await page.locator("input[data-add=files]").setInputFiles([photo]);
      await page.getByText("Your storage is full.").first().waitFor();
      await operator("account", "quota", "ada@example.org", "none");
      await page.getByText("1 file added").first().waitFor();
    });
  },
);
