/**
 * `deno task screens [folder]`: pictures of every screen in Debian's Chromium,
 * made of the sample photographs by the same steps as the tests. Three of them
 * are in the README, three in the page about phones; with a folder, all of them
 * are put there, on a desktop and a phone, light and dark. `--library`,
 * `--phone`, `--screens` and `--viewer` make only those. ImageMagick cuts the
 * samples for the wide picture.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { runOrFail } from "./packaging/release.ts";
import { sharedChromium } from "../tests/support/browser.ts";
import { withSharedSamples } from "../tests/support/shared_samples.ts";
import {
  addPhotos,
  type AppStory,
  samplePhotos,
  signUp,
  withApp,
} from "../tests/support/web_app.ts";

const wishes = parseArgs({
  allowPositionals: true,
  options: {
    library: { type: "boolean" },
    phone: { type: "boolean" },
    screens: { type: "boolean" },
    viewer: { type: "boolean" },
  },
});
const IMAGES = fileURLToPath(new URL("../src/docs/images/", import.meta.url));
/** Until everything is decrypted, laid out and still (ms). */
const SETTLE_MS = 1_500;
const DESKTOP = { width: 1_200, height: 760 };
const PHONE = { width: 390, height: 780 };
const QUALITY = 82;

/** The screens that the README shows, by the names of their pictures. */
const SHOWN = ["photo"];

/** Where each screen is, and what is done there first. */
const SCREENS: Readonly<
  Record<
    string,
    { readonly at: string; readonly act?: (page: Page) => Promise<void> }
  >
> = {
  photos: { at: "#/photos" },
  photo: {
    at: "#/photos",
    act: async (page) => {
      await page.locator('a[href*="/photo/"]').first().click();
      await page.waitForTimeout(SETTLE_MS);
      await page.keyboard.press("i");
    },
  },
  safety: { at: "#/safety" },
  albums: { at: "#/albums" },
  sharing: { at: "#/sharing" },
  trash: { at: "#/trash" },
  settings: { at: "#/settings/security" },
  devices: { at: "#/settings/devices" },
  phone: { at: "#/settings/phone" },
};

/** An iPhone, as far as a page can tell. */
const IPHONE = {
  viewport: PHONE,
  hasTouch: true,
  isMobile: true,
  userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) " +
    "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 " +
    "Safari/604.1",
};

/** Albums, with the places of their photos in the timeline. */
const LISTS: Readonly<Record<string, readonly number[]>> = {
  "Summer in the hills": [0, 1, 2],
  "Coffee and cats": [3, 4],
};

/** What a library shows day by day: samples, whole or cut. */
const DAYS: readonly (readonly (readonly [name: string, cut?: string])[])[] = [
  [["cat.jpg"], ["coffee.jpg", "300x400+170+0"], ["hubble-deep-field.jpg"]],
  [["rocket.jpg"], ["julia.png", "520x720+560+40"], ["coffee.jpg"]],
  [["julia.png"], ["cat.jpg", "200x290+60+5"], ["rocket.jpg", "420x420+110+0"]],
  [
    ["hubble-deep-field.jpg", "640x420+300+380"],
    ["julia.png", "660x430+120+180"],
    ["coffee.jpg", "400x260+130+110"],
  ],
];

/** The files of {@link DAYS}, whose times say the days. */
async function libraryFiles(folder: string): Promise<string[]> {
  const files: string[] = [];
  const samples = samplePhotos();
  for (const [day, photos] of DAYS.entries()) {
    for (const [at, [name, cut]] of photos.entries()) {
      const from = samples.find((path) => path.endsWith(`/${name}`)) ?? name;
      const to = `${folder}/${day}-${at}-${name}`;
      await runOrFail("convert", [
        from,
        ...(cut === undefined ? [] : ["-crop", cut, "+repage"]),
        to,
      ]);
      const taken = new Date(Date.UTC(2026, 8, 20 - 3 * day, 15 - at, 20));
      await Deno.utime(to, taken, taken);
      files.push(to);
    }
  }
  return files;
}

/** The samples with days of their own, so that a timeline has some. */
async function datedSamples(folder: string): Promise<string[]> {
  const dated: string[] = [];
  for (const [at, path] of samplePhotos().entries()) {
    const to = `${folder}/${path.slice(path.lastIndexOf("/") + 1)}`;
    await Deno.copyFile(path, to);
    const day = new Date(Date.UTC(2026, 8 - (at % 3), 12 + at, 15, 20));
    await Deno.utime(to, day, day);
    dated.push(to);
  }
  return dated;
}

async function show(page: Page, url: string, name: string): Promise<void> {
  const screen = SCREENS[name];
  if (screen === undefined) throw new Error(`no screen ${name}`);
  await page.goto(`${url}/${screen.at}`);
  await page.waitForTimeout(SETTLE_MS);
  await screen.act?.(page);
  await page.waitForTimeout(SETTLE_MS);
}

async function picture(page: Page, path: string): Promise<void> {
  await page.screenshot({ path, type: "jpeg", quality: QUALITY });
  // deno-lint-ignore no-console -- this is what a person started
  console.log(path);
}

