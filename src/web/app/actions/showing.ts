/**
 * The action that shows photos one after the other.
 *
 * @module
 */
import { part } from "../part.ts";
import { messages } from "../messages.ts";
import type { Action } from "./action.ts";

/** A slideshow of what is selected; nothing for a single photo. */
export const showingActions: readonly Action[] = [
  {
    name: "slideshow",
    icon: "play",
    label: () => messages.value.slideshow.title,
    applies: ({ ids, source }) => ids.length > 1 && source.kind !== "trash",
    act: async ({ ids }) => {
      const { showSlides } = await part(() =>
        import("../showing/slideshow/slideshow.tsx")
      );
      showSlides(ids);
    },
    place: "menu",
    order: 55,
    keeps: true,
  },
];
