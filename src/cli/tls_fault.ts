/**
 * What is wrong with a server's certificate, by the words of the TLS library.
 *
 * @module
 */
import type { Fault } from "../core/operator.ts";

/** Something that is wrong with the certificate of the server that answers. */
export interface TlsFault extends Fault {
  readonly kind:
    | "no_tls"
    | "not_yet"
    | "expired"
    | "other_name"
    | "unknown_authority"
    | "refused";
}

/** Undefined for a reason that is not about TLS. */
export function tlsFault(reason: string): TlsFault | undefined {
  const certificate = /invalid peer certificate: (.*)/.exec(reason)?.[1];
  if (certificate === undefined) {
    return /InvalidContentType|corrupt message/.test(reason)
      ? {
        kind: "no_tls",
        what: "the address does not speak TLS",
        mend: "set STRONGROOM_TLS_CERT and STRONGROOM_TLS_KEY, let the proxy " +
          "speak TLS, or write http",
      }
      : undefined;
  }
  // With the dates, as `reasonOf` writes them.
  const dates = / \((it is valid .*)\)$/.exec(certificate)?.[1];
  const dated = dates === undefined ? "" : ` (${dates})`;
  if (/NotValidYet|not valid yet/.test(certificate)) {
    return {
      kind: "not_yet",
      what: `the certificate is not valid yet${dated}`,
      mend: "set this machine's clock if it is behind, or wait",
    };
  }
  if (/[Ee]xpired/.test(certificate)) {
    return {
      kind: "expired",
      what: `the certificate has expired${dated}`,
      mend: "renew it, and find out why it was not renewed automatically",
    };
  }
  if (/not valid for name|NotValidForName/.test(certificate)) {
    return {
      kind: "other_name",
      what: `the certificate is for another name (${certificate})`,
      mend: "get a certificate for the host of STRONGROOM_BASE_URL",
    };
  }
  if (/UnknownIssuer/.test(certificate)) {
    return {
      kind: "unknown_authority",
      what: "the certificate is from an authority that is not trusted here",
      mend:
        "serve the whole chain, including intermediate certificates; for a " +
        "private authority, set DENO_CERT=FILE for this command, and make " +
        "every client trust it",
    };
  }
  return {
    kind: "refused",
    what: `the certificate is refused (${certificate})`,
    mend: "get another certificate for the host of STRONGROOM_BASE_URL",
  };
}
