/**
 * Which faces are of one person. A face that is found joins the person whose
 * faces are most like it, or begins a group; that is kept with it, so every
 * device sees the same groups, and a new face is compared with people and not
 * with every face. People whose faces turn out to be alike are brought
 * together, in the same way on every device, and a person's own word comes
 * before all of it.
 *
 * @module
 */
import type { FaceChoices } from "./faces_choices.ts";
import { type Face, ofModel, VECTOR_LENGTH } from "./faces_pages.ts";

/**
 * A face joins a person if it is not farther from the mean of their faces, in
 * the measure of the model. See `faces.md` for the distances that were
 * measured.
 */
const JOINS = ofModel(0.47);
/** Groups whose means are not farther from each other are one person. */
const MERGES = ofModel(0.4);
/** Of a face that is taken for a face without a doubt, at least: 0 to 1. */
const SURE = 0.8;
/** The groups that a face can be kept with. */
const GROUP = /^[0-9a-f]{16}$/;
/** The first numbers of a vector, which rule most others out. */
const FIRST = 32;

/** A person, known or not. */
export interface Person {
  /** The group that stands for them: 16 hex digits. */
  readonly id: string;
  readonly faces: readonly Face[];
}

/** The means of people's faces, to which new ones are added. */
export interface Means {
  readonly groups: Mean[];
}

interface Mean {
  readonly id: string;
  readonly sum: Float64Array;
  count: number;
  readonly mean: Float32Array;
}

/** All people, those of most faces first. */
export function peopleIn(
  faces: Iterable<Face>,
  choices: FaceChoices,
): readonly Person[] {
  const groups = new Map<string, Face[]>();
  for (const face of faces) {
    const id = groupOf(face, choices);
    const held = groups.get(id);
    if (held === undefined) groups.set(id, [face]);
    else held.push(face);
  }
  const people = new Map<string, Face[]>();
  const accepted: Mean[] = [];
  for (const [id, faces] of inOrder(groups, choices)) {
    const mean = meanOf(id, faces);
    const like = choices.persons.has(id)
      ? undefined
      : nearest(mean.mean, accepted, MERGES, (one) =>
        !faces.some((face) =>
          isNot(face, one, choices)
        ));
    if (like === undefined) {
      accepted.push(mean);
      people.set(id, faces);
    } else people.get(like.id)?.push(...faces);
  }
  return [...people].map(([id, faces]) => ({ id, faces }))
    .toSorted((a, b) => b.faces.length - a.faces.length || order(a.id, b.id));
}

/** The means of people, to find the groups of new faces by. */
export function meansOf(people: readonly Person[]): Means {
  const kept = people.filter(({ id }) => GROUP.test(id));
  return { groups: kept.map(({ id, faces }) => meanOf(id, faces)) };
}

/**
 * The group for a new face: that of the person who is most like it, or `own` if
 * no one is. It counts among the means from then on.
 */
export function joined(
  means: Means,
  vector: Int8Array,
  own: string,
): string {
  const found = nearest(vector, means.groups, JOINS, () => true);
  if (found === undefined) {
    means.groups.push(meanOf(own, [{ vector }]));
    return own;
  }
  add(found, vector);
  return found.id;
}

/**
 * The files with a face that is surely a person's: near the middle of their
 * faces, and not only within the distance at which a face joins them.
 */
export function sureFiles({ id, faces }: Person): ReadonlySet<string> {
  const mean = meanOf(id, faces);
  return new Set(
    faces.filter(({ sure, vector }) =>
      sure >= SURE && nearest(vector, [mean], MERGES, () => true) !== undefined
    ).map(({ file }) => file),
  );
}

/** The group of a face, as far as people have said something of it. */
function groupOf(face: Face, choices: FaceChoices): string {
  const { group } = face;
  const root = rootOf(group, choices);
  return isNot(face, root, choices) ? rootOf(ownGroup(face), choices) : root;
}

/** The group of a face that is not the person it was taken for. */
function ownGroup({ id }: Pick<Face, "id">): string {
  // One of its own: no face begins a group by such a name.
  return `not-${id}`;
}

function isNot({ id }: Face, person: string, choices: FaceChoices): boolean {
  return choices.notIn.get(id)?.some((one) =>
    rootOf(one, choices) === person
  ) ?? false;
}

/** The group that a group was merged into, or itself. */
export function rootOf(
  id: string,
  { persons }: Pick<FaceChoices, "persons">,
): string {
  const passed = [id];
  for (;;) {
    const at = passed.at(-1) ?? id;
    const into = persons.get(at)?.into;
    if (into === undefined) return at;
    const again = passed.indexOf(into);
    // Two devices may have merged two people into each other.
    if (again >= 0) return passed.slice(again).toSorted(order)[0] ?? at;
    passed.push(into);
  }
}

/** Those that a person named first, then those of most faces. */
function inOrder(
  groups: ReadonlyMap<string, Face[]>,
  { persons }: FaceChoices,
): readonly (readonly [string, Face[]])[] {
  const rank = (id: string) => persons.has(id) ? 0 : 1;
  return [...groups].toSorted(([a, one], [b, other]) =>
    rank(a) - rank(b) || other.length - one.length || order(a, b)
  );
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function meanOf(id: string, faces: readonly Pick<Face, "vector">[]): Mean {
  const mean: Mean = {
    id,
    sum: new Float64Array(VECTOR_LENGTH),
    count: 0,
    mean: new Float32Array(VECTOR_LENGTH),
  };
  for (const { vector } of faces) add(mean, vector);
  return mean;
}

function add(to: Mean, vector: Int8Array): void {
  to.count += 1;
  for (let at = 0; at < VECTOR_LENGTH; at++) {
    const sum = (to.sum[at] ?? 0) + (vector[at] ?? 0);
    to.sum[at] = sum;
    to.mean[at] = sum / to.count;
  }
}

/** The nearest mean that is within a distance. */
function nearest(
  vector: Int8Array | Float32Array,
  among: readonly Mean[],
  within: number,
  allowed: (id: string) => boolean,
): Mean | undefined {
  let [found, least]: [Mean | undefined, number] = [undefined, within * within];
  for (const one of among) {
    let far = squares(vector, one.mean, 0, FIRST);
    if (far > least) continue;
    far += squares(vector, one.mean, FIRST, VECTOR_LENGTH);
    if (far > least || !allowed(one.id)) continue;
    [found, least] = [one, far];
  }
  return found;
}

function squares(
  one: Int8Array | Float32Array,
  other: Float32Array,
  from: number,
  to: number,
): number {
  let sum = 0;
  for (let at = from; at < to; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    sum += difference * difference;
  }
  return sum;
}
