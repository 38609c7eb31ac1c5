/**
 * Downloading all of an album as a zip, from its menu.
 *
 * @module
 */
import type { FollowedList } from "../../../../library/sharing/link_notes.ts";
import { PhotoList } from "../../list.ts";
import { messages } from "../../messages.ts";
import { withPart } from "../../parts/lazy.tsx";
import type { MenuItem } from "../../parts/menu.tsx";
import { vault } from "../../vault.ts";

/** The item of the menu of an album. */
export function downloadItem(list: FollowedList, title: string): MenuItem {
  return {
    icon: "download",
    label: messages.value.lightbox.download,
    act: () =>
      withPart(
        () => import("../../saving/saving.ts"),
        async ({ saveMany }) => {
          const columns = await vault().photos.list(list);
          if (columns === undefined) return;
          const ids = new PhotoList(columns).wholeIds();
          await saveMany(ids, { isExport: false }, title);
        },
      ),
  };
}
