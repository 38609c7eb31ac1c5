/**
 * Similar photos: found on the device, reviewed side by side, and the ones that
 * are not kept go to the trash.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import {
  type Library,
  memoryStore,
  type NewFile,
  openLibrary,
  plainOf,
} from "../../src/library/mod.ts";
import { expectAccessible } from "../support/axe.ts";
import { expectQuiet } from "../support/browser.ts";
import { pictureOf } from "../support/pictures.ts";
import { until } from "../support/until.ts";
import { appStory, BY_NIGHT, nightStory, PHONE } from "../support/web_app.ts";
import {
  openPhotos,
  type Photographer,
  photographer,
} from "../support/web_people.ts";

/** A photograph to paint: a place by its seed, and how it was taken. */
interface Shot {
  readonly seed: number;
  readonly width: number;
  readonly height: number;
  /** Of JPEG, 0 to 1. */
  readonly quality?: number;
  /** Pixels out of focus. */
  readonly blur?: number;
  /** Share of the width that the camera was moved. */
  readonly moved?: number;
}

/** Paints photographs in a browser, as JPEGs. */
async function painted(page: Page, shots: readonly Shot[]) {
  const all = await page.evaluate<readonly string[]>(
    `(${PAINT})(${JSON.stringify(shots)})`,
  );
  return all.map((base64) => Uint8Array.fromBase64(base64));
}

const PAINT = `async (shots) => {
  const made = [];
  for (const shot of shots) {
    const { width, height, blur = 0, moved = 0, quality = 0.9 } = shot;
    let state = shot.seed * 7919;
    const next = () => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return state / 2147483648;
    };
    for (let i = 0; i < 5; i++) next();
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d");
    context.filter = blur > 0 ? \`blur(\${blur}px)\` : "none";
    const sky = context.createLinearGradient(0, 0, width, height);
    sky.addColorStop(0, \`hsl(\${next() * 360} 50% 70%)\`);
    sky.addColorStop(1, \`hsl(\${next() * 360} 60% 25%)\`);
    context.fillStyle = sky;
    context.fillRect(0, 0, width, height);
    for (let i = 0; i < 60; i++) {
      context.fillStyle = \`hsl(\${next() * 360} 60% \${10 + next() * 80}%)\`;
      const [x, y] = [(next() + moved) * width, next() * height];
      context.beginPath();
      context.arc(x, y, (0.01 + next() * 0.09) * width, 0, 7);
      context.fill();
    }
    const blob = await canvas.convertToBlob({ type: "image/jpeg", quality });
    made.push(new Uint8Array(await blob.arrayBuffer()).toBase64());
  }
  return made;
}`;

const [LAKE, HARBOUR, TOWER, FOREST] = [3, 5, 9, 14];
const LARGE = { width: 1_000, height: 750 };
const SMALL = { width: 400, height: 300, quality: 0.6 };

/** Takes a picture in, with itself as its thumbnail. */
async function keep(
  library: Library,
  bytes: Uint8Array<ArrayBuffer> | undefined,
  { width, height }: Pick<Shot, "width" | "height">,
  about: Pick<NewFile["about"], "name" | "taken_at" | "favourite" | "hidden">,
): Promise<string> {
  assert(bytes !== undefined);
  const { row } = await library.take({
    source: plainOf(bytes),
    about: { mime: "image/jpeg", width, height, ...about },
    derivatives: [{ kind: "thumbnail", mime: "image/jpeg", bytes }],
  });
  return row.id;
}

