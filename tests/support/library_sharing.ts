/**
 * Photos and devices for the tests of sharing.
 *
 * @module
 */
import {
  adoptMasterKey,
  type Library,
  openLibrary,
} from "../../src/client/library/mod.ts";
import { deviceOf, enter, fileOf, type Wire } from "./library.ts";
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
