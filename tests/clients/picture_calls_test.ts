/**
 * The calls of the web app's media threads about files that are added.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Bytes, utf8 } from "../../src/core/bytes.ts";
import { withCanvas } from "../support/canvas.ts";
import { liveStill, liveVideo } from "../support/live_pairs.ts";

/** What these tests call. The module itself wants the types of a browser. */
interface Calls {
  livePhotos(given: readonly { file: Blob; path: string }[]): Promise<{
    readonly pairs: readonly (readonly [number, number])[];
    readonly besides: readonly number[];
  }>;
  describe(given: {
    readonly file: Blob;
    readonly name: string;
    readonly folder: string;
    readonly modifiedAt: number;
  }): Promise<{
    readonly value: { readonly derivatives: readonly { kind: string }[] };
  }>;
}

const CALLS = new URL(
  "../../src/web/workers/media/pictures/calls.ts",
  import.meta.url,
);
const { pictureCalls }: { pictureCalls: Calls } = await import(CALLS.href);

Deno.test("a picture of few pixels gets a thumbnail only where its file is large", async () => {
  const cat = await Deno.readFile(
    new URL("../samples/thumbnails/cat.jpg", import.meta.url),
  );
  // What moves is in such files, or the video of a motion photo.
  const large = new Uint8Array(600_000);
  large.set(cat);
  const madeOf = async (bytes: Bytes) => {
    const { value } = await pictureCalls.describe({
      file: new Blob([bytes]),
      name: "cat.jpg",
      folder: "",
      modifiedAt: 0,
    });
    return value.derivatives.map(({ kind }) => kind);
  };
  await withCanvas(async () => {
    assert.deepEqual(await madeOf(cat), []);
    assert.deepEqual(await madeOf(large), ["thumbnail"]);
  });
});

Deno.test("a renamed pair is one live photo by its content identifier, and a still of its name is named", async () => {
  const files: readonly [path: string, bytes: Bytes][] = [
    ["beach.jpg", liveStill("beach", "1111-2222")],
    ["sea.MOV", liveVideo("sea", "1111-2222")],
    ["IMG_1.JPG", liveStill("camera", "3333-4444")],
    ["IMG_1.png", liveStill("edited")],
    ["IMG_1.MOV", liveVideo("film", "3333-4444")],
    // Of one name, and of two cameras.
    ["IMG_2.JPG", liveStill("one", "5555-6666")],
    ["IMG_2.MOV", liveVideo("other", "7777-8888")],
    ["notes.txt", utf8("no picture")],
  ];
  const { pairs, besides } = await pictureCalls.livePhotos(
    files.map(([path, bytes]) => ({ path, file: new Blob([bytes]) })),
  );
  const nameOf = (at: number) => files[at]?.[0];
  assert.deepEqual(pairs.map((pair) => pair.map(nameOf)).toSorted(), [
    ["IMG_1.JPG", "IMG_1.MOV"],
    ["beach.jpg", "sea.MOV"],
  ]);
  assert.deepEqual(besides.map(nameOf), ["IMG_1.png"]);
});
