/**
 * Making a link by which others send photos.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { faultText } from "../../faults.ts";
import { Check, Choice, Options } from "../../parts/choices.tsx";
import { Button, Notice } from "../../parts/controls.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { vault } from "../../vault.ts";
import { messages, sizeText } from "../../messages.ts";
import { type Ending, endOf } from "./endings.ts";
import { LinkOut } from "./link_out.tsx";
import { PASSPHRASE_LEAST } from "./make_link.tsx";

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
  const [ending, setEnding] = useState<Ending>("week");
  const [files, setFiles] = useState("200");
  const [size, setSize] = useState<Size>("5");
  const [guarded, setGuarded] = useState(false);
  const [passphrase, setPassphrase] = useState("");
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [tried, setTried] = useState(false);
  const [url, setUrl] = useState<string>();
  const maxFiles = /^\d{1,6}$/.test(files.trim()) ? Number(files) : 0;
  const short = guarded && passphrase.trim().length < PASSPHRASE_LEAST;
  const make = async () => {
    setTried(true);
    if (short || maxFiles === 0) return;
    setBusy(true);
    setFault(undefined);
    try {
      const made = await vault().sharing.request({
        note: note.trim(),
        expiresAt: endOf(ending) ?? "",
        maxFiles,
        maxBytes: Number(size) * GIB,
        ...(guarded ? { passphrase } : {}),
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
        <Choice
          label={sharing.ends}
          value={ending}
          options={[
            ["day", sharing.endings.day],
            ["week", sharing.endings.week],
            ["month", sharing.endings.month],
            ["quarter", sharing.endings.quarter],
          ]}
          onChoose={setEnding}
        />
        <Options
          label={sharing.options}
          open={tried && (short || maxFiles === 0)}
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
          <Check
            label={sharing.withPassphrase}
            checked={guarded}
            onChange={setGuarded}
          />
          {guarded && (
            <Field
              label={sharing.passphrase}
              type="password"
              autocomplete="off"
              autofocus
              value={passphrase}
              hint={sharing.passphraseHint}
              fault={tried && short ? sharing.passphraseShort : undefined}
              onInput={setPassphrase}
            />
          )}
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
