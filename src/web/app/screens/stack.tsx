/**
 * A stack: the photos that are one in a list.
 *
 * @module
 */
import { Grid } from "../grid/grid.tsx";
import { listHref, type ListSource, sourceOf, useList } from "../list.ts";
import { Empty } from "../parts/controls.tsx";
import { Icon } from "../parts/icon.tsx";
import { route } from "../routes.ts";
import { useTitle } from "../title.ts";
import { messages } from "../messages.ts";

type StackSource = Extract<ListSource, { readonly kind: "stack" }>;

/** The view at `#/stack/<id>`. */
export function StackView() {
  const source = sourceOf(route.value);
  return source?.kind === "stack"
    ? <Shown key={listHref(source)} source={source} />
    : null;
}

function Shown({ source }: { readonly source: StackSource }) {
  const { shell, stacks } = messages.value;
  const list = useList(source);
  useTitle(stacks.title);
  if (list === undefined) return <div aria-busy="true" />;
  // Whatever the address says, it leads to a place in this app.
  const { from = "/photos" } = source;
  const back = (
    <a class="back" href={`#${from}`}>
      <Icon name="back" />{" "}
      {/^\/(photos|memory)/.test(from) ? shell.photos : shell.albums}
    </a>
  );
  if (list.length === 0) {
    return (
      <>
        {back}
        <h1 class="unseen">{stacks.title}</h1>
        <Empty icon="photos" title={stacks.none} />
      </>
    );
  }
  return (
    <Grid source={source} list={list}>
      {back}
      <h1 class="list-title">{stacks.of({ n: list.length })}</h1>
    </Grid>
  );
}
