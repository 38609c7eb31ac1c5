/**
 * The web app in a real browser, over a real server of its own.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import {
  CHROMIUM,
  sharedChromium,
  type Visitor,
  type VisitorOptions,
} from "./browser.ts";
import { expectDone } from "./ended.ts";
import { runProcess, serveHere, withDataDir } from "./program.ts";
import { Wire } from "./wire.ts";
import { until } from "./until.ts";
import { signUpInBrowser, storesProfiles } from "./web_profile.ts";

/** The password of every account of these tests. */
export const PASSWORD = "correct horse battery staple";

/** A browser on a phone. */
export const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
} as const;

const browser = sharedChromium();

/** A server, and browsers that have never seen it. */
export interface AppStory {
  /** On this machine: a secure context. */
  readonly url: string;
  /** The same server by a name of the network: plain http, not secure. */
  readonly lanUrl: string;
  readonly dataDir: string;
  /** Runs a command of the operator's; what it said. */
  readonly operator: (...args: string[]) => Promise<string>;
  /** Sets an account's password as the operator does. */
  readonly setPassword: (user: string, password: string) => Promise<string>;
  /** What stands between browsers and the server. */
  readonly wire: Wire;
  /** Puts a picture (JPEG) before the browsers' camera. */
  readonly showCamera: (picture: Uint8Array) => Promise<void>;
  /** Lends a browser without any history. */
  readonly visit: (
    test: (visitor: Visitor) => Promise<void>,
    options?: VisitorOptions,
  ) => Promise<void>;
}

/** A story of the app; passed over where there is no browser. */
export function appStory(
  name: string,
  test: (story: AppStory) => Promise<void>,
  settings: Record<string, string> = {},
  /** Whether everything else that the story needs is there. */
  isThere = true,
): void {
  Deno.test({
    name,
    ignore: CHROMIUM === "" || !isThere,
    // The driver keeps its pipes to the browser for a moment.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: () => withApp(test, settings),
  });
}

/** Whether stories run that belong to the night. */
export const BY_NIGHT = Deno.env.get("TEST_STORIES") === "all";

/**
 * A story of the nightly run, or with `TEST_STORIES=all`: by day another test
 * shows the same without a browser, on another screen or in another format. The
 * comment above it names that test, and what is shown by night only.
 */
export function nightStory(
  ...[name, test, settings, isThere = true]: Parameters<typeof appStory>
): void {
  appStory(name, test, settings, isThere && BY_NIGHT);
}

/** Starts the server, for as long as a test takes. */
export async function withApp(
  test: (story: AppStory) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  await withDataDir(async (dataDir) => {
    const given = {
      STRONGROOM_DATA_DIR: `${dataDir}/data`,
      STRONGROOM_ARGON2_MEMORY_KIB: "8",
      ...settings,
    };
    const server = await serveHere(given);
    if (server.url === "") {
      await server.stop();
      throw new Error(`no address: ${server.line} ${await server.complaint()}`);
    }
    const wire = new Wire(Number(new URL(server.url).port));
    try {
      await test({
        url: wire.origin,
        lanUrl: wire.origin.replace("127.0.0.1", "photos.lan"),
        dataDir,
        wire,
        // Processes: in this one they would keep the server from ending what it
        // writes for the pages, and wait for that.
        operator: async (...args) => expectDone(await runProcess(args, given)),
        setPassword: async (user, password) =>
          expectDone(
            await runProcess(
              ["account", "set-password", user, "--password-stdin"],
              given,
              `${password}\n`,
            ),
          ),
        showCamera: (picture) => browser.show(picture),
        visit: (visit, options) => browser.visit(visit, options),
      });
    } finally {
      wire.close();
      await server.stop();
    }
  });
}

/** Opens the photos in a browser on plain http after a reload. */
const BROWSER_PHRASE = "the lake in march is cold";

/** Signs up and postpones the recovery words. */
export async function signUpOnly(
  page: Page,
  url: string,
  address: string,
): Promise<void> {
  await page.goto(url);
  await page.getByRole("button", { name: "Create an account" }).click();
  await giveCredentials(page, address);
  if (!["127.0.0.1", "localhost"].includes(new URL(url).hostname)) {
    // On plain http a browser keeps the key under a phrase alone.
    await page.getByLabel("Browser phrase").fill(BROWSER_PHRASE);
    await page.getByRole("button", { name: "Stay signed in" }).click();
  }
  await page.getByRole("heading", { name: "No photos yet" }).waitFor();
}

/**
 * Signs up and confirms the recovery words; resolves to the 24 words. A
 * browser that has never been at the app gets the result of it and no pages.
 */
export async function signUp(
  page: Page,
  url: string,
  address: string,
): Promise<string> {
  const words = storesProfiles(url)
    ? await signUpInBrowser(page, url, address)
    : undefined;
  if (words === undefined) return await signUpByHand(page, url, address);
  await page.getByRole("heading", { name: "No photos yet" }).waitFor();
  return words;
}

