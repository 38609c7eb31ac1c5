import type { Raise } from "../core/problem.ts";
import type { RouteSpec } from "./route.ts";

/** The one version of tus that is spoken. */
export const TUS_VERSION = "1.0.0";

/** Refuses a request in another version (tus 1.0.0, Tus-Resumable). */
export function checkTusVersion(
  request: Request,
  spec: RouteSpec,
  raise: Raise<"error.upload.tus_unsupported">,
): void {
  if (spec.tus !== true) return;
  const presented = request.headers.get("tus-resumable") ?? TUS_VERSION;
  if (presented !== TUS_VERSION) throw raise("error.upload.tus_unsupported");
}
