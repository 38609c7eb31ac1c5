/**
 * A list's photos below its head, such as an album's title and buttons.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import type { ListSource, PhotoList } from "../list.ts";
import { Grid } from "./grid.tsx";

/**
 * The head and the photos, or what an empty list says. The head has the same
 * place before the list is there and when the list becomes empty: a menu that
 * is open in it stays open.
 */
export function HeadedGrid({ source, list, head, empty }: {
  readonly source: ListSource;
  /** Nothing until the list is there. */
  readonly list: PhotoList | undefined;
  readonly head: ComponentChildren;
  /** Stands below the head of an empty list. */
  readonly empty: ComponentChildren;
}) {
  return (
    <>
      {head}
      {list === undefined
        ? <div aria-busy="true" />
        : list.length > 0
        ? <Grid source={source} list={list} />
        : empty}
    </>
  );
}
