/**
 * The actions that put photos into albums, collections and links.
 *
 * @module
 */
import { clearSelection, selectedIds } from "../grid/selection.ts";
import { part } from "../part.ts";
import { messages } from "../messages.ts";
import type { Action, Selected } from "./action.ts";

/** What was done with photos is done: they are selected no more. */
function letGo(ids: readonly string[]): void {
  const all = selectedIds.peek();
  if (ids.every((id) => all.has(id))) clearSelection();
}

const isLive = ({ source }: Selected) => source.kind !== "trash";

/** The actions of sharing; their dialogs are loaded at the first use. */
export const sharingActions: readonly Action[] = [
  {
    name: "share",
    icon: "sharing",
    label: () => messages.value.sharing.share,
    applies: isLive,
    act: async ({ ids, noun }) => {
      const { sharePhotos } = await part(() =>
        import("../screens/sharing/make_link.tsx")
      );
      sharePhotos(ids, noun, "", () => letGo(ids));
    },
    place: "bar",
    order: 20,
    keeps: true,
  },
  {
    name: "add-to-album",
    icon: "addTo",
    label: () => messages.value.albums.addTo,
    applies: isLive,
    act: async ({ ids, noun }) => {
      const { addSelected } = await part(() =>
        import("../screens/albums/adding.tsx")
      );
      addSelected(ids, noun, () => letGo(ids));
    },
    place: "bar",
    order: 10,
    keeps: true,
  },
  {
    name: "save-to-library",
    icon: "download",
    label: () => messages.value.albums.save,
    applies: ({ source, ids, count }) =>
      (source.kind === "album" || source.kind === "library") &&
      count("mine") < ids.length,
    act: async ({ ids, noun }) => {
      const { saveToLibrary } = await part(() =>
        import("../screens/albums/adding.tsx")
      );
      await saveToLibrary(ids, noun);
    },
    place: "menu",
    order: 12,
  },
  {
    name: "take-out",
    icon: "takeOut",
    label: () => messages.value.albums.takeOut,
    // Of someone else's album, only own photos can be removed.
    applies: ({ source, count }) =>
      source.kind === "collection" ||
      (source.kind === "album" && count("mine") + count("ownAlbum") > 0),
    act: async (selected) => {
      const { takeOut } = await part(() =>
        import("../screens/albums/taking_out.ts")
      );
      await takeOut(selected);
    },
    place: "menu",
    order: 30,
    // The dialog may be cancelled; photos that leave the list are deselected
    // anyway.
    keeps: true,
  },
  {
    name: "cover",
    icon: "cover",
    label: () => messages.value.albums.cover,
    applies: ({ source, ids, count }) =>
      source.kind === "album" && ids.length === 1 && count("ownAlbum") === 1,
    act: async (selected) => {
      const { useAsCover } = await part(() =>
        import("../screens/albums/taking_out.ts")
      );
      await useAsCover(selected);
    },
    place: "menu",
    order: 40,
  },
  {
    name: "cover-of-collection",
    icon: "cover",
    label: () => messages.value.albums.cover,
    applies: ({ source, ids }) =>
      source.kind === "collection" && ids.length === 1,
    act: async (selected) => {
      const { coverOfCollection } = await part(() =>
        import("../screens/albums/taking_out.ts")
      );
      await coverOfCollection(selected);
    },
    place: "menu",
    order: 41,
  },
];
