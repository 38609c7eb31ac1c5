/**
 * Which program made an export, judged by the paths in it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { kindOf } from "../../src/media/exports/export_kinds.ts";

for (
  const [kind, paths] of [
    ["takeout", ["Takeout/Google Fotos/Fotos von 2024/a.jpg"]],
    // The folder itself was chosen, so its name is not among the paths.
    ["takeout", ["Google Photos/Walks/a.jpg.supplemental-meta.json"]],
    ["takeout", ["Google Photos/Walks/a.jpg(1).json", "x/a(1).jpg"]],
    ["apple", ["Photos/IMG_1.HEIC", "Photos/Photo Details.csv"]],
    ["apple", ["iCloud-bilder Del 1 av 6/Photos/Photo Details-23.csv"]],
    ["apple", ["a/IMG_1.HEIC", "a/IMG_1.HEIC.xmp", "a/IMG_1.AAE"]],
    ["apple", ["IMG_1.HEIC.xmp", "IMG_1_edited.jpeg"]],
    ["immich", ["library/ada/2022/a.jpg", "thumbs/ada/a.webp"]],
    ["immich", ["upload/ada/1f/a.jpg", "upload/ada/1f/a.jpg.xmp"]],
    ["ente", ["Walks/a.jpg", "Walks/metadata/a.jpg.json"]],
    ["ente", ["Walks/a.jpg", "Walks/.meta/album_meta.json"]],
    ["other", ["library/a.jpg", "b/c.jpg"]],
    ["other", ["a.jpg", "a.jpg.xmp"]],
    ["other", []],
  ] as const
) {
  Deno.test(`an export with ${paths.join(" and ") || "nothing"} is one of ${kind}`, () => {
    assert.equal(kindOf(paths), kind);
  });
}
