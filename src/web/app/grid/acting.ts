/**
 * Running an action and showing what went wrong.
 *
 * @module
 */
import { type Action, actionsFor, type Selected } from "../actions.ts";
import type { ActionKey } from "../actions/action.ts";
import { faultText } from "../faults.ts";
import { PartError } from "../fetched.ts";
import { toast } from "../parts/toasts.tsx";
import { messages } from "../messages.ts";
import { clearSelection, selectedIds } from "./selection.ts";

/** Runs an action on photos; never rejects. */
export async function act(action: Action, selected: Selected): Promise<void> {
  try {
    const isDone = await action.act(selected) !== false;
    const all = selectedIds.peek();
    // Another selection that was made meanwhile stays.
    const mayClear = isDone && action.keeps !== true;
    if (mayClear && selected.ids.every((id) => all.has(id))) {
      clearSelection();
    }
  } catch (error) {
    toast(
      faultText(error),
      error instanceof PartError
        ? {
          label: messages.value.common.retry,
          act: () => act(action, selected),
        }
        : undefined,
    );
  }
}

/** Runs the action of a key on photos, if there is one for them. */
export async function actByKey(
  selected: Selected,
  key: ActionKey,
): Promise<void> {
  const action = actionsFor(selected).find((one) => one.key === key);
  if (action !== undefined) await act(action, selected);
}
