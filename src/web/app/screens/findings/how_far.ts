/**
 * How far this device is with looking at photos, in words.
 *
 * @module
 */
import { mayPass } from "../../../../client/stream/threads/thread_messages.ts";

/**
 * The server does not have the script of a part of the app yet; its message says
 * so to people.
 */
export class NotReady extends Error {
  override readonly name = "NotReady";
}

/** What is said of it. */
interface HowFarTexts {
  /** There is no room for more. */
  readonly full: string;
  /** All photos were looked at. */
  readonly done: string;
  /** The thread that looks cannot be loaded. */
  readonly fault: string;
  /** All were, but for those that this device cannot look at. */
  passed(count: { readonly n: number }): string;
  left(count: { readonly n: number }): string;
  /** No device looks at them that is known of. */
  waiting(count: { readonly n: number }): string;
}

/** How far that is, by the vault. */
export interface HowFar {
  readonly left: number;
  readonly passed: number;
  readonly isFull: boolean;
}

/** What to say of it; `fault` is why looking failed the last time. */
export function howFarText(
  texts: HowFarTexts,
  { left, passed, isFull }: HowFar,
  { isHere, fault }: { readonly isHere: boolean; readonly fault: unknown },
): string {
  if (isFull) return texts.full;
  if (left === 0) {
    return passed === 0 ? texts.done : texts.passed({ n: passed });
  }
  if (fault instanceof NotReady) return fault.message;
  // Without a connection it goes on later.
  if (fault !== undefined && !mayPass(fault)) return texts.fault;
  return isHere ? texts.left({ n: left }) : texts.waiting({ n: left });
}
