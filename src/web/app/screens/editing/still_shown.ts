/**
 * Tells the person which links may still show a photo as it was before an edit.
 *
 * @module
 */
import { messages } from "../../messages.ts";
import { toast } from "../../parts/toasts.tsx";

/** `links` are titles or ids. */
export function tellStillShown(links: readonly string[]): void {
  if (links.length === 0) return;
  const { editing, hiding } = messages.value;
  const titles = links.map((title) => hiding.link({ title }));
  toast([editing.stillSeen, titles.join("; ")].join(" "));
}
