/**
 * Faults as operators read them: what is wrong, and how to fix it.
 *
 * @module
 */

/** Something that is wrong and how to fix it, as texts for people. */
export interface Fault {
  readonly what: string;
  readonly mend: string;
}

/** What is left where the data itself is damaged. */
export const RESTORE_BACKUP =
  "restore a backup into a new data directory (`strongroom restore BACKUP " +
  "--data-dir NEW_DIRECTORY`)";

/** A fault of one setting. */
export interface SettingFault extends Fault {
  readonly setting: string;
}

/** A fault as one line that begins with the name of its setting. */
export function settingFaultLine(
  { setting, what, mend }: SettingFault,
): string {
  return `${setting}: ${what}: ${mend}`;
}

/**
 * A refusal of something that the operator asked for. The message is for the
 * operator: what is refused, why, and what to do.
 */
export class OperatorFault extends Error {
  override readonly name = "OperatorFault";
}
