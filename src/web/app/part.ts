/**
 * Parts of the app that are fetched when they are first needed. Every lazy
 * `import` of the pages goes through here.
 *
 * @module
 */
import { fetched } from "./fetched.ts";
import { bringWords } from "./first_words.ts";

/**
 * Fetches a part, and with the first one the texts that parts show:
 * `part(() => import("./large.tsx"))`.
 */
export async function part<T>(load: () => Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([fetched(load), bringWords()]);
  return loaded;
}
