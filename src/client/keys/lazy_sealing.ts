/**
 * Sealing to a person, whose code is loaded when it is first needed: the first
 * photos of a library are shown without it.
 *
 * @module
 */
import { ConnectionError } from "../api/transport.ts";

/** The functions of `sealing.ts`. Throws a ConnectionError if they do not load. */
export async function xWing(): Promise<typeof import("./sealing.ts")> {
  try {
    return await import("./sealing.ts");
  } catch (cause) {
    throw new ConnectionError("the rest of the program cannot be loaded", {
      cause,
    });
  }
}
