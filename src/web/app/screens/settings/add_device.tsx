/**
 * Handing the account to another device: a code to scan or to type, and four
 * words to compare.
 *
 * @module
 */
import { useEffect } from "preact/hooks";
import { Button } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Refused, useDoing } from "../../parts/doing.tsx";
import { lazily } from "../../parts/lazy.tsx";
import { OnlyHere } from "../../parts/only_here.tsx";
import { toast } from "../../parts/toasts.tsx";
import { pairing, vault } from "../../vault.ts";
import { messages, timeText } from "../../messages.ts";
import { Compare } from "../unlock/compare.tsx";
import { Working } from "../unlock/working.tsx";

const QrCode = lazily(async () => (await import("../../parts/qr.tsx")).QrCode);

/**
 * The dialog, which is open until the other device has the account or the
 * person cancels.
 */
export function AddDevice({ close }: { readonly close: () => void }) {
  const { common, entry, settings } = messages.value;
  const doing = useDoing();
  const give = () =>
    doing.run(async () => {
      const name = await vault().session.giveDevice();
      toast(settings.addDone({ name }));
      close();
    });
  useEffect(() => {
    give();
    return () => {
      vault().session.pairingStop();
    };
  }, []);
  const state = pairing.value;
  return (
    <Dialog
      title={state.step === "compare" ? entry.sameTitle : settings.addTitle}
      onClose={close}
    >
      <Refused doing={doing} />
      {!doing.busy && doing.fault !== undefined && (
        <div class="actions">
          <Button onClick={close}>{common.close}</Button>
          <Button kind="main" onClick={give}>{common.retry}</Button>
        </div>
      )}
      {doing.busy && state.step === "show" && (
        <>
          <p>{settings.addHow}</p>
          <p class="typed-code">
            <span class="quiet small">{settings.addAddress}</span>
            <strong translate={false}>{new URL(state.link).origin}</strong>
          </p>
          <OnlyHere url={state.link} />
          <QrCode text={state.link} label={settings.addQr} />
          <p class="typed-code">
            <span class="quiet small">{settings.addCode}</span>
            <strong translate={false}>{state.code}</strong>
          </p>
          <p class="quiet small">
            {settings.addUntil({
              time: timeText(state.expiresAt, { timeStyle: "short" }),
            })}
          </p>
        </>
      )}
      {doing.busy && state.step === "compare" && (
        <>
          {state.name !== undefined && (
            <p>{settings.addCompare({ name: state.name })}</p>
          )}
          <p>{settings.addScanned}</p>
          <Compare words={state.words} />
        </>
      )}
      {doing.busy && (state.step === "working" || state.step === "none") && (
        <Working connecting={settings.addWorking} />
      )}
    </Dialog>
  );
}