/** A person with copies, a burst, and photos that resemble no other. */
async function household(url: string, page: Page): Promise<Photographer> {
  const ada = await photographer(url, "ada");
  const { library } = ada;
  const [lake, sent, soft, sharp, loved, tower, towerSmall, forest] =
    await painted(page, [
      { seed: LAKE, ...LARGE },
      { seed: LAKE, ...SMALL },
      { seed: HARBOUR, ...LARGE, blur: 3 },
      { seed: HARBOUR, ...LARGE, moved: 0.004 },
      { seed: HARBOUR, ...LARGE, moved: 0.008, blur: 1 },
      { seed: TOWER, ...LARGE },
      { seed: TOWER, ...SMALL },
      { seed: FOREST, ...LARGE },
    ]);
  await keep(library, lake, LARGE, {
    name: "lake.jpg",
    taken_at: "2024-06-15T10:00:00Z",
  });
  await keep(library, sent, SMALL, {
    name: "lake-sent.jpg",
    taken_at: "2024-07-01T19:30:00Z",
  });
  await keep(library, sent?.with(-1, 0), SMALL, {
    name: "lake-hidden.jpg",
    taken_at: "2024-06-15T10:00:00Z",
    hidden: true,
  });
  for (
    const [bytes, name, second, favourite] of [
      [soft, "harbour-soft.jpg", 1, false],
      [sharp, "harbour-sharp.jpg", 2, false],
      [loved, "harbour-loved.jpg", 3, true],
    ] as const
  ) {
    await keep(library, bytes, LARGE, {
      name,
      taken_at: `2024-08-01T12:00:0${second}Z`,
      favourite,
    });
  }
  const album = await library.albums.create({ title: "Coast" });
  const large = await keep(library, tower, LARGE, {
    name: "tower.jpg",
    taken_at: "2023-03-03T12:00:00Z",
  });
  const small = await keep(library, towerSmall, SMALL, {
    name: "tower-small.jpg",
    taken_at: "2023-05-03T12:00:00Z",
  });
  await library.copyInto(small, album.id);
  await library.share({ assetIds: [large], places: "kept" });
  await keep(library, forest, LARGE, {
    name: "forest.jpg",
    taken_at: "2022-01-01T12:00:00Z",
  });
  const note: NewFile = {
    source: plainOf(new TextEncoder().encode("Bring the boat in.\n")),
    about: {
      name: "note.txt",
      mime: "text/plain",
      taken_at: "2021-01-01T12:00:00Z",
    },
    derivatives: [],
  };
  await library.take(note);
  // A device that does not know of the first ones stores the same files again.
  const other = await openLibrary(library.vault, memoryStore());
  await other.take(note);
  await keep(other, forest, LARGE, {
    name: "forest.jpg",
    taken_at: "2022-01-01T12:00:00Z",
  });
  await library.sync();
  return ada;
}

const group = (page: Page, name: string) =>
  page.locator(".similar-group").filter({
    has: page.getByText(name, { exact: true }),
  });
const box = (page: Page, name: string) =>
  page.getByRole("checkbox", { name: `Keep ${name}`, exact: true });
/** The names in each group, in their order. */
const names = async (page: Page) =>
  JSON.stringify(
    await Promise.all(
      (await page.locator(".similar-group").all()).map((one) =>
        one.locator(".similar-name").allInnerTexts()
      ),
    ),
  );

const shown = (groups: readonly (readonly string[])[]) =>
  JSON.stringify(groups);

const ALL = [
  ["harbour-soft.jpg", "harbour-sharp.jpg", "harbour-loved.jpg"],
  ["lake.jpg", "lake-sent.jpg"],
  ["tower.jpg", "tower-small.jpg"],
  ["forest.jpg", "forest.jpg"],
  ["note.txt", "note.txt"],
];

/** The number of pages of looks that the app stored in this browser. */
const STORED = `(async () => {
  const done = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const keys = [];
  for (const { name } of await indexedDB.databases()) {
    if (!/^strongroom-[0-9a-f-]{36}$/.test(name)) continue;
    const database = await done(indexedDB.open(name));
    const program = database.transaction("program").objectStore("program");
    keys.push(...await done(program.getAllKeys()));
    database.close();
  }
  return keys.filter((key) => key.startsWith("looks/")).length;
})()`;

