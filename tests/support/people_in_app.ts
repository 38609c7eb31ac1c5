/**
 * Another person on the server of an app's story: they use the library from the
 * test's own process, and need no browser.
 *
 * @module
 */
import type { Library } from "../../src/library/mod.ts";
import { beginLibrary, deviceAt, type TestDevice } from "./library.ts";

/** The device of a person on a running server. */
function deviceOn(url: string, name: string): TestDevice {
  return deviceAt(url, name, {
    fetch: (input, init) => fetch(input, init),
    now: () => Date.now(),
  });
}

/** Registers a person, `name@example.org`, and opens their library. */
export function somebody(url: string, name: string): Promise<Library> {
  return beginLibrary(deviceOn(url, name), name);
}
