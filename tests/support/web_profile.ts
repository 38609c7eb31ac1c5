/**
 * Signs people in for browsers: the library of this process does what the app
 * does when a person types, and the browser gets the profile that the app would
 * have stored. The app then starts as after a reload, for half of the work.
 *
 * @module
 */
import type { Page } from "playwright-core";
import {
  boxesOfProfile,
  keepWords,
  type LibraryPlatform,
  memoryCredentialStore,
  newRecoveryWords,
  openVault,
  recoverVault,
  registerAccount,
  signIn,
} from "../../src/library/mod.ts";
import { platformOn } from "./library.ts";
import { PASSWORD } from "./people.ts";

/** What the app calls the browser of the stories. */
const BROWSER = "Chrome on Linux";

/**
 * Whether the app would store a profile here without asking: over plain http it
 * asks for a phrase. Then a story signs in at the pages.
 */
export function storesProfiles(url: string): boolean {
  return ["127.0.0.1", "localhost"].includes(new URL(url).hostname);
}

/**
 * Makes an account with 24 words, which it resolves to. Undefined if the browser
 * has been at the app before: what else it stores would not fit.
 */
export async function signUpInBrowser(
  page: Page,
  url: string,
  address: string,
): Promise<string | undefined> {
  if (!await isNew(page, url)) return undefined;
  const { platform, entrance } = browserAt(url);
  const session = await registerAccount(platform, {
    ...entrance,
    address,
    password: PASSWORD,
  });
  const words = await newRecoveryWords(platform.random);
  await keepWords(await openVault(session), words);
  await session.settled();
  await storeProfile(page, await entrance.credentials.read());
  return words;
}

/**
 * Signs a person in and opens the keys with their words. False if the browser
 * has been at the app before.
 */
export async function signInInBrowser(
  page: Page,
  url: string,
  { address, words, client }: {
    readonly address: string;
    readonly words: string;
    readonly client?: Deno.HttpClient;
  },
): Promise<boolean> {
  if (!await isNew(page, url)) return false;
  const { platform, entrance } = browserAt(url, client);
  const session = await signIn(platform, {
    ...entrance,
    address,
    password: PASSWORD,
  });
  await recoverVault(session, words);
  await session.settled();
  await storeProfile(page, await entrance.credentials.read());
  return true;
}

/** A device that is a browser, with a platform of its own chance. */
function browserAt(url: string, client?: Deno.HttpClient) {
  const own = client === undefined ? {} : { client };
  const platform: LibraryPlatform = {
    ...platformOn({
      fetch: (input, init) => fetch(input, { ...init, ...own }),
      now: () => Date.now(),
    }, ""),
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  };
  return {
    platform,
    entrance: {
      server: url,
      device: { name: BROWSER, platform: "web" },
      credentials: memoryCredentialStore(),
      present: () => Promise.resolve(PASSWORD),
    },
  } as const;
}

/** Opens a page of the origin that is not the app's. */
async function isNew(page: Page, url: string): Promise<boolean> {
  await page.goto(`${url}/healthz`);
  return await page.evaluate(async () => {
    const { indexedDB } = globalThis as unknown as {
      indexedDB: { databases(): Promise<readonly unknown[]> };
    };
    return (await indexedDB.databases()).length === 0;
  });
}

/**
 * Stores a profile as `src/web/workers/vault/credential_store.ts` does, and
 * opens the app in the place of this page.
 */
async function storeProfile(
  page: Page,
  profile: Uint8Array | undefined,
): Promise<void> {
  if (profile === undefined) throw new Error("there is no profile");
  await page.evaluate(storeInPage, {
    profile: [...profile],
    boxes: [...await boxesOfProfile(profile) ?? []],
  });
}

/** Runs in the page. */
async function storeInPage(
  { profile, boxes }: { readonly profile: number[]; readonly boxes: string[] },
): Promise<void> {
  // deno-lint-ignore no-explicit-any
  const { indexedDB, location } = globalThis as any;
  const key = await crypto.subtle.generateKey(
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv },
    key,
    new Uint8Array(profile),
  );
  await new Promise((stored, failed) => {
    const asked = indexedDB.open("strongroom", 1);
    asked.onerror = failed;
    asked.onupgradeneeded = () => asked.result.createObjectStore("keep");
    asked.onsuccess = () => {
      const change = asked.result.transaction("keep", "readwrite");
      change.objectStore("keep").put(
        { wrap: { key, iv }, boxes, content: new Uint8Array(sealed) },
        "profile",
      );
      change.onabort = failed;
      change.oncomplete = () => {
        asked.result.close();
        stored(undefined);
      };
    };
  });
  // This page leaves no entry in the history, once it has answered the driver.
  setTimeout(() => location.replace("/"));
}
