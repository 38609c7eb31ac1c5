/**
 * Reporting a photo of an album of another server: a message to the operator of
 * the own one, because only operators report across servers.
 *
 * @module
 */
import { useState } from "preact/hooks";
import type { PhotoReport } from "../../workers/abroad/abroad_cards.ts";
import { messages } from "../messages.ts";
import { Button } from "../parts/controls.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/form.tsx";
import { overlay } from "../parts/overlays.tsx";
import { toast } from "../parts/toasts.tsx";
import { copyText } from "../screens/sharing/copying.ts";

/** Most characters of a reason (protocol/federation.md#reports). */
const REASON_MAX = 2_000;

/** Shows the message for a photo. */
export function reportPhoto(report: PhotoReport): void {
  overlay((close) => <Report report={report} onClose={close} />);
}

function Report(
  { report, onClose }: {
    readonly report: PhotoReport;
    readonly onClose: () => void;
  },
) {
  const { abroad, common, sharing } = messages.value;
  const [reason, setReason] = useState("");
  const copy = async () => {
    const done = await copyText(commandFor(report, reason.trim()));
    toast(done ? sharing.copied : sharing.copyYourself);
    if (done) onClose();
  };
  return (
    <Dialog
      title={abroad.report}
      onClose={onClose}
      actions={<Button kind="main" onClick={copy}>{common.copy}</Button>}
    >
      <p>{abroad.reportTo({ host: report.host })}</p>
      <Field
        label={abroad.reason}
        value={reason}
        maxLength={REASON_MAX}
        autocomplete="off"
        onInput={setReason}
      />
      <p class="quiet small">
        <code>{commandFor(report, reason.trim())}</code>
      </p>
    </Dialog>
  );
}

/** What the operator runs. */
function commandFor(report: PhotoReport, reason: string): string {
  const { to, user, album, assetHash } = report;
  return [
    "strongroom report send",
    `--to ${quoted(to)}`,
    `--user ${quoted(user)}`,
    `--album ${quoted(album)}`,
    `--asset-hash ${quoted(assetHash)}`,
    ...reason === "" ? [] : [`--reason ${quoted(reason)}`],
  ].join(" ");
}

/** A text as one word of a shell: the other server chose some of them. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
