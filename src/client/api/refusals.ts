/**
 * What a refusal means for the calls that follow it, by its code
 * (protocol/transport.md#implied-problems).
 *
 * @module
 */

/** What is known of a refusal; another thread knows no body. */
interface Refusal {
  readonly code?: string | undefined;
  readonly status?: number | undefined;
  readonly body?: { readonly [key: string]: unknown } | undefined;
}

/** Whether the account or the server has no room for it. */
export function isFull({ code, body }: Refusal): boolean {
  return code === "error.storage.quota_exceeded" ||
    code === "error.storage.full" ||
    code === "error.account.limit_reached" && body?.["limit"] === "quota";
}

/**
 * Whether the same call may succeed later: a budget is spent, or something that
 * the server needs does not answer it.
 */
export function isTemporary({ code, status }: Refusal): boolean {
  return status === 429 || status === 503 ||
    code === "error.storage.unavailable" || code === "error.auth.unavailable";
}
