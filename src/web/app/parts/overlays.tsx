/**
 * Dialogs that are not opened by a view but, for example, by an action or a
 * toast.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { Fragment, type VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { route } from "../routes.ts";

interface Overlay {
  readonly id: number;
  readonly drawn: VNode;
}

const overlays = signal<readonly Overlay[]>([]);
let last = 0;

/** Shows a dialog over everything; `draw` gets the function that closes it. */
export function overlay(draw: (close: () => void) => VNode): void {
  const id = ++last;
  const close = () => {
    overlays.value = overlays.value.filter((one) => one.id !== id);
  };
  overlays.value = [...overlays.value, { id, drawn: draw(close) }];
}

/** Shows the dialogs; it is in the page once. Another route closes them. */
export function Overlays() {
  const place = route.value.path.join("/");
  const before = useRef(place);
  useEffect(() => {
    if (before.current === place) return;
    before.current = place;
    overlays.value = [];
  }, [place]);
  return (
    <>
      {overlays.value.map(({ id, drawn }) => (
        <Fragment key={id}>{drawn}</Fragment>
      ))}
    </>
  );
}
