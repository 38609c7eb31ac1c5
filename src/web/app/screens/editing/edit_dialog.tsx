/**
 * Changing what is said of one photo or of many: date, place, caption, rating
 * and keywords.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { type Edits, keywordsIn } from "../../../../library/adding/edits.ts";
import type { Common } from "../../../workers/library/editing_calls.ts";
import { refused } from "../../actions/refused.ts";
import { faultText } from "../../faults.ts";
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
import {
  type DateChange,
  DateFields,
  DATES_KEPT,
  lacksShift,
  takenEdit,
} from "./date_change.tsx";
import {
  newPlace,
  type PlaceChange,
  PlaceFields,
  PLACES_KEPT,
} from "./place_change.tsx";

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

function EditForm(
  { ids, noun, onClose, common }: Given & { readonly common: Common },
) {
  const { editing, lightbox: { about }, common: texts } = messages.value;
  const [dates, setDates] = useState(DATES_KEPT);
  const changeDates = (part: Partial<DateChange>) =>
    setDates((held) => ({ ...held, ...part }));
  const [places, setPlaces] = useState(PLACES_KEPT);
  const changePlaces = (part: Partial<PlaceChange>) =>
    setPlaces((held) => ({ ...held, ...part }));
  const [caption, setCaption] = useState(common.caption ?? "");
  const [rating, setRating] = useState(String(common.rating ?? ""));
  const [added, setAdded] = useState("");
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const [done, setDone] = useState<number>();
  const [fault, setFault] = useState<string>();
  const save = async () => {
    const isNoShift = lacksShift(dates);
    changeDates({ isNoShift });
    if (isNoShift) return;
    const place = newPlace(places);
    const lacksPlace = places.isSet && place === undefined;
    changePlaces({ lacksPlace });
    if (lacksPlace) return;
    setFault(undefined);
    setDone(0);
    try {
      const changed = await editAll(ids, noun, {
        taken: takenEdit(dates),
        place,
        ...(caption === (common.caption ?? "")
          ? {}
          : { caption: caption.trim() }),
        ...(rating === String(common.rating ?? "")
          ? {}
          : { rating: Number(rating) }),
        added: keywordsIn(added),
        removed: [...removed],
      }, setDone);
      toast(editing.changed({ n: changed, noun }));
      onClose();
    } catch (error) {
      setFault(faultText(error));
      setDone(undefined);
    }
  };
  return (
    <Form class="stack" onSubmit={save}>
      <DateFields of={dates} onChange={changeDates} />
      <PlaceFields of={places} onChange={changePlaces} onFault={setFault} />
      <TextArea
        label={about.captionLabel}
        value={caption}
        maxLength={MOST_CAPTION}
        {...(common.caption === undefined
          ? { placeholder: editing.different }
          : {})}
        onInput={setCaption}
      />
      <RatingChoice common={common} value={rating} onChoose={setRating} />
      <Field
        label={editing.addTags}
        hint={editing.addTagsHint}
        value={added}
        onInput={setAdded}
      />
      <KeptKeywords
        words={common.keywords}
        removed={removed}
        onRemove={setRemoved}
      />
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

/** Changes photos, a few at a time; returns how many it changed. */
async function editAll(
  ids: readonly string[],
  noun: Noun,
  edits: Edits,
  onDone: (count: number) => void,
): Promise<number> {
  let [changed, failed] = [0, 0];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const part = await vault().editing.edit(ids.slice(at, at + AT_ONCE), edits);
    changed += part.changed;
    failed += part.failed;
    if (part.fault !== undefined) toast(refused(failed, part.fault, noun));
    onDone(Math.min(ids.length, at + AT_ONCE));
  }
  return changed;
}

function RatingChoice(
  { common, value, onChoose }: {
    readonly common: Common;
    readonly value: string;
    readonly onChoose: (rating: string) => void;
  },
) {
  const { editing } = messages.value;
  return (
    <Choice
      label={editing.rating}
      value={value}
      options={[
        ...(common.rating === undefined
          ? [["", editing.different] as const]
          : []),
        ["0", editing.noRating],
        ...STARS.map((n) => [String(n), "★".repeat(n)] as const),
        // Photo programs mark with it what is to be sorted out.
        ...(common.rating === -1 ? [["-1", editing.rejected] as const] : []),
      ]}
      onChoose={onChoose}
    />
  );
}

/** The keywords that photos have, of which some can be removed. */
function KeptKeywords(
  { words, removed, onRemove }: {
    readonly words: readonly string[];
    readonly removed: ReadonlySet<string>;
    readonly onRemove: (removed: ReadonlySet<string>) => void;
  },
) {
  const { editing } = messages.value;
  if (words.length === 0) return null;
  return (
    <fieldset class="tags">
      <legend>{editing.tags}</legend>
      {words.map((word) => (
        <Check
          key={word}
          label={word}
          checked={!removed.has(word)}
          onChange={(isKept) => {
            const next = new Set(removed);
            if (isKept) next.delete(word);
            else next.add(word);
            onRemove(next);
          }}
        />
      ))}
    </fieldset>
  );
}
