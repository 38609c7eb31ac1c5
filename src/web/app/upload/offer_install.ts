/**
 * Asking once whether to install the app: after somebody has added photos, and
 * where the browser can.
 *
 * @module
 */
import { install } from "../install.ts";
import { toast } from "../parts/toasts.tsx";
import { messages } from "../messages.ts";

const ASKED = "strongroom.installAsked";

/** Asks, unless this browser was asked before. */
export function offerInstall(): void {
  const prompt = install.value;
  if (prompt === undefined) return;
  try {
    if (localStorage.getItem(ASKED) !== null) return;
    localStorage.setItem(ASKED, "yes");
  } catch {
    // What cannot be remembered would be asked at each visit.
    return;
  }
  const { phone } = messages.value;
  toast(phone.installAsk, { label: phone.install, act: prompt });
}
