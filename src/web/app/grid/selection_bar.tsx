/**
 * The bar that replaces the usual one while photos are selected.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { actionsFor } from "../actions.ts";
import type { ListSource, PhotoList } from "../list.ts";
import { Button, IconButton } from "../parts/controls.tsx";
import { Icon } from "../parts/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { messages } from "../messages.ts";
import { act } from "./acting.ts";
import {
  clearSelection,
  isSelecting,
  selectAll,
  selectedIds,
  selectedOf,
} from "./selection.ts";

/** In a bar narrower than this (pixels), only a few actions fit. */
const NARROW_PX = 600;
const FIRST_IN_NARROW = 2;
/** The count, in any language, needs the place of one in this. */
const SMALL_PX = 360;
/**
 * One this wide has room for what they are called; so has a wide one with few.
 */
const WIDE_PX = 1_240;
const FEW = 2;

/** The number of selected photos and the actions on them. */
export function SelectionBar(
  { list, source }: { readonly list: PhotoList; readonly source: ListSource },
) {
  const { grid, common, sharing } = messages.value;
  const width = useWindowWidth();
  const ids = [...selectedIds.value];
  const selected = selectedOf(list, source, ids);
  const actions = ids.length === 0 ? [] : actionsFor(selected);
  const count = isSelecting.value ? grid.selected({ n: ids.length }) : "";
  const first = width < SMALL_PX ? FIRST_IN_NARROW - 1 : FIRST_IN_NARROW;
  const barred = actions.filter(({ place }) => place === "bar");
  // On a phone few actions fit next to the count: the first ones and the last,
  // which deletes. The menu has the others.
  const inBar = width < NARROW_PX
    ? barred.filter((_, at) => at < first || at === barred.length - 1)
    : barred;
  const isLabelled = width >= WIDE_PX ||
    (width >= NARROW_PX && actions.length <= FEW);
  const inMenu = actions.filter((one) => !inBar.includes(one));
  const all = ids.length < list.length
    ? { label: sharing.selectAll, act: () => selectAll(list) }
    : undefined;
  // On a phone the menu has room for it, if there is one.
  const isAllInMenu = width < NARROW_PX && actions.length > 0;
  return (
    <>
      <p class="unseen" role="status">{count}</p>
      {isSelecting.value && (
        <div class="selection-bar" role="toolbar" aria-label={grid.selection}>
          <IconButton
            icon="close"
            label={grid.unselect}
            onClick={clearSelection}
          />
          <strong>{count}</strong>
          <div class="selection-actions">
            {all !== undefined && !isAllInMenu && (
              actions.length <= FEW
                ? (
                  <Button kind="quiet" icon="all" onClick={all.act}>
                    {all.label}
                  </Button>
                )
                : <IconButton icon="all" label={all.label} onClick={all.act} />
            )}
            {inBar.map((action) =>
              isLabelled
                ? (
                  <Button
                    key={action.name}
                    kind="quiet"
                    icon={action.icon}
                    onClick={() => act(action, selected)}
                  >
                    {action.label(selected)}
                  </Button>
                )
                : (
                  <IconButton
                    key={action.name}
                    icon={action.icon}
                    label={action.label(selected)}
                    onClick={() => act(action, selected)}
                  />
                )
            )}
            {(inMenu.length > 0 || (isAllInMenu && all !== undefined)) && (
              <Menu
                label={common.more}
                button={<Icon name="more" />}
                items={[
                  ...(isAllInMenu && all !== undefined
                    ? [{ icon: "all", ...all } as const]
                    : []),
                  ...inMenu.map((action) => ({
                    icon: action.icon,
                    label: action.label(selected),
                    danger: action.danger === true,
                    act: () => act(action, selected),
                  })),
                ]}
              />
            )}
          </div>
        </div>
      )}
    </>
  );
}

/** A phone is turned while photos are selected. */
function useWindowWidth(): number {
  const [width, setWidth] = useState(innerWidth);
  useEffect(() => {
    const note = () => setWidth(innerWidth);
    note();
    addEventListener("resize", note);
    return () => removeEventListener("resize", note);
  }, []);
  return width;
}
