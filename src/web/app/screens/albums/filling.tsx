/**
 * Choosing people whose photos an album gets by itself.
 *
 * @module
 */
import { useState } from "preact/hooks";
import type { AlbumFilling } from "../../../workers/library/filling_calls.ts";
import type { PersonCard } from "../../../workers/finding/face_calls.ts";
import { faultText } from "../../faults.ts";
import { useLoaded } from "../../loaded.ts";
import { messages } from "../../messages.ts";
import { Check } from "../../parts/choices.tsx";
import { Button, Notice } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { href } from "../../routes.ts";
import { revision, vault } from "../../vault.ts";
import { Face } from "../people/face.tsx";

/** Asks for the people of an album. */
export function fillByPerson(albumId: string): void {
  overlay((close) => <Filling albumId={albumId} onClose={close} />);
}

/** What of an album's photos comes by itself; nothing where none does. */
export function FillsItself({ albumId }: { readonly albumId: string }) {
  const { filling } = messages.value;
  const { value } = useLoaded(
    () => vault().filling.of(albumId),
    [albumId, revision.value],
  );
  const { persons = [], isAll = false } = value ?? {};
  if (persons.length === 0 && !isAll) return null;
  return (
    <p class="quiet small fills">
      <Icon name="people" size={16} />{" "}
      {isAll ? filling.fillsAll : filling.fills({ n: persons.length })}{" "}
      <Button kind="quiet" onClick={() => fillByPerson(albumId)}>
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
  }, []);
  const [chosen, setChosen] = useState<AlbumFilling>();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const now = chosen ?? value?.before ?? { persons: [], isAll: false };
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
    </Dialog>
  );
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
