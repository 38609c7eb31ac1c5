/**
 * The words that people compare on two devices before one of them hands
 * something over (protocol/client-cryptography.md#a-second-device).
 *
 * @module
 */
import { EnrollmentError } from "./enrollment_fault.ts";

/** The channel ends after this many wrong answers. */
const MOST_WRONG_ANSWERS = 2;

/** The answers of the people who compare the four words on both devices. */
export class Comparison {
  #isSame = false;
  #wrongAnswers = 0;

  get isSame(): boolean {
    return this.#isSame;
  }

  /** Takes an answer; the second wrong one throws an {@link EnrollmentError}. */
  answer(same: boolean): void {
    if (!same) this.#wrongAnswers += 1;
    this.#isSame = same && this.#wrongAnswers < MOST_WRONG_ANSWERS;
    if (this.#wrongAnswers < MOST_WRONG_ANSWERS) return;
    throw new EnrollmentError("words_differ", "the words were not the same");
  }
}

/** The error for a device that hands over or takes before the answer was yes. */
export function notCompared(): RangeError {
  return new RangeError("the words were not compared yet");
}
