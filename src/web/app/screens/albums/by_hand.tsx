/**
 * Albums that a person sorts by hand: by dragging, by keys, and by a menu on
 * each card.
 *
 * @module
 */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import {
  type Beside,
  idsAfter,
} from "../../../../library/albums/album_places.ts";
import { faultText } from "../../faults.ts";
import { messages } from "../../messages.ts";
import { Icon } from "../../parts/icon.tsx";
import { Menu, type MenuItem } from "../../parts/menu.tsx";
import { toast } from "../../parts/toasts.tsx";
import { vault } from "../../vault.ts";

/** What a card needs to be moved. */
export interface Handling {
  readonly id: string;
  /** The ids of its section, in the order that is shown. */
  readonly ids: readonly string[];
  readonly move: (id: string, beside: Beside) => void;
}

/** The items of a section, in an order that shows each move at once. */
interface HandOrder<T> {
  readonly items: readonly T[];
  readonly ids: readonly string[];
  readonly move: (id: string, beside: Beside) => void;
  /** The id of what was moved last. */
  readonly last: string | undefined;
}

/**
 * The order of a section by hand. `loaded` is the answer that the items are
 * from: a move counts until an answer has it.
 */
export function useHandOrder<T extends { readonly id: string }>(
  given: readonly T[],
  loaded: unknown,
): HandOrder<T> {
  const [moved, setMoved] = useState<readonly string[]>();
  const [last, setLast] = useState<string>();
  const waiting = useRef(0);
  const focused = useRef<Element | null>(null);
  // Another press can come before the page is drawn.
  const shown = useRef<readonly string[]>([]);
  const items = moved === undefined
    ? given
    : given.toSorted((a, b) => moved.indexOf(a.id) - moved.indexOf(b.id));
  const ids = items.map(({ id }) => id);
  shown.current = ids;
  useEffect(() => {
    if (waiting.current === 0) setMoved(undefined);
  }, [loaded]);
  useLayoutEffect(() => {
    const element = focused.current;
    focused.current = null;
    // An element that is put elsewhere in the page loses the focus.
    if (element instanceof HTMLElement && element.isConnected) element.focus();
  });
  const move = async (id: string, beside: Beside) => {
    const next = idsAfter(shown.current, id, beside);
    if (next === undefined) return;
    focused.current = document.activeElement;
    shown.current = next;
    setMoved(next);
    setLast(id);
    waiting.current += 1;
    try {
      await vault().albums.move(id, beside);
    } catch (error) {
      setMoved(undefined);
      setLast(undefined);
      toast(faultText(error));
    } finally {
      waiting.current -= 1;
    }
  };
  return { items, ids, move, last };
}

/** Where one step or a whole way leads; undefined at the end of the way. */
function besideOf(
  { id, ids }: Handling,
  way: "first" | "earlier" | "later" | "last",
): Beside | undefined {
  const at = ids.indexOf(id);
  const [other, isBefore] = way === "first"
    ? [ids[0], true]
    : way === "earlier"
    ? [ids[at - 1], true]
    : way === "later"
    ? [ids[at + 1], false]
    : [ids.at(-1), false];
  if (other === undefined || other === id) return undefined;
  return isBefore ? { before: other } : { after: other };
}

const KEYS = {
  ArrowLeft: "earlier",
  ArrowRight: "later",
  Home: "first",
  End: "last",
} as const;

/** The keys that move the card of a link that has the focus. */
export function moveByKey(handling: Handling, event: KeyboardEvent): void {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  if (!shiftKey || ctrlKey || metaKey || altKey) return;
  if (!isMoving(key)) return;
  event.preventDefault();
  const beside = besideOf(handling, KEYS[key]);
  if (beside !== undefined) handling.move(handling.id, beside);
}

function isMoving(key: string): key is keyof typeof KEYS {
  return Object.hasOwn(KEYS, key);
}

/** The keys of {@link moveByKey}, for screen readers. */
export const MOVING_KEYS = Object.keys(KEYS).map((key) => `Shift+${key}`)
  .join(" ");

/** The menu that moves a card. */
export function MoveMenu(
  { handling, title }: { readonly handling: Handling; readonly title: string },
) {
  const { albums } = messages.value;
  const { moving } = albums;
  const items = (["first", "earlier", "later", "last"] as const).flatMap(
    (way): MenuItem[] => {
      const beside = besideOf(handling, way);
      return beside === undefined ? [] : [{
        label: moving[way],
        act: () => handling.move(handling.id, beside),
      }];
    },
  );
  if (items.length === 0) return null;
  return (
    <div class="card-move">
      <Menu
        label={moving.label({ title })}
        button={<Icon name="reorder" size={18} />}
        items={items}
      />
    </div>
  );
}

/** The type of what is dragged: only cards of the same page take it. */
const TYPE = "application/x-strongroom-album";

/** The id of the card that is being dragged. */
let dragged: string | undefined;

/** Dragging a card to another one's side. */
export function useDragging(handling: Handling | undefined) {
  const [side, setSide] = useState<"before" | "after">();
  if (handling === undefined) return { side: undefined, link: {}, card: {} };
  const { id, ids, move } = handling;
  const sideAt = (event: DragEvent): "before" | "after" | undefined => {
    const { currentTarget } = event;
    const isOther = dragged !== undefined && dragged !== id &&
      ids.includes(dragged) && event.dataTransfer?.types.includes(TYPE);
    if (!isOther || !(currentTarget instanceof Element)) return undefined;
    const { left, width } = currentTarget.getBoundingClientRect();
    return event.clientX < left + width / 2 ? "before" : "after";
  };
  return {
    side,
    link: {
      draggable: true,
      onDragStart: ({ dataTransfer }: DragEvent) => {
        if (dataTransfer === null) return;
        dragged = id;
        dataTransfer.clearData();
        dataTransfer.setData(TYPE, id);
        dataTransfer.effectAllowed = "move";
      },
      onDragEnd: () => {
        dragged = undefined;
      },
    },
    card: {
      onDragOver: (event: DragEvent) => {
        const next = sideAt(event);
        if (next !== undefined) event.preventDefault();
        setSide(next);
      },
      onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
        const isInside = currentTarget instanceof Node &&
          relatedTarget instanceof Node &&
          currentTarget.contains(relatedTarget);
        if (!isInside) setSide(undefined);
      },
      onDrop: (event: DragEvent) => {
        const next = sideAt(event);
        setSide(undefined);
        if (next === undefined || dragged === undefined) return;
        event.preventDefault();
        move(dragged, next === "before" ? { before: id } : { after: id });
      },
    },
  };
}
