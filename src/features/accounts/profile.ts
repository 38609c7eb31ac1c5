/**
 * The caller's own profile and public record
 * (protocol/authentication.md#profile, protocol/discovery.md#public-record).
 *
 * @module
 */
import type { SessionCaller } from "../../core/caller.ts";
import type { UserId } from "../../core/ids.ts";
import { toRfc3339 } from "../../core/time.ts";
import { transaction } from "../../store/sqlite/database.ts";
import type { App } from "../app.ts";
import type { Call, CallBy } from "../call.ts";
import { isRecent, RECENT_MS } from "../sessions/recent.ts";
import {
  deletePublicRecord,
  findDisplayName,
  findProfile,
  findPublicRecord,
  putPublicRecord,
  setDisplayName,
} from "./store.ts";

/** The caller's own profile, in its wire form. */
export async function readProfile(
  app: App,
  { userId, sessionId }: SessionCaller,
) {
  const profile = await findProfile(app.db, userId, sessionId);
  const { address, display_name, created_at, presented_at } = profile;
  return {
    user_id: userId,
    address,
    display_name,
    created_at: toRfc3339(created_at),
    second_factor: profile.has_factor === 0
      ? "none" as const
      : profile.confirmed_at === null
      ? "pending" as const
      : "confirmed" as const,
    has_password: profile.has_password === 1,
    password_must_change: profile.password_must_change === 1,
    ...(presented_at !== null && isRecent(presented_at, app.platform.now())
      ? { recent_until: toRfc3339(presented_at + RECENT_MS) }
      : {}),
    ...profile.operator_since !== null && app.server.hasOperatorPage
      ? { is_operator: true as const }
      : {},
  };
}

/** Sets the display name, null clears it; undefined leaves it alone. */
export async function updateProfile(
  app: App,
  caller: SessionCaller,
  displayName: string | null | undefined,
) {
  if (displayName !== undefined) {
    await setDisplayName(app.db, caller.userId, displayName);
  }
  return await readProfile(app, caller);
}

/** Opts the caller into anonymous lookup under a handle. */
export async function publishRecord(
  call: CallBy<"session", "error.user.handle_taken">,
  handle: string,
) {
  const { app, caller: { userId }, raise } = call;
  const published = await transaction(
    app.db,
    (tx) => putPublicRecord(tx, userId, handle),
  );
  if (!published) {
    throw raise("error.user.handle_taken");
  }
  const display_name = await findDisplayName(app.db, userId);
  return recordToWire({ handle, display_name });
}

/** Opts the caller out; there may be nothing to opt out of. */
export async function withdrawRecord(app: App, userId: UserId): Promise<void> {
  await deletePublicRecord(app.db, userId);
}

/** What anybody may know of a user who opted in. */
export async function readRecord(
  { app, raise }: Call<"error.user.not_found">,
  handle: string,
) {
  const record = await findPublicRecord(app.db, handle);
  if (record === undefined) throw raise("error.user.not_found");
  return recordToWire(record);
}

function recordToWire(
  record: { readonly handle: string; readonly display_name: string | null },
) {
  return {
    handle: record.handle,
    ...(record.display_name === null
      ? {}
      : { display_name: record.display_name }),
  };
}
