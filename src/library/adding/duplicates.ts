/**
 * Two devices may take the same bytes in at the same moment: each looked before
 * the other had stored them.
 *
 * @module
 */
import type { Metadata } from "../../client/documents/metadata.ts";
import { present } from "../../client/documents/state.ts";
import { proveRow, type ProvingContext } from "./proving.ts";
import { isBroken, type Row } from "../rows/rows.ts";
import type { SharedState } from "../vault/shared_state.ts";
import type { Store, StoreChange } from "../base/store.ts";
import { followedTo } from "../rows/cursor.ts";
import { type FreshNote, seenNote } from "./fresh_notes.ts";

/** What looking for duplicates works with. */
export interface DuplicateContext extends ProvingContext {
  readonly state: SharedState;
  readonly store: Store;
  /** Moves an asset to the trash. */
  readonly trash: (assetId: string) => Promise<void>;
}

/**
 * Looks for duplicates of what was just stored here, once the feed was followed
 * past it. Of two, the later goes to the trash, unless someone did something
 * with it or it has a part that the other lacks. Returns the ids that went,
 * each with the asset that stays.
 */
export async function letGoOfDuplicates(
  context: DuplicateContext,
  notes: readonly FreshNote[],
): Promise<ReadonlyMap<string, Row>> {
  const { index, store } = context;
  const end = await followedTo(store);
  const gone = new Map<string, Row>();
  const seen: StoreChange[] = [];
  for (const { id, head } of notes) {
    const row = index.get(id);
    if (row !== undefined && row.seq > end) continue;
    const duplicate = row?.head === head && row.state === "live"
      ? await duplicateBefore(context, row)
      : undefined;
    if (row !== undefined && duplicate !== undefined) {
      await context.trash(id);
      gone.set(id, duplicate);
    }
    seen.push(seenNote(id));
  }
  await store.write(seen);
  return gone;
}

/**
 * An own asset of the same bytes that was stored before, which the server
 * confirms just now; undefined if there is none or this one is to stay.
 */
async function duplicateBefore(
  context: DuplicateContext,
  row: Row,
): Promise<Row | undefined> {
  const { vault, index, state } = context;
  const { account, userId } = vault.session;
  const { metadata } = row;
  if (metadata === undefined) return undefined;
  const kinds = (one: Metadata) => one.derivatives.map(({ kind }) => kind);
  const duplicate = index.allByPlaintext(metadata.sha256).find((one) =>
    one.id !== row.id && one.seq < row.seq && one.state === "live" &&
    one.album === row.album && one.owner === userId &&
    one.metadata !== undefined && one.fault === undefined &&
    one.metadata.size === metadata.size && !isBroken(one) &&
    kinds(metadata).every((kind) =>
      one.metadata !== undefined && kinds(one.metadata).includes(kind)
    )
  );
  if (duplicate === undefined || isMarked(state, row.id)) return undefined;
  const { state: now, chain_head: head } = await account.asset(duplicate.id);
  if (now !== "live" || head !== duplicate.head) return undefined;
  return await proveRow(context, duplicate);
}

/** Whether someone marked or collected an asset. */
function isMarked({ held }: SharedState, id: string): boolean {
  return held.flags[id] !== undefined ||
    present(held.collections).some(([, { assets }]) => assets.includes(id));
}
