/**
 * Words that were mistyped: a letter wrong, missing, too many, or two next to
 * each other swapped; in long words two of these.
 *
 * @module
 */

/**
 * The least length of a word that may be mistyped; shorter ones are too like.
 */
const LEAST_LETTERS = 5;
/** The least length of a word that may have two mistakes. */
const LONG_LETTERS = 8;
const LETTERS = /^\p{L}+$/u;
const RUNS = /\p{L}+/gu;

/**
 * Whether a word may be one that was mistyped: numbers are not, because
 * `IMG_0043` is another photo than `IMG_0042`.
 */
export function mayBeMistyped(word: string): boolean {
  return word.length >= LEAST_LETTERS && LETTERS.test(word);
}

/** The mistakes that a word of this length may have. */
export function mistakesIn({ length }: string): number {
  return length >= LONG_LETTERS ? 2 : 1;
}

/** Whether a word was meant by what was typed, with so many mistakes. */
export function isNear(typed: string, word: string, mistakes: number): boolean {
  return Math.abs(typed.length - word.length) <= mistakes &&
    isWithin(typed, word, mistakes, true);
}

/** Whether the beginning of a word was meant by what was typed. */
function beginsNear(typed: string, word: string, mistakes: number): boolean {
  return typed.length - word.length <= mistakes &&
    isWithin(typed, word, mistakes, false);
}

/**
 * Whether the beginning of a word may be what a mistyped one was meant to be.
 */
export function isNearBeginning(typed: string, word: string): boolean {
  return mayBeMistyped(typed) && beginsNear(typed, word, mistakesIn(typed));
}

/**
 * Whether what was typed is at most so many mistakes from a word, or from its
 * beginning: optimal string alignment, given up after the last mistake.
 */
function isWithin(
  typed: string,
  word: string,
  mistakes: number,
  isWhole: boolean,
  from = 0,
  to = 0,
): boolean {
  let [at, of] = [from, to];
  while (at < typed.length && typed[at] === word[of]) {
    [at, of] = [at + 1, of + 1];
  }
  const [left, rest] = [typed.length - at, word.length - of];
  if (left === 0) return !isWhole || rest <= mistakes;
  if (mistakes === 0) return false;
  const goesOn = (more: number, further: number) =>
    isWithin(typed, word, mistakes - 1, isWhole, at + more, of + further);
  return goesOn(1, 1) || goesOn(1, 0) || goesOn(0, 1) ||
    (left > 1 && typed[at] === word[of + 1] && typed[at + 1] === word[of] &&
      goesOn(2, 2));
}

/** The words of letters in a text, each once: alike for many photos. */
export function lettersIn(text: string): string {
  return [...new Set(text.match(RUNS) ?? [])].join("\n");
}

/**
 * The words that a library's texts have. What was typed is compared with each
 * word once, however many photos have it, and a text that is known is not read
 * again for the next key.
 */
export class Vocabulary {
  readonly #texts = new Set<string>();
  readonly #words = new Set<string>();
  /** Words compared so far, and texts read, which tests count. */
  compared = 0;
  read = 0;

  /** Adds a text of {@link lettersIn}. */
  add(letters: string): void {
    if (letters === "" || this.#texts.has(letters)) return;
    this.#texts.add(letters);
    this.read++;
    for (const word of letters.split("\n")) this.#words.add(word);
  }

  /** Whether some word contains what was typed. */
  has(typed: string): boolean {
    for (const word of this.#words) if (word.includes(typed)) return true;
    return false;
  }

  /**
   * The words whose beginnings were meant: those with the fewest mistakes.
   */
  meant(typed: string): ReadonlySet<string> {
    for (let mistakes = 1; mistakes <= mistakesIn(typed); mistakes++) {
      const words = new Set<string>();
      for (const word of this.#words) {
        this.compared++;
        if (beginsNear(typed, word, mistakes)) words.add(word);
      }
      if (words.size > 0) return words;
    }
    return new Set();
  }
}

/**
 * Finds some words among those of {@link lettersIn}. Texts are alike for many
 * photos, so each is judged once.
 */
export function finderOf(
  words: ReadonlySet<string>,
): (letters: string) => boolean {
  const judged = new Map<string, boolean>();
  return (letters) => {
    let fits = judged.get(letters);
    if (fits === undefined) {
      fits = letters.split("\n").some((word) => words.has(word));
      judged.set(letters, fits);
    }
    return fits;
  };
}
