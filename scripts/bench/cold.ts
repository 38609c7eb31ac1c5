/**
 * The first pictures on a slow line (1.6 Mbit/s, 150 ms there and back) in a
 * browser that has nothing of the app: of a share link, and of a device that is
 * signed in.
 *
 *     deno task bench cold [--rounds 3]
 *
 * @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { startServer } from "../demo/server.ts";
import { freePort } from "../../src/server/free_port.ts";
import { sampleBytes } from "../../tests/support/samples.ts";
import { photographer } from "../../tests/support/web_people.ts";
import { signInInBrowser } from "../../tests/support/web_profile.ts";
import { seedLibrary } from "./seeded_library.ts";
import { openSlowLine } from "./slow_line.ts";
import { say, withScratch } from "./support.ts";

const PHOTOS = 300;
const FIRST = 6;
const DAYS = 100;
const PATIENCE_MS = 180_000;

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "3" } },
});

await withScratch(async (scratch) => {
  const dataDir = join(scratch, "data");
  const [listen, linePort] = [freePort(), freePort()];
  const origin = `http://127.0.0.1:${linePort}`;
  const server = await startServer({
    dataDir,
    logFile: join(scratch, "server.log"),
    settings: {
      STRONGROOM_REGISTRATION: "open",
      STRONGROOM_LOG_LEVEL: "warning",
      STRONGROOM_ARGON2_MEMORY_KIB: "8",
      STRONGROOM_LISTEN: `127.0.0.1:${listen}`,
      STRONGROOM_BASE_URL: origin,
    },
  });
  const line = openSlowLine(linePort, listen);
  const person = await photographer(origin, "ada");
  const assetIds = await seedLibrary({
    dataDir,
    vault: person.library.vault,
    count: PHOTOS,
    pictures: [{
      thumbnail: await sampleBytes("thumbnails/cat.jpg"),
      width: 451,
      height: 300,
    }],
    newestMs: Date.now(),
    days: DAYS,
  });
  await person.library.sync();
  const { url } = await person.library.share({ assetIds });
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  /** Opens in a new browser; seconds until the first pictures, and kB down. */
  const open = async (isLink: boolean) => {
    const context = await browser.newContext({
      viewport: { width: 412, height: 915 },
    });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      const isReady = isLink || await signInInBrowser(page, origin, person);
      if (!isReady) throw new Error("the browser is not new");
      const [before, began] = [line.downBytes(), performance.now()];
      if (isLink) await page.goto(url, { waitUntil: "commit" });
      await page.locator(".grid img").nth(FIRST - 1).waitFor();
      await page.evaluate(`Promise.all(
        [...document.querySelectorAll(".grid img")].slice(0, ${FIRST})
          .map((image) => image.decode().catch(() => {})))`);
      return {
        seconds: (performance.now() - began) / 1_000,
        kb: (line.downBytes() - before) / 1_000,
      };
    } finally {
      await context.close();
    }
  };
  try {
    say(`load of the machine before: ${Deno.loadavg()[0]?.toFixed(1)}`);
    for (const what of ["a share link", "a device"] as const) {
      const times: number[] = [];
      for (let round = 0; round < Number(values.rounds); round++) {
        const { seconds, kb } = await open(what === "a share link");
        times.push(seconds);
        say(`  ${what}: ${seconds.toFixed(1)} s, ${kb.toFixed(0)} kB down`);
      }
      const median = times.toSorted((a, b) => a - b)[times.length >> 1] ?? NaN;
      say(`${what}, first ${FIRST} pictures: ${median.toFixed(1)} s (median)`);
    }
  } finally {
    await browser.close();
    line[Symbol.dispose]();
    await server.stop();
  }
});
// The browser's connections would keep the process.
Deno.exit(0);
