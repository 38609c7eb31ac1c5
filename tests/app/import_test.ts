/**
 * Importing what another service exported: its zips together, with dates,
 * places, albums and favourites, and a word for everything that fits to
 * nothing.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { expectAccessible } from "../support/axe.ts";
import { hasWorker } from "../support/browser.ts";
import type { Json } from "../support/expect.ts";
import { liveStill, liveVideo } from "../support/live_pairs.ts";
import { until } from "../support/until.ts";
import {
  almostClose,
  appStory,
  nightStory,
  PHONE,
  samplePhotos,
  signUp,
} from "../support/web_app.ts";
import { type ZipFile, zipOf } from "../support/zips.ts";

const PICTURES = Deno.env.get("TEST_PICTURES");
const MEDIA = new URL("../support/media/", import.meta.url).pathname;

async function keepPicture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

function json(value: unknown): Uint8Array {
  return text(JSON.stringify(value));
}

function told(title: string, more: object = {}): Uint8Array {
  return json({
    title,
    photoTakenTime: { timestamp: "1718445600" },
    geoData: { latitude: 46.2, longitude: 9.1, altitude: 0 },
    ...more,
  });
}

const YEAR = "Takeout/Google Photos/Photos from 2024";
const ALBUM = "Takeout/Google Photos/Our walks";

/** Four zips of one export: what belongs together lies in different ones. */
async function takeout(folder: string): Promise<string[]> {
  const [walk, edited, lonely] = await Promise.all(
    samplePhotos().slice(0, 3).map((path) => Deno.readFile(path)),
  );
  assert(walk && edited && lonely);
  const parts: readonly (readonly ZipFile[])[] = [
    [
      { name: `${YEAR}/walk.jpg`, bytes: walk, isStored: true },
      { name: `${YEAR}/walk-edited.jpg`, bytes: edited },
      {
        name: `${YEAR}/live.heic`,
        bytes: await Deno.readFile(`${MEDIA}camera.heic`),
      },
      { name: `${ALBUM}/walk.jpg`, bytes: walk },
    ],
    [
      {
        name: `${YEAR}/walk.jpg.supplemental-metadata.json`,
        bytes: told("walk.jpg", { favorited: true, description: "the lake" }),
      },
      { name: `${YEAR}/live.heic.suppl.json`, bytes: told("live.heic") },
      {
        name: `${YEAR}/live.mov`,
        bytes: await Deno.readFile(`${MEDIA}iphone.mov`),
      },
      {
        name: `${ALBUM}/metadata.json`,
        bytes: json({ title: "Our walks: all", date: { timestamp: "1" } }),
      },
      { name: `${YEAR}/gone.jpg.json`, bytes: told("gone.jpg") },
      { name: `${YEAR}/thrown.png`, bytes: text("thrown") },
      {
        name: `${YEAR}/thrown.png.json`,
        bytes: told("thrown.png", { trashed: true }),
      },
    ],
    [
      { name: `${YEAR}/lonely.jpg`, bytes: lonely },
      { name: `${YEAR}/broken.png`, bytes: text("broken"), lie: { crc: 1 } },
      {
        name: `${YEAR}/secret.png`,
        bytes: text("secret"),
        lie: { flags: 0x801 },
      },
      { name: "../../escape.png", bytes: text("escape") },
      { name: "Takeout/archive_browser.html", bytes: text("<html>") },
    ],
  ];
  const paths = parts.map((_, at) => `${folder}/takeout-00${at + 1}.zip`);
  for (const [at, files] of parts.entries()) {
    await Deno.writeFile(paths[at] ?? "", zipOf(files));
  }
  const cut = `${folder}/takeout-004.zip`;
  await Deno.writeFile(cut, zipOf(parts[0] ?? []).slice(0, 2_000));
  return [...paths, cut];
}

/** Drops files on the page. */
async function drop(page: Page, paths: readonly string[]): Promise<void> {
  const files = await Promise.all(
    paths.map(async (path) => ({
      name: path.split("/").at(-1) ?? "",
      bytes: (await Deno.readFile(path)).toBase64(),
    })),
  );
  await page.evaluate((files) => {
    const window = globalThis as Json;
    const dataTransfer = new window.DataTransfer();
    for (const { name, bytes } of files) {
      const read = Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0));
      dataTransfer.items.add(new File([read], name));
    }
    window.dispatchEvent(new window.DragEvent("drop", { dataTransfer }));
  }, files);
}

