/**
 * The primitives of threads that seal or open now and then: libsodium is loaded
 * once there was more than a few photos' worth of it to do.
 *
 * @module
 */
import { quickPrimitives } from "../../../client/keys/portable_primitives.ts";
import type { Primitives } from "../../../crypto/primitives.ts";

/** Less than this is done sooner than libsodium is fetched (bytes). */
const WORTH_BYTES = 4 * 1024 * 1024;

let primitives: Primitives = quickPrimitives;
let done = 0;
let loading: Promise<void> | undefined;

function after({ length }: Uint8Array): Primitives {
  done += length;
  if (done > WORTH_BYTES) loading ??= load();
  return primitives;
}

async function load(): Promise<void> {
  try {
    const { sodiumPrimitives } = await import("./sodium.ts");
    primitives = await sodiumPrimitives();
  } catch {
    // It cannot be fetched: portable code is slower but as correct.
  }
}

/** Nothing waits for libsodium. */
export const swiftPrimitives: Primitives = {
  ...quickPrimitives,
  seal: (...given) => after(given[2]).seal(...given),
  open: (...given) => after(given[2]).open(...given),
};
