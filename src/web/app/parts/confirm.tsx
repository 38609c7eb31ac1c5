/**
 * Asking before something that cannot be undone.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { messages } from "../messages.ts";
import { Button } from "./controls.tsx";
import { Dialog } from "./dialog.tsx";
import { Refused, useDoing } from "./doing.tsx";
import { overlay } from "./overlays.tsx";

/** A question to confirm. */
interface Asking {
  readonly title: string;
  readonly text: ComponentChildren;
  /** The text of the button that does it. */
  readonly action: string;
  readonly danger?: boolean;
  /** Does it; the dialog shows what it throws. */
  readonly act: () => Promise<unknown>;
}

/** Asks in a dialog over everything. */
export function confirm(asking: Asking): void {
  overlay((close) => <Confirm {...asking} onClose={close} />);
}

/** Asks in a dialog; resolves to whether the person agreed. */
export function confirmed(asking: Omit<Asking, "act">): Promise<boolean> {
  return new Promise((resolve) => {
    overlay((close) => (
      <Confirm
        {...asking}
        act={() => {
          resolve(true);
          return Promise.resolve();
        }}
        onClose={() => {
          resolve(false);
          close();
        }}
      />
    ));
  });
}

function Confirm(
  { title, text, action, danger = true, act, onClose }: Asking & {
    readonly onClose: () => void;
  },
) {
  const doing = useDoing();
  const go = () =>
    doing.run(async () => {
      await act();
      onClose();
    });
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{messages.value.common.cancel}</Button>
          <Button
            kind={danger ? "danger" : "main"}
            busy={doing.busy}
            onClick={go}
          >
            {action}
          </Button>
        </>
      }
    >
      <div class="stack">{text}</div>
      <Refused doing={doing} />
    </Dialog>
  );
}
