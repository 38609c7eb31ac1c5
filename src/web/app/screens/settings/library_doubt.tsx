/**
 * What a device says and asks on which photos may be visible that are hidden
 * elsewhere: picture frames get nothing new from it meanwhile.
 *
 * @module
 */
import { ThreadError } from "../../../../client/stream/threads/thread_messages.ts";
import { useLoaded } from "../../loaded.ts";
import { confirmed } from "../../parts/confirm.tsx";
import { Button, Notice } from "../../parts/controls.tsx";
import { messages } from "../../messages.ts";
import { revision, vault } from "../../vault.ts";

/** Whether photos that are hidden elsewhere may be visible here. */
export function useHiddenDoubt() {
  return useLoaded(() => vault().settings.mayMissHidden(), [revision.value]);
}

/** The notice; nothing where this device knows what is hidden. */
export function LibraryDoubt() {
  const { settings, common } = messages.value;
  const { value, again } = useHiddenDoubt();
  if (value !== true) return null;
  const goOn = async () => {
    await vault().settings.goOn("library");
    again();
  };
  return (
    <Notice kind="warn">
      {settings.hiddenUnknown} <Button onClick={goOn}>{common.next}</Button>
    </Notice>
  );
}

/**
 * Shares a list with `act`. If photos may be in it that are hidden elsewhere,
 * asks first; resolves to undefined if the person declines.
 */
export async function sharingList<T>(
  act: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    const isDoubt = error instanceof ThreadError &&
      error.fault.kind === "UnconfirmedState";
    if (!isDoubt) throw error;
    const { settings, sharing } = messages.value;
    const isSure = await confirmed({
      title: settings.hiddenAsk,
      text: settings.hiddenAskText,
      action: sharing.shareAnyway,
      danger: false,
    });
    if (!isSure) return undefined;
    await vault().settings.goOn("library");
    return await act();
  }
}
