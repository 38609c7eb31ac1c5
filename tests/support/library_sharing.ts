/**
 * Photos and devices for the tests of sharing.
 *
 * @module
 */
import {
  adoptMasterKey,
  type Library,
  openLibrary,
} from "../../src/library/mod.ts";
import { withTestApp } from "./app.ts";
import {
  beginLibrary,
  deviceOf,
  enter,
  fileOf,
  type Wire,
  wireTo,
} from "./library.ts";
import { ciphertext } from "./people.ts";

/** The bytes of a photo. */
export const photo = (name: string) => ciphertext(name, 3_000);

/** Takes a photo into a library. */
export async function take(library: Library, name: string, more: object = {}) {
  const { row } = await library.take({
    ...fileOf(`${name}.jpg`, photo(name)),
    ...more,
  });
  return row;
}

/** Another device of the same person's. */
export async function secondDevice(
  wire: Wire,
  library: Library,
  name: string,
  kind = "phone",
): Promise<Library> {
  const phone = deviceOf(wire, `${name}'s ${kind}`);
  const masterKey = library.vault.session.masterKey() ?? new Uint8Array();
  const vault = await adoptMasterKey(await enter(phone, name), masterKey);
  const other = await openLibrary(vault, phone.store);
  await other.sync();
  return other;
}

/** Runs a test with two devices of one person's. */
export async function withTwoDevices(
  test: (devices: {
    readonly laptop: Library;
    readonly phone: Library;
  }) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const phone = await secondDevice(wire, laptop, "ada", "phone");
    await test({ laptop, phone });
  });
}
