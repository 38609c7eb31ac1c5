/** @module */

/**
 * Why something that the operator asked for is refused. The text is for the
 * operator: what is refused, why, and what to do.
 */
export class OperatorFault extends Error {
  override readonly name = "OperatorFault";
}
