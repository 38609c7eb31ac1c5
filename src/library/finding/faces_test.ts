/**
 * Who is who among faces, without pictures: vectors around a few directions, as
 * far from each other as the model's are.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  emptyState,
  type LibraryState,
  mergeStates,
} from "../../client/documents/state.ts";
import {
  DocumentError,
  NewerDocumentError,
} from "../../client/documents/fields.ts";
import { encodeCanonical } from "../../core/cbor.ts";
import {
  faceChoices,
  withFaces,
  withNotPerson,
  withPerson,
} from "./faces_choices.ts";
import {
  joined,
  type Means,
  meansOf,
  peopleIn,
  rootOf,
} from "./faces_groups.ts";
import {
  decodeFaces,
  encodeFaces,
  type Face,
  FACES,
  groupBegun,
  keptVector,
  VECTOR_LENGTH,
} from "./faces_pages.ts";
import {
  decodePage,
  emptyPage,
  encodePage,
  fileOf,
  type FindingsPage,
  mergePages,
  pictureHash,
} from "./findings_pages.ts";

/** Numbers in [0, 1) from a seed. */
function drawing(seed: number): () => number {
  let at = seed;
  return () => {
    at = Math.imul(at ^ (at >>> 15), 0x2c1b3c6d) + 0x9e3779b9 | 0;
    return ((at ^ (at >>> 13)) >>> 0) / 2 ** 32;
  };
}

/** A vector of a length in a drawn direction. */
function drawn(draw: () => number, length: number): number[] {
  const parts = Array.from(
    { length: VECTOR_LENGTH },
    () => draw() + draw() + draw() - 1.5,
  );
  const long = Math.hypot(...parts);
  return parts.map((part) => part / long * length);
}

/** Takes of a person, 0.4 from each other; people are 0.9 from each other. */
function takes(people: number, each: number, seed = 7) {
  const draw = drawing(seed);
  return Array.from({ length: people }, () => {
    const middle = drawn(draw, 0.64);
    return Array.from({ length: each }, () => {
      const off = drawn(draw, 0.28);
      return middle.map((part, at) => part + (off[at] ?? 0));
    });
  });
}

const hashOf = (number: number) =>
  (number * 2654435761 % 2 ** 32).toString(16).padStart(8, "0").repeat(8);

/** Faces with their groups, found in this order, each in a file of its own. */
function found(
  vectors: readonly (readonly number[])[],
  means: Means = { groups: [] },
  first = 1,
): Face[] {
  return vectors.map((vector, at) => {
    const sha256 = hashOf(first + at);
    const kept = keptVector(vector);
    const group = joined(means, kept, groupBegun(sha256, 0));
    const box = { x: 0.2, y: 0.4, width: 0.2, height: 0.2 };
    const bytes = encodeFaces([{ box, sure: 0.9, group, vector: kept }]);
    const [face] = decodeFaces(fileOf(sha256), bytes);
    assert(face !== undefined);
    return face;
  });
}

const unsaid = faceChoices({});
const sizes = (people: readonly { readonly faces: readonly Face[] }[]) =>
  people.map(({ faces }) => faces.length);

Deno.test("faces that are alike are of one person, however they were mixed", () => {
  const people = takes(12, 9);
  // One of each, then the next of each, and so on.
  const mixed = Array.from(
    { length: 9 },
    (_, at) => people.map((of) => of[at] ?? []),
  ).flat();
  const faces = found(mixed);
  const grouped = peopleIn(faces, unsaid);
  assert.deepEqual(sizes(grouped), Array.from({ length: 12 }, () => 9));
  for (const { faces: ofOne } of grouped) {
    const who = new Set(ofOne.map((face) => faces.indexOf(face) % 12));
    assert.equal(who.size, 1, "no one is mixed with others");
  }
});

Deno.test("two devices that find different photos see the same people once they share them", () => {
  const [one = [], other = []] = takes(2, 8, 3);
  // Each device knows nothing of the other's yet.
  const here = found([...one.slice(0, 4), ...other.slice(0, 4)]);
  const there = found(
    [...other.slice(4), ...one.slice(4)],
    { groups: [] },
    100,
  );
  const first = peopleIn([...here, ...there], unsaid);
  const second = peopleIn([...there, ...here], unsaid);
  assert.deepEqual(sizes(first), [8, 8]);
  assert.deepEqual(
    first.map(({ id }) => id),
    second.map(({ id }) => id),
  );
  assert.deepEqual(sizes(second), [8, 8]);
});

Deno.test("a new face joins the person whom it is like, and a stranger begins a group", () => {
  const [ada = [], bob = []] = takes(2, 6, 11);
  const known = peopleIn(
    found([...ada.slice(0, 5), ...bob.slice(0, 2)]),
    unsaid,
  );
  const means = meansOf(known);
  const [again, stranger] = found(
    [ada[5] ?? [], drawn(drawing(99), 0.64)],
    means,
    50,
  );
  assert.equal(again?.group, known[0]?.id);
  assert.equal(stranger?.group, groupBegun(hashOf(51), 0));
  assert(known.every(({ id }) => id !== stranger?.group));
});

