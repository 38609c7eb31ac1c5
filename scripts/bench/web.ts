/**
 * The web app over a library of 50,000 photos (`--photos`), in Debian's
 * Chromium: the first sync, the first pictures after opening with the processor
 * slowed four times, layout, script in each frame of scrolling, nodes, memory; a
 * share of 2,000 that is scrolled through; and a file of 300 MiB that is added
 * on plain http, alone with `--upload`. With `--add` alone so many photos of
 * 2 MiB that are added; with `--graphics` pictures are drawn as with a graphics
 * chip, in another process than the page's, by a processor that plays one.
 *
 * @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  type Browser,
  type CDPSession,
  chromium,
  type Page,
} from "playwright-core";
import { startServer } from "../demo/server.ts";
import { openPhotos, photographer } from "../../tests/support/web_people.ts";
import { sampleBytes } from "../../tests/support/samples.ts";
import { seedLibrary, type SeedPicture } from "./seeded_library.ts";
import { say, withScratch } from "./support.ts";
import { measureAdding } from "./web_add.ts";
import { keepLine, measureUpload } from "./web_upload.ts";
import { layoutTimes } from "./web_layout.ts";
import { framesOf, slowed } from "./web_frames.ts";
import { measureShare } from "./web_share.ts";

const CHROMIUM = "/usr/bin/chromium";
/** Pictures that are to be seen before the first ones are there. */
const FIRST = 12;
const SCROLLED_FRAMES = 240;
const DAYS = 12 * 365;
const REOPENED = 3;
const SHARED = 2_000;
/** In which an account's budget of questions is whole again. */
const BUDGET_MS = 60_000;
/** A name of a home: not a secure context. */
const HOME = "photos.lan";

/** Pictures of the samples, whose thumbnails are small enough for many. */
async function pictures(): Promise<SeedPicture[]> {
  const extents = { cat: [451, 300], coffee: [400, 600], rocket: [640, 427] };
  return await Promise.all(
    Object.entries(extents).map(async ([name, [width = 1, height = 1]]) => ({
      thumbnail: await sampleBytes(`thumbnails/${name}.jpg`),
      width,
      height,
      thumbhash: Uint8Array.fromBase64("1QcSHQRnh493V4dIh4eXh1h4kJUI"),
    })),
  );
}

/** Waits until so many pictures of the grid can be seen; milliseconds. */
async function untilPictures(page: Page, count: number): Promise<number> {
  const began = performance.now();
  await page.locator(".grid img").nth(count - 1).waitFor({ timeout: 600_000 });
  await page.evaluate(`Promise.all(
    [...document.querySelectorAll(".grid img")].slice(0, ${count})
      .map((image) => image.decode().catch(() => {})))`);
  return performance.now() - began;
}

async function measureOpening(page: Page): Promise<void> {
  const whole: number[] = [];
  const after: number[] = [];
  for (let i = 0; i < REOPENED; i++) {
    const began = performance.now();
    await slowed(4, async () => {
      await page.reload({ waitUntil: "commit" });
      await page.locator("nav.places").waitFor({ timeout: 120_000 });
      after.push(await untilPictures(page, FIRST));
    });
    whole.push(performance.now() - began);
  }
  say(
    `first ${FIRST} pictures, processor slowed 4 times: ` +
      `${Math.min(...after).toFixed(0)} ms after the library is open ` +
      `(target 1500), ${Math.min(...whole).toFixed(0)} ms after a reload`,
  );
}

async function measureScrolling(page: Page, cdp: CDPSession): Promise<void> {
  for (const [name, step] of [["slow", 60], ["fast", 900]] as const) {
    const frames = await framesOf(
      cdp,
      () =>
        page.evaluate(`new Promise((done) => {
        let left = ${SCROLLED_FRAMES};
        const next = () => {
          scrollBy(0, ${step});
          if (--left > 0) requestAnimationFrame(next); else done();
        };
        requestAnimationFrame(next);
      })`),
    );
    const at = (share: number) =>
      (frames[Math.floor(frames.length * share)] ?? 0).toFixed(1);
    say(
      `scrolling ${name}, script in a frame: p50 ${at(0.5)} ms, p95 ` +
        `${at(0.95)} ms (target 10), of ${frames.length} frames`,
    );
  }
}

