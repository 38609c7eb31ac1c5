/**
 * What is off until a person turns it on: what it does, and the button.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { faultText } from "../faults.ts";
import { Button } from "./controls.tsx";
import { toast } from "./toasts.tsx";

/** Says what something does, what choosing it means, and what it costs. */
export function TurnOn(
  { how, choose, size, label, turn }: {
    readonly how: string;
    readonly choose: string;
    readonly size: string;
    readonly label: string;
    readonly turn: () => Promise<void>;
  },
) {
  const [busy, setBusy] = useState(false);
  const press = async () => {
    setBusy(true);
    try {
      await turn();
    } catch (error) {
      toast(faultText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="stack measure">
      <p>{how}</p>
      <p>{choose}</p>
      <p class="quiet small">{size}</p>
      <div class="actions">
        <Button kind="main" busy={busy} onClick={press}>{label}</Button>
      </div>
    </div>
  );
}
