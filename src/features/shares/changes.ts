/**
 * Changing what a share link serves, and when it ends
 * (protocol/links.md#share-links): the difference is written, within a budget,
 * one change of an account at a time.
 *
 * @module
 */
import { chunks } from "../../core/chunks.ts";
import type { FieldError } from "../../core/catalogue.ts";
import type { BlobHash, OpaqueId } from "../../core/ids.ts";
import { SECOND_MS, toRfc3339 } from "../../core/time.ts";
import { transaction } from "../../store/sqlite/database.ts";
import type { ChangeShareRequest } from "../../wire/bodies/links.ts";
import type { App } from "../app.ts";
import type { Spent } from "../budgets.ts";
import type { Call, CallBy } from "../call.ts";
import { charge } from "../charge.ts";
import { requireDisk } from "../disk.ts";
import { assertWithin } from "../row_limits.ts";
import { yieldToEventLoop } from "../yield_to_event_loop.ts";
import {
  addServed,
  countShares,
  findOwnShare,
  isServed,
  pageOfServed,
  removeServed,
  SERVED_AT_ONCE,
  updateShare,
} from "./store.ts";

/** What a served hash takes of the database, roughly. */
export const SERVED_BYTES = 128;

/** No body hashes to it: what was changed is issued by no body any more. */
const CHANGED = "changed";

type ChangeProblem =
  | "error.request.invalid"
  | "error.share.not_found"
  | "error.account.limit_reached";

/**
 * Changes the caller's link, one that has expired too; returns it as it is
 * listed.
 */
export async function changeShare(
  call: CallBy<"session", ChangeProblem>,
  opaqueId: OpaqueId,
  request: ChangeShareRequest,
) {
  const { app, now, raise } = call;
  const errors = lateExpiry(request.expires_at, now);
  if (errors.length > 0) {
    throw raise("error.request.invalid", { extra: { errors } });
  }
  await requireDisk(app, (request.serves?.length ?? 0) * SERVED_BYTES);
  await app.signals.shareViews.write();
  return await inTurn(
    call,
    request.serves?.length ?? 0,
    () => changeAlone(call, opaqueId, request),
  );
}

/**
 * The same, while nothing else of the account changes what a link serves. What
 * is new is added first, in parts, so that others write in between; the rest is
 * one transaction. Where that fails, what was added goes again.
 */
async function changeAlone(
  call: CallBy<"session", ChangeProblem>,
  opaqueId: OpaqueId,
  request: ChangeShareRequest,
) {
  const { app, caller: { userId }, raise } = call;
  const { expires_at, metadata_hash } = request;
  const before = await findOwnShare(app.db, userId, opaqueId);
  if (before === undefined) throw raise("error.share.not_found");
  const { serves } = request;
  const { added, removed } = serves === undefined
    ? { added: [], removed: [] }
    : await differenceOf(app, opaqueId, serves);
  if (serves !== undefined) {
    await checkChange(call, before, serves, metadata_hash);
    chargeHashes(call, added.length + removed.length);
  }
  try {
    for (const some of chunks(added, SERVED_AT_ONCE)) {
      const isThere = await transaction(
        app.db,
        (tx) => addServed(tx, userId, opaqueId, some),
      );
      if (!isThere) throw raise("error.share.not_found");
    }
    return await transaction(app.db, async (tx) => {
      const isChanged = await updateShare(tx, userId, opaqueId, {
        request_hash: CHANGED,
        ...(expires_at === undefined ? {} : { expires_at }),
        ...(metadata_hash === undefined ? {} : { metadata_hash }),
        ...(serves === undefined ? {} : { serves_count: serves.length }),
      });
      if (!isChanged) throw raise("error.share.not_found");
      if (removed.length > 0) await removeServed(tx, opaqueId, removed);
      if (serves !== undefined) {
        const { hashes } = await countShares(tx, userId);
        const grows = serves.length > before.serves_count;
        if (grows) assertWithin(call, "servedHashes", hashes);
      }
      const after = await findOwnShare(tx, userId, opaqueId);
      if (after === undefined) throw raise("error.share.not_found");
      if (!await isServed(tx, opaqueId, after.metadata_hash)) {
        throw notServed(call, metadata_hash);
      }
      return toWire(after);
    });
  } catch (thrown) {
    if (added.length > 0) await takeBack(app, opaqueId, added);
    throw thrown;
  }
}

/** Refuses before anything is written what could not be. */
async function checkChange(
  call: CallBy<"session", ChangeProblem>,
  before: { readonly metadata_hash: BlobHash; readonly serves_count: number },
  serves: readonly BlobHash[],
  metadata: BlobHash | undefined,
): Promise<void> {
  const { app, caller: { userId } } = call;
  if (!serves.includes(metadata ?? before.metadata_hash)) {
    throw notServed(call, metadata);
  }
  const growth = serves.length - before.serves_count;
  if (growth <= 0) return;
  const { hashes } = await countShares(app.db, userId);
  assertWithin(call, "servedHashes", hashes + growth);
}

