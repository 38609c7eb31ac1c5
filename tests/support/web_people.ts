/**
 * A person whose photos came from another device: the library in this process.
 * The app then signs in and opens them with the 24 words.
 *
 * @module
 */
import type { Page } from "playwright-core";
import {
  type Library,
  memoryCredentialStore,
  memoryStore,
  type NewFile,
  newRecoveryWords,
  openLibrary,
  openVault,
  plainOf,
  registerAccount,
  WORDS_LABEL,
} from "../../src/library/mod.ts";
import { sampleBytes } from "./samples.ts";
import { platformOn } from "./library.ts";
import { until } from "./until.ts";
import { giveCredentials, PASSWORD } from "./web_app.ts";
import { signInInBrowser, storesProfiles } from "./web_profile.ts";

/** A person with a library on another device. */
export interface Photographer {
  readonly address: string;
  /** The 24 words that open the account. */
  readonly words: string;
  readonly library: Library;
  /** Knows the server's certificate, where others do not. */
  readonly client?: Deno.HttpClient;
}

/**
 * Registers a person over the network, and keeps their words. A server with an
 * unknown certificate needs a `client` that knows it.
 */
export async function photographer(
  url: string,
  name: string,
  client?: Deno.HttpClient,
): Promise<Photographer> {
  const address = `${name}@example.org`;
  const own = client === undefined ? {} : { client };
  const platform = platformOn({
    fetch: (input, init) => fetch(input, { ...init, ...own }),
    now: () => Date.now(),
  }, name);
  const session = await registerAccount(platform, {
    server: url,
    address,
    password: PASSWORD,
    device: { name: "camera", platform: "linux" },
    credentials: memoryCredentialStore(),
    present: () => Promise.resolve(PASSWORD),
  });
  const vault = await openVault(session);
  const words = await newRecoveryWords(platform.random);
  await vault.escrow({ label: WORDS_LABEL, passphrase: words });
  const library = await openLibrary(vault, memoryStore());
  return { address, words, library, ...own };
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

/**
 * A person with a photo on each day of a month, high and wide ones, and all of
 * them in a collection.
 */
export async function photographerOfMonth(
  url: string,
  title: string,
): Promise<Photographer> {
  const ada = await photographer(url, "ada");
  const cat = await sampleBytes("thumbnails/cat.jpg");
  const ids: string[] = [];
  for (let day = 1; day <= 30; day++) {
    const { row } = await ada.library.take({
      // What stands after the picture makes it another file.
      source: plainOf(new Uint8Array([...cat, day])),
      about: {
        name: `${day}.jpg`,
        mime: "image/jpeg",
        taken_at: `2024-06-${String(day).padStart(2, "0")}T10:00:00Z`,
        width: day % 2 === 0 ? 200 : 400,
        height: 300,
      },
    });
    ids.push(row.id);
  }
  await ada.library.collections.create(title, ids);
  return ada;
}

/**
 * Signs in with the words and is in the photos. A browser that has never been
 * at the app gets the result of it and no pages.
 */
export async function openPhotos(
  page: Page,
  url: string,
  person: Pick<Photographer, "address" | "words" | "client">,
): Promise<void> {
  if (storesProfiles(url) && await signInInBrowser(page, url, person)) {
    await page.getByRole("navigation", { name: "strongroom" }).waitFor();
  } else await openPhotosByHand(page, url, person);
}

/** Does the same at the app's pages. */
async function openPhotosByHand(
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
  // The page of the words had its own entry in the history.
  await until(() => page.evaluate("history.state?.layer"), undefined);
}

/** Runs in the page: whether what is typed goes into the large field. */
function isTypedInto(): boolean {
  const { document } = globalThis as unknown as {
    document: { activeElement: { tagName: string } | null };
  };
  return document.activeElement?.tagName === "TEXTAREA";
}
