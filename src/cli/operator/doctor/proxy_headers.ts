/**
 * Whether a proxy in front names clients that the server does not hear of.
 *
 * @module
 */
import { say } from "../../../core/sentence.ts";
import { DAY_MS, toRfc3339 } from "../../../core/time.ts";
import {
  type ProxyHeader,
  type TrustedProxies,
  trustsSome,
} from "../../../http/client_address.ts";
import type { Forwarder } from "../../../server/forwarded_note.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning } = findingsOf("proxy_headers");

/** What is older says nothing of today. */
const FRESH_MS = 7 * DAY_MS;

/** Judges who sent forwarding headers that were ignored. */
export function judgeForwarders(
  forwarders: readonly Forwarder[],
  trusted: TrustedProxies,
  believed: ProxyHeader,
  now: number,
): Finding[] {
  const unheard = forwarders.filter(({ from, at, header }) =>
    now - at < FRESH_MS &&
    (trustsSome(from, trusted)
      ? header !== undefined && header !== believed
      : true)
  );
  if (unheard.length > 0) {
    return unheard.map(({ from, at, header }) =>
      header !== undefined && trustsSome(from, trusted)
        ? warning(
          say(
            "the trusted proxy {1} sends client addresses in {2} and not in " +
              "{3}, last seen at {4}",
            from,
            header,
            believed,
            toRfc3339(at),
          ),
          say(
            "if the proxy itself sets that header, set " +
              "STRONGROOM_PROXY_HEADER={1} and restart the server; otherwise " +
              "let it set {2}. Without either, all its clients share one limit",
            header,
            believed,
          ),
        )
        : warning(
          say(
            "requests with forwarding headers came from {1}, last seen at " +
              "{2}, which is not in STRONGROOM_TRUSTED_PROXIES",
            from,
            toRfc3339(at),
          ),
          say(
            "if that is your proxy, add it (STRONGROOM_TRUSTED_PROXIES={1}) " +
              "and restart the server, because otherwise all its clients share " +
              "one limit; if it is not, nothing is wrong",
            from,
          ),
        )
    );
  }
  const count = trusted.networks.length + (trusted.unix ? 1 : 0);
  return [
    ok(
      count === 0
        ? "none seen, and no proxy is trusted"
        : "none seen except from trusted proxies",
    ),
  ];
}
