/**
 * The form that opens hidden photos with the browser phrase.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../../parts/controls.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { Refused, useDoing } from "../entry/card.tsx";

/** Asks for the phrase. */
export function OpenHidden({ autofocus = false, children }: {
  readonly autofocus?: boolean;
  readonly children?: ComponentChildren;
}) {
  const { entry } = messages.value;
  const doing = useDoing();
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState<string>();
  const open = () => {
    setWrong(undefined);
    doing.run(async () => {
      const isRight = await vault().settings.openHidden(typed);
      if (!isRight) setWrong(entry.sealedWrong);
    });
  };
  return (
    <Form class="stack measure" onSubmit={open}>
      {children}
      <Field
        label={entry.unlockPhrase}
        type="password"
        autocomplete="current-password"
        required
        autofocus={autofocus}
        value={typed}
        fault={wrong}
        onInput={setTyped}
      />
      <Refused doing={doing} />
      <div class="actions start">
        <Button kind="main" type="submit" icon="lock" busy={doing.busy}>
          {entry.unlock}
        </Button>
      </div>
    </Form>
  );
}
