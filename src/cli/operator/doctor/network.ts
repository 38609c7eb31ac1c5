/**
 * The checks that send requests: the base URL and the identity provider.
 *
 * @module
 */
import { say } from "../../../core/sentence.ts";
import { z } from "zod";
import {
  acmeSettings,
  canonicalOrigin,
  type Config,
  oidcSettings,
} from "../../../config.ts";
import { ConfigFault } from "../../../core/settings.ts";
import type { Platform } from "../../../core/platform.ts";
import { PROTOCOL_MAX } from "../../../core/protocol.ts";
import { SECOND_MS, toRfc3339 } from "../../../core/time.ts";
import { diagnoseProvider } from "../../../features/oidc/diagnosis.ts";
import { Provider } from "../../../features/oidc/provider.ts";
import {
  factsOf,
  hostOf,
  judgeCertificate,
} from "../../../server/tls/certificate_facts.ts";
import { readAttempt } from "../../../server/tls/acme/note.ts";
import { denoFiles } from "../../../store/files/deno_files.ts";
import { readTlsFiles } from "../../tls_files.ts";
import { trusting } from "../../../server/tls/extra_authorities.ts";
import { type Asked, judgeBaseUrl, type Outcome } from "./base_url.ts";
import type { DatedAnswer } from "./clock.ts";
import { type Finding, findingsOf } from "./finding.ts";
import {
  asksAsOther,
  fetchThrough,
  judgeChanges,
  judgeHost,
} from "./proxy_changes.ts";

const PATIENCE_MS = 10 * SECOND_MS;

const ServerInfo = z.looseObject({
  server_id: z.string(),
  signing_key: z.string(),
});

/** A `fetch` that notes the `Date` of each answer. */
export function datingFetch(
  { fetch, now }: Platform,
  answers: DatedAnswer[],
): typeof fetch {
  return async (input, init) => {
    const askedAt = now();
    const response = await fetch(input, init);
    const date = Date.parse(response.headers.get("date") ?? "");
    const from = URL.parse(response.url)?.host;
    if (!Number.isNaN(date) && from !== undefined) {
      answers.push({ from, date, askedAt, answeredAt: now() });
    }
    return response;
  };
}

/** Whether the base URL leads here. */
export async function lookAtBaseUrl(
  config: Config,
  fetch: Platform["fetch"],
  own: Omit<Asked, "origin">,
): Promise<Finding[]> {
  const origin = canonicalOrigin(config);
  if (origin === undefined) {
    return [
      findingsOf("base_url").warning(
        "port 0 is a different port at every start",
        "choose a port in STRONGROOM_LISTEN, or set STRONGROOM_BASE_URL",
      ),
    ];
  }
  const outcome = await ask(origin, fetch);
  const reached = judgeBaseUrl({ origin, ...own }, outcome);
  if (reached.status !== "ok") return [reached];
  const passed = await fetchThrough(origin, fetch, PATIENCE_MS);
  const changes = [
    ...judgeHost(origin, await asksAsOther(origin, fetch, PATIENCE_MS)),
    ...judgeChanges(origin, passed),
  ];
  return changes.length > 0 ? changes : [reached];
}

async function ask(origin: string, fetch: Platform["fetch"]): Promise<Outcome> {
  let response: Response;
  try {
    response = await fetch(`${origin}/.well-known/service/server-info`, {
      headers: { "X-Service-Protocol": PROTOCOL_MAX },
      redirect: "manual",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return { kind: "unreachable", reason: innermostReason(error, PATIENCE_MS) };
  }
  const { status, headers } = response;
  const location = headers.get("location");
  if (status >= 300 && status < 400 && location !== null) {
    await response.body?.cancel();
    return { kind: "redirect", status, location };
  }
  const info = ServerInfo.safeParse(
    await response.json().catch(() => undefined),
  );
  return status === 200 && info.success
    ? {
      kind: "server",
      serverId: info.data.server_id,
      signingKey: info.data.signing_key,
    }
    : { kind: "stranger", status };
}

/** The innermost cause, without the address that is said anyway. */
export function innermostReason(error: unknown, patienceMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) {
    return innermostReason(error.cause, patienceMs);
  }
  return error.name === "TimeoutError"
    ? `no answer in ${patienceMs / SECOND_MS} s`
    : error.message.replace(/^error sending request for url \([^)]*\): /, "");
}

/** The files that the server speaks TLS with. */
export function lookAtTls(config: Config, now: number): Finding[] {
  const { ok, warning, fault } = findingsOf("tls");
  const { STRONGROOM_TLS_CERT: cert, STRONGROOM_TLS_KEY: key } = config;
  const origin = canonicalOrigin(config);
  if (cert === undefined || key === undefined) {
    return [
      ok(
        origin?.startsWith("https:") === true
          ? "none of its own: a proxy must speak it"
          : "none: served as http",
      ),
    ];
  }
  const acme = acmeSettings(config);
  const last = acme && readAttempt(denoFiles, acme);
  const untried = last?.fault === undefined ? [] : [
    fault(
      say(
        "the last certificate was refused on {1}: {2}",
        toRfc3339(last.at),
        last.fault,
      ),
      say(
        "the server tries again{1}; see that port {2} of this machine is " +
          "reached from everywhere as port 80 of {3}",
        last.next === undefined ? "" : ` on ${toRfc3339(last.next)}`,
        acme?.port ?? 80,
        hostOf(origin ?? "https://localhost"),
      ),
    ),
  ];
  if (acme !== undefined && denoFiles.readWhole(cert) === undefined) {
    return untried.length > 0
      ? untried
      : [warning("no certificate yet", "start the server, which asks for one")];
  }
  const { leaf, faults } = readTlsFiles(cert, key);
  const findings = untried;
  findings.push(
    ...faults.map(({ setting, what, mend }) =>
      fault(say("{1}: {2}", setting, what), mend)
    ),
  );
  if (leaf === undefined) return findings;
  const facts = factsOf(leaf);
  const host = hostOf(origin ?? "https://localhost");
  const judged = judgeCertificate(facts, host, now);
  if (judged !== undefined) {
    const judge = judged.status === "fault" ? fault : warning;
    findings.push(judge(say("{1}: {2}", cert, judged.what), judged.mend));
  }
  if (findings.length > 0) return findings;
  const until = new Date(facts.validTo).toISOString().slice(0, 10);
  return [ok(say("{1} is for {2}, until {3}", cert, host, until))];
}

/** The identity provider, as a sign-in would use it. */
export async function lookAtProvider(
  config: Config,
  platform: Platform,
): Promise<Finding[]> {
  const { ok, fault } = findingsOf("oidc");
  const settings = oidcSettings(config);
  if (settings === undefined) return [ok("no identity provider is configured")];
  let fetch: Platform["fetch"];
  try {
    fetch = trusting(config.OIDC_CA_BUNDLE, platform.fetch);
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    return [
      fault(error.message, "name a PEM file with the authority's certificate"),
    ];
  }
  const provider = new Provider(settings, { ...platform, fetch });
  const found = await diagnoseProvider(provider, settings.issuer);
  const bad = found.flatMap((one) => one.ok ? [] : [one]);
  if (bad.length === 0) {
    return [ok(found.map(({ what }) => what).join(", "))];
  }
  return bad.map(({ what, mend }) => fault(what, mend));
}
