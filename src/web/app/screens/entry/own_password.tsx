/**
 * Choosing one's own password in place of one that the operator set, before
 * anything else.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { ThreadError } from "../../../../client/stream/threads/thread_messages.ts";
import { Button, Notice } from "../../parts/controls.tsx";
import { Refused, useDoing } from "../../parts/doing.tsx";
import { Field } from "../../parts/form.tsx";
import { toast } from "../../parts/toasts.tsx";
import { sessionState, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { Card } from "./card.tsx";
import { LEAST_CHARS } from "./password_rules.ts";

/** The page of the phase `password`. */
export function OwnPassword() {
  const { entry, shell, settings } = messages.value;
  const doing = useDoing();
  const knowsGiven = sessionState.value?.knowsPassword === true;
  const [given, setGiven] = useState("");
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [fault, setFault] = useState<string>();
  const [againFault, setAgainFault] = useState<string>();
  const submit = async () => {
    const isLong = [...password].length >= LEAST_CHARS;
    setFault(isLong ? undefined : entry.passwordShort);
    setAgainFault(password === again ? undefined : entry.passwordsDiffer);
    if (!isLong || password !== again) return;
    await doing.run(async () => {
      try {
        const state = await vault().session.replacePassword(
          password,
          knowsGiven ? undefined : given,
        );
        if (state === undefined) return setFault(entry.ownSame);
        sessionState.value = state;
        toast(settings.passwordChanged);
      } catch (error) {
        const paths = error instanceof ThreadError ? error.fault.paths : [];
        if (paths?.includes("/new_password") !== true) throw error;
        setFault(entry.passwordCommon);
      }
    });
  };
  return (
    <Card title={entry.ownTitle} onSubmit={submit}>
      <p class="quiet">{entry.ownWhy}</p>
      {!knowsGiven && (
        <Field
          label={entry.ownGiven}
          type="password"
          autocomplete="current-password"
          required
          autofocus
          value={given}
          onInput={setGiven}
        />
      )}
      <Field
        label={entry.newPassword}
        type="password"
        autocomplete="new-password"
        required
        autofocus={knowsGiven}
        value={password}
        hint={entry.passwordHint}
        fault={fault}
        onInput={setPassword}
      />
      <Field
        label={entry.newPasswordAgain}
        type="password"
        autocomplete="new-password"
        required
        value={again}
        fault={againFault}
        onInput={setAgain}
      />
      <Refused doing={doing} />
      <Notice kind="info">{entry.ownPhotos}</Notice>
      <Button kind="main" type="submit" busy={doing.busy}>
        {doing.busy ? entry.working : entry.ownSet}
      </Button>
      <Button
        kind="quiet"
        disabled={doing.busy}
        onClick={() => doing.run(() => vault().session.signOut())}
      >
        {shell.signOut}
      </Button>
    </Card>
  );
}