async function toImport(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Add photos" }).click();
  await page.getByRole("menuitem", { name: "Import from another service" })
    .click();
  await page.getByRole("button", { name: "Choose zips" }).waitFor();
}

/** The number in the row of that name. */
function rowOf(page: Page, name: string): Locator {
  return page.locator(".line", {
    has: page.getByText(name, { exact: true }),
  }).locator(".import-count");
}

async function expectRows(
  page: Page,
  rows: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, value] of Object.entries(rows)) {
    await until(
      async () => (await rowOf(page, name).innerText()).trim(),
      value,
    );
  }
}

/** The lines of a list that is folded, which is opened. */
async function linesOf(page: Page, title: string): Promise<string[]> {
  const list = page.locator("details.options", {
    has: page.getByRole("heading", { name: title, exact: true }),
  });
  if (await list.getAttribute("open") === null) {
    await list.locator("summary").click();
  }
  return (await list.locator("li").allInnerTexts()).sort();
}

for (
  const [where, options] of [
    ["desk", { viewport: { width: 1280, height: 800 } }],
    ["phone", { ...PHONE, colorScheme: "dark" as const }],
  ] as const
) {
  const story = where === "desk" ? appStory : nightStory;
  story(
    `an export of Google Photos comes with all that its zips tell, on a ${where}`,
    async ({ url, wire, dataDir, visit }) => {
      const zips = await takeout(dataDir);
      await visit(async ({ page }) => {
        await signUp(page, url, "ada@example.org");
        await toImport(page);
        await expectAccessible(page);
        await keepPicture(page, `import-choose-${where}`);
        await page.locator("input[data-import=zips]").setInputFiles(zips);
        await expectRows(page, {
          Photos: "6",
          Videos: "1",
          "Photos with a video of the same name": "1",
          Albums: "1",
          Favourites: "3",
          "With a caption": "3",
        });
        await until(
          () => page.getByLabel("Exported by").inputValue(),
          "takeout",
        );
        assert.deepEqual(
          await linesOf(page, "4 files left out"),
          [
            `takeout-002.zip/${YEAR}/thrown.png: was in the trash`,
            "takeout-003.zip/../../escape.png: has a path that leads out of the zip",
            "takeout-003.zip/Takeout/archive_browser.html: describes other files",
            `takeout-003.zip/${YEAR}/secret.png: is encrypted. Unpack it with its password first`,
          ].sort(),
        );
        await page.locator(".notice", {
          hasText: "takeout-004.zip: is not a complete zip. Download it again",
        }).waitFor();
        assert.deepEqual(
          await linesOf(page, "1 description without a photo"),
          [`${YEAR}/gone.jpg.json`],
        );
        await expectAccessible(page);
        await keepPicture(page, `import-found-${where}`);
        await page.getByRole("button", { name: /^Import \d+ files$/ }).click();
        await page.getByText("4 files imported", { exact: true }).waitFor();
        await page.getByText("1 was already here.").waitFor();
        await page.getByText("1 file could not be imported.", { exact: true })
          .waitFor();
        assert.deepEqual(
          await linesOf(page, "1 file could not be imported"),
          [
            `takeout-003.zip/${YEAR}/broken.png: is damaged. Download that zip again`,
          ],
        );
        await expectAccessible(page);
        await keepPicture(page, `import-done-${where}`);
        const saving = page.waitForEvent("download");
        await page.getByRole("button", { name: "Save these lists" }).click();
        const saved = await saving;
        assert.equal(saved.suggestedFilename(), "import-report.txt");
        const report = await Deno.readTextFile(await saved.path());
        assert.match(report, /gone\.jpg\.json/);
        assert.match(report, /escape\.png: has a path/);

        // The sidecar of another zip told the date, the place and the caption.
        await page.goto(`${url}/#/favourites`);
        await page.locator('a[href*="/photo/"]').first().click();
        await page.getByText("the lake").first().waitFor();
        await page.getByText(/15 June 2024|June 15, 2024|Jun 15, 2024/).first()
          .waitFor();
        await page.goto(`${url}/#/albums`);
        await page.getByText("Our walks: all").first().click();
        await until(() => page.locator('a[href*="/photo/"]').count(), 1);

        // A second time everything is known before it is sent.
        const sent = wire.sentBytes;
        await page.goto(`${url}/#/settings/import`);
        await page.getByRole("button", { name: "Import more" }).click();
        // Dropped on the page, they are not added as so many files.
        await drop(page, zips);
        await expectRows(page, { "Already in your library": "5" });
        await page.getByRole("button", { name: /^Import \d+ files$/ }).click();
        await page.getByText("0 files imported", { exact: true }).waitFor();
        await page.getByText("5 were already here.").waitFor();
        assert(wire.sentBytes - sent < 60_000, `${wire.sentBytes - sent}`);
      }, options);
    },
  );
}

