/**
 * What stands in the place of the bar while photos are selected.
 *
 * @module
 */
import { actionsFor } from "../actions.ts";
import type { ListSource, PhotoList } from "../list.ts";
import { IconButton } from "../parts/controls.tsx";
import { Icon } from "../parts/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { words } from "../words.ts";
import { act } from "./acting.ts";
import { clearSelection, selectedIds, selectedOf } from "./selection.ts";

/** How many are selected, and what can be done with them. */
export function SelectionBar(
  { list, source }: { readonly list: PhotoList; readonly source: ListSource },
) {
  const { grid, common } = words.value;
  const ids = [...selectedIds.value];
  const selected = selectedOf(list, source, ids);
  const actions = actionsFor(selected);
  const count = ids.length === 0 ? "" : grid.selected(ids.length);
  const inBar = actions.filter(({ place }) => place === "bar");
  const inMenu = actions.filter(({ place }) => place === "menu");
  return (
    <>
      <p class="unseen" role="status">{count}</p>
      {ids.length > 0 && (
        <div class="selection-bar" role="toolbar" aria-label={grid.selection}>
          <IconButton
            icon="close"
            label={grid.unselect}
            onClick={clearSelection}
          />
          <strong>{count}</strong>
          <div class="selection-actions">
            {inBar.map((action) => (
              <IconButton
                key={action.name}
                icon={action.icon}
                label={action.label(selected)}
                onClick={() => act(action, selected)}
              />
            ))}
            {inMenu.length > 0 && (
              <Menu
                label={common.more}
                button={<Icon name="more" />}
                items={inMenu.map((action) => ({
                  icon: action.icon,
                  label: action.label(selected),
                  danger: action.danger === true,
                  act: () => act(action, selected),
                }))}
              />
            )}
          </div>
        </div>
      )}
    </>
  );
}
