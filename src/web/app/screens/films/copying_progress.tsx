/**
 * How far the copies of films are.
 *
 * @module
 */
import { Progress } from "../../parts/controls.tsx";
import { useWakeLock } from "../../showing/slideshow/wake_lock.ts";
import { messages } from "../../messages.ts";
import type { Copying } from "./copying.ts";

/** The film that is being copied, and how far that is. */
export function CopyingProgress(
  { copying }: { readonly copying: Copying | undefined },
) {
  const { films } = messages.value;
  // A screen that goes off stops a phone's browser.
  useWakeLock(true);
  const { name = "", at = 0, of = 0, step = "making", done = 0 } = copying ??
    {};
  const label = step === "making" ? films.making : films.keeping;
  return (
    <div aria-live="polite">
      <p>{of > 1 ? films.place({ at, of, name }) : name}</p>
      <Progress value={done} label={label} />
      <p class="quiet small">
        {label} {Math.floor(done * 100)} %
      </p>
      <p class="quiet small">{films.stay}</p>
    </div>
  );
}
