/**
 * Loading parts of the library when they are first needed.
 *
 * @module
 */
import { ConnectionError } from "../../client/api/transport.ts";

/**
 * Loads a part of the library. Throws a ConnectionError if it cannot be loaded.
 */
export async function loaded<T>(part: Promise<T>): Promise<T> {
  try {
    return await part;
  } catch (cause) {
    throw new ConnectionError("the rest of the program cannot be loaded", {
      cause,
    });
  }
}
