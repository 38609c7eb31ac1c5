/**
 * Dialogs, based on the browser's own, which keep the focus inside and return
 * it.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { words } from "../words.ts";
import { IconButton } from "./controls.tsx";

/** A dialog, open as long as it is drawn. */
export function Dialog(
  { title, onClose, children, actions, wide = false }: {
    readonly title: string;
    readonly onClose: () => void;
    readonly children: ComponentChildren;
    /** Buttons at the end. */
    readonly actions?: ComponentChildren;
    readonly wide?: boolean;
  },
) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? "dialog wide" : "dialog"}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        // A click on the backdrop has the dialog itself as its target.
        if (event.target === dialog.current) onClose();
      }}
    >
      <div class="dialog-body">
        <header>
          <h2 id={id}>{title}</h2>
          <IconButton
            icon="close"
            label={words.value.common.close}
            onClick={onClose}
          />
        </header>
        {children}
        {actions !== undefined && <footer class="actions">{actions}</footer>}
      </div>
    </dialog>
  );
}
