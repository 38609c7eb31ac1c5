/**
 * What the doctor says, in the person's language: the server says it in English,
 * with its values apart, and the catalogues have the same sentences.
 *
 * @module
 */
import { fillIn, type Sentence } from "../../../../core/sentence.ts";
import type { Texts } from "../../messages/format.ts";

/** The translations of English sentences with `{1}`, `{2}`. */
export type Sentences = ReadonlyMap<string, string>;

/** The sentences that a language has; none for English, which they are in. */
export async function sentencesIn(
  tag: string,
  findingsIn: (tag: string) => Promise<Texts>,
): Promise<Sentences> {
  if (tag === "en") return new Map();
  const [from, to] = await Promise.all(["en", tag].map(findingsIn));
  return new Map(pairsOf(from, to));
}

/** Texts of the same keys, side by side, in the order of the first. */
function pairsOf(
  from: Texts = "",
  to: Texts = "",
): (readonly [string, string])[] {
  if (typeof from === "string") {
    return typeof to === "string" ? [[from, to]] : [];
  }
  const own = new Map(Object.entries(to));
  return Object.entries(from).flatMap(([key, one]) =>
    pairsOf(one, own.get(key))
  );
}

/** A sentence of the doctor's, or undefined where the catalogue lacks it. */
export function translated(
  { says, values }: Sentence,
  sentences: Sentences,
): string | undefined {
  const own = sentences.get(says);
  return own === undefined ? undefined : fillIn(own, values);
}
