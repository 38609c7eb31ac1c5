/**
 * Photos that this device is to look at for something that all of the account's
 * devices share, such as faces: each once, the newest first.
 *
 * @module
 */
import type { FindingsChoice } from "../../../library/finding/findings.ts";
import { fileOf } from "../../../library/finding/findings_pages.ts";
import type { Library, Row } from "../../../library/mod.ts";
import {
  openPassedOver,
  type PassedOver,
} from "../../../library/finding/undecodable.ts";
import { isShown } from "../../../library/rows/rows.ts";
import { fileOfRow } from "./file_of_row.ts";
import { FLAGS } from "../library/photo_lists.ts";
import type { Flagged } from "../library/photo_table.ts";

/** What devices have found so far. */
interface Found {
  /** Whether a picture was looked at, by its name in the pages. */
  has(file: string): boolean;
  readonly isFull: boolean;
  /** Fetches what other devices found. */
  read(): Promise<void>;
  /** Sends what only this device found. */
  send(): Promise<void>;
}

/** What the queue needs of the vault. */
interface LookingContext {
  opened(): Library;
  view(): {
    found(): readonly Flagged[];
    readonly isShut: (row: Row) => boolean;
  };
  changed(): void;
}

/** The picture of a photo, as it was when the photo was handed out. */
export interface PictureOfPhoto {
  readonly id: string;
  /** As `pictureHash` makes it, in hex. */
  readonly hash: string;
}

/** Photos that nothing was found out about yet. */
interface Unseen {
  /** Those that this device is to look at, each picture once. */
  readonly rows: readonly Row[];
  /** How many more this device passes over, and another one may look at. */
  readonly passed: number;
}

/** The photos to look at, and what was found. */
export interface LookingQueue<T extends Found> {
  /** What was found, with what other devices found. */
  found(): Promise<T>;
  /** The photos that may be shown now, without hidden ones. */
  shown(): readonly Flagged[];
  /** Those of them that no device has looked at. */
  unseen(): Promise<Unseen>;
  /** The next photos; empty at the end, or if it is off. */
  next(most: number): Promise<readonly Row[]>;
  /** Passes over pictures that cannot be had in this session. */
  pass(pictures: readonly PictureOfPhoto[]): void;
  /**
   * Leaves pictures to other devices, because this one cannot look at them. It
   * does not try again for some weeks.
   */
  leave(pictures: readonly PictureOfPhoto[]): Promise<void>;
  /**
   * A photo, unless it was hidden or deleted meanwhile, or edited so that it has
   * another picture than the one that was looked at.
   */
  mayLookAt(picture: PictureOfPhoto): Row | undefined;
  /**
   * Passes over photos that were looked at and that the pages did not take, such
   * as while this device does not know what another one turned off: they would
   * be looked at for ever.
   */
  passUntaken(pictures: readonly PictureOfPhoto[]): Promise<void>;
}

/** Opens the queue of something that is looked for. */
export function lookingQueue<T extends Found>(
  context: LookingContext,
  { name, choice, of, isToLookAt }: {
    /** Stands for it in this device's store. */
    readonly name: string;
    readonly choice: (library: Library) => FindingsChoice;
    readonly of: (library: Library) => Promise<T>;
    readonly isToLookAt: (row: Row) => boolean;
  },
): LookingQueue<T> {
  /** The newest last. */
  let queue: string[] = [];
  /** The names of pictures in the pages. */
  const passed = new Set<string>();
  let first: First | undefined;
  const isOn = (library: Library) => choice(library).isOn;

  const found = async () => {
    const library = context.opened();
    const held = await of(library);
    if (first?.of !== library) {
      queue = [];
      passed.clear();
      first = {
        of: library,
        read: held.read(),
        left: openPassedOver(library, name, () => choice(library).era),
      };
      first.left.catch(() => {});
      // Without a network it is what this device knows.
      first.read.then(() => {
        context.changed();
        // What a page that was closed did not send any more.
        return held.send();
      }).catch(() => {});
    }
    return held;
  };
  const isPassed = async () => {
    const left = await first?.left;
    return (file: string) => passed.has(file) || left?.has(file) === true;
  };
  const shown = () =>
    context.view().found().filter(([, flags]) => (flags & FLAGS.hidden) === 0);
  const unseen = async () => {
    const held = await found();
    const isPassedOver = await isPassed();
    const seen = new Set<string>();
    const rows: Row[] = [];
    for (const [row] of shown()) {
      const file = fileOfRow(row);
      if (file === undefined || seen.has(file) || held.has(file)) continue;
      if (!isToLookAt(row)) continue;
      seen.add(file);
      if (!isPassedOver(file)) rows.push(row);
    }
    return { rows, passed: seen.size - rows.length };
  };
  // Photos wait for hours in the queue, and may have been hidden meanwhile.
  const mayShow = (id: string) => {
    const { index, flags } = context.opened();
    const row = index.get(id);
    return row !== undefined && isShown(row) && !flags.of(row).hidden &&
        !context.view().isShut(row)
      ? row
      : undefined;
  };
  const mayLookAt = ({ id, hash }: PictureOfPhoto) => {
    const row = mayShow(id);
    return row && fileOfRow(row) === fileOf(hash) ? row : undefined;
  };
  const pass = (pictures: readonly PictureOfPhoto[]) => {
    for (const { hash } of pictures) passed.add(fileOf(hash));
  };
  return {
    found,
    shown,
    unseen,
    async next(most) {
      if (!isOn(context.opened())) return [];
      const held = await found();
      // What another device has looked at need not be looked at again.
      await first?.read.catch(() => {});
      if (held.isFull) return [];
      if (queue.length === 0) {
        queue = (await unseen()).rows.map(({ id }) => id).toReversed();
      }
      const rows: Row[] = [];
      while (rows.length < most && queue.length > 0) {
        const row = mayShow(queue.pop() ?? "");
        const file = row && fileOfRow(row);
        if (row === undefined || file === undefined) continue;
        if (!held.has(file)) rows.push(row);
      }
      return rows;
    },
    pass,
    async leave(pictures) {
      pass(pictures);
      await (await first?.left)?.add(pictures.map(({ hash }) => fileOf(hash)));
    },
    mayLookAt,
    async passUntaken(pictures) {
      const held = await found();
      // Those that are off are looked at once it is turned on again.
      if (!isOn(context.opened())) return;
      pass(
        pictures.filter((picture) =>
          mayLookAt(picture) !== undefined && !held.has(fileOf(picture.hash))
        ),
      );
    },
  };
}

/** What is begun with a library. */
interface First {
  readonly of: Library;
  readonly read: Promise<void>;
  readonly left: Promise<PassedOver>;
}
