/**
 * The menu item that shows all photos of a list one after the other.
 *
 * @module
 */
import type { ListSource, PhotoList } from "../list.ts";
import { messages } from "../messages.ts";
import type { MenuItem } from "../parts/menu.tsx";
import { beginSlideshow } from "../slideshow.ts";

/** The item; none for a list that has nothing to show. */
export function slideshowItem(
  source: ListSource,
  list: PhotoList | undefined,
): readonly MenuItem[] {
  const count = list?.length ?? 0;
  const first = Array.from({ length: count }, (_, at) => at)
    .find((at) => list?.kindAt(at) !== "file");
  if (list === undefined || first === undefined) return [];
  return [{
    icon: "play",
    label: messages.value.lightbox.slideshow,
    act: () => beginSlideshow(source, list.idAt(first)),
  }];
}
