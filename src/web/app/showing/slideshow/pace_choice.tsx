/**
 * Choosing how long a photo is shown.
 *
 * @module
 */
import { Choice } from "../../parts/choices.tsx";
import { messages } from "../../messages.ts";
import { choosePace, pace, PACES } from "./pace.ts";

/** The choice with its label. */
export function PaceChoice() {
  const { slideshow } = messages.value;
  return (
    <Choice
      label={slideshow.pace}
      value={String(pace.value)}
      options={PACES.map((seconds) => [
        String(seconds),
        slideshow.seconds({ n: seconds }),
      ])}
      onChoose={(seconds) => choosePace(Number(seconds))}
    />
  );
}
