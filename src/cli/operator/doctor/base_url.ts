/**
 * Whether the base URL reaches this very server.
 *
 * @module
 */
import { say } from "../../../core/sentence.ts";
import { tlsFault } from "../../tls_fault.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, fault } = findingsOf("base_url");

/** What came of asking the base URL for its server-info. */
export type Outcome =
  | { readonly kind: "unreachable"; readonly reason: string }
  | {
    readonly kind: "redirect";
    readonly status: number;
    readonly location: string;
  }
  /** Something answers that is no strongroom. */
  | { readonly kind: "stranger"; readonly status: number }
  | {
    readonly kind: "server";
    readonly serverId: string;
    /** `signing_key`, base64. */
    readonly signingKey: string;
  };

export interface Asked {
  readonly origin: string;
  /** Whether a server holds the data directory's lock. */
  readonly isServed: boolean;
  /** Whether the running server itself asks. */
  readonly isServing?: boolean;
  /** Public access keys of the data directory, base64; none: unreadable. */
  readonly ownKeys: readonly string[];
}

/** Judges the answer. */
export function judgeBaseUrl(
  { origin, isServed, isServing = false, ownKeys }: Asked,
  outcome: Outcome,
): Finding {
  switch (outcome.kind) {
    case "unreachable":
      return isServing && tlsFault(outcome.reason) === undefined
        ? warning(
          say(
            "{1} cannot be reached from this machine ({2})",
            origin,
            outcome.reason,
          ),
          "open it from another network: if it opens there, only the router " +
            "does not lead its own network back, and nothing is wrong; " +
            "otherwise let its name point to this machine, and let the " +
            "proxy or router forward to the listen address",
        )
        : unreachable(origin, isServed, outcome.reason);
    case "redirect":
      return fault(
        say(
          "{1} redirects to {2} ({3})",
          origin,
          outcome.location,
          outcome.status,
        ),
        "set STRONGROOM_BASE_URL to the redirect's target, or have the " +
          "proxy forward the request: clients do not follow redirects",
      );
    case "stranger":
      return fault(
        say(
          "something else answers at {1} ({2}, and no server-info)",
          origin,
          outcome.status,
        ),
        "forward every path of this origin to the server's listen address; " +
          "or set STRONGROOM_BASE_URL to the origin that leads there",
      );
    case "server":
      // Without its keys that cannot be judged; the lost keys are a finding.
      if (ownKeys.length > 0 && !ownKeys.includes(outcome.signingKey)) {
        return fault(
          say(
            "another strongroom answers at {1}: {2}",
            origin,
            outcome.serverId,
          ),
          "forward this origin to the server of this data directory; or give " +
            "the other one's data directory with --data-dir",
        );
      }
      return outcome.serverId === origin
        ? ok(say("{1} reaches this server", origin))
        : fault(
          say(
            "{1} reaches this server, which calls itself {2}",
            origin,
            outcome.serverId,
          ),
          say(
            "restart the server with this configuration, or configure here " +
              "what it runs with: STRONGROOM_BASE_URL={1}",
            outcome.serverId,
          ),
        );
  }
}

function unreachable(
  origin: string,
  isServed: boolean,
  reason: string,
): Finding {
  const tls = tlsFault(reason);
  if (tls !== undefined) {
    return fault(say("{1}: {2}", origin, tls.what), tls.mend);
  }
  return isServed
    ? fault(
      say(
        "{1} cannot be reached from here, although the server runs ({2})",
        origin,
        reason,
      ),
      "let its name point to this machine, and let the proxy or router " +
        "forward to the listen address; or set STRONGROOM_BASE_URL to what " +
        "clients use",
    )
    : warning(
      say(
        "no server runs on this data directory, and {1} does not answer",
        origin,
      ),
      "start the server and run this again: strongroom serve",
    );
}
