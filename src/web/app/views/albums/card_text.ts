/**
 * What a list of albums says of each.
 *
 * @module
 */
import type { AlbumCard } from "../../../workers/album_cards.ts";
import { words } from "../../words.ts";

/** How much is in an album, and whose it is. */
export function cardText(
  { own, owner, others, count, noun, broken }: AlbumCard,
): string {
  const { albums } = words.value;
  if (broken) return albums.brokenCard;
  const whose = own
    ? others > 0 ? albums.withOthers(others) : undefined
    : owner === undefined
    ? albums.ofSomebody
    : albums.of(owner);
  return [albums.photos(count, noun), whose].filter(Boolean).join(" · ");
}
