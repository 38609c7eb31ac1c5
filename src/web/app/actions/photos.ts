/**
 * The actions of favourites, hiding, deleting and restoring.
 *
 * @module
 */
import { faultText } from "../faults.ts";
import type { Noun } from "../list.ts";
import { part } from "../part.ts";
import { toast } from "../parts/toasts.tsx";
import { vault } from "../vault.ts";
import { messages } from "../messages.ts";
import type { Action, Selected } from "./action.ts";
import { refused } from "./refused.ts";

const inTrash = ({ source }: Selected) => source.kind === "trash";
const areOwn = (selected: Selected) =>
  !inTrash(selected) && selected.count("mine") === selected.ids.length;
const all = (selected: Selected, is: "favourite" | "hidden" | "archived") =>
  selected.count(is) === selected.ids.length;
/** Whether each own photo among them is archived. */
const areArchived = ({ those }: Selected) => {
  const archived = new Set(those("archived"));
  return those("mine").every((id) => archived.has(id));
};

/** The actions of the timeline. */
export const photoActions: readonly Action[] = [
  {
    name: "favourite",
    icon: "favourite",
    label: (selected) =>
      all(selected, "favourite")
        ? messages.value.photos.unfavourite
        : messages.value.photos.favourite,
    applies: (selected) => !inTrash(selected),
    act: (selected) =>
      vault().photos.favourite(selected.ids, !all(selected, "favourite")),
    place: "bar",
    order: 30,
    key: "f",
    keeps: true,
  },
  {
    name: "delete",
    icon: "trash",
    label: () => messages.value.photos.toTrash,
    applies: (selected) => !inTrash(selected) && selected.count("mine") > 0,
    act: ({ ids, noun, source, those }) => {
      // Of an album, the server says what may be deleted.
      if (source.kind === "album") return moveToTrash(ids, noun);
      const own = those("mine");
      return moveToTrash(own, noun, ids.length - own.length);
    },
    place: "bar",
    order: 90,
    key: "Delete",
    danger: true,
  },
  {
    name: "hide",
    icon: "hide",
    label: (selected) =>
      all(selected, "hidden")
        ? messages.value.photos.unhide
        : messages.value.photos.hide,
    applies: (selected) => !inTrash(selected),
    act: async (selected) => {
      const { photos } = messages.value;
      const { ids, noun } = selected;
      const count = ids.length;
      const hidden = !all(selected, "hidden");
      if (hidden) {
        const seen = await vault().photos.seenBy(ids);
        const { albums, links, frames, unread } = seen;
        if (
          unread || [albums, links, frames].some(({ length }) => length > 0)
        ) {
          const { askSeen, hideEverywhere } = await part(() =>
            import("./hiding.tsx")
          );
          const meant = await askSeen(seen, count, noun);
          if (meant === "nothing") return;
          if (meant === "everywhere") return await hideEverywhere(ids, noun);
        }
      }
      await vault().photos.hide(ids, hidden);
      toast(
        hidden
          ? photos.hiddenNow({ n: count, noun })
          : photos.shownAgain({ n: count, noun }),
        {
          label: photos.undo,
          act: () => vault().photos.hide(ids, !hidden).catch(told),
        },
      );
    },
    place: "menu",
    order: 70,
  },
  {
    name: "edit",
    icon: "edit",
    label: () => messages.value.editing.edit,
    applies: areOwn,
    act: async ({ ids, noun }) => {
      const { editDetails } = await part(() =>
        import("../screens/editing/edit_dialog.tsx")
      );
      editDetails(ids, noun);
    },
    place: "menu",
    order: 60,
    // The dialog may be cancelled.
    keeps: true,
  },
  {
    name: "adjust",
    icon: "adjust",
    label: () => messages.value.editing.adjust,
    applies: (selected) =>
      areOwn(selected) && selected.ids.length === 1 &&
      selected.noun === "photo",
    act: async ({ ids: [id = ""] }) => {
      const { editPhoto } = await part(() =>
        import("../screens/editing/photo_editor.tsx")
      );
      editPhoto(id);
    },
    place: "bar",
    order: 55,
    key: "e",
    keeps: true,
  },
  {
    name: "playable",
    icon: "film",
    label: () => messages.value.films.action,
    applies: (selected) => areOwn(selected) && selected.count("video") > 0,
    act: async ({ ids }) => {
      const { makePlayable } = await part(() =>
        import("../screens/films/make_playable.tsx")
      );
      makePlayable(ids);
    },
    place: "menu",
    order: 62,
    keeps: true,
  },
  {
    name: "archive",
    icon: "archive",
    label: (selected) =>
      areArchived(selected)
        ? messages.value.albums.unarchive
        : messages.value.albums.archive,
    // Photos of others stay where they are.
    applies: (selected) => !inTrash(selected) && selected.count("mine") > 0,
    act: async (selected) => {
      const { albums, photos } = messages.value;
      const { noun } = selected;
      const ids = selected.those("mine");
      const n = ids.length;
      const archived = !areArchived(selected);
      await vault().photos.archive(ids, archived);
      toast(
        archived
          ? albums.archivedNow({ n, noun })
          : albums.inTimeline({ n, noun }),
        {
          label: photos.undo,
          act: () => vault().photos.archive(ids, !archived).catch(told),
        },
      );
    },
    place: "menu",
    order: 65,
  },
  {
    name: "restore",
    icon: "restore",
    label: () => messages.value.trash.restore,
    applies: inTrash,
    act: ({ ids, noun }) => bringBack(ids, noun),
    place: "bar",
    order: 20,
  },
  {
    name: "purge",
    icon: "trash",
    label: () => messages.value.trash.purge,
    applies: inTrash,
    act: async ({ ids, noun }) => {
      const { askPurge } = await part(() => import("./purging.tsx"));
      await askPurge(ids, noun);
    },
    place: "bar",
    order: 90,
    key: "Delete",
    danger: true,
    // A person who cancels keeps the selection.
    keeps: true,
  },
];

