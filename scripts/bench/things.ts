/**
 * How well things in pictures are found, by the app itself in Debian's Chromium:
 * in the photographs of `tests/samples`, in those of people that come with
 * `@vladmandic/face-api`, and in those of Debian's `python3-skimage`.
 *
 * @module
 */
import { fileOf } from "../../src/client/library/findings_pages.ts";
import { plainOf } from "../../src/client/library/mod.ts";
import { openPictureThings } from "../../src/client/library/picture_things.ts";
import { THINGS } from "../../src/client/pictures/things.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { portrait } from "../../tests/support/portraits.ts";
import { sampleBytes } from "../../tests/support/samples.ts";
import { withApp } from "../../tests/support/web_app.ts";
import { openPhotos, photographer } from "../../tests/support/web_people.ts";
import { say } from "./support.ts";

const SKIMAGE = "/usr/lib/python3/dist-packages/skimage/data";
/** What is in pictures, of what the model knows, as a person sees it. */
const SAMPLES: Readonly<Record<string, string>> = {
  "cat.jpg": "cat",
  "coffee.jpg": "cup spoon table",
  "rocket.jpg": "",
  "hubble-deep-field.jpg": "",
  "julia.png": "",
};
/** By their numbers, from 1 on. */
const PEOPLE = [
  "person wine-glass chair bottle",
  "person couch phone",
  "person couch cup phone",
  "person phone",
  "person",
  "person",
];
const OTHERS: Readonly<Record<string, string>> = {
  "astronaut.png": "person",
  "camera.png": "person",
  "motorcycle_left.png": "motorcycle",
  "motorcycle_right.png": "motorcycle",
  "horse.png": "horse",
  "clock_motion.png": "clock",
  "brick.png": "",
  "coins.png": "",
  "grass.png": "",
  "gravel.png": "",
  "ihc.png": "",
  "moon.png": "",
  "page.png": "",
  "retina.jpg": "",
};

interface Picture {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly there: readonly string[];
}

async function pictures(): Promise<readonly Picture[]> {
  const wordsOf = (text: string) => text === "" ? [] : text.split(" ");
  const all: Picture[] = [];
  for (const [name, there] of Object.entries(SAMPLES)) {
    all.push({ name, bytes: await sampleBytes(name), there: wordsOf(there) });
  }
  for (const [at, there] of PEOPLE.entries()) {
    all.push({
      name: `people ${at + 1}`,
      bytes: new Uint8Array(await portrait(at + 1)),
      there: wordsOf(there),
    });
  }
  for (const [name, there] of Object.entries(OTHERS)) {
    try {
      const bytes = await Deno.readFile(`${SKIMAGE}/${name}`);
      all.push({ name, bytes, there: wordsOf(there) });
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      say(`${name} is not there: apt-get install python3-skimage`);
    }
  }
  return all;
}

async function measure(): Promise<void> {
  const all = await pictures();
  await withApp(async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    for (const { name, bytes } of all) {
      const mime = name.endsWith(".png") ? "image/png" : "image/jpeg";
      await ada.library.take({
        source: plainOf(bytes),
        about: { name, mime, taken_at: "2024-06-01T10:00:00Z" },
        derivatives: [{ kind: "thumbnail", mime, bytes }],
      });
    }
    await visit(async ({ page }) => {
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/settings/look`);
      const from = performance.now();
      await page.getByRole("button", { name: "Find things" }).click();
      await page.getByText("All photos were looked at.")
        .waitFor({ timeout: 600_000 });
      const seconds = (performance.now() - from) / 1_000;
      await ada.library.sync();
      const found = await openPictureThings(ada.library);
      while (found.count < all.length) await found.read();
      let [right, wrong, wanted] = [0, 0, 0];
      say("picture | there | found");
      for (const { name, bytes, there } of all) {
        const seen = [...found.of(fileOf(sha256Hex(bytes))) ?? []]
          .map((thing) => THINGS[thing] ?? "");
        say(`${name} | ${there.join(", ")} | ${seen.join(", ")}`);
        wanted += there.length;
        right += seen.filter((one) => there.includes(one)).length;
        wrong += seen.filter((one) => !there.includes(one)).length;
      }
      say(`found ${right} of ${wanted}, and ${wrong} that are not there`);
      say(
        `${all.length} pictures in ${seconds.toFixed(0)} s: ` +
          `${(seconds / all.length).toFixed(2)} s each`,
      );
    });
  });
}

if (import.meta.main) {
  await measure();
  // The browser would go on.
  Deno.exit(0);
}
