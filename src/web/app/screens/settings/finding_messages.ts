/**
 * What the doctor says, in the person's language: the server says it in English,
 * and the catalogues have its sentences with their places.
 *
 * @module
 */
import type { Texts } from "../../messages/format.ts";

/** Sentences with `{1}`, `{2}`, each with its translation. */
export type Sentences = readonly (readonly [from: string, to: string])[];

/** The sentences that a language has; none for English, which they are in. */
export async function sentencesIn(
  tag: string,
  findingsIn: (tag: string) => Promise<Texts>,
): Promise<Sentences> {
  if (tag === "en") return [];
  const [from, to] = await Promise.all(["en", tag].map(findingsIn));
  return pairsOf(from, to);
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
  said: string,
  sentences: Sentences,
): string | undefined {
  for (const [from, to] of sentences) {
    const found = patternOf(from).exec(said);
    if (found === null) continue;
    return to.replace(/\{(\d)\}/g, (_, place) => found[Number(place)] ?? "");
  }
  return undefined;
}

function patternOf(sentence: string): RegExp {
  const parts = sentence.split(/\{\d\}/).map((text) =>
    text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  );
  return new RegExp(`^${parts.join("(.+?)")}$`, "s");
}
