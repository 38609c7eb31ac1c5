/**
 * The message for an action that failed for some photos.
 *
 * @module
 */
import {
  type Fault,
  ThreadError,
} from "../../../client/stream/threads/thread_messages.ts";
import { faultText } from "../faults.ts";
import type { Noun } from "../list.ts";
import { messages } from "../messages.ts";

/** Says how many photos could not be moved, and why. */
export function refused(failed: number, fault: Fault, noun: Noun): string {
  const why = faultText(new ThreadError(fault));
  return `${messages.value.trash.failed({ n: failed, noun })} ${why}`;
}