// By day tests/people/import_test.ts imports such zips, tars and folders.
nightStory(
  "an identifier pairs a still and a video of other names in a zip, and parts two of one name",
  async ({ url, dataDir, visit }) => {
    const filesOf = (mark: string): ZipFile[] =>
      Object.entries({
        "beach.jpg": liveStill(mark, `${mark}-1111`),
        "sea.MOV": liveVideo(mark, `${mark}-1111`),
        "IMG_1.JPG": liveStill(`${mark} one`, `${mark}-2222`),
        "IMG_1.MOV": liveVideo(`${mark} other`, `${mark}-3333`),
      }).map(([name, bytes]) => ({
        name: `${mark}/${name}`,
        bytes,
        isStored: mark === "stored",
      }));
    const zip = `${dataDir}/photos.zip`;
    await Deno.writeFile(
      zip,
      zipOf([...filesOf("stored"), ...filesOf("packed")]),
    );
    await visit(async ({ page }) => {
      await signUp(page, url, "ada@example.org");
      await toImport(page);
      await page.locator("input[data-import=zips]").setInputFiles([zip]);
      await page.getByRole("button", { name: /^Import \d+ files$/ }).click();
      await page.getByText("6 files imported", { exact: true }).waitFor();
      await page.goto(`${url}/#/`);
      await page.getByRole("link", { name: /Live photo/ }).nth(1).waitFor();
      await until(() => page.locator(".grid a").count(), 6);
      assert.equal(
        await page.getByRole("link", { name: /Live photo/ }).count(),
        2,
      );
    });
  },
);

// By day tests/clients/import_calls_test.ts: an import is remembered by its
// names until it ends; the first story imports the same zips again. By night
// only: it pauses, and the page names what a reload cut off.
nightStory(
  "an import that a reload cut off is named, and the same zip goes on where it was",
  async ({ url, wire, dataDir, visit }) => {
    const files = Array.from({ length: 25 }, (_, at): ZipFile => ({
      name: `Takeout/Google Photos/Photos from 2024/IMG_${at}.bin`,
      bytes: crypto.getRandomValues(new Uint8Array(60_000)),
      isStored: at % 2 === 0,
    }));
    const zip = `${dataDir}/takeout-001.zip`;
    await Deno.writeFile(zip, zipOf(files, { isWide: true }));
    await visit(async ({ page }) => {
      await signUp(page, url, "ada@example.org");
      await toImport(page);
      const choose = page.locator("input[data-import=zips]");
      await choose.setInputFiles([zip]);
      // No more than some get through.
      wire.holdAfter(10 * 65_000);
      await page.getByRole("button", { name: "Import 25 files" }).click();
      await page.locator("main").getByText(/^[1-9]\d* of 25 files done/)
        .waitFor();
      await page.locator("main").getByRole("button", { name: "Pause" })
        .click();
      await page.locator("main").getByText("Paused.").waitFor();
      await expectAccessible(page);
      await keepPicture(page, "import-paused");
      wire.holdAfter(Infinity);
      page.once("dialog", (dialog) => dialog.accept());
      await page.evaluate("void setTimeout(() => location.reload())");
      const begun = page.getByText(
        "The import of takeout-001.zip did not finish.",
      );
      await page.getByRole("button", { name: "Choose zips" }).waitFor();
      await begun.waitFor();
      await page.getByRole("link", { name: "Photos", exact: true }).click();
      await begun.waitFor();
      await expectAccessible(page);
      await page.getByRole("link", { name: "Import from another service" })
        .click();
      const sent = wire.sentBytes;
      await choose.setInputFiles([zip]);
      await rowOf(page, "Already in your library").waitFor();
      await page.getByRole("button", { name: "Import 25 files" }).click();
      const known = page.getByText(/^\d+ were already here\.$/);
      await known.waitFor();
      const here = Number((await known.innerText()).split(" ")[0]);
      assert(here > 0 && here < 25, `${here} were here`);
      await page.getByText(`${25 - here} files imported`).waitFor();
      assert(wire.sentBytes - sent < (25 - here + 2) * 70_000);
      await page.reload();
      await page.getByRole("button", { name: "Choose zips" }).waitFor();
      assert.equal(await begun.count(), 0);
    });
  },
);