async function measureSize(page: Page, cdp: CDPSession): Promise<void> {
  await cdp.send("HeapProfiler.collectGarbage");
  const { metrics } = await cdp.send("Performance.getMetrics");
  const metric = (wanted: string) =>
    metrics.find(({ name }) => name === wanted)?.value ?? NaN;
  const nodes = await page.evaluate("document.querySelectorAll('*').length");
  const tiles = await page.locator(".tile").count();
  say(
    `${nodes} elements, ${tiles} of them tiles; the page's heap ` +
      `${(metric("JSHeapUsedSize") / 1e6).toFixed(1)} MB`,
  );
}

async function measure(
  browser: Browser,
  url: string,
  photos: number,
  seeded: () => Promise<void>,
  person: { readonly address: string; readonly words: string },
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 800 },
  });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Performance.enable");
  await seeded();
  await openPhotos(page, url, person);
  const first = await untilPictures(page, FIRST);
  say(`first sync: first ${FIRST} pictures after ${first.toFixed(0)} ms`);
  const began = performance.now();
  const title = page.locator(".grid");
  for (let last = -1;;) {
    const height = await title.evaluate((one) =>
      one.getBoundingClientRect().height
    );
    if (height === last) break;
    last = height;
    await page.waitForTimeout(3_000);
  }
  const all = (first + performance.now() - began - 3_000) / 1_000;
  say(`first sync: all ${photos.toLocaleString("en")} in ${all.toFixed(1)} s`);
  await measureScrolling(page, cdp);
  await measureSize(page, cdp);
  await measureOpening(page);
  await context.close();
}

/** Without a chip Chromium keeps decoded pictures in the page's process. */
const GRAPHICS = [
  "--enable-gpu-rasterization",
  "--ignore-gpu-blocklist",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
];

const { values } = parseArgs({
  args: Deno.args,
  options: {
    photos: { type: "string", default: "50000" },
    upload: { type: "boolean", default: false },
    add: { type: "string" },
    graphics: { type: "boolean", default: false },
  },
});
const photos = Number(values.photos);

/** Everything but the file that is added. */
async function measureLibrary(
  browser: Browser,
  origin: string,
  dataDir: string,
): Promise<void> {
  await layoutTimes(browser, photos);
  const person = await photographer(origin, "ada");
  let ids: string[] = [];
  await measure(browser, origin, photos, async () => {
    const began = performance.now();
    ids = await seedLibrary({
      dataDir,
      vault: person.library.vault,
      count: photos,
      pictures: await pictures(),
      newestMs: Date.now(),
      days: DAYS,
    });
    const seconds = (performance.now() - began) / 1_000;
    say(`${photos.toLocaleString("en")} seeded in ${seconds.toFixed(0)} s`);
  }, person);
  // The browser has asked for as much as an account may in a minute.
  await new Promise((resolve) => setTimeout(resolve, BUDGET_MS));
  await person.library.sync();
  const assetIds = ids.slice(0, SHARED);
  const { url } = await person.library.share({ assetIds });
  await measureShare(browser, url, assetIds.length);
}

await withScratch(async (scratch) => {
  const dataDir = join(scratch, "data");
  const server = await startServer({
    dataDir,
    logFile: join(scratch, "server.log"),
    settings: {
      STRONGROOM_REGISTRATION: "open",
      STRONGROOM_LOG_LEVEL: "warning",
      STRONGROOM_ARGON2_MEMORY_KIB: "8",
    },
  });
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox",
      "--disable-dev-shm-usage",
      ...values.graphics ? GRAPHICS : [],
      `--host-resolver-rules=MAP ${HOME} 127.0.0.1`,
    ],
  });
  try {
    if (values.add !== undefined) {
      const ben = await photographer(server.origin, "ben");
      const page = await (await browser.newContext()).newPage();
      await openPhotos(page, server.origin, ben);
      await measureAdding(page, scratch, Number(values.add));
      return;
    }
    if (!values.upload) await measureLibrary(browser, server.origin, dataDir);
    const ben = await photographer(server.origin, "ben");
    const page = await (await browser.newContext()).newPage();
    await keepLine(page);
    await openPhotos(page, server.origin.replace("127.0.0.1", HOME), ben);
    await measureUpload(page, scratch, "plain http");
  } finally {
    await browser.close();
    await server.stop();
  }
});
// The browser's connections would keep the process.
Deno.exit(0);
