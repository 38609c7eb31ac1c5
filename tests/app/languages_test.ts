/**
 * The app in each of its languages, on the narrowest phone.
 *
 * @module
 */
import assert from "node:assert/strict";
import languages from "../../src/web/app/messages/languages.json" with {
  type: "json",
};
import { expectQuiet } from "../support/browser.ts";
import { appStory, BY_NIGHT } from "../support/web_app.ts";
import { openPhotos, photographerOfMonth } from "../support/web_people.ts";

const NARROW = {
  viewport: { width: 320, height: 640 },
  hasTouch: true,
  isMobile: true,
} as const;

/** Screens with many words, by their addresses. */
const SCREENS = [
  "photos",
  "albums",
  "sharing",
  "trash",
  "safety",
  "settings/security",
  "settings/phone",
  "settings/import",
];

/** German words are the longest. By night all languages are looked at. */
const LANGUAGES = BY_NIGHT ? Object.keys(languages) : ["de"];

/** Where pictures of all screens are put, for eyes; nowhere if it is not said. */
const PICTURES = Deno.env.get("TEST_PICTURES");

/** What does not fit: the page itself, or buttons and links with words cut off. */
const TOO_WIDE = `(() => {
  const root = document.documentElement;
  const cut = [...document.querySelectorAll("button, a, label, h1, h2, h3")]
    .filter((one) => one.checkVisibility() && one.textContent.trim() !== "")
    .filter((one) => {
      const { left, right, width } = one.getBoundingClientRect();
      return width > 1 && (right > innerWidth + 1 || left < -1);
    })
    .filter((one) => {
      // What may be scrolled to the side is not cut off.
      for (let at = one.parentElement; at !== null; at = at.parentElement) {
        if (/auto|scroll/.test(getComputedStyle(at).overflowX) && at !== root &&
          at !== document.body && at.scrollWidth > at.clientWidth) return false;
      }
      return true;
    })
    .map((one) => one.textContent.trim().slice(0, 60));
  if (root.scrollWidth > innerWidth) cut.push("the page: " + root.scrollWidth);
  return cut;
})()`;

appStory(
  `in ${
    BY_NIGHT ? "every language" : "German"
  } each screen fits a phone of 320 pixels, and says its language`,
  async ({ url, visit }) => {
    await visit(async (visitor) => {
      const { page } = visitor;
      await openPhotos(page, url, await photographerOfMonth(url, "Lisbon"));
      const wrong: string[] = [];
      for (const tag of LANGUAGES) {
        await page.evaluate(`localStorage["strongroom.language"] = "${tag}"`);
        await page.reload();
        await page.locator(`html[lang|="${tag}"]`).waitFor();
        for (const screen of SCREENS) {
          await page.goto(`${url}#/${screen}`);
          await page.locator("main :is(p, li, a, button):visible").first()
            .waitFor();
          await page.locator("main .spinner").first().waitFor({
            state: "detached",
          });
          const cut = await page.evaluate<readonly string[]>(TOO_WIDE);
          wrong.push(...cut.map((one) => `${tag} ${screen}: ${one}`));
          if (PICTURES === undefined) continue;
          const name = `${tag}-${screen.replace("/", "-")}.jpg`;
          await page.screenshot({ path: `${PICTURES}/${name}`, type: "jpeg" });
        }
      }
      assert.deepEqual(wrong, []);
      expectQuiet(visitor, url);
    }, NARROW);
  },
);
