/**
 * Showing people by a letter and a name.
 *
 * @module
 */
import type { MemberCard } from "../../../work/album_cards.ts";
import { words } from "../../words.ts";

/** The name under which a member is shown. */
export function nameOf({ me, name }: MemberCard): string {
  const { albums } = words.value;
  return me ? albums.you : name ?? albums.somebody;
}

/** A person, shown as the first letter of their name. */
export function Face({ name }: { readonly name: string }) {
  const [letter = "?"] = name.trim();
  return <span class="face" aria-hidden="true">{letter.toUpperCase()}</span>;
}
