/**
 * Changing the texts of a link, its videos and when it ends.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { faultText } from "../../faults.ts";
import { Check, TextArea } from "../../parts/choices.tsx";
import { Button, Notice } from "../../parts/controls.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { toast } from "../../parts/toasts.tsx";
import { vault } from "../../vault.ts";
import type {
  LinkCard,
  LinkContents,
} from "../../../workers/library/sharing/sharing_cards.ts";
import { messages } from "../../messages.ts";
import { type Copied, copyFilms, type Copying } from "../films/copying.ts";
import { CopyingProgress } from "../films/copying_progress.tsx";
import { isNotSmaller, NotSmaller } from "../films/not_smaller.tsx";
import { sharingList } from "../settings/library_doubt.tsx";
import { EndingChoice, TIMES } from "./ending_choice.tsx";
import { type Ending, endOf } from "./endings.ts";

/** Asks for the changes; `onEnd` gets whether something was changed. */
export function ChangeLink(
  { link, contents, onEnd }: {
    readonly link: LinkCard;
    readonly contents: LinkContents;
    readonly onEnd: (changed: boolean) => void;
  },
) {
  const { sharing, films, common } = messages.value;
  const [title, setTitle] = useState(contents.title);
  const [message, setMessage] = useState(contents.message);
  const [from, setFrom] = useState(contents.from);
  const [ending, setEnding] = useState<Ending | "keep">("keep");
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const wereSmaller = contents.films === "smaller";
  const [smaller, setSmaller] = useState(wereSmaller);
  const [living, setLiving] = useState(link.living === true);
  const [reacts, setReacts] = useState(link.reacts === true);
  const [copying, setCopying] = useState<Copying>();
  const [copied, setCopied] = useState<Copied>();
  const closing = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => closing.current?.abort(), []);
  const save = async () => {
    setBusy(true);
    setFault(undefined);
    const now = {
      title: title.trim(),
      message: message.trim(),
      from: from.trim(),
    };
    try {
      const { signal } = closing.current = new AbortController();
      const made = smaller && !wereSmaller
        ? await copyFilms(contents.filmIds, "playable-720", {
          signal,
          onProgress: setCopying,
          // Its originals may not be given for it.
          isPlaceless: true,
        })
        : undefined;
      setCopying(undefined);
      const change = () =>
        vault().sharing.change(link.opaqueId, {
          ...(now.title === contents.title ? {} : { title: now.title }),
          ...(now.message === contents.message ? {} : { message: now.message }),
          ...(now.from === contents.from ? {} : { from: now.from }),
          ...(ending === "keep" ? {} : { expiresAt: endOf(ending) }),
          ...(smaller === wereSmaller
            ? {}
            : { shownFilms: smaller ? "smaller" : "original" }),
          ...(living === (link.living === true) ? {} : { living }),
          ...(reacts === (link.reacts === true) ? {} : { reacts }),
        }).then(() => true);
      if (await sharingList(change) === undefined) return setBusy(false);
      if (made !== undefined && isNotSmaller(made)) return setCopied(made);
      toast(sharing.changed);
      onEnd(true);
    } catch (error) {
      setFault(faultText(error));
      setBusy(false);
    }
  };
  if (copied !== undefined) {
    return (
      <Dialog title={sharing.changed} onClose={() => onEnd(true)}>
        <NotSmaller copied={copied} />
      </Dialog>
    );
  }
  return (
    <Dialog title={sharing.change} onClose={() => onEnd(false)}>
      <Form onSubmit={save}>
        <p class="quiet">{sharing.changeHint}</p>
        <Field
          label={sharing.name}
          value={title}
          autofocus
          maxLength={200}
          onInput={setTitle}
        />
        <TextArea
          label={sharing.message}
          value={message}
          rows={2}
          maxLength={4_000}
          onInput={setMessage}
        />
        <Field
          label={sharing.from}
          value={from}
          maxLength={200}
          onInput={setFrom}
        />
        <EndingChoice
          value={ending}
          among={["keep", ...TIMES, "never"]}
          onChoose={setEnding}
        />
        {!link.frame && contents.filmIds.length > 0 && (
          <Check label={films.smaller} checked={smaller} onChange={setSmaller}>
            {smaller && !wereSmaller && films.smallerHint}
            {!smaller && wereSmaller && films.originalsHint}
          </Check>
        )}
        {link.living !== undefined && (
          <Check label={sharing.later} checked={living} onChange={setLiving}>
            {living ? sharing.laterHint : sharing.laterNot}
          </Check>
        )}
        {link.reacts !== undefined && (
          <Check label={sharing.reacts} checked={reacts} onChange={setReacts}>
            {reacts ? sharing.reactsHint : sharing.reactsNot}
          </Check>
        )}
        {copying !== undefined && <CopyingProgress copying={copying} />}
        {fault !== undefined && <Notice>{fault}</Notice>}
        <div class="actions">
          <Button onClick={() => onEnd(false)}>{common.cancel}</Button>
          <Button kind="main" type="submit" busy={busy}>{common.save}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
