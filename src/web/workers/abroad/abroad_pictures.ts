/**
 * Small pictures of albums of other servers. They are cached as they arrived,
 * like the account's own.
 *
 * @module
 */
import type { PartCache } from "../../../library/mod.ts";
import type { Thumbnail } from "../library/photo_lists.ts";
import { pictureOf } from "../library/photo_table.ts";
import { thumbnailOf } from "../media/thumbnail.ts";
import type { AbroadAlbums, PhotoAbroad } from "./abroad_albums.ts";

/** Small pictures, in the order of the ids. */
export async function thumbnailsAbroad(
  albums: AbroadAlbums,
  ids: readonly string[],
  cache: PartCache,
): Promise<readonly Thumbnail[]> {
  const photos = ids.map((id) => albums.photo(id));
  const read = new Map<PhotoAbroad, Awaited<ReturnType<typeof readSome>>[0]>();
  const known = photos.filter((one) => one !== undefined);
  for (const some of Map.groupBy(known, ({ reading }) => reading).values()) {
    const parts = await readSome(some, cache);
    for (const [at, one] of some.entries()) read.set(one, parts[at] ?? "none");
  }
  return await Promise.all(
    ids.map((id, at) => {
      const photo = photos[at];
      const got = photo === undefined ? undefined : read.get(photo);
      return thumbnailOf(id, got ?? "none");
    }),
  );
}

/** Reads pictures of one album. */
async function readSome(photos: readonly PhotoAbroad[], cache: PartCache) {
  const wanted = photos.map((photo) => ({
    assetId: photo.assetId,
    wanted: pictureOf(photo.row),
  }));
  const parts = wanted.flatMap(({ assetId, wanted }) =>
    wanted === undefined ? [] : [{ assetId, wanted }]
  );
  const [first] = photos;
  const read = await first?.reading.readMany(parts, { cache }) ?? [];
  const all = read.values();
  return wanted.map(({ wanted }) =>
    wanted === undefined ? "none" : all.next().value ?? "none"
  );
}
