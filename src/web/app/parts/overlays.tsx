/**
 * Dialogs that are opened by what is no view: an action over photos, a toast.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { Fragment, type VNode } from "preact";

interface Overlay {
  readonly id: number;
  readonly drawn: VNode;
}

const overlays = signal<readonly Overlay[]>([]);
let last = 0;

/**
 * Shows a dialog over everything; `draw` is given what takes it away again.
 */
export function overlay(draw: (close: () => void) => VNode): void {
  const id = ++last;
  const close = () => {
    overlays.value = overlays.value.filter((one) => one.id !== id);
  };
  overlays.value = [...overlays.value, { id, drawn: draw(close) }];
}

/** Where they are shown; there once. */
export function Overlays() {
  return (
    <>
      {overlays.value.map(({ id, drawn }) => (
        <Fragment key={id}>{drawn}</Fragment>
      ))}
    </>
  );
}
