/**
 * Editing a photo's caption and the time it was taken.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "preact/hooks";
import { faultText } from "../../faults.ts";
import type { PhotoInfo } from "../../list.ts";
import { Button, IconButton, Notice } from "../../parts/controls.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { toast } from "../../parts/toasts.tsx";
import { vault } from "../../vault.ts";
import { messages } from "../../messages.ts";
import { clockOf, instantOf, OFFSETS, zoneText } from "./info_text.ts";

/** Longest caption that can be typed (characters). */
const MOST_CAPTION = 4_000;

/** The caption, which can be edited in place for own photos. */
export function Caption({ info }: { readonly info: PhotoInfo }) {
  const { lightbox: { about }, common } = messages.value;
  const held = info.caption ?? "";
  const [text, setText] = useState(held);
  const [busy, setBusy] = useState(false);
  const typed = useRef<string>(undefined);
  const id = useId();
  // Whoever goes on, or closes the panel, has not taken back what they typed.
  useLayoutEffect(() => () => {
    if (typed.current !== undefined) keep(info.id, typed.current);
  }, [info.id]);
  // Before it is drawn: what is typed at once must not be taken back.
  useLayoutEffect(() => {
    typed.current = undefined;
    setText(held);
  }, [info.id, held]);
  const type = (next: string) => {
    typed.current = next === held ? undefined : next;
    setText(next);
  };
  if (!info.mine) {
    return held === "" ? null : <p class="lightbox-caption">{held}</p>;
  }
  const save = async () => {
    typed.current = undefined;
    setBusy(true);
    const isKept = await keep(info.id, text);
    setBusy(false);
    if (!isKept) typed.current = text;
  };
  return (
    <Form class="field lightbox-caption" onSubmit={save}>
      <label class="unseen" for={id}>{about.captionLabel}</label>
      <div class="field-box">
        <textarea
          id={id}
          rows={Math.min(6, text.split("\n").length)}
          maxLength={MOST_CAPTION}
          placeholder={about.caption}
          value={text}
          onInput={(event) => type(event.currentTarget.value)}
        />
      </div>
      {text !== held && (
        <div class="actions">
          <Button kind="main" type="submit" busy={busy}>{common.save}</Button>
          <Button onClick={() => type(held)}>{common.cancel}</Button>
        </div>
      )}
    </Form>
  );
}

/** Saves a caption, and says so. Resolves to whether it is saved. */
async function keep(id: string, text: string): Promise<boolean> {
  const caption = text.trim();
  try {
    await vault().viewing.amend(id, {
      caption: caption === "" ? undefined : caption,
    });
    toast(messages.value.lightbox.about.saved);
    return true;
  } catch (error) {
    toast(faultText(error));
    return false;
  }
}

/** When it was taken, with a form to change that. */
export function Taken({ info, children }: {
  readonly info: PhotoInfo;
  /** The time as shown. */
  readonly children: ComponentChildren;
}) {
  const [open, setOpen] = useState(false);
  const wasOpen = useRef(false);
  const shown = useRef<HTMLDivElement>(null);
  const { lightbox: { about } } = messages.value;
  useLayoutEffect(() => setOpen(false), [info.id]);
  useEffect(() => {
    // The focus returns to the button that opened the form.
    if (!open && wasOpen.current) {
      shown.current?.querySelector("button")?.focus();
    }
    wasOpen.current = open;
  }, [open]);
  if (open) return <TakenForm info={info} onDone={() => setOpen(false)} />;
  return (
    <div class="lightbox-taken" ref={shown}>
      <div>{children}</div>
      {info.mine && (
        <IconButton
          icon="edit"
          size={16}
          label={about.dateEdit}
          onClick={() => setOpen(true)}
        />
      )}
    </div>
  );
}

function TakenForm({ info, onDone }: {
  readonly info: PhotoInfo;
  readonly onDone: () => void;
}) {
  const { lightbox: { about }, common } = messages.value;
  const clock = clockOf(info.taken);
  const [day, setDay] = useState(clock.day);
  const [time, setTime] = useState(clock.time);
  const [offset, setOffset] = useState(info.takenOffset);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const id = useId();
  const known = offset === undefined || OFFSETS.includes(offset)
    ? OFFSETS
    : [...OFFSETS, offset].sort((a, b) => a - b);
  const save = async () => {
    const takenAt = instantOf(day, time, offset);
    if (takenAt === undefined) return;
    setBusy(true);
    setFault(undefined);
    try {
      await vault().viewing.amend(info.id, { takenAt, takenOffset: offset });
      toast(about.saved);
      onDone();
    } catch (error) {
      setFault(faultText(error));
      setBusy(false);
    }
  };
  return (
    <Form class="lightbox-taken-form" onSubmit={save}>
      <Field
        label={about.date}
        type="date"
        required
        min="1826-01-01"
        max="9998-12-31"
        value={day}
        onInput={setDay}
      />
      <Field
        label={about.time}
        type="time"
        step={1}
        required
        value={time}
        onInput={setTime}
      />
      <div class="field">
        <label for={`${id}-zone`}>{about.zone}</label>
        <div class="field-box">
          <select
            id={`${id}-zone`}
            aria-describedby={`${id}-hint`}
            onInput={(event) => {
              const { value } = event.currentTarget;
              setOffset(value === "" ? undefined : Number(value));
            }}
          >
            <option value="" selected={offset === undefined}>
              {about.zoneUnknown}
            </option>
            {known.map((minutes) => (
              <option
                key={minutes}
                value={minutes}
                selected={minutes === offset}
              >
                {zoneText(minutes)}
              </option>
            ))}
          </select>
        </div>
        <p class="hint" id={`${id}-hint`}>{about.zoneHint}</p>
      </div>
      {fault !== undefined && <Notice>{fault}</Notice>}
      <div class="actions">
        <Button kind="main" type="submit" busy={busy}>{common.save}</Button>
        <Button onClick={onDone}>{common.cancel}</Button>
      </div>
    </Form>
  );
}
