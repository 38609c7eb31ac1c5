/**
 * Showing people by a letter and a name.
 *
 * @module
 */
import type { MemberCard } from "../../../workers/library/albums/album_cards.ts";
import { messages } from "../../messages.ts";

/** The name under which a member is shown. */
export function nameOf({ me, name }: MemberCard): string {
  const { albums } = messages.value;
  return me ? albums.you : name ?? albums.somebody;
}

/** Someone as the first letter of their name, oneself too. */
export function Face({ member }: { readonly member: MemberCard }) {
  const [letter = "?"] = (member.name ?? nameOf(member)).trim();
  return <span class="face" aria-hidden="true">{letter.toUpperCase()}</span>;
}
