/**
 * What can be done with photos: the bar of a selection and the lightbox show
 * what applies. Each area adds its own in a file of its own, here below.
 *
 * @module
 */
import type { Action, Selected } from "./actions/action.ts";
import { photoActions } from "./actions/photos.ts";
import { savingActions } from "./actions/saving.ts";
import { sharingActions } from "./actions/sharing.ts";

export type { Action, Selected, SelectedFlag } from "./actions/action.ts";

/** Everything that can be done; areas add theirs to this list. */
const ACTIONS: readonly Action[] = [
  ...photoActions,
  ...savingActions,
  ...sharingActions,
].toSorted((a, b) => a.order - b.order);

let offered = ACTIONS;

/** Offers these alone, by their names: who looks at a link owns nothing. */
export function offerOnly(...names: readonly string[]): void {
  offered = ACTIONS.filter(({ name }) => names.includes(name));
}

/** What can be done with these. */
export function actionsFor(selected: Selected): readonly Action[] {
  if (selected.ids.length === 0) return [];
  return offered.filter(({ applies }) => applies(selected));
}
