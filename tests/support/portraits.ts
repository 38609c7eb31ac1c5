/**
 * Photographs of people, which come with `@vladmandic/face-api` (MIT).
 *
 * @module
 */
import { createRequire } from "node:module";

/** How many faces each has, from 1 to 6, counted by eye. */
export const FACES_IN = [3, 3, 3, 4, 5, 4] as const;

/** The bytes of one, from 1 to 6. */
export async function portrait(
  number: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const { resolve } = createRequire(import.meta.url);
  return await Deno.readFile(
    resolve(`@vladmandic/face-api/demo/sample${number}.jpg`),
  );
}
