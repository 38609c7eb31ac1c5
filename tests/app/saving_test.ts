/**
 * Saving to one's own disk: one photo, many as a zip, and everything.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Download, Page } from "playwright-core";
import { plainOf } from "../../src/client/library/mod.ts";
import {
  MalformedZip,
  readZipDirectory,
  readZipEntry,
} from "../../src/client/zip/mod.ts";
import { planOf } from "../../src/web/work/zip_plan.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet, hasWorker } from "../support/browser.ts";
import { wholeOf } from "../support/library.ts";
import { sampleBytes } from "../support/samples.ts";
import { damageBlob } from "../support/storage.ts";
import { appStory } from "../support/web_app.ts";
import { openPhotos, photographer, sample } from "../support/web_people.ts";

/** What a browser saved. */
async function savedBytes(saved: Download): Promise<Uint8Array<ArrayBuffer>> {
  return await Deno.readFile(await saved.path());
}

/** The files of a zip by their names. */
async function filesOf(
  zip: Uint8Array<ArrayBuffer>,
): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>> {
  const source = plainOf(zip);
  const { entries, refused } = await readZipDirectory(source);
  assert.deepEqual(refused, []);
  return new Map(
    await Promise.all(entries.map(async (entry) =>
      [
        entry.path,
        await wholeOf(readZipEntry(source, entry)),
      ] as const
    )),
  );
}

async function saves(page: Page, button: string): Promise<Download> {
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button, exact: true }).click(),
  ]);
  return saved;
}

/** Browsers without a picker for files: all but Chromium. */
function withoutPicker(): void {
  Reflect.deleteProperty(globalThis, "showSaveFilePicker");
}

/** What a page says to its service worker is late. */
function withLateMessages(): void {
  const { ServiceWorker } = globalThis as unknown as {
    ServiceWorker: {
      prototype: { postMessage(...said: unknown[]): void };
    };
  };
  const { postMessage } = ServiceWorker.prototype;
  ServiceWorker.prototype.postMessage = function (...said) {
    setTimeout(() => postMessage.apply(this, said), 500);
  };
}

/** A picker that chose a file of the browser's own. */
function withPicker(): void {
  const pick = async () => {
    const { storage } = globalThis.navigator as unknown as {
      storage: { getDirectory(): Promise<Folder> };
    };
    const folder = await storage.getDirectory();
    return await folder.getFileHandle("picked", { create: true });
  };
  interface Folder {
    getFileHandle(name: string, options: { create: boolean }): Promise<unknown>;
  }
  Object.assign(globalThis, { showSaveFilePicker: pick });
}

/** The files of the zip that was picked, once all of it is there. */
async function pickedFiles(page: Page) {
  for (let tries = 1;; tries++) {
    const hex = await page.evaluate<string>(`
      navigator.storage.getDirectory()
        .then((folder) => folder.getFileHandle("picked", { create: true }))
        .then((handle) => handle.getFile())
        .then((file) => file.arrayBuffer())
        .then((bytes) => new Uint8Array(bytes).toHex())
    `);
    try {
      return await filesOf(Uint8Array.fromHex(hex));
    } catch (error) {
      if (!(error instanceof MalformedZip) || tries === 100) throw error;
      await page.waitForTimeout(200);
    }
  }
}

appStory(
  "one photo is saved as it is, and many as a zip, whatever the browser can",
  async ({ url, lanUrl, visit }) => {
    const ada = await photographer(url, "ada");
    await ada.library.take(
      await sample("cat.jpg", { taken_at: "2024-06-12T10:00:00Z" }),
    );
    await ada.library.take(
      await sample("coffee.jpg", {
        name: "CAT.jpg",
        taken_at: "2024-06-11T10:00:00Z",
      }),
    );
    const [cat, coffee] = await Promise.all(
      ["cat.jpg", "coffee.jpg"].map(sampleBytes),
    );
    const both = new Map([["cat.jpg", cat], ["CAT (2).jpg", coffee]]);
    for (
      const [at, prepare] of [
        [url, withoutPicker],
        [url, withPicker],
        [lanUrl, undefined],
      ] as const
    ) {
      await visit(async (visitor) => {
        const { page } = visitor;
        if (prepare !== undefined) await page.addInitScript(prepare);
        await openPhotos(page, at, ada);
        await page.locator(".grid a").first().click();
        const one = await saves(page, "Download");
        assert.equal(one.suggestedFilename(), "cat.jpg");
        assert.deepEqual(await savedBytes(one), cat);

        await page.keyboard.press("Escape");
        await page.locator(".grid a:focus").press("x");
        await page.keyboard.press("Shift+ArrowRight");
        await page.locator(".grid a[aria-label$=', selected']").nth(1)
          .waitFor();
        if (prepare === withPicker) {
          await page.getByRole("button", { name: "Download" }).click();
          assert.deepEqual(await pickedFiles(page), both);
        } else {
          if (at === url) {
            await page.waitForFunction(hasWorker);
          }
          const zip = await saves(page, "Download");
          assert.equal(zip.suggestedFilename(), "photos.zip");
          assert.deepEqual(await filesOf(await savedBytes(zip)), both);
        }
        expectQuiet(visitor, new URL(at).origin);
      });
    }
  },
);

