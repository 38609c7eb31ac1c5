/**
 * Shows the photo that the address names over its list. The lightbox is loaded
 * with the first photo.
 *
 * @module
 */
import { computed } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type ListSource, photoOf, sourceOf } from "../list.ts";
import { Spinner } from "../parts/controls.tsx";
import { route } from "../routes.ts";

/** Whether a photo is shown large; the page below it is then inert. */
export const isLarge = computed(() => photoOf(route.value) !== undefined);

interface Drawn {
  readonly of: ComponentType<
    { readonly source: ListSource; readonly id: string; readonly back: boolean }
  >;
}

/** The photo that the address names, if any. */
export function LargePhoto() {
  const id = photoOf(route.value);
  const source = sourceOf(route.value);
  const [drawn, setDrawn] = useState<Drawn>();
  // Back leads to the list only if the list was shown before, and not after a
  // reload.
  const seenList = useRef(false);
  if (id === undefined) seenList.current = true;
  const isWanted = id !== undefined && drawn === undefined;
  useEffect(() => {
    if (!isWanted) return;
    let gone = false;
    import("./lightbox.tsx").then(({ Lightbox }) => {
      if (!gone) setDrawn({ of: Lightbox });
    });
    return () => {
      gone = true;
    };
  }, [isWanted]);
  if (id === undefined || source === undefined) return null;
  if (drawn === undefined) {
    return (
      <div class="lightbox lightbox-words" aria-busy="true">
        <Spinner />
      </div>
    );
  }
  const Lightbox = drawn.of;
  return <Lightbox source={source} id={id} back={seenList.current} />;
}
