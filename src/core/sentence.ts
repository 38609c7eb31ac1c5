/**
 * English sentences that other languages are found by, as gettext finds them:
 * a sentence has numbered places, and its values come apart from it.
 *
 * @module
 */

/** What is said in English, and the values of its places. */
export interface Sentence {
  /** The sentence, with `{1}`, `{2}` for its values. */
  readonly says: string;
  readonly values: readonly string[];
}

/** Makes a sentence; `{1}` stands for the first value. */
export function say(
  says: string,
  ...values: readonly (string | number | null | undefined)[]
): Sentence {
  return { says, values: values.map((value) => String(value ?? "")) };
}

/** A sentence, in English or translated, with its values in their places. */
export function fillIn(says: string, values: readonly string[]): string {
  return says.replace(
    /\{(\d)\}/g,
    (_, place) => values[Number(place) - 1] ?? "",
  );
}
