/**
 * Asking for a name.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { messages } from "../messages.ts";
import { Button } from "./controls.tsx";
import { Dialog } from "./dialog.tsx";
import { Refused, useDoing } from "./doing.tsx";
import { Field, Form } from "./form.tsx";
import { overlay } from "./overlays.tsx";

/** A name to ask for. */
interface Naming {
  readonly title: string;
  /** What the name is called. */
  readonly label: string;
  readonly hint: string;
  /** Longest name (characters). */
  readonly most: number;
  /** The name that it has. */
  readonly name?: string | undefined;
  /** The text of the button; by default, that it is saved. */
  readonly action?: string;
  /** More fields, below that of the name. */
  readonly more?: ComponentChildren;
  /**
   * Gives it the name; the dialog shows what it throws. What it resolves to is
   * done once the dialog is closed.
   */
  readonly act: (name: string) => Promise<void | undefined | (() => unknown)>;
}

/** Asks in a dialog over everything. */
export function askName(naming: Naming): void {
  overlay((close) => <NameDialog {...naming} onClose={close} />);
}

/** The dialog. */
export function NameDialog(
  { title, label, hint, most, action, more, act, onClose, ...given }:
    & Naming
    & { readonly onClose: () => void },
) {
  const { common } = messages.value;
  const doing = useDoing();
  const [name, setName] = useState(given.name ?? "");
  const submit = () =>
    doing.run(async () => {
      const then = await act(name.trim());
      onClose();
      await then?.();
    });
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={submit}>
        <Field
          label={label}
          value={name}
          required
          autofocus
          maxLength={most}
          hint={hint}
          onInput={setName}
        />
        {more}
        <Refused doing={doing} />
        <div class="actions">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="main" type="submit" busy={doing.busy}>
            {action ?? common.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
