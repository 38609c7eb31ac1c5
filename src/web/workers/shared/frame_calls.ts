/**
 * The calls with which a picture frame gets its link by a code. Its thread knows
 * no account.
 *
 * @module
 */
import type { TakingFrame } from "../../../library/sharing/frame_codes.ts";
import { randomBytes, sleep } from "../../browser.ts";
import type { Pairing } from "../vault/context.ts";

/** Makes the calls of the group `frame`. */
export function frameCalls(
  calls: () => Promise<TakingFrame["calls"]>,
  tell: (event: "pairing", data: Pairing) => void,
) {
  let running: AbortController | undefined;
  let answered: ((same: boolean) => void) | undefined;
  const answer = (same: boolean) => {
    answered?.(same);
    answered = undefined;
  };
  const stop = () => {
    running?.abort();
    answer(false);
  };
  return {
    /** Gets the link from the device that shows this code. */
    async take(code: string): Promise<string> {
      stop();
      const { signal } = running = new AbortController();
      tell("pairing", { step: "working" });
      try {
        const { takeFrame } = await import(
          "../../../library/sharing/frame_codes.ts"
        );
        return await takeFrame(code, {
          calls: await calls(),
          random: randomBytes,
          wait: sleep,
          signal,
          compare: async (words) => {
            tell("pairing", { step: "compare", words });
            const same = await new Promise<boolean>((resolve) => {
              answered = resolve;
            });
            if (same) tell("pairing", { step: "working", isAgreed: true });
            return same;
          },
        });
      } finally {
        if (running?.signal === signal) {
          running = undefined;
          tell("pairing", { step: "none" });
        }
      }
    },
    /** Takes the person's answer about the words. */
    answer,
    /** Stops the pairing. */
    stop,
  };
}
