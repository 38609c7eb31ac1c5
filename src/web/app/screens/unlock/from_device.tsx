/**
 * Getting the account's keys from a device that has them.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { dropLink, waitingLink } from "../../joining.ts";
import { Button, Notice } from "../../parts/controls.tsx";
import { Refused, useDoing } from "../../parts/doing.tsx";
import { Field } from "../../parts/form.tsx";
import { useLayer } from "../../history/overlay_history.ts";
import { lazily } from "../../parts/lazy.tsx";
import { pairing, sessionState, vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { Card } from "../entry/card.tsx";
import { Compare } from "./compare.tsx";
import { Working } from "./working.tsx";

const Scanner = lazily(async () => (await import("./scanner.tsx")).Scanner);

/** Scanning, typing, and comparing four words. */
export function FromDevice({ onBack }: { readonly onBack: () => void }) {
  const { entry } = messages.value;
  const doing = useDoing();
  const [code, setCode] = useState("");
  const [scanning, setScanning] = useState(false);
  const [notice, setNotice] = useState<string>();
  // Insecure contexts lack it, although its type says otherwise.
  const cameras: MediaDevices | undefined = navigator.mediaDevices;
  const take = (given: string) =>
    doing.run(async () => {
      setScanning(false);
      sessionState.value = await vault().session.takeDevice(given);
    });
  useEffect(() => {
    const link = waitingLink.value;
    if (link === undefined) return;
    dropLink();
    take(link);
  }, []);
  const back = () => {
    vault().session.pairingStop();
    onBack();
  };
  useLayer(true, back);
  const state = pairing.value;
  if (doing.busy && state.step === "compare") {
    return (
      <Card title={entry.sameTitle}>
        <Compare words={state.words} foreign={state.foreign} />
      </Card>
    );
  }
  if (doing.busy) {
    return (
      <Card title={entry.byDevice} back={back}>
        <Working connecting={entry.connecting} />
      </Card>
    );
  }
  return (
    <Card
      title={entry.byDevice}
      back={back}
      onSubmit={() => take(code.trim())}
    >
      <p class="quiet">{entry.deviceHow}</p>
      {cameras !== undefined && (scanning
        ? (
          <Scanner
            onFound={(text: string) => {
              setNotice(undefined);
              if (/^https?:\/\/[^/]+\/#\/join\//.test(text)) take(text);
              else setNotice(entry.scanOther);
            }}
            onFailed={() => {
              setScanning(false);
              setNotice(entry.scanFailed);
            }}
          />
        )
        : (
          <Button
            kind="main"
            icon="camera"
            onClick={() => {
              setNotice(undefined);
              setScanning(true);
            }}
          >
            {entry.scan}
          </Button>
        ))}
      {scanning && (
        <Button kind="quiet" onClick={() => setScanning(false)}>
          {entry.scanStop}
        </Button>
      )}
      {notice !== undefined && <Notice kind="warn">{notice}</Notice>}
      <Field
        label={entry.typedCode}
        hint={entry.typedCodeHint}
        autocomplete="off"
        value={code}
        onInput={setCode}
      />
      <Refused doing={doing} />
      <Button
        kind={cameras === undefined ? "main" : "plain"}
        type="submit"
        disabled={code.trim() === ""}
      >
        {entry.connect}
      </Button>
    </Card>
  );
}
