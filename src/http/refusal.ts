/**
 * From whatever was thrown to a problem that the operation may answer with.
 *
 * @module
 */
import { Problem, problem, type ProblemCode } from "../core/problem.ts";

/** Why nothing can be stored, or read, now. */
export type StorageFault =
  | { readonly kind: "full" }
  | { readonly kind: "away"; readonly retryAfterSeconds: number };

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
  const { retryAfterSeconds } = fault;
  return problem("error.storage.unavailable", { retryAfterSeconds, cause });
}
