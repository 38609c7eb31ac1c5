/**
 * What things in pictures are called when people search.
 *
 * @module
 */
import assert from "node:assert/strict";
import { encodeCanonical } from "../../core/cbor.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import {
  MOST_THINGS,
  THING_COUNT,
  THINGS,
} from "../../media/pictures/things.ts";
import { decodePage } from "./findings_pages.ts";
import { THINGS as KEPT } from "./picture_things.ts";
import { thingNames, thingsLike } from "./thing_names.ts";

const namesOf = (...things: string[]) =>
  thingNames(Uint8Array.from(things.map((one) => THINGS.indexOf(one))))
    .split("\n");

Deno.test("everything has names, in small letters without marks", () => {
  for (const thing of THINGS) {
    const names = namesOf(thing);
    assert(names.length >= 1 && names[0] !== "", thing);
    for (const name of names) {
      assert.equal(name, name.toLowerCase(), thing);
      assert.match(name, /^[a-z0-9'-]+$/, thing);
    }
  }
});

Deno.test("a thing is called by its kind, too, and one and many in each language", () => {
  const cat = namesOf("cat");
  for (
    const name of "cat cats katze katzen chat gato gatti kat koty".split(" ")
  ) {
    assert(cat.includes(name), name);
  }
  for (const name of "animal tiere animaux pets zwierze".split(" ")) {
    assert(cat.includes(name), name);
  }
  assert(!cat.includes("dog"));
  // What is no animal is not called by one.
  for (const thing of ["hot-dog", "teddy-bear"]) {
    const names = namesOf(thing);
    assert(!names.includes("dog") && !names.includes("bear"), thing);
  }
  const both = namesOf("cat", "cup");
  assert(both.includes("cats") && both.includes("mug"));
  assert.deepEqual(thingNames(undefined), "");
  assert.deepEqual(thingNames(new Uint8Array()), "");
});

Deno.test("names that begin as what is typed are offered for the things that there are", () => {
  const [car, cat, elephant] = ["car", "cat", "elephant"]
    .map((one) => THINGS.indexOf(one));
  assert(car !== undefined && cat !== undefined && elephant !== undefined);
  assert.deepEqual(thingsLike("ca", [cat, car]), ["cat", "car"]);
  assert.deepEqual(thingsLike("katz", [cat, car]), ["katze"]);
  assert.deepEqual(thingsLike("elep", [elephant]), ["elephant"]);
  assert.deepEqual(thingsLike("dog", [cat, car]), []);
});

Deno.test("a page with malformed things of a picture is refused", () => {
  const page = (things: readonly number[]) =>
    encodeCanonical({ v: 1, era: 1, files: { one: Uint8Array.from(things) } });
  assert.deepEqual(
    decodePage(KEPT, page([15, THING_COUNT - 1])).files["one"],
    Uint8Array.from([15, THING_COUNT - 1]),
  );
  for (
    const things of [[THING_COUNT], [255], Array(MOST_THINGS + 1).fill(1)]
  ) {
    assert.throws(() => decodePage(KEPT, page(things)), DocumentError);
  }
});
