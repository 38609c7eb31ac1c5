/**
 * The certificate of https: read from its two files, and again when they
 * change, because authorities issue for weeks and servers run for years.
 *
 * @module
 */
import { X509Certificate } from "node:crypto";
import type { Config } from "../../config.ts";
import type { Log } from "../../core/platform.ts";
import { reasonOf } from "../../core/reason.ts";
import { ConfigFault } from "../../core/settings.ts";
import { SECOND_MS, toRfc3339 } from "../../core/time.ts";
import { isOutOfDescriptors } from "../../store/files/descriptors.ts";
import {
  type CertificateFacts,
  factsOf,
  judgeCertificate,
} from "./certificate_facts.ts";

/** A certificate with its chain, and its key, both PEM. */
export interface CertifiedKey {
  readonly cert: string;
  readonly key: string;
  /** When the certificate ends (ms). */
  readonly notAfter: number;
  readonly facts: CertificateFacts;
}

/** Paths of a certificate and its key. */
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
  return openCertificateFiles(
    files,
    "STRONGROOM_TLS_CERT, STRONGROOM_TLS_KEY",
  );
}

/** The same of two files that settings of that name say. */
export function openCertificateFiles(
  files: Files,
  settings: string,
): CertifiedKey {
  try {
    return accept(readFiles(files));
  } catch (error) {
    const reason = reasonOf(error);
    throw new ConfigFault([
      `${settings}: ${files.cert} and ${files.key} cannot be used (${reason}): name the PEM files of a ` +
      "certificate, the server's own first, and of its key without a " +
      "passphrase",
    ]);
  }
}

function readFiles({ cert, key }: Files): Files {
  return { cert: Deno.readTextFileSync(cert), key: Deno.readTextFileSync(key) };
}

/**
 * When the configured certificate ends (ms); undefined where none is configured
 * or its file cannot be read now.
 */
export function certificateEnd(config: Config): number | undefined {
  const files = filesOf(config);
  if (files === undefined) return undefined;
  try {
    const { validTo } = factsOf(
      new X509Certificate(Deno.readTextFileSync(files.cert)),
    );
    return validTo;
  } catch {
    return undefined;
  }
}

/** Throws unless the runtime can serve with this pair. */
function accept({ cert, key }: Files): CertifiedKey {
  // Makes the same configuration as a listener does, and needs no port.
  Deno.createHttpClient({ cert, key }).close();
  const facts = factsOf(new X509Certificate(cert));
  return { cert, key, notAfter: facts.validTo, facts };
}

export interface CertificateWatch {
  /** Looks at the files now. */
  readonly look: () => void;
  readonly stop: () => void;
}

/** For what a certificate is, and by which clock. */
export interface CertificateUse {
  /** Name or address under which clients reach the server. */
  readonly host: string;
  readonly now: () => number;
  readonly log: Log;
}

/** What keeps clients from taking a certificate now; undefined for nothing. */
function faultOf(
  { facts }: CertifiedKey,
  { host, now }: CertificateUse,
): string | undefined {
  const judged = judgeCertificate(facts, host, now());
  return judged?.status === "fault" ? judged.what : undefined;
}

/**
 * Calls `onChange` whenever the configured files hold another certificate that
 * can be used. One that cannot is an error in the log, once, and the one in
 * force stays; so is one that clients would refuse (expired, not valid yet, for
 * another name) as long as they take the one in force. Comparing the content
 * sees what times and inodes hide: links that were turned, clocks that were set
 * back.
 */
export function watchCertificate(
  config: Config,
  first: CertifiedKey,
  use: CertificateUse,
  onChange: (next: CertifiedKey) => void,
): CertificateWatch {
  const files = filesOf(config);
  if (files === undefined) return { look: () => {}, stop: () => {} };
  const { log } = use;
  let current = first;
  let seen = `${first.cert}${first.key}`;
  // Waits until it is valid, or until the one in force is no better.
  let candidate: CertifiedKey | undefined;
  let complaint = "";
  let told: string | undefined;
  const refuse = (cause: string) => {
    if (cause === complaint) return;
    complaint = cause;
    log.error("new certificate refused, the old one stays", { cause });
  };
  const read = () => {
    try {
      const found = readFiles(files);
      const content = `${found.cert}${found.key}`;
      if (content === seen) return;
      seen = content;
      candidate = undefined;
      candidate = accept(found);
      complaint = "";
    } catch (error) {
      // The files were not read, which says nothing against them.
      if (isOutOfDescriptors(error)) return;
      refuse(reasonOf(error));
    }
  };
  const consider = () => {
    if (candidate === undefined) return;
    const fault = faultOf(candidate, use);
    if (fault !== undefined && faultOf(current, use) === undefined) {
      return refuse(fault);
    }
    current = candidate;
    candidate = undefined;
    complaint = "";
    log.info("certificate changed", {
      not_after: toRfc3339(current.notAfter),
    });
    onChange(current);
  };
  const tell = () => {
    const fault = faultOf(current, use);
    if (fault !== undefined && fault !== told) {
      log.error("clients refuse the certificate in force", {
        cause: fault,
        file: files.cert,
      });
    }
    told = fault;
  };
  const look = () => {
    read();
    consider();
    tell();
  };
  tell();
  const timer = setInterval(look, LOOK_EVERY_MS);
  return { look, stop: () => clearInterval(timer) };
}
