/**
 * Changing what is said of one photo or of many: date, place, caption, rating
 * and keywords.
 *
 * @module
 */
import { useState } from "preact/hooks";
import {
  type Edits,
  keywordsIn,
  shiftIn,
  type TakenEdit,
} from "../../../../library/adding/edits.ts";
import type { Position } from "../../../../media/places/gazetteer.ts";
import type { Common } from "../../../workers/library/editing_calls.ts";
import { refused } from "../../actions/refused.ts";
import { faultText } from "../../faults.ts";
import { OFFSETS, zoneText } from "../../showing/lightbox/info_text.ts";
import { PlaceChoice } from "../../showing/lightbox/place_choice.tsx";
import type { Noun } from "../../list.ts";
import { useLoaded } from "../../loaded.ts";
import { Check, Choice, TextArea } from "../../parts/choices.tsx";
import { Button, Notice, Progress, Spinner } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { toast } from "../../parts/toasts.tsx";
import { vault } from "../../vault.ts";
import { messages } from "../../messages.ts";

/** Photos changed in one call; small, so that progress is visible. */
const AT_ONCE = 12;
const MOST_CAPTION = 4_000;
const STARS = [1, 2, 3, 4, 5] as const;

/** Asks what to change of photos, and changes it. */
export function editDetails(ids: readonly string[], noun: Noun): void {
  overlay((close) => <EditDialog ids={ids} noun={noun} onClose={close} />);
}

interface Given {
  readonly ids: readonly string[];
  readonly noun: Noun;
  readonly onClose: () => void;
}

function EditDialog(given: Given) {
  const { editing } = messages.value;
  const { value, error } = useLoaded(
    () => vault().editing.common(given.ids),
    [],
  );
  return (
    <Dialog
      title={editing.title({ n: given.ids.length, noun: given.noun })}
      onClose={given.onClose}
    >
      {error !== undefined
        ? <Notice>{faultText(error)}</Notice>
        : value === undefined
        ? (
          <p class="waiting" aria-busy="true">
            <Spinner />
          </p>
        )
        : <EditForm {...given} common={value} />}
    </Dialog>
  );
}

/** The place that was chosen, as it is written. */
interface Chosen {
  readonly at: Position;
  readonly text: string;
}

/** What is to become of the dates. */
type DateChange = "keep" | TakenEdit["kind"];

