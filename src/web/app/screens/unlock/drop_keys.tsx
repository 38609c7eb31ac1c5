/**
 * The one question before this browser deletes the account's key, whoever asks
 * for it: what is lost, what opens the photos afterwards, and a refusal while
 * nothing would.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { HeldKeys } from "../../../workers/vault/keys_here.ts";
import { faultText } from "../../faults.ts";
import { Button, Notice } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Refused, useDoing } from "../../parts/doing.tsx";
import { go, href } from "../../routes.ts";
import { vault } from "../../vault.ts";
import { messages } from "../../messages.ts";

/** Where the person wants the key to be deleted. */
type Dropping =
  /** Signed in: from this browser, or from it with all sessions. */
  | "here"
  | "everywhere"
  /** On the page of a session that has ended. */
  | "ended"
  /** On the page of a locked browser. */
  | "sealed";

/** Asks, and runs `act` once the person agrees. */
export function DropKeys({ from, act, close }: {
  readonly from: Dropping;
  readonly act: () => Promise<unknown>;
  readonly close: () => void;
}) {
  const { common, entry, shell, settings } = messages.value;
  const doing = useDoing();
  const [held, setHeld] = useState<HeldKeys>();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    vault().session.keysHere().then(
      setHeld,
      (error) => setFault(faultText(error)),
    );
  }, []);
  if (held === undefined) {
    return fault === undefined
      ? null
      : (
        <Dialog title={entry.sealedForgetTitle} onClose={close}>
          <Notice>{fault}</Notice>
        </Dialog>
      );
  }
  const { boxes } = held;
  // One of the other devices may be the stolen one.
  const devices = from === "everywhere" ? [] : held.devices;
  const isOpen = from === "here" || from === "everywhere";
  const writeDown = (
    <Button
      kind="main"
      onClick={() => {
        close();
        go(href("words"));
      }}
    >
      {entry.remindAct}
    </Button>
  );
  if (held.has && boxes.length + devices.length === 0) {
    return (
      <Dialog
        title={settings.dropRefused}
        onClose={close}
        actions={isOpen
          ? writeDown
          : <Button kind="main" onClick={close}>{common.back}</Button>}
      >
        <div class="stack">
          <p>{settings.dropNone}</p>
          {from === "ended" && <p>{settings.dropFirstEnded}</p>}
          {from === "sealed" && <p>{settings.dropFirstSealed}</p>}
          <p class="quiet">{settings.siteData}</p>
        </div>
      </Dialog>
    );
  }
  const [title, action] = ({
    here: [settings.signOutTitle, shell.signOut],
    everywhere: [settings.everywhereTitle, settings.everywhere],
    ended: [entry.sealedForgetTitle, entry.forget],
    sealed: [entry.sealedForgetTitle, entry.sealedForgetAct],
  } as const)[from];
  return (
    <Dialog
      title={title}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{common.cancel}</Button>
          <Button
            kind="danger"
            busy={doing.busy}
            onClick={async () => {
              if (await doing.run(act)) close();
            }}
          >
            {action}
          </Button>
          {held.has && boxes.length === 0 && isOpen && writeDown}
        </>
      }
    >
      <div class="stack">
        {from === "everywhere"
          ? <p>{settings.everywhereWhy}</p>
          : held.has && (
            <>
              <p>{settings.dropLost}</p>
              <p>
                {boxes.length > 0
                  ? settings.dropBack
                  : settings.dropDevices({ devices: devices.join(", ") })}
              </p>
            </>
          )}
        <Refused doing={doing} />
      </div>
    </Dialog>
  );
}
