/**
 * From whatever was thrown to a problem that the operation may answer with.
 *
 * @module
 */
import type { Callers } from "../core/caller.ts";
import type { UserId } from "../core/ids.ts";
import { Problem, problem, type ProblemCode } from "../core/problem.ts";

/** Why nothing can be stored, or read, now. */
export type StorageFault =
  | { readonly kind: "full" }
  | { readonly kind: "away"; readonly retryAfterSeconds?: number }
  /** The database is there and cannot be read. */
  | { readonly kind: "unreadable" };

/**
 * Why a request was refused. What failed unforeseen for an account that is
 * deleted by now failed because of that: the credential is good no more, and
 * what failed is the cause.
 */
export async function reasonOf(
  thrown: unknown,
  caller: Callers[keyof Callers],
  accountStands: (userId: UserId) => Promise<boolean>,
): Promise<unknown> {
  if (thrown instanceof Problem || caller?.kind !== "session") return thrown;
  try {
    if (await accountStands(caller.userId)) return thrown;
  } catch {
    // Whatever ails the store, the first failure is the one to tell of.
    return thrown;
  }
  return problem("error.auth.token_invalid", { cause: thrown });
}

/**
 * The problem that a request is refused with. `declared` are the codes of its
 * operation; undefined where it reached none.
 */
export function refusalOf(
  thrown: unknown,
  declared: ReadonlySet<ProblemCode> | undefined,
  storageFault: (thrown: unknown) => StorageFault | undefined,
): Problem {
  if (!(thrown instanceof Problem)) {
    const refused = storageRefusal(thrown, storageFault(thrown));
    return refused !== undefined && declared?.has(refused.code)
      ? refused
      : problem("error.internal", { cause: thrown });
  }
  if (declared === undefined || declared.has(thrown.code)) return thrown;
  return problem("error.internal", {
    cause: new Error(`undeclared: ${thrown.code}`, { cause: thrown }),
  });
}

function storageRefusal(
  cause: unknown,
  fault: StorageFault | undefined,
): Problem | undefined {
  if (fault === undefined) return undefined;
  if (fault.kind === "full") return problem("error.storage.full", { cause });
  if (fault.kind === "unreadable") {
    return problem("error.auth.unavailable", { cause });
  }
  const { retryAfterSeconds } = fault;
  return problem("error.storage.unavailable", { retryAfterSeconds, cause });
}
