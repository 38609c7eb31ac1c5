/**
 * People as letters, and what they are called.
 *
 * @module
 */
import type { MemberCard } from "../../../work/album_cards.ts";
import { words } from "../../words.ts";

/** What a member is called here. */
export function nameOf({ me, name }: MemberCard): string {
  const { albums } = words.value;
  return me ? albums.you : name ?? albums.somebody;
}

/** Somebody as the first letter of their name. */
export function Face({ name }: { readonly name: string }) {
  const [letter = "?"] = name.trim();
  return <span class="face" aria-hidden="true">{letter.toUpperCase()}</span>;
}
