/**
 * Saving to one's own disk: one photo, many as a zip, and everything.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Download, Page } from "playwright-core";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { plainOf } from "../../src/library/mod.ts";
import { MalformedZip, readZip } from "../../src/media/zip.ts";
import { eachOnce, planOf } from "../../src/web/workers/media/zip_plan.ts";
import { expectBytes } from "../support/api.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet, hasWorker } from "../support/browser.ts";
import { wholeOf } from "../support/library.ts";
import { sampleBytes } from "../support/samples.ts";
import { damageBlob } from "../support/storage.ts";
import { openMachine } from "../support/people_commands.ts";
import { until } from "../support/until.ts";
import { appStory, BY_NIGHT, PASSWORD } from "../support/web_app.ts";
import {
  openPhotos,
  type Photographer,
  photographer,
  sample,
} from "../support/web_people.ts";

/** What a browser saved. */
async function savedBytes(saved: Download): Promise<Uint8Array<ArrayBuffer>> {
  return await Deno.readFile(await saved.path());
}

/** The files of a zip by their names. */
async function filesOf(
  zip: Uint8Array<ArrayBuffer>,
): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>> {
  const { entries, refused } = await readZip(plainOf(zip));
  assert.deepEqual(refused, []);
  return new Map(
    await Promise.all(entries.map(async (entry) =>
      [
        entry.path,
        await wholeOf(entry.read()),
      ] as const
    )),
  );
}

/** The same files, without printing thousands of differences. */
function expectFiles(
  actual: ReadonlyMap<string, Uint8Array>,
  expected: ReadonlyMap<string, Uint8Array>,
): void {
  const sums = (files: ReadonlyMap<string, Uint8Array>) =>
    [...files].map(([path, bytes]) => [path, bytes.length, sha256Hex(bytes)]);
  assert.deepEqual(sums(actual), sums(expected));
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
    assert(cat && coffee);
    const both = new Map([["cat.jpg", cat], ["CAT (2).jpg", coffee]]);
    const ways = [
      [url, withPicker],
      [url, withoutPicker],
      [lanUrl, undefined],
    ] as const;
    // By day the next story saves zips in the other two ways.
    for (const [at, prepare] of BY_NIGHT ? ways : ways.slice(0, 1)) {
      await visit(async (visitor) => {
        const { page } = visitor;
        if (prepare !== undefined) await page.addInitScript(prepare);
        await openPhotos(page, at, ada);
        await page.locator(".grid a").first().click();
        const one = await saves(page, "Download");
        assert.equal(one.suggestedFilename(), "cat.jpg");
        expectBytes(await savedBytes(one), cat);

        await page.keyboard.press("Escape");
        await page.locator(".grid a:focus").press("x");
        await page.keyboard.press("Shift+ArrowRight");
        await page.locator(".grid a[aria-label$=', selected']").nth(1)
          .waitFor();
        if (prepare === withPicker) {
          await page.getByRole("button", { name: "Download" }).click();
          expectFiles(await pickedFiles(page), both);
        } else {
          if (at === url) {
            await page.waitForFunction(hasWorker);
          }
          const zip = await saves(page, "Download");
          assert.equal(zip.suggestedFilename(), "photos.zip");
          expectFiles(await filesOf(await savedBytes(zip)), both);
        }
        expectQuiet(visitor, new URL(at).origin);
      }, { serviceWorkers: "allow" });
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
        place: { latitude: 45.987, longitude: 9.261 },
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
        "photos/2024/06/cat.jpg",
        "photos/2024/06/cat.jpg.json",
        "photos/2024/06/cat.jpg.xmp",
        "strongroom-export.json",
        "strongroom-export.sha256",
      ]);
      expectBytes(
        files.get("photos/2024/06/cat.jpg") ?? new Uint8Array(1),
        await sampleBytes("cat.jpg"),
      );
      const text = (name: string) => new TextDecoder().decode(files.get(name));
      const beside = JSON.parse(
        text("photos/2024/06/cat.jpg.json"),
      );
      assert.equal(beside.caption, "Chelsea <3");
      assert.match(
        text("photos/2024/06/cat.jpg.xmp"),
        /Chelsea &lt;3/,
      );
      // With the town and the country, which the device names itself.
      assert.deepEqual(beside.locality, {
        city: "Bellagio",
        country: "Italy",
        country_code: "IT",
      });
      assert.match(
        text("photos/2024/06/cat.jpg.xmp"),
        /<photoshop:City>Bellagio</,
      );
      const listed = JSON.parse(text("strongroom-export.json"));
      assert.deepEqual(listed.unread, ["rocket.jpg"]);
      assert.deepEqual(
        listed.albums.map(({ title }: { title: string }) => title),
        ["Sea: 2024"],
      );
      assert.deepEqual(listed.albums[0].files, [
        "albums/Sea_ 2024/coffee.jpg",
        "photos/2024/06/cat.jpg",
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
      assert.equal(files.size, 8);
      await panel.getByText(/^Done: 2 files, /).waitFor();
      await panel.getByText("1 file could not be read").waitFor();
      await panel.getByText("rocket.jpg").waitFor();
      const again = page.getByRole("button", { name: "Export", exact: true });
      await until(() => again.isEnabled(), true);
      await panel.getByRole("button", { name: "Close" }).click();
      await panel.waitFor({ state: "detached" });
    }, { serviceWorkers: "allow" });
  },
);

