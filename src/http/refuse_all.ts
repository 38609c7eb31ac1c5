/**
 * Answers where no operation can begin.
 *
 * @module
 */
import { problem } from "../core/problem.ts";
import type { Draft } from "./draft.ts";
import { renderProblem } from "./render.ts";

/** What is refused alike, whatever was asked for. */
type Away =
  | "error.storage.unavailable"
  | "error.federation.revocations_unavailable";

/** Refuses a request; `detail` says why, `retryAfterSeconds` for how long. */
export function refuseAway(
  request: Request,
  code: Away,
  detail: string,
  retryAfterSeconds: number,
): Draft {
  const draft = renderProblem(
    problem(code, { detail }),
    {
      request,
      pathname: "",
      tokenPresented: false,
      cutoffPassed: false,
      tus: false,
      allow: [],
    },
  );
  draft.headers.set("Retry-After", String(retryAfterSeconds));
  return draft;
}