appStory(
  "similar photos are found, compared and reviewed, and those that are not kept go to the trash",
  async ({ url, visit }) => {
    await visit(async (visitor) => {
      const { page } = visitor;
      await page.goto(url);
      const ada = await household(url, page);
      await openPhotos(page, url, ada);
      // Where the albums are, or in the settings: each leads back, too.
      const heading = page.getByRole("heading", {
        name: "Similar photos",
        exact: true,
      });
      await page.goto(`${url}/#/settings/storage`);
      await page.getByRole("link", { name: "Show similar photos" }).click();
      await heading.waitFor();
      await page.getByRole("link", { name: "Storage" }).click();
      await page.getByRole("heading", { name: "Storage" }).waitFor();
      const places = page.getByRole("navigation", { name: "strongroom" });
      await places.getByRole("link", { name: "Albums" }).click();
      await page.getByRole("heading", { name: "Albums" }).waitFor();
      await pictureOf(page, "similar_from_albums");
      await expectAccessible(page);
      const lists = page.getByRole("navigation", { name: "Lists" });
      await lists.getByRole("link", { name: "Similar photos" }).click();
      await heading.waitFor();
      await page.getByRole("main").getByRole("link", { name: "Albums" })
        .click();
      await lists.getByRole("link", { name: "Similar photos" }).click();
      await heading.waitFor();
      await until(() => names(page), shown(ALL));
      await until(() => page.locator(".similar-picture img").count(), 9);
      await expectAccessible(page);
      await pictureOf(page, "similar");

      // The larger one is kept, the copy that was sent is not.
      assert.equal(await box(page, "lake.jpg").isChecked(), true);
      assert.equal(await box(page, "lake-sent.jpg").isChecked(), false);
      // Of the burst the favourite and the sharpest one.
      const kept = await Promise.all(
        ["soft", "sharp", "loved"].map((name) =>
          box(page, `harbour-${name}.jpg`).isChecked()
        ),
      );
      assert.deepEqual(kept, [false, true, true]);
      const burst = group(page, "harbour-soft.jpg");
      await burst.getByText("Sharpest").waitFor();
      await burst.getByText("Favourite").waitFor();
      // What is in an album is not suggested, and one sees why.
      const tower = group(page, "tower-small.jpg");
      await tower.getByText("In “Coast”").waitFor();
      await tower.getByText("In a link").waitFor();
      assert.equal(await box(page, "tower-small.jpg").isChecked(), true);
      assert.equal(
        await tower.getByRole("button", { name: "Delete" }).isDisabled(),
        true,
      );
      await page.getByRole("heading", { name: "2 identical photos" }).waitFor();
      // One of two identical ones.
      assert.deepEqual(
        (await Promise.all(
          (await box(page, "forest.jpg").all()).map((one) => one.isChecked()),
        )).sort(),
        [false, true],
      );

      // Two of them large, and moved together.
      await page.getByRole("button", { name: "Compare harbour-soft.jpg" })
        .click();
      const dialog = page.getByRole("dialog", { name: "Compare" });
      await dialog.getByText("harbour-sharp.jpg").waitFor();
      await until(() => dialog.locator("img.lightbox-picture").count(), 2);
      await expectAccessible(page);
      await pictureOf(page, "similar_compare");
      await dialog.getByRole("button", { name: "Zoom in" }).click();
      await dialog.getByRole("button", { name: "Zoom in" }).click();
      const pane = dialog.getByRole("group", { name: "harbour-soft.jpg" });
      await until(
        () => pane.evaluate((one) => one.scrollWidth > one.clientWidth * 3),
        true,
      );
      await pane.evaluate((one) => one.scrollTo(30, 40));
      const other = dialog.getByRole("group", { name: "harbour-sharp.jpg" });
      await until(
        () => other.evaluate((pane) => `${pane.scrollLeft} ${pane.scrollTop}`),
        "30 40",
      );
      await dialog.getByRole("button", { name: "Next" }).click();
      // Another one is shown at the same place.
      const loved = dialog.getByRole("group", { name: "harbour-loved.jpg" });
      await until(
        () => loved.evaluate((pane) => `${pane.scrollLeft} ${pane.scrollTop}`),
        "30 40",
      );
      await until(() => dialog.locator("img.lightbox-picture").count(), 2);
      await pictureOf(page, "similar_zoomed");
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });

      // By the keyboard: another choice, and what is not kept goes.
      await box(page, "lake.jpg").press("Space");
      const lake = group(page, "lake.jpg");
      await lake.getByText("You keep none of these.").waitFor();
      await lake.getByRole("button", { name: "Delete 2 photos" }).waitFor();
      await box(page, "lake.jpg").press("Space");
      await lake.getByRole("button", { name: "Delete 1 photo" }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("1 photo moved to the trash").waitFor();
      await until(() => names(page), shown(ALL.filter((_, at) => at !== 1)));
      // The focus is in the group that took its place.
      await tower.locator("h2:focus").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await until(() => names(page), shown(ALL));
      await lake.getByRole("button", { name: "Delete 1 photo" }).click();
      await until(() => names(page), shown(ALL.filter((_, at) => at !== 1)));

      // All of a burst are kept, and not shown again.
      await burst.getByRole("button", { name: "Keep all" }).click();
      await page.getByText("These are not shown together again").waitFor();
      await until(() => names(page), shown(ALL.slice(2)));
      // One of each that there is twice.
      await page.getByRole("button", {
        name: "Delete all identical copies (2)",
      }).click();
      const question = page.getByRole("dialog", { name: "Delete 2 copies?" });
      await question.getByText("One of each stays.").waitFor();
      await question.getByRole("button", { name: "Delete" }).click();
      await page.getByText("2 items moved to the trash").waitFor();
      await until(() => names(page), shown(ALL.slice(2, 3)));
      await page.goto(`${url}/#/trash`);
      await until(() => page.locator(".grid a").count(), 3);
      await until(() => page.evaluate(STORED), 1);
      expectQuiet(visitor, new URL(url).origin);

      // By day src/library/finding/dismissed_similar_test.ts: what one
      // device called different is known to another.
      if (!BY_NIGHT) return;
      // Another device knows it, too, and looks for itself.
      await visit(async (second) => {
        await openPhotos(second.page, url, ada);
        await second.page.goto(`${url}/#/similar`);
        await until(() => names(second.page), shown(ALL.slice(2, 3)));
        await second.page.setViewportSize({ width: 320, height: 700 });
        await expectAccessible(second.page);
        const wide = await second.page.evaluate<number>(
          "document.documentElement.scrollWidth",
        );
        assert(wide <= 320, `${wide} pixels wide`);
        await pictureOf(second.page, "similar_phone_dark");
        await second.page.getByRole("button", {
          name: "Compare tower-small.jpg",
        }).click();
        const dialog = second.page.getByRole("dialog");
        await until(() => dialog.locator("img.lightbox-picture").count(), 2);
        await expectAccessible(second.page);
        await pictureOf(second.page, "similar_compare_phone_dark");
      }, { ...PHONE, colorScheme: "dark" });
      for (const language of ["de", "fr"]) {
        await page.evaluate(
          (tag) => localStorage.setItem("strongroom.language", tag),
          language,
        );
        await page.goto(`${url}/#/similar`);
        await page.reload();
        await until(() => names(page), shown(ALL.slice(2, 3)));
        await until(() => page.locator(".similar-picture img").count(), 2);
        await pictureOf(page, `similar_${language}`);
      }
    });
  },
);

