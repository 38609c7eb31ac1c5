/**
 * When a deleted asset is gone: a decision over its row, so that no answer
 * depends on collection having run.
 *
 * @module
 */

/** The columns of an asset that decide. */
interface DeletionFacts {
  readonly deleted_at: number | null;
  readonly held_at: number | null;
  readonly retention_until: number | null;
}

/**
 * Whether an asset has left the trash, where it stays for `trashMs`: never
 * while it is under legal hold, and not before its retention floor.
 */
export function hasLeftTrash(
  { deleted_at, held_at, retention_until }: DeletionFacts,
  now: number,
  trashMs: number,
): boolean {
  return deleted_at !== null && held_at === null &&
    deleted_at + trashMs <= now && (retention_until ?? 0) <= now;
}
