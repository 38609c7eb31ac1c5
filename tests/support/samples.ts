/**
 * The photographs of `tests/samples`.
 *
 * @module
 */

const SAMPLES = new URL("../samples/", import.meta.url);

/** The bytes of one, or of its thumbnail under `thumbnails/`. */
export async function sampleBytes(
  name: string,
): Promise<Uint8Array<ArrayBuffer>> {
  return await Deno.readFile(new URL(name, SAMPLES));
}
