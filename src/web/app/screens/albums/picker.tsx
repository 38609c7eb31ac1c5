/**
 * The dialog for choosing photos of the library.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { faultText } from "../../faults.ts";
import {
  type ListSource,
  type Noun,
  type PhotoKind,
  useList,
} from "../../list.ts";
import { Button, Notice, Progress } from "../../parts/controls.tsx";
import { Field } from "../../parts/form.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { nounOf } from "../../../workers/library/photo_lists.ts";
import { messages } from "../../messages.ts";
import { PickGrid } from "./pick_grid.tsx";

/**
 * Works on the chosen photos, which are counted as `noun`; `tell` takes the
 * number that are done.
 */
type Picked = (
  ids: readonly string[],
  noun: Noun,
  tell: (done: number) => void,
) => Promise<void>;

/** The chosen photos, which several searches may have found. */
type Chosen = ReadonlyMap<string, PhotoKind>;

/** Lets the person choose photos and passes them to `act`. */
export function pickPhotos(act: Picked): void {
  overlay((close) => <Picker act={act} onClose={close} />);
}

function Picker(
  { act, onClose }: { readonly act: Picked; readonly onClose: () => void },
) {
  const { albums, common, grid, photos } = messages.value;
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const [done, setDone] = useState<number>();
  const [fault, setFault] = useState<string>();
  const q = query.trim();
  const source: ListSource = q === ""
    ? { kind: "library" }
    : { kind: "search", q };
  const list = useList(source);
  const noun = nounOf(chosen.values());
  const go = async () => {
    setFault(undefined);
    setDone(0);
    try {
      await act([...chosen.keys()], noun, setDone);
      onClose();
    } catch (error) {
      setFault(faultText(error));
      setDone(undefined);
    }
  };
  const toggle = (ids: readonly string[]) => {
    const next = new Map(chosen);
    const every = ids.every((id) => chosen.has(id));
    for (const id of ids) {
      if (every) next.delete(id);
      else next.set(id, list?.kindAt(list.indexOf(id)) ?? "file");
    }
    setChosen(next);
  };
  return (
    <Dialog
      title={albums.pick}
      size="full"
      note={
        <p class="quiet small" role="status">
          {grid.selected({ n: chosen.size })}
        </p>
      }
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            kind="main"
            disabled={chosen.size === 0}
            busy={done !== undefined}
            onClick={go}
          >
            {albums.addHere({ n: chosen.size, noun })}
          </Button>
        </>
      }
    >
      {done === undefined
        ? (
          <Field
            label={albums.pickFind}
            type="search"
            value={query}
            onInput={setQuery}
          />
        )
        : (
          <Progress
            value={done / Math.max(1, chosen.size)}
            label={albums.adding({ done, of: chosen.size, noun })}
          />
        )}
      {fault !== undefined && <Notice>{fault}</Notice>}
      {list === undefined
        ? <div aria-busy="true" />
        : list.length === 0 && q === ""
        ? <p class="quiet">{albums.pickNone}</p>
        : list.length === 0
        ? <p class="quiet">{photos.nothingFound({ q })}</p>
        : <PickGrid list={list} chosen={chosen} onToggle={toggle} />}
    </Dialog>
  );
}