appStory(
  "what is left of an import may be stopped, and the rest is named",
  async ({ url, wire, dataDir, visit }) => {
    const files = Array.from({ length: 12 }, (_, at): ZipFile => ({
      name: `Takeout/Google Photos/Photos from 2024/IMG_${at}.bin`,
      bytes: crypto.getRandomValues(new Uint8Array(60_000)),
    }));
    const zip = `${dataDir}/takeout-001.zip`;
    await Deno.writeFile(zip, zipOf(files));
    await visit(async ({ page }) => {
      await signUp(page, url, "ada@example.org");
      await toImport(page);
      await page.locator("input[data-import=zips]").setInputFiles([zip]);
      const begin = page.getByRole("button", { name: "Import 12 files" });
      await begin.waitFor();
      // Every part of the app is there by then.
      await page.waitForFunction(hasWorker);
      wire.holdAfter(0);
      await begin.click();
      await page.locator("main").getByRole("button", {
        name: "Cancel the rest",
      }).click();
      await page.getByRole("dialog")
        .getByRole("button", { name: "Cancel the rest" }).click();
      wire.holdAfter(Infinity);
      await page.getByText("0 files imported").waitFor();
      await page.getByText("12 files left.").waitFor();
      assert.equal(
        (await linesOf(page, "12 files not imported yet")).length,
        12,
      );
    }, { serviceWorkers: "allow" });
  },
);

