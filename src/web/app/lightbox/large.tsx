/**
 * Shows the photo that the address names over the list that it is in. What
 * draws it is fetched with the first one.
 *
 * @module
 */
import { computed } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type ListSource, photoOf, sourceOf } from "../list.ts";
import { Spinner } from "../parts/controls.tsx";
import { route } from "../routes.ts";

/** Whether a photo is large now: what is below it then rests. */
export const isLarge = computed(() => photoOf(route.value) !== undefined);

interface Drawn {
  readonly of: ComponentType<
    { readonly source: ListSource; readonly id: string; readonly back: boolean }
  >;
}

/** The photo of the address, if it is of one. */
export function LargePhoto() {
  const id = photoOf(route.value);
  const source = sourceOf(route.value);
  const [drawn, setDrawn] = useState<Drawn>();
  // Opened from here, its list is what Back goes to; after a reload it is not.
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
