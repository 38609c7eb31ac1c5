/**
 * What the doctor says, in the person's language: the server says it in English,
 * and the catalogue has its sentences with their places.
 *
 * @module
 */

/** Sentences with `{1}`, `{2}`, each with its translation. */
export type Sentences = readonly (readonly [from: string, to: string])[];

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
