/**
 * Shows the photo that the address names over its list. The lightbox is loaded
 * with the first photo.
 *
 * @module
 */
import { computed } from "@preact/signals";
import { useRef } from "preact/hooks";
import { photoOf, sourceOf } from "../../list.ts";
import { lazily, type Within } from "../../parts/lazy.tsx";
import { route } from "../../routes.ts";

/** Whether a photo is shown large; the page below it is then inert. */
export const isLarge = computed(() => photoOf(route.value) !== undefined);

const Lightbox = lazily(
  async () => (await import("./lightbox.tsx")).Lightbox,
  { within: Place },
);

/** Where the lightbox will be. Back leaves it, as ever. */
function Place({ busy, children }: Within) {
  return <div class="lightbox lightbox-words" aria-busy={busy}>{children}</div>;
}

/** The photo that the address names, if any. */
export function LargePhoto() {
  const id = photoOf(route.value);
  const source = sourceOf(route.value);
  // Back leads to the list only if the list was shown before, and not after a
  // reload.
  const seenList = useRef(false);
  if (id === undefined) seenList.current = true;
  if (id === undefined || source === undefined) return null;
  return <Lightbox source={source} id={id} back={seenList.current} />;
}
