/**
 * The dialog that asks for a phrase of the person's choice.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { words } from "../../words.ts";
import { Refused, useDoing } from "./card.tsx";
import { PhraseField } from "./phrase_field.tsx";

/** The dialog; if `keep` throws, it shows the error and stays open. */
export function PhraseDialog(
  { title, label, hint, done, keep, close, children }: {
    readonly title: string;
    readonly label: string;
    readonly hint: string;
    /** The text of the button. */
    readonly done: string;
    readonly keep: (phrase: string) => Promise<void>;
    readonly close: () => void;
    /** Content above the field. */
    readonly children?: ComponentChildren;
  },
) {
  const doing = useDoing();
  const [phrase, setPhrase] = useState("");
  return (
    <Dialog title={title} onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          doing.run(() => keep(phrase));
        }}
      >
        {children}
        <PhraseField
          label={label}
          hint={hint}
          value={phrase}
          onInput={setPhrase}
          autofocus
        />
        <Refused doing={doing} />
        <div class="actions">
          <Button onClick={close}>{words.value.common.cancel}</Button>
          <Button
            kind="main"
            type="submit"
            busy={doing.busy}
            disabled={phrase === ""}
          >
            {done}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
