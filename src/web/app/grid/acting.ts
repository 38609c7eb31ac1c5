/**
 * Doing what an action says, and telling what went wrong.
 *
 * @module
 */
import type { Action, Selected } from "../actions.ts";
import { faultText } from "../faults.ts";
import { toast } from "../parts/toasts.tsx";
import { clearSelection, selectedIds } from "./selection.ts";

/** Does an action with photos; never rejects. */
export async function act(action: Action, selected: Selected): Promise<void> {
  try {
    await action.act(selected);
    const all = selectedIds.peek();
    // What was selected meanwhile stays.
    if (action.keeps !== true && selected.ids.every((id) => all.has(id))) {
      clearSelection();
    }
  } catch (error) {
    toast(faultText(error));
  }
}
