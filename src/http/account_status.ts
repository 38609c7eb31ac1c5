/**
 * What an account must be before it may do an operation
 * (protocol/transport.md#suspended-accounts,
 * protocol/transport.md#writing-needs-a-directory).
 *
 * @module
 */
import type { SessionCaller } from "../core/caller.ts";
import { problem } from "../core/problem.ts";
import { refusesSuspended } from "./implied.ts";
import type { RouteSpec } from "./route.ts";

/** Throws where the caller's account may not do the operation. */
export function checkAccountStatus(
  spec: RouteSpec,
  caller: SessionCaller,
): void {
  if (caller.suspended && refusesSuspended(spec)) {
    throw problem("error.account.suspended");
  }
  if (spec.needsDirectory && !caller.hasDirectory) {
    throw problem("error.directory.required");
  }
}
