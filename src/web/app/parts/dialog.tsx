/**
 * Dialogs, based on the browser's own, which keep the focus inside and return
 * it. Back closes them, as the button does.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { useLayer } from "../history/overlay_history.ts";
import { messages } from "../messages.ts";
import { IconButton } from "./controls.tsx";
import { findLostFocus, takeLostFocus } from "./focus.ts";
import { Toasts } from "./toasts.tsx";

/**
 * A dialog that is there for as long as it is drawn. Its title and its buttons
 * stay where they are while what is between them scrolls.
 */
export function Dialog(
  {
    title,
    onClose,
    children,
    actions,
    note,
    size = "plain",
    hasAddress = false,
  }: {
    readonly title: string;
    readonly onClose: () => void;
    readonly children: ComponentChildren;
    /** Buttons at the end. */
    readonly actions?: ComponentChildren;
    /** Below the title, and staying there as well. */
    readonly note?: ComponentChildren;
    /** `full` is the whole screen on a phone, `screen` everywhere. */
    readonly size?: "plain" | "wide" | "full" | "screen";
    /** Back closes it as any other page that has an address. */
    readonly hasAddress?: boolean;
  },
) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useLayer(!hasAddress, onClose);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    const end = takeLostFocus(() => {
      heading.current?.focus();
      return true;
    });
    return () => {
      end();
      if (before instanceof HTMLElement) before.focus();
      // What opened it may be gone by now, as the bar of a selection is.
      findLostFocus();
    };
  }, []);
  // Under another title it has other contents.
  useEffect(findLostFocus, [title]);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${size}`}
      aria-labelledby={id}
      onCancel={(event) => {
        // A chooser of files in it is cancelled for itself.
        if (event.target !== dialog.current) return;
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
          <div class="dialog-title">
            <h2 id={id} ref={heading} tabIndex={-1}>{title}</h2>
            {note}
          </div>
          <IconButton
            icon="close"
            label={messages.value.common.close}
            onClick={onClose}
          />
        </header>
        <div class="dialog-content">{children}</div>
        {actions !== undefined && <footer class="actions">{actions}</footer>}
      </div>
      <Toasts />
    </dialog>
  );
}