/** An album and a link with something in them. */
async function makeLists(page: Page, url: string): Promise<void> {
  const press = (name: string) =>
    page.getByRole("button", { name, exact: true }).first().click();
  for (const [title, tiles] of Object.entries(LISTS)) {
    await page.goto(`${url}/#/photos`);
    for (const at of tiles) {
      await page.locator(".tile .check").nth(at).click({ force: true });
    }
    await press("Add to album…");
    await press("New album");
    await page.getByLabel("Name").fill(title);
    await press("Create");
    await page.waitForTimeout(SETTLE_MS);
  }
  await page.goto(`${url}/#/photos`);
  for (const at of [0, 1, 2]) {
    await page.locator(".tile .check").nth(at).click({ force: true });
  }
  await press("Share link…");
  await page.getByText("More options (optional)").click();
  await page.getByLabel("Title").fill("The walk");
  await press("Create link");
  await page.getByLabel("Link", { exact: true }).waitFor();
  await press("Close");
}

async function makeAll({ url, dataDir, visit }: AppStory): Promise<void> {
  const [everything] = wishes.positionals;
  await visit(async ({ page }) => {
    await page.setViewportSize(DESKTOP);
    await signUp(page, url, "ada@example.org");
    await addPhotos(page, await datedSamples(dataDir));
    await page.getByRole("button", { name: "Close" }).first().click();
    await makeLists(page, url);
    for (const name of SHOWN) {
      await show(page, url, name);
      await picture(page, `${IMAGES}${name}.jpg`);
      if (name === "photo") await page.keyboard.press("i");
    }
    if (everything === undefined) return;
    await Deno.mkdir(everything, { recursive: true });
    for (const [size, viewport] of Object.entries({ DESKTOP, PHONE })) {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        for (const name of Object.keys(SCREENS)) {
          await show(page, url, name);
          const file = `${name}-${size.toLowerCase()}-${colorScheme}.jpg`;
          await picture(page, `${everything}/${file}`);
        }
      }
    }
  });
}

/** What a person does by hand on an iPhone, step by step. */
async function makePhone({ url, visit }: AppStory): Promise<void> {
  await visit(async ({ page }) => {
    await signUp(page, url, "ada@example.org");
    await addPhotos(page, samplePhotos());
    await page.waitForTimeout(SETTLE_MS);
    await picture(page, `${IMAGES}phone-added.jpg`);
    await page.getByRole("button", { name: "Close" }).first().click();
    await page.waitForTimeout(SETTLE_MS);
    await page.getByRole("button", { name: "Add photos" }).click();
    await page.waitForTimeout(SETTLE_MS);
    await picture(page, `${IMAGES}phone-add.jpg`);
    await page.keyboard.press("Escape");
    await show(page, url, "phone");
    await picture(page, `${IMAGES}phone-page.jpg`);
  }, IPHONE);
}

/** One library on a desktop and a phone, next to each other. */
async function makeLibrary({ url, dataDir, visit }: AppStory): Promise<void> {
  await visit(async ({ page }) => {
    await page.setViewportSize(DESKTOP);
    await signUp(page, url, "ada@example.org");
    await addPhotos(page, await libraryFiles(dataDir));
    await page.getByRole("button", { name: "Close" }).first().click();
    const screens: string[] = [];
    for (const size of [DESKTOP, PHONE]) {
      await page.setViewportSize(size);
      // Over no photo, which would show what selects it.
      await page.mouse.move(1, 1);
      await show(page, url, "photos");
      screens.push((await page.screenshot()).toString("base64"));
    }
    // The app's policy takes no markup from a script.
    await page.goto("about:blank");
    await page.setViewportSize({ width: 1_710, height: 860 });
    await page.setContent(`<style>
      body { margin: 0; height: 100vh; display: flex; gap: 40px;
        align-items: center; justify-content: center; background: #d5e0e0 }
      img { border-radius: 16px; box-shadow: 0 6px 24px #0004 }
    </style>${
      screens.map((one) => `<img src="data:image/png;base64,${one}">`).join("")
    }`);
    await page.waitForTimeout(SETTLE_MS);
    await picture(page, `${IMAGES}library.jpg`);
  });
}

async function makeViewer(): Promise<void> {
  await withSharedSamples(({ link }) =>
    sharedChromium().visit(async ({ page }) => {
      await page.setViewportSize(DESKTOP);
      await page.goto(link);
      await page.waitForTimeout(2 * SETTLE_MS);
      await picture(page, `${IMAGES}viewer.jpg`);
    })
  );
}

const MAKERS = {
  library: () => withApp(makeLibrary),
  phone: () => withApp(makePhone),
  screens: () => withApp(makeAll),
  viewer: makeViewer,
};
const named = Object.entries(MAKERS)
  .filter(([name]) => Object.hasOwn(wishes.values, name));
for (const [, make] of named.length === 0 ? Object.entries(MAKERS) : named) {
  await make();
}
Deno.exit(0);
