/**
 * What is said where an action did not succeed with every photo.
 *
 * @module
 */
import { type Fault, ThreadError } from "../../work/wire.ts";
import { faultText } from "../faults.ts";
import { words } from "../words.ts";

/** Why some could not be moved. */
export function refused(failed: number, fault: Fault): string {
  const why = faultText(new ThreadError(fault));
  return `${words.value.trash.failed(failed)} ${why}`;
}
