/**
 * The vault's calls about people in photos. The thread that looks for faces
 * gets pictures from the page, and knows neither keys nor names.
 *
 * @module
 */
import type { LookedAt } from "../../../library/finding/faces.ts";
import { type FaceBox, FACES } from "../../../library/finding/faces_pages.ts";
import { pictureHash } from "../../../library/finding/findings_pages.ts";
import type { Person } from "../../../library/finding/faces_groups.ts";
import type { PersonChoice } from "../../../library/finding/faces_choices.ts";
import type { Row } from "../../../library/mod.ts";
import { plainText } from "../../../media/plain_text.ts";
import type { VaultContext } from "../vault/context.ts";
import { choice, facesOf, isOn, personIn, rowsWith } from "./faces_loader.ts";
import { fileOfRow } from "./file_of_row.ts";
import { lookingQueue, type PictureOfPhoto } from "./looking_queue.ts";
import type { Noun } from "../library/photo_lists.ts";
import { nounOfRows, pictureOf } from "../library/photo_table.ts";

/** A face to draw: a part of the small picture of a photo. */
export interface FaceShown {
  readonly id: string;
  readonly photo: string;
  readonly box: FaceBox;
}

/** A person on the page of people. */
export interface PersonCard {
  /** The group of faces that stands for them. */
  readonly id: string;
  readonly name?: string;
  readonly hidden: boolean;
  readonly count: number;
  readonly noun: Noun;
  readonly face: FaceShown;
}

/** The page of people. */
export interface PeoplePage {
  readonly isOn: boolean;
  /** Those with names first, then those of most photos. */
  readonly people: readonly PersonCard[];
  /** Photos that no device has looked at, and this one may. */
  readonly left: number;
  /** Photos that this device passes over, and another one may look at. */
  readonly passed: number;
  /** The account's pages of faces take no more. */
  readonly isFull: boolean;
}

/** The page of one person. */
export interface PersonPage extends PersonCard {
  /** They are in no memory. */
  readonly forgotten: boolean;
}

/** A person in a photo. */
type PersonInPhoto = Pick<PersonCard, "id" | "name" | "face">;

/** What was found in a photo. */
export interface PhotoLooked extends PictureOfPhoto {
  readonly faces: LookedAt["faces"];
}

