/**
 * The actions on photos that are selected in an album or a collection.
 *
 * @module
 */
import type { Selected } from "../../actions/action.ts";
import { confirm } from "../../parts/confirm.tsx";
import { toast } from "../../parts/toasts.tsx";
import { vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { tryRoster } from "./roster.tsx";

/** Removes photos from a list; for an album it asks first. */
export async function takeOut(
  { source, ids, noun, count }: Selected,
): Promise<void> {
  const { albums } = messages.value;
  if (source.kind === "collection") {
    await vault().collections.takeOut(source.id, ids);
    toast(albums.takenOut({ n: ids.length, noun }));
    return;
  }
  if (source.kind !== "album") return;
  const mine = count("mine");
  const others = ids.length - mine;
  const album = await vault().albums.page(source.id);
  // Of someone else's album, only own photos can be removed.
  const able = album?.own === true
    ? ids
    : (await vault().photos.infos(ids)).flatMap(({ id, mine }) =>
      mine ? [id] : []
    );
  confirm({
    title: albums.takeOutTitle({ n: able.length, noun }),
    text: [
      ...(mine > 0 ? [albums.takeOutOwn] : []),
      ...(others > 0 && album?.own === true
        ? [albums.takeOutOthers({ n: others, noun })]
        : []),
    ].join(" "),
    action: albums.takeOut,
    act: async () => {
      await vault().albums.takeOut(able);
      toast(albums.takenOut({ n: able.length, noun }));
    },
  });
}

/** Makes a photo the cover of an own album. */
export async function useAsCover({ source, ids }: Selected): Promise<void> {
  const [cover] = ids;
  if (source.kind !== "album" || cover === undefined) return;
  await tryRoster(
    source.id,
    () => vault().albums.describe(source.id, { cover }),
    messages.value.albums.coverSet,
  );
}

/** Lets a photo stand for a collection: the first of its list does. */
export async function coverOfCollection(
  { source, ids }: Selected,
): Promise<void> {
  if (source.kind !== "collection") return;
  await vault().collections.moveFirst(source.id, ids);
  toast(messages.value.albums.coverSet);
}
