/**
 * The trash: deleted photos, which can be restored.
 *
 * @module
 */
import { askEmpty } from "../actions/purging.tsx";
import { Grid } from "../grid/grid.tsx";
import { beginSelecting } from "../grid/selection.ts";
import { type ListSource, useList } from "../list.ts";
import { Button, Empty } from "../parts/controls.tsx";
import { messages } from "../messages.ts";

const SOURCE: ListSource = { kind: "trash" };

/** The view at `#/trash`. */
export function Trash() {
  const { trash } = messages.value;
  const list = useList(SOURCE);
  if (list === undefined) return <h1>{trash.title}</h1>;
  if (list.length === 0) {
    return (
      <>
        <h1 class="unseen">{trash.title}</h1>
        <Empty icon="trash" title={trash.empty}>
          <p class="quiet">{trash.emptyHint}</p>
        </Empty>
      </>
    );
  }
  return (
    <Grid source={SOURCE} list={list}>
      <header class="list-head">
        <div>
          <h1>{trash.title}</h1>
          <p class="quiet">{trash.hint}</p>
        </div>
        <div class="actions start">
          <Button icon="check" onClick={beginSelecting}>{trash.select}</Button>
          <Button
            icon="trash"
            onClick={() => askEmpty(list.length, list.noun())}
          >
            {trash.emptyNow}
          </Button>
        </div>
      </header>
    </Grid>
  );
}
