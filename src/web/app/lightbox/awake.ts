/**
 * Keeps the screen on (Screen Wake Lock API), where the browser can: it wants a
 * secure connection, and takes the lock back when the page is out of sight.
 *
 * @module
 */
import { useEffect } from "preact/hooks";

/** Keeps the screen on for as long as `isOn`. */
export function useAwake(isOn: boolean): void {
  useEffect(() => {
    if (!isOn || !("wakeLock" in navigator)) return;
    let lock: WakeLockSentinel | undefined;
    let gone = false;
    const hold = () => {
      if (document.visibilityState !== "visible") return;
      navigator.wakeLock.request("screen").then((held) => {
        if (gone) held.release().catch(() => {});
        else lock = held;
      }, () => {
        // The battery is low, say. The slideshow goes on.
      });
    };
    hold();
    document.addEventListener("visibilitychange", hold);
    return () => {
      gone = true;
      document.removeEventListener("visibilitychange", hold);
      lock?.release().catch(() => {});
    };
  }, [isOn]);
}
