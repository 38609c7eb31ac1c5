/**
 * Marking an album or a collection as a favourite.
 *
 * @module
 */
import { faultText } from "../../faults.ts";
import { messages } from "../../messages.ts";
import type { MenuItem } from "../../parts/menu.tsx";
import { toast } from "../../parts/toasts.tsx";
import { vault } from "../../vault.ts";

/** The item of its menu. */
export function favouriteItem(
  { id, favourite }: { readonly id: string; readonly favourite: boolean },
): MenuItem {
  const { albums } = messages.value;
  return {
    icon: "favourite",
    label: favourite ? albums.unfavourite : albums.favourite,
    act: async () => {
      try {
        await vault().albums.favourite(id, !favourite);
      } catch (error) {
        toast(faultText(error));
      }
    },
  };
}
