/**
 * Search results.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Grid } from "../grid/grid.tsx";
import { listHref, type ListSource, type PhotoList, useList } from "../list.ts";
import { messages } from "../messages.ts";
import { Empty, Spinner } from "../parts/controls.tsx";
import { StartShow } from "../showing/slideshow/start.tsx";
import { SearchMore } from "./findings/search_more.tsx";

type Search = ListSource & { readonly kind: "search" };

/**
 * Search results, which stay until the next ones arrive: they change with each
 * typed letter.
 */
export function Results(
  { source, title, back }: {
    readonly source: Search;
    readonly title: string;
    readonly back: ComponentChildren;
  },
) {
  const found = useList(source);
  const held = useRef<{ list: PhotoList; source: Search } | undefined>(
    undefined,
  );
  if (found !== undefined) held.current = { list: found, source };
  const { photos, shell } = messages.value;
  const { list, source: of } = held.current ?? {};
  const n = list?.length ?? 0;
  return (
    <div aria-busy={found === undefined}>
      {back}
      <h1 class="list-title">{title}</h1>
      <p class={n > 0 ? "quiet list-count" : "unseen"} role="status">
        {found && photos.found({ n, noun: found.noun() })}
      </p>
      {list === undefined || of === undefined
        ? (
          <p class="page-centre late">
            <Spinner />
          </p>
        )
        : n > 0
        ? (
          <Grid key={listHref(of)} source={of} list={list}>
            <div class="actions list-actions">
              <StartShow source={of} />
            </div>
          </Grid>
        )
        : (
          <>
            <Empty
              icon="search"
              title={of.q === ""
                ? shell.search
                : photos.nothingFound({ q: of.q })}
            >
              <p class="quiet">{photos.nothingFoundHint}</p>
            </Empty>
            {source.q !== "" && <SearchMore />}
          </>
        )}
    </div>
  );
}
