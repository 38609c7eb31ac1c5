/**
 * The first pictures on a slow line (1.6 Mbit/s, 150 ms there and back) in a
 * browser that has nothing of the app: of a share link, and of a device that is
 * signed in. Versions take turns.
 *
 *     deno task bench cold [--beside CHECKOUT] [--rounds 3]
 *
 * The other checkout needs its web app: `deno task web` there.
 *
 * @module
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { freePort, startServer } from "../demo/server.ts";
import { signInInBrowser } from "../../tests/support/web_profile.ts";
import { photographer } from "../../tests/support/web_people.ts";
import { sampleBytes } from "../../tests/support/samples.ts";
import { seedLibrary } from "./seeded_library.ts";
import { openSlowLine } from "./slow_line.ts";
import { noteRatio, say, withScratch } from "./support.ts";

const PHOTOS = 300;
const FIRST = 6;
const DAYS = 100;
const PATIENCE_MS = 180_000;

type Opening = "a link" | "a device";

interface Contender {
  readonly name: string;
  readonly opens: (
    browser: Browser,
    what: Opening,
  ) => Promise<{ readonly seconds: number; readonly kb: number }>;
  readonly close: () => Promise<unknown>;
  readonly seen: Map<Opening, number[]>;
}

async function contend(
  scratch: string,
  name: string,
  checkout: string | undefined,
): Promise<Contender> {
  const place = join(scratch, name.replaceAll("/", "_"));
  await Deno.mkdir(place);
  const linePort = freePort();
  const origin = `http://127.0.0.1:${linePort}`;
  const listen = freePort();
  const server = await startServer({
    ...checkout === undefined ? {} : { checkout },
    dataDir: join(place, "data"),
    logFile: join(place, "server.log"),
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
  const ids = await seedLibrary({
    dataDir: join(place, "data"),
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
  const { url } = await person.library.share({ assetIds: ids });
  return {
    name,
    seen: new Map(),
    close: async () => {
      line[Symbol.dispose]();
      await server.stop();
    },
    opens: async (browser, what) => {
      const context = await browser.newContext({
        viewport: { width: 412, height: 915 },
      });
      try {
        const page = await context.newPage();
        page.setDefaultTimeout(PATIENCE_MS);
        const before = line.downBytes();
        let began = performance.now();
        if (what === "a link") await page.goto(url, { waitUntil: "commit" });
        else {
          if (!await signInInBrowser(page, origin, person)) throw new Error();
          // What is measured begins when the page of the app is asked for.
          began = performance.now();
        }
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
    },
  };
}

const { values } = parseArgs({
  options: {
    beside: { type: "string" },
    rounds: { type: "string", default: "3" },
  },
});

await withScratch(async (scratch) => {
  const contenders = [await contend(scratch, "this version", undefined)];
  if (values.beside !== undefined) {
    contenders.push(await contend(scratch, "beside", resolve(values.beside)));
  }
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  try {
    say(`load of the machine before: ${Deno.loadavg()[0]?.toFixed(1)}`);
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const what of ["a link", "a device"] as const) {
        for (const { name, opens, seen } of contenders) {
          const { seconds, kb } = await opens(browser, what);
          seen.set(what, [...seen.get(what) ?? [], seconds]);
          say(
            `  ${name}, ${what}: first ${FIRST} pictures after ` +
              `${seconds.toFixed(1)} s, ${kb.toFixed(0)} kB down`,
          );
        }
      }
    }
    const [ours, other] = contenders;
    for (const [what, times] of ours?.seen ?? []) {
      const median = middle(times);
      say(`${what}, median: ${median.toFixed(1)} s`);
      const theirs = other?.seen.get(what);
      if (theirs === undefined) continue;
      const ratio = median / middle(theirs);
      noteRatio({ what: `first pictures of ${what}`, peer: "beside", ratio });
    }
  } finally {
    await browser.close();
    for (const { close } of contenders) await close();
  }
});
// The browser's connections would keep the process.
Deno.exit(0);

function middle(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ??
    NaN;
}
