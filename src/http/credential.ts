/**
 * The credential that a request bears, and what becomes of one that ends while
 * its request runs.
 *
 * @module
 */
import { Problem } from "../core/problem.ts";

/** The token of a Bearer scheme; a credential of another is a missing one. */
export function bearerToken(request: Request): string | undefined {
  const match = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(
    request.headers.get("authorization") ?? "",
  );
  return match?.[1];
}

/**
 * Why a request with a credential was refused. What failed unforeseen under a
 * credential that is good no more failed because of that: an account may be
 * deleted in the middle of a request. `identify` reads the credential again;
 * its refusal is the answer then, and what failed its cause.
 */
export async function reasonOf(
  thrown: unknown,
  identify: () => Promise<unknown>,
): Promise<unknown> {
  if (thrown instanceof Problem) return thrown;
  try {
    await identify();
    return thrown;
  } catch (refusal) {
    if (!(refusal instanceof Problem)) return thrown;
    return new Problem(refusal.code, { cause: thrown });
  }
}
