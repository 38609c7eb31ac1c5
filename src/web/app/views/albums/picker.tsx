/**
 * The dialog for choosing photos of the library.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { faultText } from "../../faults.ts";
import { type ListSource, useList } from "../../list.ts";
import { Button, Field, Notice, Progress } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { words } from "../../words.ts";
import { PickGrid } from "./pick_grid.tsx";

/** Works on the chosen photos; `tell` takes the number that are done. */
export type Picked = (
  ids: readonly string[],
  tell: (done: number) => void,
) => Promise<void>;

/** Lets the person choose photos and passes them to `act`. */
export function pickPhotos(act: Picked): void {
  overlay((close) => <Picker act={act} onClose={close} />);
}

function Picker(
  { act, onClose }: { readonly act: Picked; readonly onClose: () => void },
) {
  const { albums, common, grid, photos } = words.value;
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [done, setDone] = useState<number>();
  const [fault, setFault] = useState<string>();
  const q = query.trim();
  const source: ListSource = q === ""
    ? { kind: "library" }
    : { kind: "search", q };
  const list = useList(source);
  const go = async () => {
    setFault(undefined);
    setDone(0);
    try {
      await act([...chosen], setDone);
      onClose();
    } catch (error) {
      setFault(faultText(error));
      setDone(undefined);
    }
  };
  const toggle = (ids: readonly string[]) => {
    const next = new Set(chosen);
    const every = ids.every((id) => chosen.has(id));
    for (const id of ids) {
      if (every) next.delete(id);
      else next.add(id);
    }
    setChosen(next);
  };
  return (
    <Dialog
      title={albums.pick}
      size="full"
      note={
        <p class="quiet small" role="status">{grid.selected(chosen.size)}</p>
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
            {albums.addHere(chosen.size)}
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
            label={albums.adding(done, chosen.size)}
          />
        )}
      {fault !== undefined && <Notice>{fault}</Notice>}
      {list === undefined
        ? <div aria-busy="true" />
        : list.length === 0 && q === ""
        ? <p class="quiet">{albums.pickNone}</p>
        : list.length === 0
        ? <p class="quiet">{photos.nothingFound(q)}</p>
        : <PickGrid list={list} chosen={chosen} onToggle={toggle} />}
    </Dialog>
  );
}
