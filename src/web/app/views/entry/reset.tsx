/**
 * Setting a new password with a link of the operator's.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { ThreadError } from "../../../../client/threads/thread_messages.ts";
import { Button, Notice } from "../../parts/controls.tsx";
import { Field } from "../../parts/form.tsx";
import { goInstead, href, route } from "../../routes.ts";
import { vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { Card, Refused, useDoing } from "./card.tsx";
import { LEAST_CHARS } from "./password_rules.ts";

/** The view at `#/reset/<code>`. */
export function Reset() {
  const { entry } = messages.value;
  const doing = useDoing();
  const [code] = useState(route.value.path[1] ?? "");
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [fault, setFault] = useState<string>();
  const [againFault, setAgainFault] = useState<string>();
  const [isDone, setDone] = useState(false);
  const submit = async () => {
    const isLong = [...password].length >= LEAST_CHARS;
    setFault(isLong ? undefined : entry.passwordShort);
    setAgainFault(password === again ? undefined : entry.passwordsDiffer);
    if (!isLong || password !== again) return;
    await doing.run(async () => {
      try {
        await vault().session.resetPassword(code, password);
        setDone(true);
      } catch (error) {
        const { code: why, paths } = error instanceof ThreadError
          ? error.fault
          : {};
        if (paths?.includes("/new_password") === true) {
          return setFault(entry.passwordCommon);
        }
        if (why !== "error.auth.reset_refused") throw error;
        doing.refuse(entry.resetRefused);
      }
    });
  };
  const signIn = () => goInstead(href("sign-in"));
  if (isDone) {
    return (
      <Card title={entry.resetDone} onSubmit={signIn}>
        <p class="quiet">{entry.resetDoneWhy}</p>
        <Button kind="main" type="submit">{entry.signIn}</Button>
      </Card>
    );
  }
  return (
    <Card title={entry.resetTitle} onSubmit={submit}>
      <p class="quiet">{entry.resetWhy}</p>
      <Field
        label={entry.newPassword}
        type="password"
        autocomplete="new-password"
        required
        autofocus
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
      <Notice kind="info">{entry.resetPhotos}</Notice>
      <Button kind="main" type="submit" busy={doing.busy}>
        {doing.busy ? entry.working : entry.resetSet}
      </Button>
    </Card>
  );
}
