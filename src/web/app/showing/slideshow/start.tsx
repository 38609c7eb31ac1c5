/**
 * The button that starts a slideshow of a list.
 *
 * @module
 */
import type { ListSource } from "../../list.ts";
import { Button } from "../../parts/controls.tsx";
import { withPart } from "../../parts/lazy.tsx";
import { messages } from "../../messages.ts";

/** Starts a slideshow of all photos of a list. */
export function startShow(source: ListSource): Promise<void> {
  return withPart(
    () => import("./slideshow.tsx"),
    ({ showList }) => showList(source),
  );
}

/** The button. */
export function StartShow({ source }: { readonly source: ListSource }) {
  const { slideshow } = messages.value;
  return (
    <Button icon="play" onClick={() => startShow(source)}>
      {slideshow.title}
    </Button>
  );
}
