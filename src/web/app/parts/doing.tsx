/**
 * What became of an operation that the person started: under way, failed, or
 * waiting because the server asks for it.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { now } from "../../browser.ts";
import { faultText } from "../faults.ts";
import { messages } from "../messages.ts";
import { waitingUntil } from "../vault.ts";
import { Notice } from "./controls.tsx";

/** The state of an operation: under way, or failed with a message. */
export interface Doing {
  readonly busy: boolean;
  readonly fault: string | undefined;
  /** Runs it; an error becomes a message. */
  readonly run: (act: () => Promise<unknown>) => Promise<boolean>;
  readonly refuse: (fault: string | undefined) => void;
}

/** Keeps the state of an operation; `textOf` is the message for an error. */
export function useDoing(
  textOf: (error: unknown) => string = faultText,
): Doing {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  return {
    busy,
    fault,
    refuse: setFault,
    async run(act) {
      setFault(undefined);
      setBusy(true);
      try {
        await act();
        return true;
      } catch (error) {
        setFault(textOf(error));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

/** The message of a failed operation, or how long the server asks to wait. */
export function Refused({ doing }: { readonly doing: Doing }) {
  const [, look] = useState(0);
  const left = doing.busy ? waitingUntil.value - now() : 0;
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => look(left), 1_000);
    return () => clearTimeout(timer);
  });
  if (left > 0) {
    const seconds = Math.ceil(left / 1_000);
    return (
      <Notice kind="info">{messages.value.faults.waiting({ seconds })}</Notice>
    );
  }
  return doing.fault === undefined ? null : <Notice>{doing.fault}</Notice>;
}