// By day tests/people/import_others_test.ts and
// tests/clients/apple_export_test.ts read the same.
nightStory(
  "Apple's copy and immich's upload folder come with what their tables and sidecars tell",
  async ({ url, dataDir, visit }) => {
    const [walk, hidden, deleted, own] = await Promise.all(
      samplePhotos().slice(0, 4).map((path) => Deno.readFile(path)),
    );
    assert(walk && hidden && deleted && own);
    const row = (name: string, marks: string, date: string) =>
      `${name},AfQj57ORF2JI,${marks},"${date}",10,"${date}"`;
    const table = (...rows: string[]) =>
      text([
        "imgName,fileChecksum,favorite,hidden,deleted,originalCreationDate," +
        "viewCount,importDate",
        ...rows,
      ].join("\n"));
    const noon = "Saturday June 4,2022 12:11 PM GMT";
    const parts: readonly (readonly ZipFile[])[] = [
      [
        { name: "Photos/IMG_1.JPG", bytes: walk },
        { name: "Photos/IMG_3.JPG", bytes: deleted },
        {
          name: "Photos/Photo Details.csv",
          bytes: table(
            row("IMG_1.JPG", "yes,no,no", noon),
            row("IMG_3.JPG", "no,no,yes", noon),
          ),
        },
      ],
      [
        { name: "Photos/IMG_1.JPG", bytes: hidden },
        {
          name: "Photos/Photo Details-1.csv",
          bytes: table(row("IMG_1.JPG", "no,yes,no", noon)),
        },
        { name: "Photos/IMG_2.JPG", bytes: own },
        { name: "Albums/Lake.csv", bytes: text("imageName\nIMG_2.JPG\n") },
      ],
    ];
    const zips = parts.map((_, at) =>
      `${dataDir}/iCloud Photos Part ${at + 1} of 2.zip`
    );
    for (const [at, files] of parts.entries()) {
      await Deno.writeFile(zips[at] ?? "", zipOf(files));
    }
    const upload = `${dataDir}/upload`;
    const [again] = samplePhotos().slice(4);
    for (const folder of ["library/ada/2022", "thumbs/ada"]) {
      await Deno.mkdir(`${upload}/${folder}`, { recursive: true });
    }
    await Deno.copyFile(again ?? "", `${upload}/library/ada/2022/boat.jpg`);
    await Deno.copyFile(again ?? "", `${upload}/thumbs/ada/boat.webp`);
    await Deno.writeTextFile(
      `${upload}/library/ada/2022/boat.jpg.xmp`,
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about=""
          xmlns:dc="http://purl.org/dc/elements/1.1/"
          xmlns:exif="http://ns.adobe.com/exif/1.0/"
          exif:DateTimeOriginal="2022-07-01T10:00:00+02:00">
          <dc:description><rdf:Alt><rdf:li xml:lang="x-default">the boat
          </rdf:li></rdf:Alt></dc:description>
        </rdf:Description></rdf:RDF></x:xmpmeta>`,
    );
    await visit(async ({ page }) => {
      await signUp(page, url, "ada@example.org");
      await toImport(page);
      await page.locator("input[data-import=zips]").setInputFiles(zips);
      await expectRows(page, {
        Photos: "3",
        Albums: "1",
        Favourites: "1",
        Hidden: "1",
        "With a date from the export": "2",
      });
      await until(() => page.getByLabel("Exported by").inputValue(), "apple");
      assert.deepEqual(await linesOf(page, "1 file left out"), [
        "iCloud Photos Part 1 of 2.zip/Photos/IMG_3.JPG: was in the trash",
      ]);
      await page.getByRole("button", { name: "Import 3 files" }).click();
      await page.getByText("3 files imported", { exact: true }).waitFor();

      await page.getByRole("button", { name: "Import more" }).click();
      await page.locator("input[data-import=folder]").setInputFiles(upload);
      await expectRows(page, { Photos: "1", "With a caption": "1" });
      const kind = page.getByLabel("Exported by");
      await until(() => kind.inputValue(), "immich");
      assert.deepEqual(await linesOf(page, "1 file left out"), [
        "upload/thumbs/ada/boat.webp: was made from another file",
      ]);
      // The same files as those of no known program.
      await kind.selectOption("other");
      await expectRows(page, { Photos: "2" });
      await kind.selectOption("immich");
      await expectRows(page, { Photos: "1" });
      await page.getByRole("button", { name: "Import 1 file" }).click();
      await page.getByText("1 file imported", { exact: true }).waitFor();

      const photos = page.locator('a[href*="/photo/"]');
      await page.goto(`${url}/#/favourites`);
      await until(() => photos.count(), 1);
      await page.goto(`${url}/#/hidden`);
      await until(() => photos.count(), 1);
      await page.goto(`${url}/#/albums`);
      await page.getByText("Lake", { exact: true }).first().click();
      await until(() => photos.count(), 1);
      await page.goto(`${url}/#/photos`);
      // The hidden one is not among them.
      await until(() => photos.count(), 3);
      await page.goto(`${url}/#/search?q=boat`);
      await until(() => photos.count(), 1);
    });
  },
);

