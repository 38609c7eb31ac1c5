/**
 * Running an action and showing what went wrong.
 *
 * @module
 */
import type { Action, Selected } from "../actions.ts";
import { faultText } from "../faults.ts";
import { toast } from "../parts/toasts.tsx";
import { clearSelection, selectedIds } from "./selection.ts";

/** Runs an action on photos; never rejects. */
export async function act(action: Action, selected: Selected): Promise<void> {
  try {
    await action.act(selected);
    const all = selectedIds.peek();
    // Another selection that was made meanwhile stays.
    if (action.keeps !== true && selected.ids.every((id) => all.has(id))) {
      clearSelection();
    }
  } catch (error) {
    toast(faultText(error));
  }
}
