/**
 * The types of an action and of the photos it applies to.
 *
 * @module
 */
import type { ListSource, Noun } from "../list.ts";
import type { IconName } from "../parts/icon.tsx";

/** The photos that an action applies to. */
export interface Selected {
  readonly ids: readonly string[];
  /** The list that they were selected in. */
  readonly source: ListSource;
  /** What they are counted as. */
  readonly noun: Noun;
  /** The ids of the photos that have a flag. */
  readonly those: (is: SelectedFlag) => readonly string[];
  /** Number of the photos that have a flag. */
  readonly count: (is: SelectedFlag) => number;
}

/** Flags of photos that are known without asking the vault. */
export type SelectedFlag =
  | "favourite"
  | "hidden"
  | "archived"
  | "mine"
  | "video"
  | "ownAlbum";

/** The keys of actions. */
const ACTION_KEYS = ["e", "f", "Delete"] as const;
export type ActionKey = typeof ACTION_KEYS[number];

/** Whether an action may have that key. */
export function isActionKey(key: string): key is ActionKey {
  return ACTION_KEYS.some((one) => one === key);
}

/** An action on photos. */
export interface Action {
  /** Its name in code, such as `delete` or `share`. */
  readonly name: string;
  readonly icon: IconName;
  /** A function, read at each drawing, so that it follows the language. */
  readonly label: (selected: Selected) => string;
  /** Whether it is offered. */
  readonly applies: (selected: Selected) => boolean;
  /**
   * Does it; a toast shows what it throws. False if the person cancelled: then
   * the selection stays.
   */
  readonly act: (selected: Selected) => Promise<void | boolean> | void;
  /** Whether it is in the bar, if there is room, or always in its menu. */
  readonly place: "bar" | "menu";
  /** Actions are sorted by this, the smallest first. */
  readonly order: number;
  readonly danger?: boolean;
  /** The key for it in the grid, a value of `KeyboardEvent.key`. */
  readonly key?: ActionKey;
  /** Whether the selection stays after it. */
  readonly keeps?: boolean;
}
