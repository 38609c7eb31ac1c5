/**
 * Questions of the vault to the person: the password again, or a code.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { Button } from "../parts/controls.tsx";
import { Field, Form } from "../parts/form.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { question, vault } from "../vault.ts";
import { messages } from "../messages.ts";

/** The present question, if any. */
export function Questions() {
  const asked = question.value;
  return asked === undefined ? null : <Asked key={asked.id} {...asked} />;
}

function Asked({ id, kind, attempt }: NonNullable<typeof question.value>) {
  const { common, entry } = messages.value;
  const [answer, setAnswer] = useState("");
  const end = (given: string | undefined) => {
    question.value = undefined;
    vault().session.answer(id, given);
  };
  const isCode = kind === "code";
  return (
    <Dialog
      title={isCode ? entry.codeTitle : entry.passwordAgain}
      onClose={() => end(undefined)}
    >
      <Form onSubmit={() => end(isCode ? answer.replace(/\s/g, "") : answer)}>
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
      </Form>
    </Dialog>
  );
}