/** Does the same at the app's pages. */
async function signUpByHand(
  page: Page,
  url: string,
  address: string,
): Promise<string> {
  await signUpOnly(page, url, address);
  await page.goto(`${url}/#/words`);
  const words = await writeWordsDown(page);
  await page.getByRole("heading", { name: "No photos yet" }).waitFor();
  return words;
}

/** Locks this browser with a phrase: the switch of its box in the settings. */
export async function setBrowserPhrase(
  page: Page,
  url: string,
  phrase: string,
): Promise<void> {
  await page.goto(`${url}/#/settings/browser`);
  await page.getByRole("switch", { name: "Lock this browser" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Browser phrase").fill(phrase);
  const password = dialog.getByLabel("Password");
  if (await password.count() > 0) await password.fill(PASSWORD);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
}

/** Fills in who one is, on the pages of signing up and of signing in. */
export async function giveCredentials(
  page: Page,
  address: string,
  password = PASSWORD,
): Promise<void> {
  await page.getByLabel("Email address").fill(address);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.locator("button[type=submit]").click();
}

/** Reads the 24 words off the page and gives the three that are asked for. */
export async function writeWordsDown(page: Page): Promise<string> {
  const words = await shownWords(page);
  await page.getByRole("button", { name: "I have written them down" }).click();
  const asked = page.getByLabel(/^Word \d+$/);
  await asked.first().waitFor();
  const thirds: number[] = [];
  for (const field of await asked.all()) {
    const label = await field.evaluate((one) =>
      one.closest(".field")?.querySelector("label")?.textContent ?? ""
    );
    const place = Number(label.replace("Word ", ""));
    thirds.push(Math.ceil(place / 8));
    await field.fill(words.split(" ")[place - 1] ?? "");
  }
  // Whoever wrote down the first line only is asked for more.
  assert.deepEqual(thirds, [1, 2, 3]);
  await page.getByRole("button", { name: "Continue" }).click();
  return words;
}

/** The 24 words that the page shows. */
export async function shownWords(page: Page): Promise<string> {
  const list = page.getByRole("list", { name: "Your 24 words" });
  await list.waitFor();
  return (await list.getByRole("listitem").allInnerTexts()).join(" ");
}

/** Adds files by the button in the bar, and waits until every one is kept. */
export async function addPhotos(
  page: Page,
  paths: readonly string[],
): Promise<void> {
  await page.locator("input[data-add=files]").setInputFiles([...paths]);
  await page.getByText(/^\d+ files? (added|already here)/).first().waitFor();
}

/** Closes a page that asks first, and stays. */
export async function almostClose(page: Page): Promise<void> {
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  await (await asked).dismiss();
}

/** Closes the progress of adding; a message next to it has a button, too. */
export async function closeAdded(page: Page): Promise<void> {
  await page.getByRole("region", { name: "Adding photos" })
    .getByRole("button", { name: "Close" }).click();
}

/**
 * Chooses the first photos of the list that is looked at. One that comes in
 * meanwhile moves the others from under the pointer: whoever sees that a photo
 * is not chosen presses again.
 */
export async function selectPhotos(page: Page, count: number): Promise<void> {
  const circles = page.locator(".tile .check");
  await circles.nth(count - 1).waitFor();
  for (let at = 0; at < count; at++) {
    const circle = circles.nth(at);
    await until(async () => {
      const isChosen = await circle.getAttribute("aria-checked") === "true";
      if (!isChosen) await circle.click({ force: true });
      return isChosen;
    }, true);
  }
  await page.getByRole("toolbar", { name: "Selected photos" })
    .getByText(`${count} selected`).waitFor();
}

/** The photographs of the samples. */
export function samplePhotos(): string[] {
  const folder = new URL("../samples/", import.meta.url).pathname;
  return [...Deno.readDirSync(folder)].map(({ name }) => `${folder}${name}`)
    .filter((path) => /\.(jpg|png)$/.test(path)).sort();
}

/** Signs in, as far as the keys of the account. */
export async function signInAt(
  page: Page,
  url: string,
  address: string,
): Promise<void> {
  await page.goto(`${url}/#/sign-in`);
  await giveCredentials(page, address);
}

/** Nothing is handed in: the fields say so, and the first one has the focus. */
export async function expectMissing(
  page: Page,
  first: Locator,
  fields = 1,
  said = "Please fill this in.",
): Promise<void> {
  await until(() => page.getByText(said, { exact: true }).count(), fields);
  await first.and(page.locator(":focus")).waitFor();
  assert.equal(await first.getAttribute("aria-invalid"), "true");
  const ids = await first.getAttribute("aria-describedby") ?? "";
  const described = await Promise.all(
    ids.split(" ").map((id) => page.locator(`[id="${id}"]`).innerText()),
  );
  assert(described.includes(said), described.join(" / "));
  // The browser keeps its own message, in its own language, to itself.
  const spoken = page.locator("form:not([novalidate]) [required]");
  assert.equal(await spoken.count(), 0);
}