/** What the command exports of an account, on a machine of its own. */
async function exported(
  folder: string,
  url: string,
  { address, words }: Photographer,
): Promise<string> {
  const machine = await openMachine(folder);
  await machine.done(
    ...["login", url, "--address", address, "--password-file"],
    await machine.write("password", `${PASSWORD}\n`),
    ...["--words-file", await machine.write("words", `${words}\n`)],
  );
  const out = machine.path("out");
  await machine.done("export-all", out);
  return out;
}

appStory(
  "what goes in comes out in every part, from the browser as from the command, whatever kind it is",
  async ({ url, lanUrl, dataDir, visit }) => {
    const ada = await photographer(url, "ada");
    const { library } = ada;
    const taken_at = "2024-06-12T10:00:00Z";
    const bytesOf = (text: string) => new TextEncoder().encode(text);
    const live = async (from: string, mime: string, video: string) => {
      const given = await sample(from, { name: "IMG_1.jpg", taken_at });
      const motion = { kind: "motion", mime, bytes: bytesOf(video) } as const;
      const derivatives = [...given.derivatives ?? [], motion];
      return (await library.take({ ...given, derivatives })).row;
    };
    const plain = (name: string, mime: string, text: string) =>
      library.take({
        source: plainOf(bytesOf(text)),
        about: { name, mime, taken_at },
      });
    const cat = await library.take(
      await sample("cat.jpg", { taken_at, caption: "Chelsea" }),
    );
    const one = await live("coffee.jpg", "video/quicktime", "of the coffee");
    await live("rocket.jpg", "video/mp4", "of the rocket");
    await plain("clip.mp4", "video/mp4", "a video");
    await plain("notes.txt", "text/plain", "a text");
    const { row: empty } = await plain("empty.dat", "application/x-any", "");
    const album = await library.albums.create({ title: "Sea" });
    await library.copyInto(one.id, album.id);
    await library.flags.change([cat.row.id], { favourite: true });
    await library.flags.change([empty.id], { hidden: true });

    // By day tests/people/same_exports_test.ts compares both without a browser.
    const out = BY_NIGHT
      ? await exported(`${dataDir}/laptop`, url, ada)
      : undefined;

    await visit(async ({ page }) => {
      await openPhotos(page, lanUrl, ada);
      await page.goto(`${lanUrl}#/settings/export`);
      const files = await filesOf(
        await savedBytes(await saves(page, "Export")),
      );
      const month = "photos/2024/06";
      const originals = new Map([
        [`${month}/cat.jpg`, await sampleBytes("cat.jpg")],
        [`${month}/clip.mp4`, bytesOf("a video")],
        [`${month}/notes.txt`, bytesOf("a text")],
        [`${month}/empty.dat`, bytesOf("")],
      ]);
      for (const [path, bytes] of originals) {
        expectBytes(files.get(path) ?? new Uint8Array(1), bytes, path);
      }
      // Two live photos have one name; each video is next to its own still.
      const listed = JSON.parse(
        new TextDecoder().decode(files.get("strongroom-export.json")),
      );
      const videos = [
        ["coffee.jpg", "of the coffee", ".mov"],
        ["rocket.jpg", "of the rocket", ".mp4"],
      ] as const;
      for (const [still, video, end] of videos) {
        const hash = sha256Hex(await sampleBytes(still));
        const file = listed.files.find(
          ({ sha256 }: { sha256: string }) => sha256 === hash,
        );
        expectBytes(
          files.get(file.path) ?? new Uint8Array(1),
          await sampleBytes(still),
        );
        assert.deepEqual(files.get(file.video), bytesOf(video));
        assert.equal(file.video, file.path.replace(".jpg", end));
      }
      const marks = listed.files.filter((
        file: { favourite?: true; hidden?: true },
      ) => file.favourite ?? file.hidden);
      assert.deepEqual(
        marks.map(({ name }: { name: string }) => name).sort(),
        ["cat.jpg", "empty.dat"],
      );

      // The command has all of it too, at the same places.
      if (out !== undefined) {
        const own = /^strongroom-/;
        for (const [path, bytes] of files) {
          if (own.test(path)) continue;
          expectBytes(await Deno.readFile(`${out}/${path}`), bytes, path);
        }
        const theirs = JSON.parse(
          await Deno.readTextFile(`${out}/strongroom-export.json`),
        );
        for (const file of listed.files) {
          const same = theirs.files.find(
            ({ asset_id }: { asset_id: string }) => asset_id === file.asset_id,
          );
          assert.deepEqual(same, file);
        }
      }
      const sums = new TextDecoder().decode(
        files.get("strongroom-export.sha256"),
      ).trim().split("\n");
      assert.equal(sums.length, 8);
      for (const line of sums) {
        const [hash, path = ""] = line.split("  ");
        assert.equal(sha256Hex(files.get(path) ?? new Uint8Array(1)), hash);
      }

      // A live photo alone is downloaded with its video.
      await page.goto(`${lanUrl}#/album/${album.id}`);
      await page.locator(".grid a").first().click();
      const both = await filesOf(
        await savedBytes(await saves(page, "Download")),
      );
      assert.deepEqual(
        both,
        new Map([
          ["IMG_1.jpg", await sampleBytes("coffee.jpg")],
          ["IMG_1.mov", bytesOf("of the coffee")],
        ]),
      );
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

Deno.test("an export has the library's own photo, even if others claim its hash, and each photo of a person once", () => {
  const row = (id: string, owner: string, album: string, sha256: string) => ({
    id,
    owner,
    album,
    metadata: {
      name: `${id}.jpg`,
      mime: "image/jpeg",
      size: 1,
      sha256,
      derivatives: [],
    },
  });
  const rows = [
    row("claimed", "bob", "family", "a"),
    row("copy", "ada", "family", "a"),
    row("own", "ada", "library", "a"),
    row("late", "bob", "library", "a"),
    row("bob's", "bob", "family", "b"),
    row("bob's again", "bob", "holidays", "b"),
    row("carol's", "carol", "family", "b"),
  ];
  const vault = { libraryAlbumId: "library", session: { userId: "ada" } };
  const kept = eachOnce(rows, vault).map(({ id }) => id);
  assert.deepEqual(kept, ["own", "bob's", "carol's"]);
});
