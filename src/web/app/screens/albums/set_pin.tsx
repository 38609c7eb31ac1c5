/**
 * The dialog that sets the PIN of hidden photos.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { Button } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Refused, useDoing } from "../../parts/doing.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { toast } from "../../parts/toasts.tsx";
import { vault } from "../../vault.ts";
import { messages } from "../../messages.ts";

/** As the vault has it. */
const PIN = /^[0-9]{4,12}$/;

/** Asks for the PIN twice. */
export function SetPin({ close }: { readonly close: () => void }) {
  const { common, hiding } = messages.value;
  const doing = useDoing();
  const [pin, setPin] = useState("");
  const [again, setAgain] = useState("");
  const [fault, setFault] = useState<string>();
  const [againFault, setAgainFault] = useState<string>();
  const set = () => {
    const isPin = PIN.test(pin);
    setFault(isPin ? undefined : hiding.pinHint);
    setAgainFault(pin === again ? undefined : hiding.pinsDiffer);
    if (!isPin || pin !== again) return;
    doing.run(async () => {
      await vault().settings.setHiddenPin(pin);
      toast(hiding.pinKept);
      close();
    });
  };
  const field = {
    masked: true,
    autocomplete: "one-time-code",
    inputMode: "numeric",
    required: true,
    maxLength: 12,
  } as const;
  return (
    <Dialog title={hiding.pinSet} onClose={close}>
      <Form onSubmit={set}>
        <p>{hiding.pinWhy}</p>
        <Field
          {...field}
          label={hiding.pin}
          hint={fault === undefined ? hiding.pinHint : undefined}
          autofocus
          value={pin}
          fault={fault}
          onInput={setPin}
        />
        <Field
          {...field}
          label={hiding.pinAgain}
          value={again}
          fault={againFault}
          onInput={setAgain}
        />
        <Refused doing={doing} />
        <div class="actions">
          <Button onClick={close}>{common.cancel}</Button>
          <Button kind="main" type="submit" busy={doing.busy}>
            {common.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
