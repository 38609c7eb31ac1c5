/**
 * What the vault asks the person in between: the password again, a code.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { Button, Field } from "../parts/controls.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { question, vault } from "../vault.ts";
import { words } from "../words.ts";

/** The question there is; nothing where there is none. */
export function Questions() {
  const asked = question.value;
  return asked === undefined ? null : <Asked key={asked.id} {...asked} />;
}

function Asked({ id, kind, attempt }: NonNullable<typeof question.value>) {
  const { common, entry } = words.value;
  const [answer, setAnswer] = useState("");
  const end = (given: string | undefined) => {
    question.value = undefined;
    vault().session.answer(id, given);
  };
  const isCode = kind === "code";
  return (
    <Dialog
      title={isCode ? entry.code : entry.passwordAgain}
      onClose={() => end(undefined)}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          end(isCode ? answer.replace(/\s/g, "") : answer);
        }}
      >
        <Field
          label={isCode ? entry.code : entry.password}
          type={isCode ? "text" : "password"}
          autocomplete={isCode ? "one-time-code" : "current-password"}
          inputMode={isCode ? "numeric" : "text"}
          autofocus
          required
          value={answer}
          fault={isCode && attempt > 1 ? entry.codeWrong : undefined}
          onInput={setAnswer}
        />
        <div class="actions">
          <Button onClick={() => end(undefined)}>{common.cancel}</Button>
          <Button kind="main" type="submit">{common.next}</Button>
        </div>
      </form>
    </Dialog>
  );
}
