/**
 * Asking before photos are deleted that are also in albums.
 *
 * @module
 */
import type { AlsoIn } from "../../workers/library/photo_changes.ts";
import type { Noun } from "../list.ts";
import { confirmed } from "../parts/confirm.tsx";
import { messages } from "../messages.ts";

/** Says from where else the photos go; resolves to whether that is meant. */
export function askWhole(
  { library, albums, links }: AlsoIn,
  count: number,
  noun: Noun,
): Promise<boolean> {
  const { albums: texts, trash } = messages.value;
  const titles = albums.map((title) => title || texts.untitled);
  const places = [...(library ? [trash.yourLibrary] : []), ...titles];
  return confirmed({
    title: trash.wholeTitle({ n: count, noun }),
    text: (
      <>
        <p>{trash.wholeAlso}</p>
        <ul>{places.map((place) => <li key={place}>{place}</li>)}</ul>
        <p>
          {albums.length > 0 ? trash.wholeWhyInAlbums : trash.wholeWhy}
          {links && ` ${trash.notInLinks}`}
        </p>
      </>
    ),
    action: messages.value.photos.toTrash,
  });
}
