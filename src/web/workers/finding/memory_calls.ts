/**
 * The vault's calls about memories.
 *
 * @module
 */
import { daysOf, isYear } from "../../../library/finding/memories_days.ts";
import type { Memory } from "../../../library/finding/memories.ts";
import {
  hiddenMemories,
  type ToHide,
  withHidden,
  withMemories,
  withShownAgain,
} from "../../../library/finding/memories_hidden.ts";
import type { LibraryState, Row } from "../../../library/mod.ts";
import type { Town } from "../../../media/places/gazetteer.ts";
import {
  type WhereWhen,
  whereWhen,
} from "../../../library/finding/where_when.ts";
import type { VaultContext } from "../vault/context.ts";
import type { Noun } from "../library/photo_lists.ts";
import { nounOfRows } from "../library/photo_table.ts";
import { namesFor } from "./place_names.ts";
import { memoriesIn, ofMemory, prepare } from "./memories_loader.ts";

/** A memory as the first page shows it. */
export interface MemoryCard {
  readonly id: string;
  readonly kind: Memory["kind"];
  readonly years: number;
  readonly taken: WhereWhen;
  readonly cover: string;
}

/** A memory on its page. */
export interface MemoryPage {
  readonly id: string;
  readonly count: number;
  readonly noun: Noun;
  readonly taken: WhereWhen;
  /** Its days as they can be hidden; absent for a year. */
  readonly days?: { readonly from: number; readonly until: number };
  /** The town of most of its photos. */
  readonly town?: Town;
}

/** What is shown of memories. */
interface MemorySettings {
  readonly isOn: boolean;
  /** Days and places that are left out. */
  readonly hidden: number;
}

/** The calls of the group `memories`. */
export function memoryCalls(context: VaultContext) {
  const timeline = () => context.view().rowsOf({ kind: "library" });
  const namesOf = (rows: readonly Row[]) =>
    namesFor(rows, context.view().changed);
  const change = async (
    changed: (
      settings: LibraryState["settings"],
      now: number,
    ) => LibraryState["settings"],
  ) => {
    const { state } = context.opened();
    await state.change((held) => ({
      ...held,
      settings: changed(held.settings, context.platform.now()),
    }));
    context.changed();
  };
  return {
    /** The memories of today. */
    async today(): Promise<readonly MemoryCard[]> {
      await prepare(context.opened());
      const found = memoriesIn(context.opened(), timeline());
      const names = namesOf(found.flatMap(({ rows }) => rows));
      return found.flatMap(({ id, kind, years, rows }) => {
        const cover = coverOf(rows, context.opened().flags.of);
        return cover === undefined
          ? []
          : [{ id, kind, years, taken: whereWhen(rows, names), cover }];
      });
    },
    /** One memory; there may be no photos of it. */
    async page(id: string): Promise<MemoryPage> {
      await prepare(context.opened());
      const rows = ofMemory(context.opened(), timeline(), id).map(([row]) =>
        row
      );
      const names = namesOf(rows);
      const towns = Map.groupBy(
        rows.flatMap(({ metadata }) =>
          (metadata?.place && names?.townOf(metadata.place)) ?? []
        ),
        ({ latitude, longitude }) => `${latitude} ${longitude}`,
      );
      const [most] = [...towns.values()]
        .toSorted((a, b) => b.length - a.length);
      const days = isYear(id) ? undefined : daysOf(id);
      return {
        id,
        count: rows.length,
        noun: nounOfRows(rows),
        taken: whereWhen(rows, names),
        ...(days === undefined ? {} : { days }),
        ...(most?.[0] === undefined ? {} : { town: most[0] }),
      };
    },
    settings(): MemorySettings {
      const { isOff, spans, places } = hiddenMemories(
        context.opened().state.held.settings,
      );
      return { isOn: !isOff, hidden: spans.length + places.length };
    },
    /** Leaves days or a place out of all memories. */
    hide: (what: ToHide) =>
      change((settings, now) => withHidden(settings, what, now)),
    /** Takes that back; if nothing is said, for everything. */
    showAgain: (what?: ToHide) =>
      change((settings, now) => withShownAgain(settings, now, what)),
    /** Has memories on the first page, or none. */
    turn: (isOn: boolean) =>
      change((settings, now) => withMemories(settings, isOn, now)),
  };
}

/** A favourite, or else one of the middle; of those that have a small picture. */
function coverOf(
  rows: readonly Row[],
  flagsOf: (row: Row) => { readonly favourite: boolean },
): string | undefined {
  const pictured = rows.filter(({ metadata }) =>
    metadata?.derivatives.some(({ kind }) => kind === "thumbnail")
  );
  const among = pictured.length > 0 ? pictured : rows;
  const one = among.find((row) => flagsOf(row).favourite) ??
    among[Math.floor(among.length / 2)];
  return one?.id;
}
