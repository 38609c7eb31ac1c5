/**
 * What the pipeline checks of a request before the operation's own checks, a
 * function for each, in the order of protocol/transport.md#order-of-checks. The
 * handshake has a file of its own, and so has the body.
 *
 * @module
 */
import type { Callers, Credential } from "../core/caller.ts";
import { problem, type Raise } from "../core/problem.ts";
import {
  type RefusedCredential,
  refusesSuspended,
  waitsForPassword,
} from "./implied.ts";
import { type IsOwnHost, namesOther, OTHER_HOST } from "./own_host.ts";
import type { Parameters, RouteSpec } from "./route.ts";
import type { Found } from "./router.ts";

/** How credentials are read; features hand it in, since `http` knows none. */
export type Authentication = {
  readonly [C in Exclude<Credential, "none">]: (
    token: string,
    raise: Raise<RefusedCredential<C>>,
  ) => Promise<Callers[C]>;
};

/** 1: the route. */
export function requireRoute<App>(found: Found<App>) {
  switch (found.kind) {
    case "unknown":
      throw problem("error.request.route_unknown");
    case "method":
      throw problem("error.request.method_not_allowed");
    case "route":
      return found;
  }
}

/** 2: the `Host`, where the operation signs in or registers. */
export function checkHost(
  request: Request,
  url: URL,
  spec: RouteSpec,
  isOwnHost: IsOwnHost,
): void {
  if (!spec.ownHost) return;
  if (namesOther(url, request.headers.get("host"), isOwnHost)) {
    throw problem("error.request.host", { cause: OTHER_HOST });
  }
}

/** 4: the credential. `onToken` is told that there is one. */
export async function identify(
  request: Request,
  { credential }: RouteSpec,
  authentication: Authentication,
  onToken: () => void,
): Promise<Callers[keyof Callers]> {
  if (credential === "none") return undefined;
  const token = bearerToken(request);
  if (token === undefined) throw problem("error.auth.token_missing");
  onToken();
  return await authentication[credential](token, problem);
}

/** The token of a Bearer scheme; a credential of another is a missing one. */
export function bearerToken(request: Request): string | undefined {
  const match = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(
    request.headers.get("authorization") ?? "",
  );
  return match?.[1];
}

/**
 * 5 and 6: what an account must be before it may do the operation
 * (protocol/transport.md#suspended-accounts,
 * protocol/transport.md#a-password-that-has-to-be-changed,
 * protocol/transport.md#writing-needs-a-directory).
 */
export function checkAccount(
  spec: RouteSpec,
  caller: Callers[keyof Callers],
): void {
  if (caller?.kind !== "session") return;
  if (caller.suspended && refusesSuspended(spec)) {
    throw problem("error.account.suspended");
  }
  if (caller.mustChangePassword && waitsForPassword(spec)) {
    throw problem("error.auth.reauthentication_required", {
      cause: "the operator's password has to be changed first",
    });
  }
  if (spec.needsDirectory && !caller.hasDirectory) {
    throw problem("error.directory.required");
  }
}

/** The values of a request, by their names. */
interface Values {
  readonly params: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
}

/** 7: path, query and header values; `groups` are those of the path. */
export function readValues(
  request: Request,
  url: URL,
  spec: RouteSpec,
  groups: {
    readonly names: readonly string[];
    readonly given: readonly string[];
  },
): Values {
  return {
    params: parseValues(spec.params, (name) => {
      try {
        return decodeURIComponent(
          groups.given[groups.names.indexOf(name)] ?? "",
        );
      } catch (cause) {
        throw problem("error.request.malformed", { cause });
      }
    }),
    query: parseValues(spec.query, (name) => url.searchParams.get(name)),
    headers: parseValues(spec.headers, (name) => request.headers.get(name)),
  };
}

/** Values that are declared, parsed; unknown ones are not looked at. */
function parseValues(
  parameters: Parameters | undefined,
  given: (name: string) => string | null,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  if (parameters === undefined) return values;
  for (const [name, parameter] of Object.entries(parameters)) {
    const text = given(name);
    if (text === null && parameter.absent !== undefined) {
      values[name] = parameter.absent.value;
      continue;
    }
    const value = text === null ? undefined : parameter.parse(text);
    if (value === undefined) {
      throw problem("error.request.malformed", { cause: `value of ${name}` });
    }
    values[name] = value;
  }
  return values;
}