/** Runs in the page: notes whether it ever says that there are none. */
const NOTING = `new MutationObserver(() => {
  if (document.body.innerText.includes("No similar photos")) {
    self.saidNothing = true;
  }
}).observe(document.body, { childList: true, subtree: true })`;

// By day phone_test.ts: a device that knows nothing yet does not say that there
// are no photos. By night only: nor does it on this page.
nightStory(
  "nothing is said of similar photos before a new device knows of the first ones",
  async ({ url, visit, wire }) => {
    await visit(async ({ page }) => {
      await page.goto(url);
      const ada = await household(url, page);
      let asked = 0;
      wire.holdWhere((head) =>
        head.startsWith("POST /v1/assets/query") && ++asked > 0
      );
      await openPhotos(page, url, ada);
      await page.evaluate(NOTING);
      await page.goto(`${url}/#/similar`);
      await page.locator(".similar .waiting").waitFor();
      await until(() => Promise.resolve(asked > 0), true);
      // Meanwhile another page is asked for, and answered.
      await page.goto(`${url}/#/settings/devices`);
      await page.getByText("camera").first().waitFor();
      await page.goto(`${url}/#/similar`);
      wire.holdWhere(() => false);
      await until(() => names(page), shown(ALL));
      assert.equal(await page.evaluate("self.saidNothing"), undefined);
    });
  },
);

