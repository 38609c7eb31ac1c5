/**
 * People who share albums through the client library.
 *
 * @module
 */
import assert from "node:assert/strict";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import {
  type Library,
  memoryStore,
  openLibrary,
  type Store,
} from "../../src/library/mod.ts";
import { type TestApp, withTestApp } from "./app.ts";
import {
  addressOf,
  beginLibrary,
  deviceOf,
  fileOf,
  wholeOf,
  type Wire,
  wireTo,
} from "./library.ts";
import { ciphertext } from "./people.ts";

/** Three people, each with a library of their own. */
export interface AlbumCast {
  readonly app: TestApp;
  readonly wire: Wire;
  readonly ada: Library;
  readonly bob: Library;
  readonly eve: Library;
  /** Starts a person's program again, on the same device. */
  readonly reopen: (library: Library) => Promise<Library>;
}

/** An application with Ada, Bob and Eve, none of whom shares anything yet. */
export async function withCast(
  test: (cast: AlbumCast) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const stores = new Map<string, Store>();
    const of = async (name: string) => {
      const device = deviceOf(wire, `${name}'s`);
      const library = await beginLibrary(device, name);
      stores.set(idOf(library), device.store);
      return library;
    };
    const reopen = (library: Library) =>
      openLibrary(library.vault, stores.get(idOf(library)) ?? memoryStore());
    const [ada, bob, eve] = [await of("ada"), await of("bob"), await of("eve")];
    await test({ app, wire, ada, bob, eve, reopen });
  });
}

export const idOf = ({ vault }: Library) => vault.session.userId;
/** The bytes of the photo of a name. */
export const photo = (name: string) => ciphertext(name, 3_000);

/** Puts the photo of a name into an album. */
export function take(library: Library, name: string, albumId: string) {
  return library.take(fileOf(`${name}.jpg`, photo(name)), { albumId });
}

/** What a member sees of an album, by name, each read back whole. */
export async function seen(
  library: Library,
  albumId: string,
): Promise<string[]> {
  await library.sync();
  const names: string[] = [];
  for (const row of library.list()) {
    if (row.album !== albumId) continue;
    const name = row.metadata?.name.replace(".jpg", "") ?? "";
    assert.deepEqual(await wholeOf(library.read(row.id)), photo(name));
    names.push(name);
  }
  return names.sort();
}

/** Invites a person, by name, to an album. */
export async function invite(
  album: string,
  from: Library,
  name: string,
  role: "viewer" | "contributor" = "contributor",
) {
  const address = addressOf(name);
  const { userId } = await from.people.find({ address });
  return await from.albums.invite(album, userId, role);
}

/**
 * Puts bytes into an album under the hash of others of their size, which no
 * program of ours does.
 */
export async function takeFalsely(
  liar: Library,
  name: string,
  albumId: string,
  truth: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const garbage = ciphertext(`instead of ${name}`, truth.length);
  const { row } = await liar.take(fileOf(name, garbage));
  const { metadata } = row;
  assert(metadata !== undefined);
  const sha256 = sha256Hex(truth);
  liar.index.put({ ...row, metadata: { ...metadata, sha256 } });
  const { outcome } = await liar.copyInto(row.id, albumId);
  assert.equal(outcome, "kept");
}
