/**
 * The vault's calls about something that is looked for in photos and shared by
 * the account's devices, such as words. The thread that finds it gets pictures
 * from the page, and knows no keys.
 *
 * @module
 */
import { pictureHash } from "../../../library/finding/findings_pages.ts";
import type { Looking } from "../../../library/finding/finder_options.ts";
import type { Row } from "../../../library/mod.ts";
import type { VaultContext } from "../vault/context.ts";
import type { FindingsLoader } from "./findings_loader.ts";
import { lookingQueue, type PictureOfPhoto } from "./looking_queue.ts";
import type { Part } from "../media/viewing_calls.ts";

/** Whether something is looked for, and how far that is. */
export interface FindingsStatus {
  readonly isOn: boolean;
  /** Photos that no device has looked at, and this one may. */
  readonly left: number;
  /** Photos that this device passes over, and another one may look at. */
  readonly passed: number;
  /** The account's pages take no more. */
  readonly isFull: boolean;
}

/** A photo to look at. */
interface ToLookAt extends PictureOfPhoto {
  /** The picture that is large enough, and no larger. */
  readonly part: Part;
}

/** What was found in a photo. */
interface PhotoLookedAt<T> extends PictureOfPhoto {
  readonly found: T;
}

/**
 * The calls of a group such as `words`. A type, and no interface, because pages
 * call what has such a type only.
 */
export type FindingsCalls<T> = {
  /** Whether it is to be looked for. */
  isOn(): boolean;
  status(): Promise<FindingsStatus>;
  /** Turns it on, or off and deletes everything. */
  turn(isOn: boolean): Promise<void>;
  /** Photos to look at next; empty at the end, or if it is off. */
  next(most: number): Promise<readonly ToLookAt[]>;
  /** Passes over pictures that cannot be had now. */
  pass(pictures: readonly PictureOfPhoto[]): void;
  /** Leaves to other devices what this one cannot look at. */
  leave(pictures: readonly PictureOfPhoto[]): Promise<void>;
  /** Keeps what was found. */
  note(looked: readonly PhotoLookedAt<T>[]): Promise<void>;
  /** Tells the pages of it, and the account's other devices if it is due. */
  tell(): Promise<void>;
};

/** The calls, for what a loader opens. */
export function findingsCalls<T extends { readonly length: number }>(
  context: VaultContext,
  { name, choice, of }: FindingsLoader<Looking<T>>,
  /** The picture that is looked at; undefined for anything else. */
  partOf: (row: Row) => Part | undefined,
): FindingsCalls<T> {
  const queue = lookingQueue(context, {
    name,
    choice,
    of,
    isToLookAt: (row) => partOf(row) !== undefined,
  });
  const { found, unseen, next, pass, leave, mayLookAt, passUntaken } = queue;
  const isOn = () => choice(context.opened()).isOn;
  const changing = async (work: Promise<void>) => {
    await work;
    context.changed();
  };
  return {
    isOn,
    async status() {
      if (!isOn()) {
        // Where turning it off was cut short, it is ended now.
        found().catch(() => {});
        return { isOn: false, left: 0, passed: 0, isFull: false };
      }
      const { isFull } = await found();
      const { rows, passed } = await unseen();
      return { isOn: true, left: rows.length, passed, isFull };
    },
    turn: async (isOn) =>
      await changing((await of(context.opened())).turn(isOn)),
    async next(most) {
      return (await next(most)).flatMap((row) => {
        const { id, metadata } = row;
        const part = partOf(row);
        return part === undefined || metadata === undefined
          ? []
          : [{ id, hash: pictureHash(metadata), part }];
      });
    },
    pass,
    leave,
    async note(looked) {
      const may = looked.filter((one) => mayLookAt(one) !== undefined);
      await (await found()).note(may);
      await passUntaken(may);
      // Every page draws itself again: not for photos with nothing in them.
      if (looked.some(({ found }) => found.length > 0)) context.changed();
    },
    tell: async () => await changing((await found()).sendDue()),
  };
}
