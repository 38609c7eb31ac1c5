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

/** What can be done with these. */
export function actionsFor(selected: Selected): readonly Action[] {
  if (selected.ids.length === 0) return [];
  return ACTIONS.filter(({ applies }) => applies(selected));
}
