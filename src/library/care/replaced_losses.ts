/**
 * Missing photos that were stored again, by this device or another one: the new
 * asset takes over what was said of the old one, and the old one is no longer
 * missed.
 *
 * @module
 */
import { ApiProblem } from "../../client/api/api.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { changedAt, type LibraryState } from "../../client/documents/state.ts";
import { amendAsset } from "../adding/amend.ts";
import type { UploadContext } from "../adding/upload.ts";
import { lostRows } from "../rows/losses.ts";
import { isRolledBack, type Row } from "../rows/rows.ts";
import type { SharedState } from "../vault/shared_state.ts";

/** What answering works with. */
interface AnswerContext extends UploadContext {
  readonly state: SharedState;
}

/** Photos whose newest version is put back in one pass at most. */
const MOST_PUT_BACK = 200;

/**
 * Ends the losses that are answered. Where the server shows an older version of
 * a photo, as after a restore from a backup, the newest one is stored again.
 */
export async function answerLosses(context: AnswerContext): Promise<void> {
  const { index, vault, deletions } = context;
  const lost = lostRows(index, vault.session.userId);
  if (lost.length === 0) return;
  const answered = new Map<string, Row>();
  for (const row of lost) {
    const { sha256 } = row.metadata ?? {};
    if (row.state !== "missing" || sha256 === undefined) continue;
    const again = index.byPlaintext(sha256, row.album);
    if (again?.owner === row.owner) answered.set(row.id, again);
  }
  if (answered.size > 0) {
    await takeOver(context, answered);
    // The file is there: it was not thrown away.
    await deletions.record(
      lost.filter(({ id }) => answered.has(id))
        .map(({ metadata: _, ...row }) => row),
    );
    for (const id of answered.keys()) index.remove(id);
    await index.commit();
  }
  for (const row of lost.filter(isRolledBack).slice(0, MOST_PUT_BACK)) {
    await amendAsset(context, row, {}).catch(ignoreRefusal);
  }
}

/** Gives new assets the marks, lists and words of those they replace. */
async function takeOver(
  context: AnswerContext,
  answered: ReadonlyMap<string, Row>,
): Promise<void> {
  const { state, index, vault } = context;
  const now = vault.session.platform.now();
  const { flags, collections } = state.held;
  const isSaid = [...answered.keys()].some((id) =>
    flags[id] !== undefined ||
    Object.values(collections).some(({ assets }) => assets.includes(id))
  );
  if (isSaid) await state.change((held) => withNewIds(held, answered, now));
  for (const [id, row] of answered) {
    const { caption } = index.get(id)?.metadata ?? {};
    if (caption === undefined || row.metadata?.caption !== undefined) continue;
    await amendAsset(context, row, { about: { caption } }).catch(ignoreRefusal);
  }
}

/** The state with new assets in the place of old ones. */
function withNewIds(
  held: LibraryState,
  answered: ReadonlyMap<string, Row>,
  now: number,
): LibraryState {
  const flags = { ...held.flags };
  for (const [id, row] of answered) {
    const before = held.flags[id];
    if (before === undefined || flags[row.id] !== undefined) continue;
    flags[row.id] = { ...before, at: changedAt(before, now) };
  }
  const collections = Object.fromEntries(
    Object.entries(held.collections).map(([id, one]) => {
      if (!one.assets.some((asset) => answered.has(asset))) return [id, one];
      const assets = one.assets.map((asset) =>
        answered.get(asset)?.id ?? asset
      );
      const at = changedAt(one, now);
      return [id, { ...one, assets: [...new Set(assets)], at }];
    }),
  );
  return { ...held, flags, collections };
}

/**
 * It is tried again by the next pass, and holds nothing else up: in an album
 * that the account is no longer in, no one here may put a photo back.
 */
function ignoreRefusal(error: unknown): void {
  const isRefused = error instanceof ApiProblem ||
    error instanceof DocumentError;
  if (!isRefused) throw error;
}