Deno.test("who is merged stays merged, also where two devices merged them into each other", () => {
  const [ada = [], bob = []] = takes(2, 4, 5);
  const faces = found([...ada, ...bob]);
  const [first, second] = peopleIn(faces, unsaid).map(({ id }) => id);
  assert(first !== undefined && second !== undefined);
  const one = withPerson({}, first, { into: second, name: "Ada" }, 1_000);
  const both = withPerson(one, second, { into: first, name: "Ada" }, 1_001);
  for (const settings of [one, both]) {
    const merged = peopleIn(faces, faceChoices(settings));
    assert.deepEqual(sizes(merged), [8]);
  }
  const said = faceChoices(both);
  assert.equal(rootOf(first, said), rootOf(second, said));
});

Deno.test("a face that is not hers is another's, and does not come back", () => {
  const [ada = []] = takes(1, 5, 21);
  const faces = found(ada);
  const [person] = peopleIn(faces, unsaid);
  const [wrong] = faces;
  assert(person !== undefined && wrong !== undefined);
  const settings = withNotPerson(
    withPerson({}, person.id, { name: "Ada" }, 1_000),
    wrong.id,
    person.id,
    1_000,
  );
  const people = peopleIn(faces, faceChoices(settings));
  assert.deepEqual(sizes(people), [4, 1]);
  assert.equal(people[0]?.id, person.id);
  assert.deepEqual(people[1]?.faces, [wrong]);
  // Of no group that a further face could be kept with.
  assert.equal(meansOf(people).groups.length, 1);
});

Deno.test("two people with names are never taken for one", () => {
  const [ada = []] = takes(1, 6, 31);
  const faces = found(ada).map((face, at) => ({
    ...face,
    group: groupBegun(hashOf(at < 3 ? 1 : 2), 0),
  }));
  assert.deepEqual(sizes(peopleIn(faces, unsaid)), [6]);
  const named = [1, 2].reduce<LibraryState["settings"]>(
    (settings, at) =>
      withPerson(settings, groupBegun(hashOf(at), 0), { name: `${at}` }, 1),
    {},
  );
  assert.deepEqual(sizes(peopleIn(faces, faceChoices(named))), [3, 3]);
});

Deno.test("turned off, names and groups are forgotten on every device, and a later era wins", () => {
  const on = withFaces({}, true, 1_000);
  const named = withNotPerson(
    withPerson(on, "0123456789abcdef", { name: " Ada " }, 1_001),
    "x.0",
    "0123456789abcdef",
    1_002,
  );
  assert.equal(faceChoices(named).persons.get("0123456789abcdef")?.name, "Ada");
  const off = withFaces(named, false, 1_500);
  assert.deepEqual(faceChoices(off), {
    isOn: false,
    era: 1_500,
    persons: new Map(),
    notIn: new Map(),
  });
  const stateOf = (settings: LibraryState["settings"]): LibraryState => ({
    ...emptyState(),
    settings,
  });
  const merged = mergeStates(stateOf(off), stateOf(named)).settings;
  assert.equal(faceChoices(merged).persons.size, 0);
  // The clock of the device that turns it on again is behind.
  assert.equal(faceChoices(withFaces(off, true, 900)).era, 1_501);
});

Deno.test("pages keep faces to the byte, and merge to the same in any order", () => {
  const [ada = []] = takes(1, 3, 41);
  const faces = found(ada);
  const pageOf = (era: number, some: readonly Face[]): FindingsPage => ({
    v: 1,
    era,
    files: Object.fromEntries(
      some.map((face) => [face.file, encodeFaces([face])]),
    ),
  });
  const page = pageOf(5, faces);
  const again = decodePage(FACES, encodePage(page));
  assert.deepEqual(again, page);
  for (const face of faces) {
    const [read] = decodeFaces(
      face.file,
      again.files[face.file] ?? new Uint8Array(),
    );
    assert.deepEqual(read, face);
  }
  const [a, b] = [pageOf(5, faces.slice(0, 2)), pageOf(5, faces.slice(1))];
  assert.deepEqual(encodePage(mergePages(a, b)), encodePage(page));
  assert.deepEqual(encodePage(mergePages(b, a)), encodePage(page));
  const later = emptyPage(6);
  assert.deepEqual(mergePages(page, later), later);
  assert.deepEqual(mergePages(later, page), later);
});

Deno.test("what is no page is refused, and one of a later version is not written over", () => {
  for (
    const value of [
      [],
      { v: 1, era: 1 },
      { v: 1, era: 1, files: { a: new Uint8Array(7) } },
      { v: 1, era: 1, files: { a: "text" } },
    ]
  ) {
    assert.throws(
      () => decodePage(FACES, encodeCanonical(value)),
      DocumentError,
    );
  }
  assert.throws(() => decodePage(FACES, new Uint8Array([255])), DocumentError);
  assert.throws(
    () => decodePage(FACES, encodeCanonical({ v: 2, era: 1, files: {} })),
    NewerDocumentError,
  );
});

Deno.test("a photo that was turned or cut is another picture, and one that is only brighter is not", () => {
  const sha256 = hashOf(1);
  const whole = pictureHash({ sha256 });
  assert.equal(whole, sha256);
  assert.equal(pictureHash({ sha256, edit: { brightness: 20 } }), sha256);
  const crop = { x: 0, y: 0.1, width: 1, height: 0.5 };
  const hashes = [
    whole,
    ...[{ turns: 1 }, { turns: 2 }, { mirrored: true }, { angle: 3 }, { crop }]
      .map((edit) => pictureHash({ sha256, edit })),
  ];
  assert.equal(new Set(hashes.map(fileOf)).size, hashes.length);
  assert.equal(
    pictureHash({ sha256, edit: { turns: 1, contrast: 9 } }),
    pictureHash({ sha256, edit: { turns: 1 } }),
  );
});
