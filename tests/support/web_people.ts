/**
 * Somebody whose photos were put there by another device: the library in this
 * process. The app then signs in and opens them with the 24 words.
 *
 * @module
 */
import type { Page } from "playwright-core";
import {
  type Library,
  memoryKeep,
  memoryStore,
  type NewFile,
  newRecoveryWords,
  openLibrary,
  openVault,
  plainOf,
  registerAccount,
  WORDS_LABEL,
} from "../../src/client/library/mod.ts";
import { sampleBytes } from "./samples.ts";
import { platformOn } from "./library.ts";
import { giveCredentials, PASSWORD } from "./web_app.ts";

/** A person with a library on another device. */
export interface Photographer {
  readonly address: string;
  /** The 24 words that open the account. */
  readonly words: string;
  readonly library: Library;
}

/** Registers somebody over the network, and keeps their words. */
export async function photographer(
  url: string,
  name: string,
): Promise<Photographer> {
  const address = `${name}@example.org`;
  const platform = platformOn(
    { fetch: (input, init) => fetch(input, init), now: () => Date.now() },
    name,
  );
  const session = await registerAccount(platform, {
    server: url,
    address,
    password: PASSWORD,
    device: { name: "camera", platform: "linux" },
    keep: memoryKeep(),
    present: () => Promise.resolve(PASSWORD),
  });
  const vault = await openVault(session);
  const words = await newRecoveryWords(platform.random);
  await vault.escrow({ label: WORDS_LABEL, passphrase: words });
  const library = await openLibrary(vault, memoryStore());
  return { address, words, library };
}

/** A photograph of `tests/samples`, with its thumbnail. */
export async function sample(
  name: string,
  about: Partial<NewFile["about"]> = {},
): Promise<NewFile> {
  const thumbnail = await sampleBytes(
    `thumbnails/${name.replace(/\.\w+$/, ".jpg")}`,
  );
  return {
    source: plainOf(await sampleBytes(name)),
    about: {
      name,
      mime: name.endsWith(".png") ? "image/png" : "image/jpeg",
      ...about,
    },
    derivatives: [{ kind: "thumbnail", mime: "image/jpeg", bytes: thumbnail }],
  };
}

/** Signs in at the app and opens the photos with the words. */
export async function openPhotos(
  page: Page,
  url: string,
  { address, words }: Pick<Photographer, "address" | "words">,
): Promise<void> {
  await page.goto(url);
  await page.getByRole("button", { name: "Sign in" }).click();
  await giveCredentials(page, address);
  await page.getByRole("button", { name: /^With your 24 words/ }).click();
  const field = page.getByLabel("Your 24 words");
  await page.waitForFunction(isTypedInto);
  await field.fill(words);
  await field.press("Enter");
  await page.getByRole("navigation", { name: "strongroom" }).waitFor();
}

/** Runs in the page: whether what is typed goes into the large field. */
function isTypedInto(): boolean {
  const { document } = globalThis as unknown as {
    document: { activeElement: { tagName: string } | null };
  };
  return document.activeElement?.tagName === "TEXTAREA";
}
