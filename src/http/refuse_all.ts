/**
 * Refusing every request alike, where no operation can begin.
 *
 * @module
 */
import { problem } from "../core/problem.ts";
import { toResponse } from "./draft.ts";
import { renderProblem } from "./render.ts";

/** The 503 of a server whose storage cannot be used yet; `detail` says why. */
export function refuseUnavailable(
  request: Request,
  detail: string,
  retryAfterSeconds: number,
): Response {
  const refused = problem("error.storage.unavailable", {
    retryAfterSeconds,
    detail,
  });
  return toResponse(
    renderProblem(refused, {
      request,
      pathname: "",
      tokenPresented: false,
      cutoffPassed: false,
      tus: false,
      allow: [],
    }),
  );
}
