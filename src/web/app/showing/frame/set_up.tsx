/**
 * Setting a picture frame up: by a QR code, or its link.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { Button, Notice } from "../../parts/controls.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { lazily } from "../../parts/lazy.tsx";
import { Logo } from "../../parts/logo.tsx";
import { messages } from "../../messages.ts";
import { chooseFrame, setUp } from "./keeping.ts";

const Scanner = lazily(async () =>
  (await import("../../screens/unlock/scanner.tsx")).Scanner
);

/** Opens the app, for who came here by mistake. */
function leave(): void {
  location.hash = "#/";
  location.reload();
}

/** Asks whether another frame takes the place of the one that is here. */
export function Other() {
  const { pictureFrame } = messages.value;
  return (
    <main class="card-page">
      <div class="card">
        <Logo />
        <h1>{pictureFrame.title}</h1>
        <p>{pictureFrame.other}</p>
        <Button kind="main" onClick={() => chooseFrame(false)}>
          {pictureFrame.otherKeep}
        </Button>
        <Button onClick={() => chooseFrame(true)}>
          {pictureFrame.otherTake}
        </Button>
      </div>
    </main>
  );
}

/** Asks for the QR code or the link of a frame. */
export function New({ refused }: { readonly refused: boolean }) {
  const { pictureFrame, entry } = messages.value;
  const [given, setGiven] = useState("");
  const [scanning, setScanning] = useState(false);
  const [isBroken, setBroken] = useState(false);
  // Insecure contexts lack it, although its type says otherwise.
  const cameras: MediaDevices | undefined = navigator.mediaDevices;
  return (
    <main class="card-page">
      <Form class="card" onSubmit={() => setUp(given.trim())}>
        <Logo />
        <h1>{pictureFrame.title}</h1>
        <p>{pictureFrame.how}</p>
        {cameras !== undefined && (scanning
          ? (
            <Scanner
              onFound={(text: string) => {
                setScanning(false);
                setUp(text);
              }}
              onFailed={() => {
                setScanning(false);
                setBroken(true);
              }}
            />
          )
          : (
            <Button kind="main" icon="camera" onClick={() => setScanning(true)}>
              {entry.scan}
            </Button>
          ))}
        {scanning && (
          <Button kind="quiet" onClick={() => setScanning(false)}>
            {entry.scanStop}
          </Button>
        )}
        {isBroken && <Notice kind="warn">{entry.scanFailed}</Notice>}
        <Field
          label={pictureFrame.link}
          autocomplete="off"
          value={given}
          fault={refused ? pictureFrame.refused : undefined}
          onInput={setGiven}
        />
        <Button
          kind={cameras === undefined ? "main" : "plain"}
          type="submit"
          disabled={given.trim() === ""}
        >
          {pictureFrame.show}
        </Button>
        <Button kind="quiet" onClick={leave}>
          {messages.value.common.cancel}
        </Button>
      </Form>
    </main>
  );
}