/** A picture of so many bytes: what stands after it belongs to no picture. */
function lengthened(
  bytes: Uint8Array<ArrayBuffer> | undefined,
  length: number,
): Uint8Array<ArrayBuffer> {
  const longer = new Uint8Array(length);
  longer.set(bytes ?? []);
  return longer;
}

appStory(
  "much is not loaded without asking, and comparing goes on where it was left",
  async ({ url, visit, wire }) => {
    await visit(async ({ page }) => {
      await page.goto(url);
      const ada = await photographer(url, "ada");
      const [lake, sent, forest] = await painted(page, [
        { seed: LAKE, ...LARGE },
        { seed: LAKE, ...SMALL },
        { seed: FOREST, ...LARGE },
      ]);
      for (
        const [bytes, size, name, hour] of [
          [lake, LARGE, "lake.jpg", 1],
          [sent, SMALL, "lake-sent.jpg", 2],
          [forest, LARGE, "forest.jpg", 3],
        ] as const
      ) {
        await keep(ada.library, lengthened(bytes, 4_000_000), size, {
          name,
          taken_at: `2024-06-15T1${hour}:00:00Z`,
        });
      }
      const asksForPictures = (head: string) =>
        head.startsWith("POST /v1/assets/blobs ");
      wire.holdWhere(asksForPictures);
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/similar`);
      const compare = page.getByRole("button", { name: "Compare 3 photos" });
      await compare.waitFor();
      await page.getByText("about 11.4 MiB of small pictures").waitFor();
      await expectAccessible(page);
      await pictureOf(page, "similar_asked");
      await compare.click();
      await page.getByText("0 of 3 photos compared").waitFor();
      await expectAccessible(page);
      await pictureOf(page, "similar_comparing");
      await page.getByRole("button", { name: "Pause" }).click();
      await compare.waitFor();
      await compare.click();
      await page.getByRole("button", { name: "Pause" }).waitFor();
      // Leaving the page stops it, too.
      await page.goto(`${url}/#/trash`);
      await page.getByText("The trash is empty").waitFor();
      await page.goto(`${url}/#/similar`);
      await compare.waitFor();
      wire.holdWhere(() => false);
      await compare.click();
      await until(() => names(page), shown([["lake.jpg", "lake-sent.jpg"]]));
      await until(() => page.locator(".similar-progress").count(), 0);

      // It is remembered: without that the page would ask once more.
      await until(() => page.locator(".similar-picture img").count(), 2);
      await page.reload();
      await until(() => names(page), shown([["lake.jpg", "lake-sent.jpg"]]));
      await page.getByRole("button", { name: "Delete 1 photo" }).click();
      await page.getByText("1 photo moved to the trash").waitFor();
      await page.getByText("No similar photos").waitFor();
      await pictureOf(page, "similar_none");
    });
  },
);
