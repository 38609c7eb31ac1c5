/**
 * What the person decided about similar photos, for as long as the page is
 * shown. Without a decision, the suggestion counts.
 *
 * @module
 */
import { signal } from "@preact/signals";
import type { SimilarCard } from "../../../workers/finding/similar_cards.ts";

const decided = signal<ReadonlyMap<string, boolean>>(new Map());

/** Whether a photo is to be kept. */
export function isKept({ id, isKept }: SimilarCard): boolean {
  return decided.value.get(id) ?? isKept;
}

/** Decides about a photo. */
export function keep({ id }: SimilarCard, isKept: boolean): void {
  decided.value = new Map(decided.value).set(id, isKept);
}

/** Forgets all decisions. */
export function forgetMarks(): void {
  decided.value = new Map();
}