/** The calls of the group `faces`. */
export function faceCalls(context: VaultContext) {
  const { found: faces, shown: shownRows, ...queue } = lookingQueue(
    context,
    {
      name: FACES.name,
      choice,
      of: facesOf,
      isToLookAt: (row) => pictureOf(row) !== undefined,
    },
  );
  const { unseen, next, pass, leave, mayLookAt, passUntaken } = queue;
  /** The people in photos that are shown now. */
  const cards = async (): Promise<readonly PersonCard[]> => {
    const held = await faces();
    const rows = new Map<string, Row>();
    for (const [row] of shownRows()) {
      const file = fileOfRow(row);
      if (file !== undefined && !rows.has(file)) rows.set(file, row);
    }
    return held.people().flatMap((person) => {
      const card = cardOf(person, held.choiceOf(person.id), rows);
      return card === undefined ? [] : [card];
    });
  };
  const changing = async (work: Promise<void>) => {
    await work;
    context.changed();
  };
  return {
    /** Whether faces are to be looked for. */
    isOn: () => isOn(context.opened()),
    async people(): Promise<PeoplePage> {
      if (!isOn(context.opened())) {
        // Where turning it off was cut short, it is ended now.
        faces().catch(() => {});
        return { isOn: false, people: [], left: 0, passed: 0, isFull: false };
      }
      const { isFull } = await faces();
      const people = (await cards()).toSorted((a, b) =>
        Number(b.name !== undefined) - Number(a.name !== undefined) ||
        b.count - a.count
      );
      const { rows, passed } = await unseen();
      return { isOn: true, people, left: rows.length, passed, isFull };
    },
    /** One person; undefined if no photo of theirs is shown. */
    async person(id: string): Promise<PersonPage | undefined> {
      if (!isOn(context.opened())) return undefined;
      const held = await faces();
      const root = personIn(held, id)?.id;
      const card = (await cards()).find((one) => one.id === root);
      return card && {
        ...card,
        forgotten: held.choiceOf(card.id).forgotten === true,
      };
    },
    /** Who is in a photo, from left to right; hidden people are not. */
    async inPhoto(photo: string): Promise<readonly PersonInPhoto[]> {
      const library = context.opened();
      const row = library.index.get(photo);
      if (!isOn(library) || row === undefined) return [];
      const file = fileOfRow(row);
      const held = await faces();
      return held.people().flatMap(({ id, faces }) => {
        const { name, hidden } = held.choiceOf(id);
        const found = faces.find((face) => face.file === file);
        if (found === undefined || hidden === true) return [];
        const face = { id: found.id, photo, box: found.box };
        return [{ id, ...(name === undefined ? {} : { name }), face }];
      }).toSorted((a, b) => a.face.box.x - b.face.box.x);
    },
    /** The faces of a person, in photos that are shown. */
    async facesOf(id: string): Promise<readonly FaceShown[]> {
      const person = personIn(await faces(), id);
      const files = new Set(person?.faces.map(({ file }) => file));
      const rows = new Map(
        rowsWith(context.view().found(), files)
          .map(([row]) => [fileOfRow(row) ?? "", row.id] as const),
      );
      return person?.faces.flatMap(({ id, file, box }) => {
        const photo = rows.get(file);
        return photo === undefined ? [] : [{ id, photo, box }];
      }) ?? [];
    },
    /** Turns it on, or off and deletes everything. */
    turn: async (isOn: boolean) =>
      await changing((await facesOf(context.opened())).turn(isOn)),
    /**
     * Names a person. If someone else is called so, nothing is changed and
     * their id is returned.
     */
    async name(id: string, name: string): Promise<string | undefined> {
      const held = await faces();
      const plain = plainText(name.trim());
      const other = held.people().find((one) =>
        one.id !== personIn(held, id)?.id &&
        plainText(held.choiceOf(one.id).name ?? "") === plain
      );
      if (other !== undefined && plain !== "") return other.id;
      await changing(held.change(personIn(held, id)?.id ?? id, { name }));
      return undefined;
    },
    /** Says that a person is the same as another. */
    merge: async (id: string, into: string) =>
      await changing((await faces()).merge(id, into)),
    /** Hides a person, or leaves them out of memories; or takes that back. */
    change: async (
      id: string,
      change: Pick<PersonChoice, "hidden" | "forgotten">,
    ) => await changing((await faces()).change(id, change)),
    /** Says that faces are of someone else. */
    exclude: async (ids: readonly string[], person: string) =>
      await changing((await faces()).exclude(ids, person)),

    /** Photos to look at next; empty at the end, or if it is off. */
    next: async (most: number): Promise<readonly PictureOfPhoto[]> =>
      (await next(most)).flatMap(({ id, metadata }) =>
        metadata === undefined ? [] : [{ id, hash: pictureHash(metadata) }]
      ),
    /** Passes over pictures that cannot be had now. */
    pass,
    /** Leaves to other devices what this one cannot look at. */
    leave,
    /** Keeps what was found. */
    async note(looked: readonly PhotoLooked[]): Promise<void> {
      const may = looked.filter((one) => mayLookAt(one) !== undefined);
      await (await faces()).note(may);
      await passUntaken(may);
      // Every page draws itself again: not for photos without people.
      if (looked.some(({ faces }) => faces.length > 0)) context.changed();
    },
    /** Tells the pages of it, and the account's other devices if it is due. */
    tell: async () => await changing((await faces()).sendDue()),
  };
}

function cardOf(
  { id, faces }: Person,
  { name, hidden = false }: PersonChoice,
  rows: ReadonlyMap<string, Row>,
): PersonCard | undefined {
  const shown = new Map<string, Row>();
  let [best, face]: [number, FaceShown | undefined] = [-1, undefined];
  for (const one of faces) {
    const row = rows.get(one.file);
    if (row === undefined) continue;
    shown.set(one.file, row);
    const { box, sure } = one;
    const good = box.width * box.height * sure;
    if (good <= best) continue;
    [best, face] = [good, { id: one.id, photo: row.id, box }];
  }
  if (face === undefined) return undefined;
  return {
    id,
    ...(name === undefined ? {} : { name }),
    hidden,
    count: shown.size,
    noun: nounOfRows([...shown.values()]),
    face,
  };
}
