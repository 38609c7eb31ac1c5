/**
 * Keeps the certificate of an authority (`STRONGROOM_ACME`): gets the first one,
 * and renews it when two thirds of its life are over. It writes the file that
 * `certificate.ts` watches, and never a certificate that clients would refuse.
 *
 * @module
 */
import {
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  X509Certificate,
} from "node:crypto";
import type { AcmeSettings } from "../../../config.ts";
import { fromUtf8, utf8 } from "../../../core/bytes.ts";
import type { Platform } from "../../../core/platform.ts";
import { reasonOf } from "../../../core/reason.ts";
import { HOUR_MS, MINUTE_MS, toRfc3339 } from "../../../core/time.ts";
import {
  type Files,
  makeDirectoryDurably,
  writeDurably,
} from "../../../store/files/files.ts";
import { factsOf, judgeCertificate } from "../certificate_facts.ts";
import {
  AcmeError,
  authorityId,
  orderCertificate,
  type Responder,
} from "./client.ts";
import { certificateRequest } from "./csr.ts";
import { noteAttempt } from "./note.ts";

/** The certificate's age is looked at this often. */
const LOOK_EVERY_MS = HOUR_MS;
/** After a failure the authority is asked again, later each time. */
const FIRST_PAUSE_MS = 5 * MINUTE_MS;
const LONGEST_PAUSE_MS = 12 * HOUR_MS;

/** What the keeper works with. */
interface KeeperParts {
  readonly settings: AcmeSettings;
  /** The name that the certificate is for. */
  readonly host: string;
  readonly files: Files;
  readonly responder: Responder;
  readonly platform: Pick<
    Platform,
    "fetch" | "sleep" | "monotonic" | "now" | "log"
  >;
}

/** Whether a certificate is to be renewed: two thirds of its life are over. */
export function isDue(
  facts: { readonly validFrom: number; readonly validTo: number },
  now: number,
): boolean {
  return now >= facts.validFrom + (facts.validTo - facts.validFrom) * 2 / 3;
}

/**
 * Keeps the certificate until `signal` ends it. `onFirst` is called once there
 * is one, at once where there is one already, and `onNew` after each that is
 * got.
 */
export async function keepCertificate(
  parts: KeeperParts,
  { onFirst, onNew, signal }: {
    readonly onFirst: () => void;
    readonly onNew: () => void;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { settings, files, host, platform } = parts;
  const { log, now, sleep } = platform;
  await makeDirectoryDurably(files, settings.directoryPath);
  let pauseMs = FIRST_PAUSE_MS;
  let hasOne = false;
  while (!signal.aborted) {
    const held = readCertificate(files, settings.certificatePath);
    if (held !== undefined && !hasOne) {
      hasOne = true;
      onFirst();
    }
    const isGood = held !== undefined &&
      judgeCertificate(held, host, now())?.status !== "fault";
    if (isGood && !isDue(held, now())) {
      await sleep(LOOK_EVERY_MS, signal);
      continue;
    }
    try {
      const got = await getCertificate(parts, signal);
      log.info("certificate got", { not_after: toRfc3339(got.validTo) });
      await noteAttempt(files, settings, { at: now() });
      pauseMs = FIRST_PAUSE_MS;
      onNew();
    } catch (error) {
      if (signal.aborted) return;
      const wanted = error instanceof AcmeError
        ? error.retryAfterMs
        : undefined;
      const waitMs = Math.min(
        Math.max(wanted ?? 0, pauseMs),
        LONGEST_PAUSE_MS,
      );
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      const cause = reasonOf(error);
      const next = now() + waitMs;
      // The log has it where the note cannot be written.
      await noteAttempt(files, settings, { at: now(), fault: cause, next })
        .catch(() => {});
      log.error(
        held === undefined ? "no certificate yet" : "certificate not renewed",
        { cause, next_try: toRfc3339(next) },
      );
      await sleep(waitMs, signal);
    }
  }
}

/** Orders a certificate and puts it in force, if clients would take it. */
async function getCertificate(
  { settings, host, files, responder, platform }: KeeperParts,
  signal: AbortSignal,
) {
  const accountKey = await accountKeyOf(files, settings);
  const { privateKey: key } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
  });
  const chain = await orderCertificate(
    { directory: settings.directory, email: settings.email, accountKey },
    { name: host, csr: certificateRequest(key, host), responder },
    {
      ...platform,
      async sleep(ms) {
        await platform.sleep(ms, signal);
        if (signal.aborted) throw new AcmeError("the server stops");
      },
    },
  );
  const leaf = new X509Certificate(chain);
  if (!leaf.checkPrivateKey(key)) {
    throw new AcmeError("the certificate is of another key");
  }
  const facts = factsOf(leaf);
  const judged = judgeCertificate(facts, host, platform.now());
  if (judged?.status === "fault") throw new AcmeError(judged.what);
  const pem = key.export({ type: "pkcs8", format: "pem" });
  // One file, so that a certificate and its key change at the same instant.
  await writeDurably(
    files,
    settings.certificatePath,
    utf8(`${chain.trimEnd()}\n${pem}`),
  );
  return facts;
}

/** The facts of the kept certificate; undefined where none can be read. */
function readCertificate(files: Files, path: string) {
  const pem = fromUtf8(files.readWhole(path) ?? new Uint8Array());
  if (pem === undefined || pem === "") return undefined;
  try {
    return factsOf(new X509Certificate(pem));
  } catch {
    return undefined;
  }
}

/** The key of the account at an authority, made when it is first needed. */
async function accountKeyOf(
  files: Files,
  { directory, directoryPath }: AcmeSettings,
): Promise<KeyObject> {
  const path = `${directoryPath}/account-${authorityId(directory)}.pem`;
  const held = files.readWhole(path);
  if (held !== undefined) return createPrivateKey(fromUtf8(held) ?? "");
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" });
  await writeDurably(files, path, utf8(pem.toString()));
  return privateKey;
}
