/**
 * Choosing what an album gets by itself: everything new, people, places.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { countryName } from "../../../../library/finding/place_names.ts";
import { plainText } from "../../../../media/plain_text.ts";
import type {
  AlbumFilling,
  PlaceChoice,
} from "../../../workers/library/filling_calls.ts";
import type { PersonCard } from "../../../workers/finding/face_calls.ts";
import { faultText } from "../../faults.ts";
import { useLoaded } from "../../loaded.ts";
import { dayText, locale, messages } from "../../messages.ts";
import { Check, Options } from "../../parts/choices.tsx";
import { Button, Notice } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/form.tsx";
import { Icon } from "../../parts/icon.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { href } from "../../routes.ts";
import { revision, vault } from "../../vault.ts";
import { Face } from "../people/face.tsx";

/** Places that are offered at once; others are found by their names. */
const MOST_OFFERED = 16;
const NOTHING: AlbumFilling = { persons: [], places: [], isAll: false };

/** Asks what an album is to get by itself. */
export function fillByItself(albumId: string): void {
  overlay((close) => <Filling albumId={albumId} onClose={close} />);
}

/** What of an album's photos comes by itself; nothing where none does. */
export function FillsItself({ albumId }: { readonly albumId: string }) {
  const { filling } = messages.value;
  const { value } = useLoaded(
    () => vault().filling.of(albumId),
    [albumId, revision.value],
  );
  const { persons, places, isAll, from } = value ?? NOTHING;
  const says = isAll ? [filling.fillsAll] : [
    ...(persons.length === 0 ? [] : [filling.fills({ n: persons.length })]),
    ...(places.length === 0 ? [] : [filling.fillsPlaces({ n: places.length })]),
  ];
  if (says.length === 0) return null;
  const since = from === undefined
    ? []
    : [filling.fillsFrom({ day: dayText(`${from}T12:00:00Z`) })];
  return (
    <p class="quiet small fills">
      <Icon name="people" size={16} /> {[...says, ...since].join(" ")}{" "}
      <Button kind="quiet" onClick={() => fillByItself(albumId)}>
        {filling.change}
      </Button>
    </p>
  );
}

function Filling(
  { albumId, onClose }: {
    readonly albumId: string;
    readonly onClose: () => void;
  },
) {
  const { common, faces, filling } = messages.value;
  const { value, error } = useLoaded(async () => {
    const [page, before] = await Promise.all([
      vault().faces.people(),
      vault().filling.of(albumId),
    ]);
    const named = page.people.filter(({ name }) => name !== undefined);
    return { named, before };
    // People come later than the page on a new device.
  }, [revision.value]);
  const [chosen, setChosen] = useState<AlbumFilling>();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const now = chosen ?? value?.before ?? NOTHING;
  const { persons } = now;
  const toggle = (id: string) =>
    setChosen({
      ...now,
      persons: persons.includes(id)
        ? persons.filter((one) => one !== id)
        : [...persons, id],
    });
  const save = async () => {
    setBusy(true);
    setFault(undefined);
    try {
      await vault().filling.choose(albumId, now);
      onClose();
    } catch (error) {
      setFault(error);
      setBusy(false);
    }
  };
  const nobody = value !== undefined && value.named.length === 0;
  return (
    <Dialog
      title={filling.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            kind="main"
            busy={busy}
            disabled={chosen === undefined}
            onClick={save}
          >
            {common.save}
          </Button>
        </>
      }
    >
      {(fault ?? error) !== undefined && (
        <Notice>{faultText(fault ?? error)}</Notice>
      )}
      <Check
        label={filling.everything}
        checked={now.isAll}
        onChange={(isAll) => setChosen({ ...now, isAll })}
      >
        {filling.everythingHint}
      </Check>
      {value !== undefined && (
        <Options label={filling.places} open={value.before.places.length > 0}>
          <Places
            chosen={now.places}
            onChoose={(places) =>
              setChosen({ ...now, places })}
          />
        </Options>
      )}
      {nobody
        ? (
          <p>
            {filling.nobody} <a href={href("person")}>{faces.title}</a>
          </p>
        )
        : <p class="quiet">{filling.hint}</p>}
      <ul class="people">
        {value?.named.map((one) => (
          <Person
            key={one.id}
            person={one}
            isChosen={persons.includes(one.id)}
            onToggle={() => toggle(one.id)}
          />
        ))}
      </ul>
      <Field
        label={filling.from}
        type="date"
        hint={filling.fromHint}
        value={now.from ?? ""}
        onInput={(day) => setChosen({ ...now, from: day || undefined })}
      />
    </Dialog>
  );
}

/** The places of the person's photos: the most frequent ones, and those found. */
function Places(
  { chosen, onChoose }: {
    readonly chosen: readonly string[];
    readonly onChoose: (places: readonly string[]) => void;
  },
) {
  const { filling } = messages.value;
  const { value, error } = useLoaded(() => vault().filling.places(), []);
  const [query, setQuery] = useState("");
  // What was chosen before, also if no photo is from there any more.
  const [before] = useState(chosen);
  const held = value?.map(({ place }) => place) ?? [];
  const gone = before.filter((place) => !held.includes(place));
  const named = value === undefined ? [] : [
    ...value.map((one) => [one.place, nameOf(one)] as const),
    ...gone.map((place) => [place, goneName(place)] as const),
  ];
  const words = plainText(query).split(/\s+/);
  const found = named.filter(([, name]) =>
    words.every((word) => plainText(name).includes(word))
  );
  const shown = query.trim() === ""
    ? named.filter(([place], at) =>
      at < MOST_OFFERED || chosen.includes(place) || before.includes(place)
    )
    : found.slice(0, MOST_OFFERED);
  if (error !== undefined) return <Notice>{faultText(error)}</Notice>;
  if (value !== undefined && named.length === 0) {
    return <p class="quiet">{filling.placesNone}</p>;
  }
  return (
    <>
      <p class="quiet">{filling.placesHint}</p>
      {named.length > MOST_OFFERED && (
        <Field
          label={filling.placesFind}
          type="search"
          value={query}
          onInput={setQuery}
        />
      )}
      <ul class="actions start" aria-busy={value === undefined}>
        {shown.map(([place, name]) => (
          <li key={place}>
            <Button
              aria-pressed={chosen.includes(place)}
              onClick={() =>
                onChoose(
                  chosen.includes(place)
                    ? chosen.filter((one) => one !== place)
                    : [...chosen, place],
                )}
            >
              {name}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A place that only the rule names: its town is called as the gazetteer says. */
function goneName(place: string): string {
  const [, country, town] = /^([A-Z]{2})(?: (.+))?$/.exec(place) ?? [];
  if (country === undefined) return place;
  return nameOf({ place, country, ...(town === undefined ? {} : { town }) });
}

function nameOf({ country, town }: PlaceChoice): string {
  const land = countryName(country, locale.value);
  return town === undefined ? land : `${town}, ${land}`;
}

function Person(
  { person, isChosen, onToggle }: {
    readonly person: PersonCard;
    readonly isChosen: boolean;
    readonly onToggle: () => void;
  },
) {
  return (
    <li>
      <button
        type="button"
        class="person"
        aria-pressed={isChosen}
        onClick={onToggle}
      >
        <Face face={person.face} />
        <span>{person.name}</span>
      </button>
    </li>
  );
}