function notServed(
  { raise }: Call<"error.request.invalid">,
  metadata: BlobHash | undefined,
) {
  const path = metadata === undefined ? "/serves" : "/metadata_hash";
  const message = "the metadata must be in serves";
  return raise("error.request.invalid", {
    extra: { errors: [{ path, message }] },
  });
}

/** What a link serves and a list has not, and the other way round. */
async function differenceOf(
  app: App,
  opaqueId: OpaqueId,
  serves: readonly BlobHash[],
) {
  const added = new Set(serves);
  const removed: BlobHash[] = [];
  for (let after = "";;) {
    const page = await pageOfServed(app.db, opaqueId, after);
    for (const { hash } of page) {
      if (!added.delete(hash)) removed.push(hash);
    }
    after = page.at(-1)?.hash ?? after;
    if (page.length < SERVED_AT_ONCE) break;
    await yieldToEventLoop(app);
  }
  // In their order they are inserted several times faster.
  return { added: [...added].toSorted(), removed };
}

/** Removes what was added for a change that came to nothing. */
async function takeBack(
  app: App,
  opaqueId: OpaqueId,
  added: readonly BlobHash[],
): Promise<void> {
  try {
    for (const some of chunks(added, SERVED_AT_ONCE)) {
      await transaction(app.db, (tx) => removeServed(tx, opaqueId, some));
    }
  } catch (cause) {
    // The next change takes them back: it is told by what is there.
    app.platform.log.warn("hashes of a change that failed are still served", {
      cause: String(cause),
    });
  }
}

/** Spends the budget of hashes that are written. */
export function chargeHashes(
  call: CallBy<"session", "error.account.limit_reached">,
  count: number,
): void {
  const key = [call.caller.userId] as const;
  const spent = charge(call, "share_hashes", key, Math.max(1, count));
  if (spent !== undefined) throw tooMuch(call, spent);
}

/** What a change weighs at least while it waits, in hashes: its request. */
const LEAST_WEIGHT = 100;
/** For so long a change waits for its turn (ms). */
const TURN_MS = 30 * SECOND_MS;

/**
 * Writes what links serve, one change of an account at a time. `hashes` is how
 * many the request names.
 */
export async function inTurn<T>(
  call: CallBy<"session", "error.account.limit_reached">,
  hashes: number,
  work: () => Promise<T>,
): Promise<T> {
  const { app: { platform, signals }, caller } = call;
  const refused = () =>
    tooMuch(call, {
      retryAfterSeconds: 1,
      retryAtSeconds: Math.ceil(platform.now() / SECOND_MS) + 1,
    });
  const begun = new AbortController();
  let isLate = false;
  const done = signals.shareChanges.run(caller.userId, async () => {
    // It was refused while it waited.
    if (isLate) throw refused();
    begun.abort();
    return await work();
  }, Math.max(LEAST_WEIGHT, hashes));
  if (done === undefined) throw refused();
  const turn = platform.sleep(TURN_MS, begun.signal).then(() => {
    if (begun.signal.aborted) return done;
    isLate = true;
    throw refused();
  });
  return await Promise.race([done, turn]);
}

function tooMuch(
  { raise }: Call<"error.account.limit_reached">,
  { retryAfterSeconds, retryAtSeconds }: Spent,
) {
  return raise("error.account.limit_reached", {
    extra: { limit: "share_hashes", retry_after: retryAtSeconds },
    retryAfterSeconds,
  });
}

/** The errors of an expiry that is over already. */
export function lateExpiry(
  expiresAt: number | null | undefined,
  now: number,
): FieldError[] {
  return typeof expiresAt === "number" && expiresAt <= now
    ? [{ path: "/expires_at", message: "must lie in the future" }]
    : [];
}

/** A link as its issuer sees it. */
export function toWire(
  share: NonNullable<Awaited<ReturnType<typeof findOwnShare>>>,
) {
  return {
    opaque_id: share.opaque_id,
    metadata_hash: share.metadata_hash,
    serves_count: share.serves_count,
    passphrase_protected: share.has_passphrase === 1,
    ...(share.expires_at === null
      ? {}
      : { expires_at: toRfc3339(share.expires_at) }),
    created_at: toRfc3339(share.created_at),
    views: share.views,
    ...(share.last_viewed_at === null
      ? {}
      : { last_viewed_at: toRfc3339(share.last_viewed_at) }),
  };
}
