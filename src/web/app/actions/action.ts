/**
 * What an action is, and what it is done with.
 *
 * @module
 */
import type { ListSource } from "../list.ts";
import type { IconName } from "../parts/icon.tsx";

/** Photos that something is to be done with. */
export interface Selected {
  readonly ids: readonly string[];
  /** The list that they were selected in. */
  readonly source: ListSource;
  /** How many of them are so. */
  readonly count: (is: SelectedFlag) => number;
}

/** What is known of a selection without asking the vault. */
export type SelectedFlag = "favourite" | "hidden" | "mine" | "film";

/** Something that can be done with photos. */
export interface Action {
  /** Names it in code: `delete`, `share`. */
  readonly name: string;
  readonly icon: IconName;
  /** Read when it is drawn, so that it follows the language. */
  readonly label: (selected: Selected) => string;
  /** Whether it is offered. */
  readonly applies: (selected: Selected) => boolean;
  /** Does it; what it throws is told in a toast. */
  readonly act: (selected: Selected) => Promise<void> | void;
  /** In the bar where there is room, or always in its menu. */
  readonly place: "bar" | "menu";
  /** The smaller, the earlier. */
  readonly order: number;
  readonly danger?: boolean;
  /** The key that does it in the grid, as `KeyboardEvent.key` names it. */
  readonly key?: string;
  /** Whether the selection goes on after it. */
  readonly keeps?: boolean;
}
