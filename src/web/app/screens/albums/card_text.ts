/**
 * What a list of albums says of each.
 *
 * @module
 */
import type { AlbumCard } from "../../../workers/library/albums/album_cards.ts";
import { messages } from "../../messages.ts";

/** How much is in an album, and whose it is. */
export function cardText(
  { own, owner, others, count, noun, broken, unopened }: AlbumCard,
): string {
  const { albums } = messages.value;
  if (unopened) return albums.unopenedCard;
  if (broken) return albums.brokenCard;
  const whose = own
    ? others > 0 ? albums.withOthers({ n: others }) : undefined
    : owner === undefined
    ? albums.ofSomebody
    : albums.of({ name: owner });
  return [albums.photos({ n: count, noun }), whose].filter(Boolean).join(" · ");
}
