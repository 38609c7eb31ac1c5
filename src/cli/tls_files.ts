/**
 * The certificate and the key of STRONGROOM_TLS_CERT and STRONGROOM_TLS_KEY:
 * whether they can be used, and how to fix them if not.
 *
 * @module
 */
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import type { SettingFault } from "../core/operator.ts";
import { reasonOf } from "../core/reason.ts";

/** Something that is wrong with one of the two files. */
interface TlsFault extends SettingFault {
  readonly setting: "STRONGROOM_TLS_CERT" | "STRONGROOM_TLS_KEY";
}

interface TlsFiles {
  /** The server's own certificate; undefined where none can be read. */
  readonly leaf: X509Certificate | undefined;
  readonly faults: readonly TlsFault[];
}

/** Reads both files: PEM, the server's certificate first, an unlocked key. */
export function readTlsFiles(certPath: string, keyPath: string): TlsFiles {
  const faults: TlsFault[] = [];
  const leaf = attempt(faults, "STRONGROOM_TLS_CERT", certPath, readLeaf);
  const key = attempt(faults, "STRONGROOM_TLS_KEY", keyPath, readKey);
  if (leaf !== undefined && key !== undefined && !leaf.checkPrivateKey(key)) {
    faults.push({
      setting: "STRONGROOM_TLS_KEY",
      what: `${keyPath} is not the key of the first certificate in ${certPath}`,
      mend: "name the key that the certificate was asked for with, and put " +
        "the server's own certificate before the rest of its chain",
    });
  }
  return { leaf, faults };
}

class PemFault extends Error {
  constructor(message: string, readonly mend: string) {
    super(message);
  }
}

function attempt<T>(
  faults: TlsFault[],
  setting: TlsFault["setting"],
  path: string,
  read: (pem: string) => T,
): T | undefined {
  try {
    return read(Deno.readTextFileSync(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    faults.push(
      error instanceof PemFault
        ? { setting, what: `${path} ${error.message}`, mend: error.mend }
        : {
          setting,
          what: `${path} cannot be read (${reasonOf(error)})`,
          mend: "name a file that is there and that the server's user may read",
        },
    );
    return undefined;
  }
}

function readLeaf(pem: string): X509Certificate {
  const blocks = pem.match(
    /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g,
  ) ?? [];
  const certificates = blocks.map((block, index) => {
    try {
      return new X509Certificate(block);
    } catch {
      throw new PemFault(
        `holds a certificate that cannot be read, number ${index + 1}`,
        "put the whole file there that the authority gave you",
      );
    }
  });
  const [leaf] = certificates;
  if (leaf !== undefined) return leaf;
  throw new PemFault(
    "holds no certificate",
    "name the PEM file with the certificate and its chain",
  );
}

function readKey(pem: string): KeyObject {
  try {
    // It may stand behind its certificate, in one file.
    const [own = pem] =
      /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]+?-----END [A-Z ]*PRIVATE KEY-----/
        .exec(pem) ?? [];
    return createPrivateKey(own);
  } catch {
    // What was read is secret: nothing of it is said.
    throw new PemFault(
      /ENCRYPTED/.test(pem)
        ? "is locked with a passphrase"
        : "holds no private key that can be read",
      "name an unlocked PEM key; `openssl pkey -in KEY -out UNLOCKED` makes " +
        "one of a locked one",
    );
  }
}
