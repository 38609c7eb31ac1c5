/**
 * The certificate of https: read from its two files, and again when they
 * change, because authorities issue for weeks and servers run for years.
 *
 * @module
 */
import { X509Certificate } from "node:crypto";
import type { Config } from "../config.ts";
import type { Log } from "../core/platform.ts";
import { reasonOf } from "../core/reason.ts";
import { ConfigFault } from "../core/settings.ts";
import { SECOND_MS, toRfc3339 } from "../core/time.ts";

/** A certificate with its chain, and its key, both PEM. */
export interface CertifiedKey {
  readonly cert: string;
  readonly key: string;
  /** When the certificate ends (ms). */
  readonly notAfter: number;
}

interface Files {
  readonly cert: string;
  readonly key: string;
}

/** The files are looked at this often: two small reads. */
const LOOK_EVERY_MS = 5 * SECOND_MS;

function filesOf(config: Config): Files | undefined {
  const { STRONGROOM_TLS_CERT: cert, STRONGROOM_TLS_KEY: key } = config;
  return cert === undefined || key === undefined ? undefined : { cert, key };
}

/**
 * Reads the configured certificate; undefined where none is configured. Throws
 * a {@link ConfigFault} where a server could not use it.
 */
export function openCertificate(config: Config): CertifiedKey | undefined {
  const files = filesOf(config);
  if (files === undefined) return undefined;
  try {
    return accept(readFiles(files));
  } catch (error) {
    const reason = reasonOf(error);
    throw new ConfigFault([
      `STRONGROOM_TLS_CERT, STRONGROOM_TLS_KEY: ${files.cert} and ` +
      `${files.key} cannot be used (${reason}): name the PEM files of a ` +
      "certificate, the server's own first, and of its key without a " +
      "passphrase",
    ]);
  }
}

function readFiles({ cert, key }: Files): Files {
  return { cert: Deno.readTextFileSync(cert), key: Deno.readTextFileSync(key) };
}

/** Throws unless the runtime can serve with this pair. */
function accept({ cert, key }: Files): CertifiedKey {
  // Makes the same configuration as a listener does, and needs no port.
  Deno.createHttpClient({ cert, key }).close();
  return { cert, key, notAfter: Date.parse(new X509Certificate(cert).validTo) };
}

export interface CertificateWatch {
  /** Looks at the files now. */
  readonly look: () => void;
  readonly stop: () => void;
}

/**
 * Calls `onChange` whenever the configured files hold another certificate that
 * can be used. One that cannot is an error in the log, once, and the one in
 * force stays. Comparing the content sees what times and inodes hide: links
 * that were turned, clocks that were set back.
 */
export function watchCertificate(
  config: Config,
  first: CertifiedKey,
  log: Log,
  onChange: (next: CertifiedKey) => void,
): CertificateWatch {
  const files = filesOf(config);
  if (files === undefined) return { look: () => {}, stop: () => {} };
  let seen = `${first.cert}${first.key}`;
  let complaint = "";
  const look = () => {
    try {
      const found = readFiles(files);
      const content = `${found.cert}${found.key}`;
      if (content === seen) return;
      seen = content;
      const next = accept(found);
      complaint = "";
      log.info("certificate changed", {
        not_after: toRfc3339(next.notAfter),
      });
      onChange(next);
    } catch (error) {
      const cause = reasonOf(error);
      if (cause === complaint) return;
      complaint = cause;
      log.error("new certificate refused, the old one stays", { cause });
    }
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return { look, stop: () => clearInterval(timer) };
}
