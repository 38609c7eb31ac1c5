/**
 * An album with members and an asset, for tests of the trash.
 *
 * @module
 */
import { type TestApp } from "./app.ts";
import { OLD_PROTOCOL, provisionAlbum, publishRoster } from "./albums.ts";
import {
  createAsset,
  type LiveAsset,
  type Person,
  registerPerson,
  registerWriter,
} from "./people.ts";
import { withFaultlessApp } from "./api.ts";

interface Cast {
  readonly app: TestApp;
  /** Owns the album. */
  readonly ada: Person;
  /** Contributes; the asset is his. */
  readonly bob: Person;
  /** Contributes as well. */
  readonly cleo: Person;
  /** Only looks. */
  readonly vic: Person;
  /** Has nothing to do with it. */
  readonly eve: Person;
  readonly albumId: string;
  readonly asset: LiveAsset;
}

/** Runs a test of an album with its people and an asset of Bob's. */
export async function withAlbum(
  test: (cast: Cast) => Promise<void>,
): Promise<void> {
  await withFaultlessApp(async (app) => {
    const [ada, bob, cleo] = [
      await registerWriter(app, "ada"),
      await registerWriter(app, "bob"),
      await registerWriter(app, "cleo"),
    ];
    const vic = await registerPerson(app, "vic");
    const eve = await registerPerson(app, "eve");
    const albumId = await provisionAlbum(app, ada, "shared", OLD_PROTOCOL);
    await publishRoster(app, ada, albumId, 1, [
      { member: bob.userId, role: "contributor" },
      { member: cleo.userId, role: "contributor" },
      { member: vic.userId, role: "viewer" },
    ]);
    const asset = await createAsset(app, bob, "photo", { albumId });
    await test({ app, ada, bob, cleo, vic, eve, albumId, asset });
  });
}

/** Bytes of all blobs of an asset. */
export function sizeOf({ original, metadata, manifest }: LiveAsset): number {
  return original.length + metadata.length + manifest.length;
}
