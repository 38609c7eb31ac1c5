/**
 * Keeping the screen on.
 *
 * @module
 */
import { useEffect } from "preact/hooks";

/**
 * Keeps the screen on while something is shown. A browser lets it go with every
 * page that is hidden, so it is asked again when the page is visible.
 */
export function useWakeLock(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    // Insecure contexts and older browsers lack it, although its type says
    // otherwise.
    const locks: WakeLock | undefined = navigator.wakeLock;
    let held: WakeLockSentinel | undefined;
    let isGone = false;
    const ask = async () => {
      if (document.hidden) return;
      try {
        const lock = await locks?.request("screen");
        if (isGone) await lock?.release();
        else held = lock;
      } catch {
        // The device saves its battery: the screen goes off as it always does.
      }
    };
    ask();
    document.addEventListener("visibilitychange", ask);
    return () => {
      isGone = true;
      document.removeEventListener("visibilitychange", ask);
      held?.release().catch(() => {});
    };
  }, [isOn]);
}
