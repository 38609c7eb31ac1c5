/**
 * The credential that a request bears, and what becomes of one whose account
 * is deleted while the request runs.
 *
 * @module
 */
import type { Callers } from "../core/caller.ts";
import type { UserId } from "../core/ids.ts";
import { Problem, problem } from "../core/problem.ts";

/** The token of a Bearer scheme; a credential of another is a missing one. */
export function bearerToken(request: Request): string | undefined {
  const match = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(
    request.headers.get("authorization") ?? "",
  );
  return match?.[1];
}

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
