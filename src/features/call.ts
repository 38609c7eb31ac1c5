/**
 * The context of a call: everything that the rules of an operation need apart
 * from its own arguments. Handlers pass their context on as it is.
 *
 * `raise` is typed with the codes that a function needs. A route's context
 * offers those that the route declares, and a function that needs another one
 * cannot be given it: that does not compile, at whatever depth.
 *
 * @module
 */
import type { Callers, Credential } from "../core/caller.ts";
import type { ProblemCode, Raise } from "../core/problem.ts";
import type { App } from "./app.ts";

/** A call of which a function may raise the codes `C`. */
export interface Call<C extends ProblemCode> {
  readonly app: App;
  /**
   * When the call began (ms), its body, if it is read whole, being there. What
   * comes after waiting for another program asks {@link asOfNow}.
   */
  readonly now: number;
  readonly raise: Raise<C>;
}

/** A call with the credential `K` by a caller whom that shows. */
export interface CallBy<K extends Credential, C extends ProblemCode>
  extends Call<C> {
  readonly caller: Callers[K];
}

/**
 * The same call later on: after bytes that came in their own time, a password's
 * turn, another server's answer or a wait for the feed.
 */
export function asOfNow<T extends Call<never>>(call: T): T {
  return { ...call, now: call.app.platform.now() };
}
