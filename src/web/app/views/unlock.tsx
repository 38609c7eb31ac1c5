/**
 * Signed in on a device that has no key yet.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { faultText } from "../faults.ts";
import { Button, Field, Notice } from "../parts/controls.tsx";
import { standing, vault } from "../vault.ts";
import { words } from "../words.ts";

/** The ways to the account's keys. */
export function Unlock() {
  const { entry, frame } = words.value;
  const [typed, setTyped] = useState("");
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    setFault(undefined);
    setBusy(true);
    try {
      standing.value = await vault().session.recover(typed);
    } catch (error) {
      setFault(faultText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <main class="card-page">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <h1>{entry.unlockTitle}</h1>
        <p class="quiet">{entry.unlockWhy}</p>
        <Field
          label={entry.unlockWords}
          required
          autocomplete="off"
          value={typed}
          onInput={setTyped}
        />
        {fault !== undefined && <Notice>{fault}</Notice>}
        <Button kind="main" type="submit" busy={busy}>{entry.unlock}</Button>
        <Button kind="quiet" onClick={() => vault().session.signOut()}>
          {frame.signOut}
        </Button>
      </form>
    </main>
  );
}
