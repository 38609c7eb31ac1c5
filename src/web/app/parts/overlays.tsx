/**
 * Dialogs that are not opened by a view but, for example, by an action or a
 * toast.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { Fragment, type VNode } from "preact";
import { useEffect } from "preact/hooks";
import { route } from "../routes.ts";

interface Overlay {
  readonly id: number;
  /** The route that it was opened at. */
  readonly place: string;
  readonly drawn: VNode;
}

const overlays = signal<readonly Overlay[]>([]);
let last = 0;

const placeNow = () => route.value.path.join("/");

/** Shows a dialog over everything; `draw` gets the function that closes it. */
export function overlay(draw: (close: () => void) => VNode): void {
  const id = ++last;
  const close = () => {
    overlays.value = overlays.value.filter((one) => one.id !== id);
  };
  const place = placeNow();
  overlays.value = [...overlays.value, { id, place, drawn: draw(close) }];
}

/** Shows the dialogs; it is in the page once. Another route closes them. */
export function Overlays() {
  const place = placeNow();
  useEffect(() => {
    // This runs after the page was drawn, when one may be open already.
    overlays.value = overlays.value.filter((one) => one.place === place);
  }, [place]);
  return (
    <>
      {overlays.value.map(({ id, drawn }) => (
        <Fragment key={id}>{drawn}</Fragment>
      ))}
    </>
  );
}
