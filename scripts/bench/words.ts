/**
 * How well words in pictures are read, by the app's own thread in Debian's
 * Chromium: pages of text in eight languages, a sign straight and turned, and
 * photographs without words (`tests/samples`).
 *
 * @module
 */
import type { Page } from "playwright-core";
import { fileOf } from "../../src/client/library/findings_pages.ts";
import { plainOf } from "../../src/client/library/mod.ts";
import { openPictureWords } from "../../src/client/library/picture_words.ts";
import { wordsRead } from "../../src/client/pictures/read_words.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { sampleBytes } from "../../tests/support/samples.ts";
import { withApp } from "../../tests/support/web_app.ts";
import { openPhotos, photographer } from "../../tests/support/web_people.ts";
import { say } from "./support.ts";

/** What the app itself says, in each language: texts with all their letters. */
const LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pl", "pt"];
const SIGN = ["HOTEL LISBOA", "Restaurant", "Rua Augusta 12"];
const PHOTOGRAPHS = ["cat.jpg", "coffee.jpg", "julia.png", "rocket.jpg"];

interface Picture {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What is written in it. */
  readonly text: string;
}

const PAPER = "margin: 60px; background: #fdfcf7; color: #222; width: 900px;";

async function drawn(
  page: Page,
  html: string,
): Promise<Uint8Array<ArrayBuffer>> {
  await page.setContent(html);
  return new Uint8Array(await page.screenshot({ type: "png" }));
}

async function pictures(page: Page): Promise<readonly Picture[]> {
  await page.setViewportSize({ width: 1_100, height: 1_400 });
  const made: Picture[] = [];
  for (const language of LANGUAGES) {
    const path = new URL(
      `../../src/web/app/messages/${language}/words.json`,
      import.meta.url,
    );
    const { how, choose, size }: Record<string, string> = JSON.parse(
      await Deno.readTextFile(path),
    );
    const text = [how, choose, size].join(" ");
    for (
      const [kind, style] of [
        ["page", "font: 24px/1.6 'DejaVu Serif', serif;"],
        ["receipt", "font: 22px/1.5 'DejaVu Sans Mono', monospace;"],
      ]
    ) {
      const html = `<body style="${PAPER}${style}">${text}</body>`;
      const bytes = await drawn(page, html);
      made.push({ name: `${language}, ${kind}`, bytes, text });
    }
  }
  for (const degrees of [0, 5, 12]) {
    const html = `<body style="margin: 0; background:
      radial-gradient(circle at 30% 20%, #9fb7c9, #5a4a3a)">
      <div style="margin: 400px 150px; padding: 40px; width: 700px;
      background: #e8e2cf; color: #1d1d1d; rotate: ${degrees}deg;
      font: bold 64px/1.5 'DejaVu Sans', sans-serif">${SIGN.join("<br>")}
      </div></body>`;
    made.push({
      name: `sign, turned by ${degrees}°`,
      bytes: await drawn(page, html),
      text: SIGN.join(" "),
    });
  }
  for (const name of PHOTOGRAPHS) {
    made.push({ name, bytes: await sampleBytes(name), text: "" });
  }
  return made;
}

/** The words that a text has, as those of a picture are kept. */
function wordsIn(text: string): ReadonlySet<string> {
  const words = wordsRead(
    text.split(/\s+/).map((text) => ({ text, sure: 100 })),
  );
  return new Set(words.split("\n").filter((word) => word !== ""));
}

async function measure(): Promise<void> {
  await withApp(async ({ url, visit }) => {
    const ada = await photographer(url, "ada");
    await visit(async ({ page }) => {
      const paper = await page.context().newPage();
      const all = await pictures(paper);
      await paper.close();
      for (const { name, bytes } of all) {
        const mime = name.endsWith(".jpg") ? "image/jpeg" : "image/png";
        await ada.library.take({
          source: plainOf(bytes),
          about: { name, mime, taken_at: "2024-06-01T10:00:00Z" },
          derivatives: [],
        });
      }
      await openPhotos(page, url, ada);
      await page.goto(`${url}/#/settings/look`);
      const from = performance.now();
      await page.getByRole("button", { name: "Read words" }).click();
      await page.getByText("All photos were read.")
        .waitFor({ timeout: 600_000 });
      const seconds = (performance.now() - from) / 1_000;
      await ada.library.sync();
      const read = await openPictureWords(ada.library);
      while (read.count < all.length) await read.read();
      say("picture | words | read | words that are not there");
      for (const { name, bytes, text } of all) {
        const there = wordsIn(text);
        const found = (read.of(fileOf(sha256Hex(bytes))) ?? "")
          .split("\n").filter((word) => word !== "");
        const right = found.filter((word) => there.has(word)).length;
        say(`${name} | ${there.size} | ${right} | ${found.length - right}`);
      }
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
