/**
 * The calls of the web app that store small pictures of a photo, in front of a
 * real library.
 *
 * @module
 */
import assert from "node:assert/strict";
import { lacksPictures } from "../../src/library/adding/drawn_itself.ts";
import type { Library, Row } from "../../src/library/mod.ts";
import { photo, withCast } from "../support/album_cast.ts";
import { withCanvas } from "../support/canvas.ts";
import { fileOf } from "../support/library.ts";
import { damageBlob } from "../support/storage.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** What a thread of the app makes of a photo. */
interface Made {
  readonly width: number;
  readonly height: number;
  readonly smaller: readonly (ReturnType<typeof small>)[];
  readonly thumbhash: Bytes;
}

/** What these tests call. The modules themselves want the types of a browser. */
interface Calls {
  blob(id: string, part: "original"): Promise<Blob>;
  complete(id: string, made: Made): Promise<void>;
  renew(id: string, original: Blob, made: Made): Promise<void>;
}
interface Worker {
  viewingCalls(context: unknown): Calls;
  photoInfo(row: Row, flags: number): Parameters<typeof lacksPictures>[0];
  readonly pictureCalls: {
    small(file: Blob, mime: string): Promise<{ readonly value?: Made }>;
  };
}

const at = (path: string) =>
  new URL(`../../src/web/workers/${path}`, import.meta.url).href;
const { viewingCalls, photoInfo, pictureCalls }: Worker = {
  ...await import(at("media/viewing_calls.ts")),
  ...await import(at("library/photo_info.ts")),
  ...await import(at("media/pictures/calls.ts")),
};

/** What of the vault the calls use, and how many alarms pages were told of. */
function callsOf(library: Library) {
  const alarms: number[] = [];
  const calls = viewingCalls({
    opened: () => library,
    changed: () => {},
    view: () => ({ isShut: () => false }),
    tell: (_: "alarms", { count }: { count: number }) => alarms.push(count),
  });
  return { calls, alarms };
}

const small = (kind: "preview" | "thumbnail", side: number) => ({
  kind,
  mime: "image/jpeg",
  width: side,
  height: side,
  bytes: photo(`${kind} ${side}`),
});
const SIDES = { width: 900, height: 900 };
const MADE: Made = {
  ...SIDES,
  smaller: [small("preview", 900), small("thumbnail", 512)],
  thumbhash: photo("colours").slice(0, 20),
};

/** The kinds and sides of a photo's small pictures. */
const smallOf = ({ index }: Library, id: string) =>
  index.get(id)?.metadata?.derivatives.map(({ kind, width }) =>
    `${kind} ${width}`
  ).sort();

const SAMPLES = [
  ["image/jpeg", "../samples/cat.jpg", ["thumbnail 451"]],
  // Only the app's own decoder knows it.
  ["image/heic", "../support/media/camera.heic", ["thumbnail 64"]],
] as const;
for (const [mime, path, wanted] of SAMPLES) {
  Deno.test(`the small picture of an ${mime} that the server lost is made again, and the photo keeps its caption`, async () => {
    await withCast(async ({ app, ada }) => {
      const bytes = await Deno.readFile(new URL(path, import.meta.url));
      const { about, source } = fileOf("walk", bytes);
      const { row } = await ada.take({
        source,
        about: { ...about, mime, caption: "At the gate" },
        derivatives: [small("thumbnail", 500)],
      });
      const lost = row.blobs.find(({ role }) => role === "derivative");
      await damageBlob(app, lost?.hash ?? "", "a missing file");

      const { calls, alarms } = callsOf(ada);
      const original = await calls.blob(row.id, "original");
      const { value: made } = await withCanvas(() =>
        pictureCalls.small(original, mime)
      );
      assert.ok(made !== undefined);
      await calls.renew(row.id, original, made);
      const now = ada.index.get(row.id);
      // Of what was made, it gets what it had.
      assert.deepEqual(smallOf(ada, row.id), wanted);
      assert.ok(now?.blobs.every(({ hash }) => hash !== lost?.hash));
      const { mime: is, caption } = now?.metadata ?? {};
      assert.deepEqual([is, caption], [mime, "At the gate"]);
      const { missing, damaged } = await ada.confirm({ deep: true });
      assert.deepEqual([missing, damaged, alarms], [[], [], [0]]);
    });
  });
}

Deno.test("the small picture that EXIF had is replaced once a browser decodes the photo, and one that was made stays", async () => {
  await withCast(async ({ ada }) => {
    const given = [
      ["exif", [small("thumbnail", 160)], ["preview 900", "thumbnail 512"]],
      ["bare", [], ["preview 900", "thumbnail 512"]],
      ["made", [small("thumbnail", 500)], ["thumbnail 500"]],
    ] as const;
    for (const [name, derivatives, wanted] of given) {
      const { about, source } = fileOf(name, photo(name));
      const { row } = await ada.take({
        source,
        about: { ...about, ...SIDES },
        derivatives,
      });
      // The page asks for them by what it is told of the photo.
      assert.equal(lacksPictures(photoInfo(row, 0)), name !== "made", name);
      await callsOf(ada).calls.complete(row.id, MADE);
      assert.deepEqual(smallOf(ada, row.id), wanted, name);
    }
  });
});
