/**
 * Saving a report of the proofs as a file.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { faultText } from "../../faults.ts";
import { Button, Notice } from "../../parts/controls.tsx";
import { saveBlob } from "../../saving.ts";
import { vault } from "../../vault.ts";
import { messages } from "../../messages.ts";

/** The button that saves it. */
export function Report() {
  const { safety } = messages.value;
  const [receipts, setReceipts] = useState(true);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const save = async () => {
    setBusy(true);
    setFault(undefined);
    try {
      const report = await vault().safety.report({ receipts });
      saveBlob(report, "strongroom-report.json");
    } catch (error) {
      setFault(faultText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section class="safety-report">
      <p class="quiet">{safety.reportHint}</p>
      <label class="choice">
        <input
          type="checkbox"
          checked={receipts}
          onChange={(event) => setReceipts(event.currentTarget.checked)}
        />
        {safety.withReceipts}
      </label>
      {fault !== undefined && <Notice>{fault}</Notice>}
      <Button icon="download" busy={busy} onClick={save}>
        {safety.report}
      </Button>
    </section>
  );
}
