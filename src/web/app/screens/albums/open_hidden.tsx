/**
 * The form that opens hidden photos with their PIN, and the way back for who
 * forgot it.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useLoaded } from "../../loaded.ts";
import { Button } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Refused, useDoing } from "../../parts/doing.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { Waiting } from "../settings/parts.tsx";

/** Asks for the PIN. */
export function OpenHidden({ autofocus = false, children }: {
  readonly autofocus?: boolean;
  readonly children?: ComponentChildren;
}) {
  const { entry, hiding } = messages.value;
  const doing = useDoing();
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState<string>();
  const open = () => {
    setWrong(undefined);
    doing.run(async () => {
      const isRight = await vault().settings.openHidden(typed.trim());
      if (isRight) return;
      setTyped("");
      setWrong(hiding.pinWrong);
    });
  };
  return (
    <Form class="stack measure" onSubmit={open}>
      {children}
      <Field
        label={hiding.pin}
        masked
        // No password manager is to take it for the account's password.
        autocomplete="one-time-code"
        inputMode="numeric"
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
        <Button
          kind="quiet"
          onClick={() => overlay((close) => <ForgotPin close={close} />)}
        >
          {hiding.pinForgot}
        </Button>
      </div>
    </Form>
  );
}

/** Removes the PIN, with the password or, without one, the 24 words. */
function ForgotPin({ close }: { readonly close: () => void }) {
  const { common, entry, faults, hiding } = messages.value;
  const doing = useDoing();
  const loaded = useLoaded(() => vault().settings.profile(), []);
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState<string>();
  const remove = () => {
    setWrong(undefined);
    doing.run(async () => {
      const isRight = await vault().settings.forgetHiddenPin(typed);
      if (!isRight) return setWrong(faults.escrow);
      toast(hiding.pinRemoved);
      close();
    });
  };
  const profile = loaded.value;
  return (
    <Dialog title={hiding.pinForgot} onClose={close}>
      {profile === undefined
        ? <Waiting loaded={loaded} />
        : (
          <Form onSubmit={remove}>
            <p>{hiding.pinForgotWhy}</p>
            <Field
              label={profile.has_password ? entry.password : entry.wordsField}
              masked
              // A password manager would let in anyone at the open browser.
              autocomplete="off"
              hint={profile.has_password ? undefined : hiding.pinWordsLost}
              required
              autofocus
              value={typed}
              fault={wrong}
              onInput={setTyped}
            />
            <Refused doing={doing} />
            <div class="actions">
              <Button onClick={close}>{common.cancel}</Button>
              <Button kind="main" type="submit" busy={doing.busy}>
                {hiding.pinRemove}
              </Button>
            </div>
          </Form>
        )}
    </Dialog>
  );
}