appStory(
  "everything is exported with what is known of each, and what is damaged is named",
  async ({ lanUrl, url, dataDir, visit, wire }) => {
    const ada = await photographer(url, "ada");
    const album = await ada.library.albums.create({ title: "Sea: 2024" });
    const cat = await ada.library.take(
      await sample("cat.jpg", {
        taken_at: "2024-06-12T10:00:00Z",
        path: "Pictures/../At the lake",
        caption: "Chelsea <3",
        favourite: true,
      }),
    );
    // In the library and in an album it is one photo.
    await ada.library.copyInto(cat.row.id, album.id);
    await ada.library.take(
      await sample("coffee.jpg", { taken_at: "2024-06-11T10:00:00Z" }),
      { albumId: album.id },
    );
    const lost = await ada.library.take(
      await sample("rocket.jpg", { taken_at: "2024-06-10T10:00:00Z" }),
    );
    const original = lost.row.blobs.find(({ role }) => role === "original");
    await damageBlob(
      { dataDir: `${dataDir}/data` },
      original?.hash ?? "",
      "a flipped byte",
    );
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, lanUrl, ada);
      await page.goto(`${lanUrl}#/settings/export`);
      await page.getByText("3 files", { exact: false }).waitFor();
      // It is seen while it is under way, and can be cancelled.
      const panel = page.getByRole("region", { name: "Downloading" });
      wire.holdAfter(0);
      await page.getByRole("button", { name: "Export", exact: true }).click();
      await panel.getByText(/^0 of 3 files · 0 bytes of /).waitFor();
      await expectAccessible(page);
      await panel.getByRole("button", { name: "Cancel" }).click();
      await page.getByText("The download was cancelled.").waitFor();
      await panel.waitFor({ state: "detached" });
      wire.holdAfter(Infinity);

      const saved = await saves(page, "Export");
      assert.equal(saved.suggestedFilename(), "strongroom-export.zip");
      const files = await filesOf(await savedBytes(saved));
      assert.deepEqual([...files.keys()].sort(), [
        "albums/Sea_ 2024/coffee.jpg",
        "albums/Sea_ 2024/coffee.jpg.json",
        "albums/Sea_ 2024/coffee.jpg.xmp",
        "photos/Pictures/_/At the lake/cat.jpg",
        "photos/Pictures/_/At the lake/cat.jpg.json",
        "photos/Pictures/_/At the lake/cat.jpg.xmp",
        "strongroom-export.json",
      ]);
      assert.deepEqual(
        files.get("photos/Pictures/_/At the lake/cat.jpg"),
        await sampleBytes("cat.jpg"),
      );
      const text = (name: string) => new TextDecoder().decode(files.get(name));
      const beside = JSON.parse(
        text("photos/Pictures/_/At the lake/cat.jpg.json"),
      );
      assert.equal(beside.caption, "Chelsea <3");
      assert.match(
        text("photos/Pictures/_/At the lake/cat.jpg.xmp"),
        /Chelsea &lt;3/,
      );
      const listed = JSON.parse(text("strongroom-export.json"));
      assert.deepEqual(listed.unread, ["rocket.jpg"]);
      assert.deepEqual(
        listed.albums.map(({ title }: { title: string }) => title),
        ["Sea: 2024"],
      );
      assert.deepEqual(listed.albums[0].files, [
        "albums/Sea_ 2024/coffee.jpg",
        "photos/Pictures/_/At the lake/cat.jpg",
      ]);
      // At its end is said how much that was, and what was left out.
      await panel.getByText(/^Done: 2 files, /).waitFor();
      await panel.getByText("1 file could not be read").waitFor();
      await page.goto(`${lanUrl}#/settings/storage`);
      await page.getByText("3", { exact: true }).waitFor();
      await page.getByText("1 file could not be read").waitFor();
      await expectAccessible(page);
      expectQuiet(visitor, new URL(lanUrl).origin);
    });

    // Where the browser itself downloads it, too, although its download may
    // begin before the service worker knows what is to be in it.
    await visit(async ({ page }) => {
      await page.addInitScript(withoutPicker);
      await page.addInitScript(withLateMessages);
      await openPhotos(page, url, ada);
      await page.waitForFunction(hasWorker);
      await page.goto(`${url}#/settings/export`);
      const panel = page.getByRole("region", { name: "Downloading" });
      const saved = await saves(page, "Export");
      const files = await filesOf(await savedBytes(saved));
      assert.equal(files.size, 7);
      await panel.getByText(/^Done: 2 files, /).waitFor();
      await panel.getByText("1 file could not be read").waitFor();
      await panel.getByText("rocket.jpg").waitFor();
      const again = page.getByRole("button", { name: "Export", exact: true });
      assert(await again.isEnabled());
      await panel.getByRole("button", { name: "Close" }).click();
      await panel.waitFor({ state: "detached" });
    });
  },
);

Deno.test("a browser that holds zips in memory gets them in parts, and is told what fits in none", () => {
  const rows = [4, 4, 4, 11, 3].map((size, n) => ({
    id: `id-${n}`,
    metadata: {
      name: `${n}.jpg`,
      mime: "image/jpeg",
      size,
      sha256: "",
      derivatives: [],
    },
  }));
  assert.deepEqual(planOf(rows, 10), {
    parts: [
      { ids: ["id-0", "id-1"], bytes: 8 },
      { ids: ["id-2", "id-4"], bytes: 7 },
    ],
    files: 4,
    bytes: 15,
    left: ["3.jpg"],
  });
  assert.equal(planOf(rows, Infinity).parts.length, 1);
  assert.deepEqual(planOf([], 10).parts, []);
});
