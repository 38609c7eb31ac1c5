/**
 * Photographs of people, which come with `@vladmandic/face-api` (MIT).
 *
 * @module
 */
import { createRequire } from "node:module";

/** The bytes of one, from 1 to 6. */
export async function portrait(
  number: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const { resolve } = createRequire(import.meta.url);
  return await Deno.readFile(
    resolve(`@vladmandic/face-api/demo/sample${number}.jpg`),
  );
}
