/**
 * Whether a certificate is one that clients take: its dates and its names.
 *
 * @module
 */
import type { X509Certificate } from "node:crypto";
import type { Fault } from "../../core/operator.ts";
import { DAY_MS } from "../../core/time.ts";

/** A certificate is renewed before so little is left of it. */
const SOON_MS = 14 * DAY_MS;

/** What a certificate's dates and names say. */
export interface CertificateFacts {
  /** Milliseconds since the Unix epoch. */
  readonly validFrom: number;
  readonly validTo: number;
  readonly covers: (host: string) => boolean;
  /** The names it has, for people. */
  readonly names: string;
}

/** Takes from a certificate what is judged. */
export function factsOf(certificate: X509Certificate): CertificateFacts {
  return {
    validFrom: Date.parse(certificate.validFrom),
    validTo: Date.parse(certificate.validTo),
    covers: (host) =>
      isName(host)
        ? dnsNamesOf(certificate).some((name) => matches(name, host))
        : certificate.checkIP(host) !== undefined,
    names: certificate.subjectAltName ?? certificate.subject,
  };
}

/** The name or the address of an origin, as a certificate has it. */
export function hostOf(origin: string): string {
  return new URL(origin).hostname.replace(/^\[(.*)\]$/, "$1");
}

/** What is wrong with a certificate at an instant, for a host; or undefined. */
export function judgeCertificate(
  facts: CertificateFacts,
  host: string,
  now: number,
): Fault & { readonly status: "warning" | "fault" } | undefined {
  const day = (instant: number) => new Date(instant).toISOString().slice(0, 10);
  if (facts.validTo <= now) {
    return {
      status: "fault",
      what: `the certificate expired on ${day(facts.validTo)}`,
      mend: "renew it; the server reads the new file automatically",
    };
  }
  if (facts.validFrom > now) {
    return {
      status: "fault",
      what: `the certificate is valid only from ${day(facts.validFrom)} on`,
      mend: "wait until then, or set this machine's clock if it is behind",
    };
  }
  if (!facts.covers(host)) {
    return {
      status: "fault",
      what: `the certificate is for ${facts.names}, not for ${host}`,
      mend: `get one for ${host}, or set STRONGROOM_BASE_URL to a name that ` +
        "it has",
    };
  }
  if (facts.validTo - now < SOON_MS) {
    return {
      status: "warning",
      what: `the certificate expires on ${day(facts.validTo)}`,
      mend: "renew it now, and find out why it was not renewed automatically",
    };
  }
  return undefined;
}

/** The names of the certificate. Clients read no common name any more. */
function dnsNamesOf({ subjectAltName = "" }: X509Certificate): string[] {
  return subjectAltName.split(", ").flatMap((one) =>
    one.startsWith("DNS:") ? [one.slice("DNS:".length).toLowerCase()] : []
  );
}

/** An asterisk stands for the first label alone (RFC 9525, section 6.3). */
function matches(name: string, host: string): boolean {
  const wanted = host.toLowerCase();
  return name === wanted ||
    (name.startsWith("*.") && wanted.includes(".") &&
      wanted.slice(wanted.indexOf(".")) === name.slice(1));
}

function isName(host: string): boolean {
  return !host.includes(":") && !/^[\d.]+$/.test(host);
}
