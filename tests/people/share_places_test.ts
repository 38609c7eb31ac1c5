/**
 * What `share` hands out of photos that contain where they were taken.
 *
 * @module
 */
import assert from "node:assert/strict";
import { concatBytes } from "../../src/core/bytes.ts";
import { newAccount, withTown } from "../support/people_commands.ts";
import { withoutDecoder } from "../support/refused_pictures.ts";
import { viewed } from "../support/viewed_links.ts";

const PHOTO = new URL("../support/media/camera.jpg", import.meta.url);
const HEIC = new URL("../support/media/camera.heic", import.meta.url);

/** The EXIF of a photo with a place, in a picture of that width. */
async function photoOf(
  width: number,
  exifOf: Uint8Array,
): Promise<Uint8Array> {
  const height = 40;
  const pixels = new Uint8ClampedArray(width * height * 4).fill(200);
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(
    await createImageBitmap(new ImageData(pixels, width, height)),
  );
  const blob = await canvas.convertToBlob({ type: "image/jpeg" });
  const picture = await blob.bytes();
  // FF E1, the length of the segment with itself, "Exif".
  const at = exifOf.findIndex((byte, i) =>
    byte === 0xff && exifOf[i + 1] === 0xe1
  );
  const length = ((exifOf[at + 2] ?? 0) << 8) + (exifOf[at + 3] ?? 0);
  return concatBytes(
    picture.subarray(0, 2),
    exifOf.subarray(at, at + 2 + length),
    picture.subarray(2),
  );
}

function tellsPlace(bytes: Uint8Array): boolean {
  return new TextDecoder("latin1").decode(bytes).includes("Exif");
}

Deno.test("a link shows no place unless its author says so", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const camera = await Deno.readFile(PHOTO);
    const large = await photoOf(2_400, camera);
    assert.ok(tellsPlace(large));
    await laptop.write("in/walk/large.jpg", large);
    await laptop.write("in/walk/middle.jpg", await photoOf(1_200, camera));
    await laptop.write("in/walk/tiny.jpg", await photoOf(300, camera));
    const heic = await Deno.readFile(HEIC);
    await laptop.write("in/walk/iphone.heic", heic);
    // Nothing decodes this one: there is nothing to show instead.
    await laptop.write("in/walk/broken.heic", withoutDecoder(heic));
    await laptop.write("in/walk/notes.txt", "no place at all");
    await laptop.done("push", laptop.path("in"));

    const shared = await laptop.run("share", "walk");
    assert.equal(shared.status, 0, shared.stderr);
    assert.match(
      shared.stderr,
      /1 file left out, because they may contain a location: broken\.heic/,
    );
    assert.match(
      shared.stderr,
      /4 files are smaller copies without their location \(--with-places\)/,
    );
    const seen = await viewed(shared.stdout.trim());
    assert.deepEqual(
      seen.map(({ name }) => name).sort(),
      ["iphone.jpg", "large.jpg", "middle.jpg", "notes.txt", "tiny.jpg"],
    );
    assert.ok(seen.every(({ bytes }) => !tellsPlace(bytes)));

    // Nothing would be left: nothing is shared.
    const none = await laptop.run("share", "broken");
    assert.equal(none.status, 1);
    assert.match(none.stderr, /broken\.heic.*--with-places/);
    assert.equal((await laptop.done("links", "ls")).split("\n").length, 3);

    // Everything is shared by whoever says so, not by an empty variable.
    for (
      const [args, said] of [
        [["share"], /or --all/],
        [["share", "walk", "--all"], /or --all/],
        [["share", ""], /no word was given/],
        [["rm", "", " ", "--yes"], /no word was given/],
        [["share", "everything"], /nothing was found for "everything"/],
      ] as const
    ) {
      const { status, stderr } = await laptop.run(...args);
      assert.equal(status, 1, args.join(" "));
      assert.match(stderr, said);
    }
    const whole = await laptop.done("share", "--all", "--with-places");
    const all = await viewed(whole.trim());
    assert.equal(all.length, 6);
    assert.deepEqual(
      all.find(({ name }) => name === "large.jpg")?.bytes,
      large,
    );
  });
});
