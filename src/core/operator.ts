/**
 * What the operator is told: what is wrong, and what mends it.
 *
 * @module
 */

/** Something that is wrong, and what to do about it, each for people. */
export interface Fault {
  readonly what: string;
  readonly mend: string;
}

/** A fault of one setting. */
export interface SettingFault extends Fault {
  readonly setting: string;
}

/** A fault on one line, behind the name of its setting. */
export function settingFaultLine(
  { setting, what, mend }: SettingFault,
): string {
  return `${setting}: ${what}: ${mend}`;
}

/**
 * Why something that the operator asked for is refused. The text is for the
 * operator: what is refused, why, and what to do.
 */
export class OperatorFault extends Error {
  override readonly name = "OperatorFault";
}
