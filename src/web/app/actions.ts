/**
 * The actions on photos: the selection bar and the lightbox show those that
 * apply. Each area defines its actions in a file of its own in `actions/`.
 *
 * @module
 */
import type { Action, Selected } from "./actions/action.ts";
import { abroadActions, isForAbroad } from "./actions/abroad.ts";
import { photoActions } from "./actions/photos.ts";
import { savingActions } from "./actions/saving.ts";
import { sharingActions } from "./actions/sharing.ts";
import { showingActions } from "./actions/showing.ts";

export type { Action, Selected } from "./actions/action.ts";

/** All actions; areas add theirs to this list. */
const ACTIONS: readonly Action[] = [
  ...photoActions,
  ...savingActions,
  ...sharingActions,
  ...showingActions,
  ...abroadActions,
].toSorted((a, b) => a.order - b.order);

let offered = ACTIONS;

/**
 * Offers only the actions with these names, because the viewer of a link owns
 * nothing.
 */
export function offerOnly(...names: readonly string[]): void {
  offered = ACTIONS.filter(({ name }) => names.includes(name));
}

/** The actions that apply to a selection. */
export function actionsFor(selected: Selected): readonly Action[] {
  if (selected.ids.length === 0) return [];
  return offered.filter((action) =>
    isForAbroad(action, selected) && action.applies(selected)
  );
}
