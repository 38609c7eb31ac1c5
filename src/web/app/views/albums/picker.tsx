/**
 * The dialog for choosing photos of the library.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { momentText } from "../../grid/days.ts";
import { faultText } from "../../faults.ts";
import { type ListSource, type PhotoList, useList } from "../../list.ts";
import { Button, Field, Notice, Progress } from "../../parts/controls.tsx";
import { Cover } from "../../parts/cover.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { overlay } from "../../parts/overlays.tsx";
import { words } from "../../words.ts";

/** Photos drawn at first, and added each time the end becomes visible. */
const STEP = 120;

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
  const { albums, common } = words.value;
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
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  return (
    <Dialog
      title={albums.pick}
      wide
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
        ? <div class="picker" aria-busy="true" />
        : list.length === 0 && q === ""
        ? <p class="quiet">{albums.pickNone}</p>
        : <Tiles list={list} chosen={chosen} onToggle={toggle} />}
    </Dialog>
  );
}

function Tiles(
  { list, chosen, onToggle }: {
    readonly list: PhotoList;
    readonly chosen: ReadonlySet<string>;
    readonly onToggle: (id: string) => void;
  },
) {
  const { albums, grid } = words.value;
  const [most, setMost] = useState(STEP);
  const end = useRef<HTMLLIElement>(null);
  const shown = Math.min(most, list.length);
  useEffect(() => {
    const mark = end.current;
    if (mark === null) return;
    const seen = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting === true) setMost((now) => now + STEP);
    }, { rootMargin: "400px" });
    seen.observe(mark);
    return () => seen.disconnect();
  }, [shown, list]);
  return (
    <ul class="picker" aria-label={albums.pick}>
      {Array.from({ length: shown }, (_, at) => {
        const id = list.idAt(at);
        const isChosen = chosen.has(id);
        const kind = grid.kinds[list.kindAt(at)] ?? "";
        const name = list.columns.names.get(at) ?? "";
        return (
          <li key={id}>
            <button
              type="button"
              class="pick"
              role="checkbox"
              aria-checked={isChosen}
              aria-label={`${kind} ${name} ${momentText(list.takenAt(at))}`}
              onClick={() => onToggle(id)}
            >
              <Cover id={id} icon="photos" />
              {isChosen && (
                <span class="picked">
                  <Icon name="check" size={16} />
                </span>
              )}
            </button>
          </li>
        );
      })}
      {shown < list.length && <li ref={end} class="picker-end" />}
    </ul>
  );
}
