/**
 * The dialog that asks for a sentence or a phrase of the person's choice, and
 * for the password in the same step where it is needed.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ThreadError } from "../../../../client/stream/threads/thread_messages.ts";
import { faultText } from "../../faults.ts";
import { useLoaded } from "../../loaded.ts";
import { Button, Spinner } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Refused, useDoing } from "../../parts/doing.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { PhraseField } from "./phrase_field.tsx";

interface Props {
  readonly title: string;
  readonly label: string;
  readonly hint: string;
  /** The text of the button. */
  readonly done: string;
  readonly keep: (
    phrase: string,
    password: string | undefined,
  ) => Promise<void>;
  readonly close: () => void;
  /** Content above the field. */
  readonly children?: ComponentChildren;
}

/** The dialog; if `keep` throws, it shows the error and stays open. */
export function PhraseDialog({ title, close, children, ...rest }: Props) {
  const { entry } = messages.value;
  const needed = useLoaded(() => vault().settings.needsPassword(), []);
  const due = useLoaded(() => vault().session.notices(), []).value?.wordsDue;
  const isKnown = needed.here || needed.error !== undefined;
  return (
    <Dialog title={title} onClose={close}>
      {isKnown
        // Without an answer the vault asks, once it gets one.
        ? (
          <PhraseForm
            {...rest}
            close={close}
            withPassword={needed.value === true}
          >
            {children}
            {due && <p>{entry.phraseForgotten}</p>}
          </PhraseForm>
        )
        : (
          <p class="waiting" aria-busy="true">
            <Spinner />
          </p>
        )}
    </Dialog>
  );
}

function PhraseForm(
  { label, hint, done, keep, close, children, withPassword }:
    & Omit<Props, "title">
    & { readonly withPassword: boolean },
) {
  const { common, entry, secrets } = messages.value;
  const doing = useDoing();
  const [phrase, setPhrase] = useState("");
  const [password, setPassword] = useState("");
  const [wrong, setWrong] = useState<
    { readonly of: "phrase" | "password"; readonly text: string }
  >();
  const submit = () => {
    setWrong(undefined);
    doing.run(async () => {
      try {
        await keep(phrase, withPassword ? password : undefined);
      } catch (error) {
        const of = faultyField(error);
        if (of === undefined) throw error;
        setWrong({ of, text: faultText(error) });
      }
    });
  };
  return (
    <Form onSubmit={submit}>
      {children}
      <PhraseField
        label={label}
        hint={hint}
        value={phrase}
        fault={wrong?.of === "phrase" ? wrong.text : undefined}
        onInput={setPhrase}
        required
        autofocus
        // Next to the account's password, one that is marked as new would be
        // kept in its place.
        autocomplete={withPassword ? "off" : "new-password"}
      />
      {withPassword && (
        <Field
          label={entry.password}
          type="password"
          autocomplete="current-password"
          hint={secrets.passwordAsked}
          required
          value={password}
          fault={wrong?.of === "password" ? wrong.text : undefined}
          onInput={setPassword}
        />
      )}
      <Refused doing={doing} />
      <div class="actions">
        <Button onClick={close}>{common.cancel}</Button>
        <Button kind="main" type="submit" busy={doing.busy}>{done}</Button>
      </div>
    </Form>
  );
}

/** The field that an error is about, if it is about one. */
function faultyField(error: unknown): "phrase" | "password" | undefined {
  if (!(error instanceof ThreadError)) return undefined;
  const { kind, code, fault } = error.fault;
  if (code === "error.auth.password_incorrect") return "password";
  return kind === "PhraseRefused" && fault !== "cancelled"
    ? "phrase"
    : undefined;
}
