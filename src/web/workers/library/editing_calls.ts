/**
 * The vault's calls that change what is said of many photos at once.
 *
 * @module
 */
import { ApiProblem, type Row } from "../../../library/mod.ts";
import { editedAbout, type Edits } from "../../../library/adding/edits.ts";
import { inParallel } from "../../../library/base/parallel.ts";
import {
  type Fault,
  faultOf,
} from "../../../client/stream/threads/thread_messages.ts";
import type { VaultContext } from "../vault/context.ts";

/** What some photos have in common. */
export interface Common {
  /** Absent where the photos have different ones. */
  readonly caption?: string;
  /** 0 without stars; absent if the photos have different ratings. */
  readonly rating?: number;
  /** Those of any of the photos, the most frequent first. */
  readonly keywords: readonly string[];
}

/** What became of a change. */
interface Edited {
  readonly changed: number;
  readonly failed: number;
  readonly fault?: Fault;
}

/** Photos that are changed at a time. */
const AT_ONCE = 4;
/** Keywords that are offered to be removed. */
const MOST_SHOWN = 40;

/** The calls of the group `editing`. */
export function editingCalls(context: VaultContext) {
  const own = (ids: readonly string[]): readonly Row[] =>
    ids.flatMap((id) => {
      const row = context.opened().index.get(id);
      const isOwn = row?.owner === context.signedIn().userId;
      return row !== undefined && isOwn && !context.view().isShut(row)
        ? [row]
        : [];
    });
  const change = async (row: Row, edits: Edits): Promise<boolean> => {
    const about = row.metadata && editedAbout(row.metadata, edits);
    if (about === undefined) return false;
    await context.opened().amend(row.id, { about });
    return true;
  };
  return {
    /** What the person's own among some photos have in common. */
    common(ids: readonly string[]): Common {
      const all = own(ids).flatMap(({ metadata }) => metadata ?? []);
      const captions = new Set(all.map(({ caption = "" }) => caption));
      const ratings = new Set(all.map(({ rating = 0 }) => rating));
      const [caption] = captions;
      const [rating] = ratings;
      const counts = new Map<string, number>();
      for (const word of all.flatMap(({ keywords = [] }) => keywords)) {
        counts.set(word, (counts.get(word) ?? 0) + 1);
      }
      const keywords = [...counts].toSorted(([, a], [, b]) => b - a)
        .slice(0, MOST_SHOWN).map(([word]) => word);
      return {
        ...(captions.size === 1 && caption !== undefined ? { caption } : {}),
        ...(ratings.size === 1 && rating !== undefined ? { rating } : {}),
        keywords,
      };
    },
    /**
     * Changes photos of the person's own; a refusal of one does not stop the
     * others.
     */
    async edit(ids: readonly string[], edits: Edits): Promise<Edited> {
      let [changed, failed, fault]: [number, number, Fault | undefined] = [
        0,
        0,
        undefined,
      ];
      await inParallel(own(ids), AT_ONCE, async (row) => {
        try {
          if (await change(row, edits)) changed += 1;
        } catch (error) {
          if (!(error instanceof ApiProblem)) throw error;
          [failed, fault] = [failed + 1, faultOf(error)];
        }
      }).finally(() => context.changed());
      return { changed, failed, ...(fault === undefined ? {} : { fault }) };
    },
  };
}
