/**
 * Two devices may take the same bytes in at the same moment: each looked before
 * the other had stored them.
 *
 * @module
 */
import { equalBytes } from "../../core/bytes.ts";
import { encodeMetadata, type Metadata } from "../metadata.ts";
import { present } from "../state.ts";
import { proveRow, type ProvingContext } from "./proving.ts";
import { isBroken, type Row } from "./rows.ts";
import type { SharedState } from "./shared_state.ts";

/** What looking for twins works with. */
export interface TwinContext extends ProvingContext {
  readonly state: SharedState;
  /** Follows the feed to its end. */
  readonly catchUp: () => Promise<unknown>;
}

/**
 * An own live asset of the same bytes in the same album that was stored before
 * this one, with verified receipts; undefined if there is none or somebody did
 * something with this one already. Of two, only the later finds the other.
 */
export async function earlierTwin(
  context: TwinContext,
  metadata: Metadata,
  { id, head, seq }: Row,
): Promise<Row | undefined> {
  const { vault, index } = context;
  await context.catchUp();
  const row = index.get(id);
  if (row?.head !== head || row.state !== "live") return undefined;
  const twin = index.allByPlaintext(metadata.sha256).find((one) =>
    one.id !== id && one.seq < seq && one.state === "live" &&
    one.album === row.album && one.owner === vault.session.userId &&
    one.metadata?.size === metadata.size && !isBroken(one)
  );
  if (twin === undefined) return undefined;
  await context.state.read();
  if (isTouched(context, metadata, row)) return undefined;
  return twin.custody === "unverified" ? await proveRow(context, twin) : twin;
}

/** Whether somebody described, marked or collected an asset. */
function isTouched(
  { state }: TwinContext,
  metadata: Metadata,
  row: Row,
): boolean {
  const { flags, collections } = state.held;
  return row.metadata === undefined ||
    !equalBytes(encodeMetadata(row.metadata), encodeMetadata(metadata)) ||
    flags[row.id] !== undefined ||
    present(collections).some(([, { assets }]) => assets.includes(row.id));
}
