/**
 * Words that were mistyped: one letter wrong, missing, too many, or two beside
 * each other swapped.
 *
 * @module
 */

/** The least length of a word that may be mistyped; shorter ones are too like. */
const LEAST_LETTERS = 5;
const LETTERS = /^\p{L}+$/u;
const RUNS = /\p{L}+/gu;

/**
 * Whether a word may be one that was mistyped: numbers are not, because
 * `IMG_0043` is another photo than `IMG_0042`.
 */
export function mayBeMistyped(word: string): boolean {
  return word.length >= LEAST_LETTERS && LETTERS.test(word);
}

/** Whether a word was meant by what was typed: at most one edit apart. */
export function isNear(typed: string, word: string): boolean {
  return isWithin(typed, word, (rest, at) => word.slice(at) === rest);
}

/** Whether what was typed is at most one edit apart from a word's beginning. */
function beginsNear(typed: string, word: string): boolean {
  return isWithin(typed, word, (rest, at) => word.startsWith(rest, at));
}

function isWithin(
  typed: string,
  word: string,
  goesOn: (rest: string, at: number) => boolean,
): boolean {
  let at = 0;
  while (at < typed.length && typed[at] === word[at]) at++;
  return goesOn(typed.slice(at), at) ||
    goesOn(typed.slice(at + 1), at + 1) ||
    goesOn(typed.slice(at + 1), at) ||
    goesOn(typed.slice(at), at + 1) ||
    (typed[at] === word[at + 1] && typed[at + 1] === word[at] &&
      goesOn(typed.slice(at + 2), at + 2));
}

/** The words of letters in a text, each once: alike for many photos. */
export function lettersIn(text: string): string {
  return [...new Set(text.match(RUNS) ?? [])].join("\n");
}

/**
 * Finds what a mistyped word was meant to be among the words of
 * {@link lettersIn}. Texts are alike for many photos, so each is judged once.
 */
export function nearFinder(typed: string): (letters: string) => boolean {
  const judged = new Map<string, boolean>();
  return (letters) => {
    let fits = judged.get(letters);
    if (fits === undefined) {
      fits = letters.split("\n").some((word) => beginsNear(typed, word));
      judged.set(letters, fits);
    }
    return fits;
  };
}