// By day tests/clients/import_calls_test.ts: what an export tells later is
// added, a video too, and what was deleted stays away;
// tests/people/deleted_import_test.ts: the command leaves it out. By night only:
// the page asks for all of it, and lists what was deleted.
nightStory(
  "what an export tells later is added to what is here, and what was deleted stays away",
  async ({ url, dataDir, visit }) => {
    const [first, second] = await takeout(dataDir);
    assert(first && second);
    await visit(async ({ page }) => {
      await signUp(page, url, "ada@example.org");
      await page.getByRole("link", { name: "Import from another service" })
        .click();
      // Without the zip that has the sidecars, the video and the album's title.
      await page.locator("input[data-import=zips]").setInputFiles([first]);
      await page.getByRole("button", { name: "Import 4 files" }).click();
      await page.getByText("3 files imported", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Import more" }).click();
      await drop(page, [first, second]);
      await expectRows(page, {
        Photos: "4",
        Videos: "1",
        "Already in your library": "4",
      });
      await page.getByRole("button", { name: "Import 5 files" }).click();
      await page.getByText("0 files imported", { exact: true }).waitFor();
      await page.getByText("4 were already here.").waitFor();
      await page.getByText("2 photos here have more details now.").waitFor();

      const photos = page.locator('a[href*="/photo/"]');
      await page.goto(`${url}/#/photos`);
      await until(() => photos.count(), 3);
      // The video is with its still.
      await until(() => page.getByLabel(/Live photo/).count(), 1);
      await page.goto(`${url}/#/favourites`);
      await until(() => photos.count(), 1);
      await photos.first().click();
      await page.getByText("the lake").first().waitFor();
      await page.goto(`${url}/#/albums`);
      await page.getByText("Our walks: all").first().click();
      await until(() => photos.count(), 1);

      await page.goto(`${url}/#/favourites`);
      await until(() => photos.count(), 1);
      await photos.first().focus();
      await page.keyboard.press("x");
      await page.getByText("1 selected").first().waitFor();
      await page.keyboard.press("Delete");
      await page.getByText("1 photo moved to the trash").waitFor();
      await page.goto(`${url}/#/settings/import`);
      await page.getByRole("button", { name: "Import more" }).click();
      await page.locator("input[data-import=zips]").setInputFiles([
        first,
        second,
      ]);
      await page.getByRole("button", { name: "Import 5 files" }).click();
      await page.getByText("2 were already here.").waitFor();
      assert.equal(
        (await linesOf(page, "2 files that you deleted here before")).length,
        2,
      );
    });
  },
);

nightStory(
  "what an import handed over to the browser is in its album when the app is opened again",
  async ({ url, wire, dataDir, visit }) => {
    const folder = "Takeout/Google Photos/Our walks";
    const files = await Promise.all(
      samplePhotos().slice(0, 3).map(async (path, at): Promise<ZipFile> => ({
        name: `${folder}/walk${at}.jpg`,
        bytes: await Deno.readFile(path),
      })),
    );
    const zip = `${dataDir}/takeout-001.zip`;
    const title = json({ title: "Our walks", date: { timestamp: "1" } });
    const album = { name: `${folder}/metadata.json`, bytes: title };
    await Deno.writeFile(zip, zipOf([...files, album]));
    await visit(async ({ page, context }) => {
      await signUp(page, url, "ada@example.org");
      await page.waitForFunction(hasWorker);
      await toImport(page);
      await page.locator("input[data-import=zips]").setInputFiles([zip]);
      wire.holdWhere((head) => head.startsWith("PUT /v1/upload/"));
      await page.getByRole("button", { name: "Import 3 files" }).click();
      await page.getByText("files done").first().waitFor();
      await almostClose(page);
      await page.getByText("You can close this page.").waitFor();
      await page.getByText("3 files imported").waitFor();
      const other = await context.newPage();
      await page.close();
      wire.holdWhere(() => false);
      await other.goto(url);
      const photos = other.locator('a[href*="/photo/"]');
      await until(() => photos.count(), 3);
      await other.getByRole("link", { name: "Albums", exact: true }).click();
      await other.getByText("Our walks").first().click();
      await until(() => photos.count(), 3);
    }, { serviceWorkers: "allow", isWhole: true });
  },
);

nightStory(
  "a file of a zip whose name is too long is left out by name, and costs no other",
  async ({ url, dataDir, visit }) => {
    const [walk, other] = await Promise.all(
      samplePhotos().slice(0, 2).map((path) => Deno.readFile(path)),
    );
    assert(walk && other);
    const long = `${"n".repeat(1_100)}.jpg`;
    const zip = `${dataDir}/takeout-001.zip`;
    await Deno.writeFile(
      zip,
      zipOf([
        { name: `${YEAR}/${long}`, bytes: other },
        { name: `${YEAR}/walk.jpg`, bytes: walk },
        {
          name: `${YEAR}/walk.jpg.json`,
          bytes: told("walk.jpg", { description: "the lake" }),
        },
      ]),
    );
    await visit(async ({ page }) => {
      await signUp(page, url, "ada@example.org");
      await toImport(page);
      await page.locator("input[data-import=zips]").setInputFiles([zip]);
      await expectRows(page, { Photos: "1", "With a caption": "1" });
      const left = [
        `takeout-001.zip/${YEAR}/${long}: has a name that is too long. ` +
        "Unpack it and rename it first",
      ];
      assert.deepEqual(await linesOf(page, "1 file left out"), left);
      await expectAccessible(page);
      await page.getByRole("button", { name: "Import 1 file" }).click();
      await page.getByText("1 file imported", { exact: true }).waitFor();
      assert.deepEqual(await linesOf(page, "1 file left out"), left);
      assert.equal(await page.getByText("could not be imported").count(), 0);
      // It does not widen the page.
      assert.equal(
        await page.evaluate(
          "document.documentElement.scrollWidth > innerWidth",
        ),
        false,
      );
    });
  },
);
