/**
 * An account's quota: its own, or else the configured one.
 *
 * @module
 */
/** An account's own quota that says that it has none (`account quota`). */
export const NO_QUOTA = Number.MAX_SAFE_INTEGER;

/**
 * The bytes that an account may store; undefined: as many as it likes. `own`
 * is its row's, where null stands for the configured quota.
 */
export function quotaOf(
  own: number | null,
  configured: number | undefined,
): number | undefined {
  const quota = own ?? configured;
  return quota === NO_QUOTA ? undefined : quota;
}
