/**
 * Making a link by which others send photos.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { faultText } from "../../faults.ts";
import { Choice, Options } from "../../parts/choices.tsx";
import { Button, Notice } from "../../parts/controls.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { vault } from "../../vault.ts";
import { messages, sizeText } from "../../messages.ts";
import { EndingChoice, TIMES } from "./ending_choice.tsx";
import { endOf } from "./endings.ts";
import { LinkOut } from "./link_out.tsx";
import { PassphraseChoice, useLinkPassphrase } from "./passphrase_choice.tsx";

const GIB = 1024 ** 3;
const SIZES = ["1", "5", "20", "100"] as const;
type Size = typeof SIZES[number];
/** Longest note (characters). */
const NOTE_MOST = 240;

/** Asks for the limits, makes the link, and shows it. */
export function MakeRequest(
  { onClose, title = "" }: {
    readonly onClose: () => void;
    /** What the photos are for, as a beginning. */
    readonly title?: string;
  },
) {
  const { sharing, common } = messages.value;
  const [note, setNote] = useState(title.slice(0, NOTE_MOST));
  const [ending, setEnding] = useState<typeof TIMES[number]>("week");
  const [files, setFiles] = useState("200");
  const [size, setSize] = useState<Size>("5");
  const passphrase = useLinkPassphrase();
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [tried, setTried] = useState(false);
  const [url, setUrl] = useState<string>();
  const maxFiles = /^\d{1,6}$/.test(files.trim()) ? Number(files) : 0;
  const make = async () => {
    setTried(true);
    if (passphrase.isShort || maxFiles === 0) return;
    setBusy(true);
    setFault(undefined);
    try {
      const made = await vault().sharing.request({
        note: note.trim(),
        expiresAt: endOf(ending) ?? "",
        maxFiles,
        maxBytes: Number(size) * GIB,
        ...passphrase.given,
      });
      setUrl(made.url);
    } catch (error) {
      setFault(faultText(error));
      setBusy(false);
    }
  };
  if (url !== undefined) {
    return (
      <Dialog title={sharing.requestMade} onClose={onClose}>
        <LinkOut url={url} title={note} />
        <p class="quiet">{sharing.requestMadeHint}</p>
      </Dialog>
    );
  }
  return (
    <Dialog title={sharing.request} onClose={onClose}>
      <Form onSubmit={make}>
        <Field
          label={sharing.note}
          value={note}
          autofocus
          maxLength={NOTE_MOST}
          placeholder={sharing.notePlaceholder}
          hint={sharing.noteHint}
          onInput={setNote}
        />
        <EndingChoice value={ending} among={TIMES} onChoose={setEnding} />
        <Options
          label={sharing.options}
          open={tried && (passphrase.isShort || maxFiles === 0)}
        >
          <div class="pair">
            <Field
              label={sharing.mostFiles}
              value={files}
              inputMode="numeric"
              fault={tried && maxFiles === 0 ? sharing.notANumber : undefined}
              onInput={setFiles}
            />
            <Choice
              label={sharing.mostBytes}
              value={size}
              options={SIZES.map((one) =>
                [one, sizeText(Number(one) * GIB)] as const
              )}
              onChoose={setSize}
            />
          </div>
          <PassphraseChoice of={passphrase} tried={tried} />
        </Options>
        {fault !== undefined && <Notice>{fault}</Notice>}
        <div class="actions">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="main" type="submit" busy={busy}>
            {busy ? sharing.making : sharing.make}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