function EditForm(
  { ids, noun, onClose, common }: Given & { readonly common: Common },
) {
  const { editing, lightbox: { about }, common: texts } = messages.value;
  const [kind, setKind] = useState<DateChange>("keep");
  const [day, setDay] = useState("");
  const [time, setTime] = useState("12:00");
  const [shift, setShift] = useState("");
  const [zone, setZone] = useState(0);
  const [setsPlace, setSetsPlace] = useState(false);
  const [meant, setMeant] = useState<Position>();
  const [chosen, setChosen] = useState<Chosen>();
  const [noPlace, setNoPlace] = useState(false);
  const [caption, setCaption] = useState(common.caption ?? "");
  const [rating, setRating] = useState(String(common.rating ?? ""));
  const [added, setAdded] = useState("");
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const [done, setDone] = useState<number>();
  const [fault, setFault] = useState<string>();
  const [wrongShift, setWrongShift] = useState<string>();
  const taken = (): TakenEdit | undefined => {
    switch (kind) {
      case "set": {
        const clock = time.length === 5 ? `${time}:00` : time;
        return { kind, local: Date.parse(`${day}T${clock}Z`) };
      }
      case "shift":
        return { kind, minutes: shiftIn(shift) ?? 0 };
      case "zone":
        return { kind, offset: zone };
      default:
        return undefined;
    }
  };
  const save = async () => {
    setWrongShift(undefined);
    if (kind === "shift" && shiftIn(shift) === undefined) {
      return setWrongShift(editing.noShift);
    }
    const place = setsPlace ? chosen?.at ?? meant : undefined;
    setNoPlace(setsPlace && place === undefined);
    if (setsPlace && place === undefined) return;
    const edits: Edits = {
      taken: taken(),
      place,
      ...(caption === (common.caption ?? "")
        ? {}
        : { caption: caption.trim() }),
      ...(rating === String(common.rating ?? "")
        ? {}
        : { rating: Number(rating) }),
      added: keywordsIn(added),
      removed: [...removed],
    };
    setFault(undefined);
    setDone(0);
    let [changed, failed] = [0, 0];
    try {
      for (let at = 0; at < ids.length; at += AT_ONCE) {
        const part = await vault().editing.edit(
          ids.slice(at, at + AT_ONCE),
          edits,
        );
        changed += part.changed;
        failed += part.failed;
        if (part.fault !== undefined) toast(refused(failed, part.fault, noun));
        setDone(Math.min(ids.length, at + AT_ONCE));
      }
      toast(editing.changed({ n: changed, noun }));
      onClose();
    } catch (error) {
      setFault(faultText(error));
      setDone(undefined);
    }
  };
  return (
    <Form class="stack" onSubmit={save}>
      <Choice
        label={about.date}
        value={kind}
        options={[
          ["keep", editing.keepDate],
          ["set", editing.setDate],
          ["shift", editing.shiftDate],
          ["zone", editing.setZone],
        ]}
        onChoose={setKind}
      />
      {kind === "set" && (
        <>
          <Field
            label={editing.day}
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
        </>
      )}
      {kind === "shift" && (
        <Field
          label={editing.hours}
          hint={editing.hoursHint}
          required
          value={shift}
          fault={wrongShift}
          onInput={(next) => {
            setWrongShift(undefined);
            setShift(next);
          }}
        />
      )}
      {kind === "zone" && (
        <Choice
          label={about.zone}
          hint={editing.zoneHint}
          value={String(zone)}
          options={OFFSETS.map((one) => [String(one), zoneText(one)])}
          onChoose={(one) => setZone(Number(one))}
        />
      )}
      <Choice
        label={about.place}
        value={setsPlace ? "set" : "keep"}
        options={[["keep", editing.keepPlace], ["set", editing.setPlace]]}
        onChoose={(next) => {
          setSetsPlace(next === "set");
          setChosen(undefined);
        }}
      />
      {setsPlace && (chosen === undefined
        ? (
          <PlaceChoice
            label={editing.where}
            busy={false}
            onMean={setMeant}
            onChoose={(at, text) => setChosen({ at, text })}
            onFault={setFault}
          />
        )
        : (
          <p class="chosen-place">
            <span role="status">{chosen.text}</span>
            <Button kind="quiet" onClick={() => setChosen(undefined)}>
              {about.placeEdit}
            </Button>
          </p>
        ))}
      {noPlace && <Notice kind="warn">{about.placeUnknown}</Notice>}
      <TextArea
        label={about.captionLabel}
        value={caption}
        maxLength={MOST_CAPTION}
        {...(common.caption === undefined
          ? { placeholder: editing.different }
          : {})}
        onInput={setCaption}
      />
      <Choice
        label={editing.rating}
        value={rating}
        options={[
          ...(common.rating === undefined
            ? [["", editing.different] as const]
            : []),
          ["0", editing.noRating],
          ...STARS.map((n) => [String(n), "★".repeat(n)] as const),
          // Photo programs mark with it what is to be sorted out.
          ...(common.rating === -1 ? [["-1", editing.rejected] as const] : []),
        ]}
        onChoose={setRating}
      />
      <Field
        label={editing.addTags}
        hint={editing.addTagsHint}
        value={added}
        onInput={setAdded}
      />
      {common.keywords.length > 0 && (
        <fieldset class="tags">
          <legend>{editing.tags}</legend>
          {common.keywords.map((word) => (
            <Check
              key={word}
              label={word}
              checked={!removed.has(word)}
              onChange={(isKept) => {
                const next = new Set(removed);
                if (isKept) next.delete(word);
                else next.add(word);
                setRemoved(next);
              }}
            />
          ))}
        </fieldset>
      )}
      {fault !== undefined && <Notice>{fault}</Notice>}
      {done !== undefined && ids.length > AT_ONCE && (
        <Progress value={done / ids.length} label={editing.progress} />
      )}
      <div class="actions">
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button kind="main" type="submit" busy={done !== undefined}>
          {texts.save}
        </Button>
      </div>
    </Form>
  );
}
