/**
 * A certificate that `receive` makes for itself, where no authority vouches for
 * its name: apps on a telephone ask once whether to trust it, by its
 * fingerprint. It is no authority, so a telephone that trusts it trusts nothing
 * else because of it.
 *
 * @module
 */
// The library below asks for it.
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { join } from "node:path";
import { DAY_MS } from "../../core/time.ts";
import {
  type CertifiedKey,
  openCertificateFiles,
} from "../../server/certificate.ts";

/** The longest that iPhones accept is 825 days. */
const LIFE_MS = 820 * DAY_MS;
/** A telephone whose clock is behind accepts it, too. */
const EARLIER_MS = DAY_MS;
/** It is made anew so long before its end. */
const RENEW_MS = 30 * DAY_MS;

const ALGORITHM = {
  name: "ECDSA",
  namedCurve: "P-256",
  hash: "SHA-256",
} as const;
const SERVER_AUTHENTICATION = "1.3.6.1.5.5.7.3.1";

/**
 * The certificate in a folder for some names and addresses; made if there is
 * none, if it is for others, or if it ends soon. Its key stays.
 */
export async function ownCertificate(
  folder: string,
  names: readonly string[],
  now: number,
): Promise<CertifiedKey> {
  const files = {
    cert: join(folder, "own_certificate.pem"),
    key: join(folder, "own_certificate.key"),
  };
  const held = await textOf(files.cert);
  if (held === undefined || !isGood(held, names, now)) {
    await make(files, names, now);
  }
  return openCertificateFiles(files, "--tls-own");
}

function isGood(pem: string, names: readonly string[], now: number): boolean {
  const certificate = new X509Certificate(pem);
  return certificate.validToDate.getTime() - now > RENEW_MS &&
    names.every((name) =>
      isIP(name) === 0
        ? certificate.checkHost(name) !== undefined
        : certificate.checkIP(name) !== undefined
    );
}

async function make(
  files: { readonly cert: string; readonly key: string },
  names: readonly string[],
  now: number,
): Promise<void> {
  const keys = await keysIn(files.key);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: ["strongroom receive"] }],
    notBefore: new Date(now - EARLIER_MS),
    notAfter: new Date(now - EARLIER_MS + LIFE_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([SERVER_AUTHENTICATION]),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({
          type: isIP(value) === 0 ? "dns" as const : "ip" as const,
          value,
        })),
      ),
    ],
  });
  await write(files.cert, `${certificate.toString("pem")}\n`);
}

/** The key pair of a file, which is made if it is not there. */
async function keysIn(path: string): Promise<CryptoKeyPair> {
  const held = await textOf(path);
  if (held !== undefined) {
    const [pem] = x509.PemConverter.decode(held);
    if (pem === undefined) throw new Error(`${path} is no key`);
    const key = (usage: KeyUsage) => [usage];
    const privateKey = await crypto.subtle.importKey(
      "pkcs8",
      pem,
      ALGORITHM,
      true,
      key("sign"),
    );
    const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", privateKey);
    const publicKey = await crypto.subtle.importKey(
      "jwk",
      { kty, crv, x, y } as JsonWebKey,
      ALGORITHM,
      true,
      key("verify"),
    );
    return { privateKey, publicKey };
  }
  const made = await crypto.subtle.generateKey(ALGORITHM, true, [
    "sign",
    "verify",
  ]);
  const der = await crypto.subtle.exportKey("pkcs8", made.privateKey);
  await write(path, `${x509.PemConverter.encode(der, "PRIVATE KEY")}\n`);
  return made;
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function write(path: string, text: string): Promise<void> {
  await Deno.writeTextFile(`${path}.part`, text, { mode: 0o600 });
  await Deno.rename(`${path}.part`, path);
}
