/** What photos are counted as, in English. */
import type { Noun } from "../../../workers/photo_lists.ts";

/** The word for one of them. */
export function called(noun: Noun): string {
  return noun;
}
