/**
 * What is wrong between settings, each of which can be read by itself. Each
 * function gives a line a fault.
 *
 * @module
 */
import type { Name } from "./settings.ts";

/** Settings that go together. */
const PAIRS = [
  ["OIDC_ISSUER", "OIDC_CLIENT_ID"],
  ["STRONGROOM_TLS_CERT", "STRONGROOM_TLS_KEY"],
  ["STRONGROOM_S3_ENDPOINT", "STRONGROOM_S3_BUCKET"],
  ["STRONGROOM_S3_ACCESS_KEY_ID", "STRONGROOM_S3_SECRET_ACCESS_KEY"],
  [
    "STRONGROOM_BACKUP_S3_ACCESS_KEY_ID",
    "STRONGROOM_BACKUP_S3_SECRET_ACCESS_KEY",
  ],
] as const;

/**
 * With half of its settings, no one could sign in through a provider, or connect
 * by a certificate.
 */
export function faultsOfPairs(has: (name: Name) => boolean): string[] {
  return PAIRS.flatMap(([one, other]) => [
    ...has(one) && !has(other) ? [`${other}: goes with ${one}`] : [],
    ...has(other) && !has(one) ? [`${one}: goes with ${other}`] : [],
  ]);
}

/** A name that is told to a home has to be one of such a network. */
export function faultsOfMdns(values: Partial<Record<Name, unknown>>): string[] {
  if (values.STRONGROOM_MDNS !== "on") return [];
  const origin = values.STRONGROOM_BASE_URL;
  const isLocal = typeof origin === "string" &&
    /^[a-z0-9-]+\.local$/.test(new URL(origin).hostname);
  return isLocal ? [] : [
    "STRONGROOM_BASE_URL: STRONGROOM_MDNS=on wants a name that ends in " +
    ".local, such as http://strongroom.local:8470",
  ];
}

/** What an authority could give no certificate for. */
export function faultsOfAcme(
  values: Partial<Record<Name, unknown>>,
  has: (name: Name) => boolean,
): string[] {
  const origin = values.STRONGROOM_BASE_URL;
  const { hostname, protocol } = typeof origin === "string"
    ? new URL(origin)
    : { hostname: "", protocol: "" };
  const isName = /[a-z]/i.test(hostname) && !hostname.startsWith("[");
  return [
    ...has("STRONGROOM_TLS_CERT")
      ? [
        "STRONGROOM_TLS_CERT: STRONGROOM_ACME is set as well: keep one of them",
      ]
      : [],
    ...protocol === "https:" && isName ? [] : [
      "STRONGROOM_BASE_URL: STRONGROOM_ACME wants https and a name, such as " +
      "https://photos.example.org",
    ],
  ];
}

/**
 * A bucket without credentials, or blobs without a bucket, are faults as well.
 */
export function faultsOfBucket(has: (name: Name) => boolean): string[] {
  const hasKeys = has("STRONGROOM_S3_ACCESS_KEY_ID");
  const hasFile = has("STRONGROOM_S3_KEYS_FILE");
  const hasPlace = has("STRONGROOM_S3_ENDPOINT");
  return [
    ...hasPlace && !hasKeys && !hasFile
      ? [
        "STRONGROOM_S3_ACCESS_KEY_ID: goes with STRONGROOM_S3_ENDPOINT, or " +
        "STRONGROOM_S3_KEYS_FILE does",
      ]
      : [],
    ...hasKeys && hasFile
      ? [
        "STRONGROOM_S3_KEYS_FILE: STRONGROOM_S3_ACCESS_KEY_ID is set as well: " +
        "keep one of the two",
      ]
      : [],
  ];
}

/** A backup is sealed by one secret, so that its owner need not guess which. */
export function faultsOfSecrets(has: (name: Name) => boolean): string[] {
  const secrets: readonly Name[] = [
    "STRONGROOM_BACKUP_PASSPHRASE",
    "STRONGROOM_BACKUP_PASSPHRASE_FILE",
    "STRONGROOM_BACKUP_KEY_FILE",
  ];
  const [first, ...others] = secrets.filter(has);
  const two = has("STRONGROOM_BACKUP_S3_ACCESS_KEY_ID") &&
    has("STRONGROOM_BACKUP_S3_KEYS_FILE");
  return [
    ...others.map((name) =>
      `${name}: ${first} is set as well: keep one of them`
    ),
    ...two
      ? [
        "STRONGROOM_BACKUP_S3_KEYS_FILE: STRONGROOM_BACKUP_S3_ACCESS_KEY_ID " +
        "is set as well: keep one of the two",
      ]
      : [],
  ];
}
