/**
 * The errors that end an enrollment. They are apart from the messages so that a
 * page which handles the error does not load the ceremony.
 *
 * @module
 */

/** Why an enrollment cannot go on. */
export type EnrollmentFault =
  /** It is no message, or not the one that comes next. */
  | "malformed"
  /** A newer program made the message. */
  | "newer"
  /** Someone is between the two devices, or a payload was changed. */
  | "not_the_other_device"
  /** The people said twice that the words differ. */
  | "words_differ"
  /** The master key does not belong to the account's identity. */
  | "another_identity";

/** An enrollment that must end; its channel is to be closed. */
export class EnrollmentError extends Error {
  override readonly name = "EnrollmentError";
  constructor(
    readonly fault: EnrollmentFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