/**
 * Asks first if the photos are also elsewhere, and would go from there. False if
 * the person cancelled. `others`: how many photos of others were selected, too,
 * which stay.
 */
export async function moveToTrash(
  ids: readonly string[],
  noun: Noun,
  others = 0,
): Promise<boolean> {
  const also = await vault().photos.alsoIn(ids);
  if (also.library || also.albums.length > 0) {
    const { askWhole } = await part(() => import("./deleting.tsx"));
    if (!await askWhole(also, ids.length, noun)) return false;
  }
  await trash(ids, noun, also.links, others);
  return true;
}

/**
 * Moves photos to the trash; for a while, one press undoes it. Links no longer
 * show them, which is said if there are any.
 */
async function trash(
  ids: readonly string[],
  noun: Noun,
  links: boolean,
  others: number,
): Promise<void> {
  const { photos, trash: texts } = messages.value;
  const { failed, fault } = await vault().photos.trash(ids);
  if (fault !== undefined) toast(refused(failed, fault, noun));
  if (failed === ids.length) return;
  const says = [
    photos.trashed({ n: ids.length - failed, noun }),
    ...(others > 0 ? [texts.othersStay({ n: others })] : []),
    ...(links ? [texts.notInLinks] : []),
  ];
  toast(says.join(". "), {
    label: photos.undo,
    // Some may be restored by now, on the page of the trash or elsewhere.
    act: () =>
      vault().photos.trashed(ids).then((left) => bringBack(left, noun))
        .catch(told),
    applies: async () => (await vault().photos.trashed(ids)).length > 0,
  });
}

async function bringBack(ids: readonly string[], noun: Noun): Promise<void> {
  const { failed, fault } = await vault().photos.restore(ids);
  if (fault !== undefined) toast(refused(failed, fault, noun));
  if (failed < ids.length) {
    toast(messages.value.trash.restored({ n: ids.length - failed, noun }));
  }
}

function told(error: unknown): void {
  toast(faultText(error));
}
