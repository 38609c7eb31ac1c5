/**
 * The device directory (protocol/client-cryptography.md#directory): a signed
 * envelope of type `service-device-directory/v1`. The server reads only its
 * version; the other fields are for clients. Album keys for the account are
 * sealed to its `sealing_key`, which is published nowhere else.
 *
 * @module
 */
import * as z from "zod/mini";
import type { Bytes } from "../../core/bytes.ts";
import { signEnvelope } from "../../crypto/envelope.ts";
import type { HybridBackend, HybridSigner } from "../../crypto/hybrid.ts";
import {
  anyBytes,
  assertUtc,
  checked,
  count,
  DocumentError,
  instant,
  more,
  textBetween,
  uuid,
  withoutMore,
} from "./fields.ts";
import { isSealingKey, X_WING_PUBLIC_KEY_BYTES } from "./suite.ts";
import { assertSigned, openDocument } from "./signed.ts";

/** The directory's type and signing domain. */
export const DIRECTORY_TYPE = "service-device-directory/v1";

/** The platforms that a device may name. */
export const PLATFORMS = [
  "android",
  "ios",
  "linux",
  "macos",
  "web",
  "windows",
] as const;

/** A platform that a device may name. */
export type DevicePlatform =
  | "android"
  | "ios"
  | "linux"
  | "macos"
  | "web"
  | "windows";

/** A device of an account. */
export interface DirectoryDevice {
  readonly device_id: string;
  /** The person's name for it, 1 to 128 characters. */
  readonly name: string;
  readonly platform: DevicePlatform;
  /** RFC 3339, UTC, `Z`. */
  readonly added_at: string;
}

/** The fields of a directory; the type is added when it is signed. */
export interface Directory {
  /** The account and the server that it is of. */
  readonly user_id: string;
  readonly server_id: string;
  /** The first is 1; each publication has a higher one. */
  readonly directory_version: number;
  /** The account's X-Wing public key, to which others seal. */
  readonly sealing_key: Uint8Array;
  readonly devices: readonly DirectoryDevice[];
  /**
   * Number of writes to the slots `trust` and `deletions` that the device knew
   * which published this.
   */
  readonly state_counter?: number;
  readonly signed_at: string;
}

const directorySchema = z.strictObject({
  type: z.literal(DIRECTORY_TYPE),
  user_id: uuid,
  server_id: textBetween(1, 1_024),
  directory_version: z.int().check(z.gte(1)),
  sealing_key: anyBytes.check(
    z.refine(
      (bytes) => bytes.length === X_WING_PUBLIC_KEY_BYTES,
      "not an X-Wing public key",
    ),
  ),
  devices: z.array(z.strictObject({
    device_id: uuid,
    name: textBetween(1, 128),
    platform: z.enum(PLATFORMS),
    added_at: instant,
  })).check(z.maxLength(1_000)),
  state_counter: z.exactOptional(count),
  signed_at: instant,
  more,
});

/**
 * Signs a directory with the account's identity key and returns the body to
 * publish. Throws a DocumentError for fields out of bounds.
 */
export async function signDirectory(
  signer: HybridSigner,
  directory: Directory,
): Promise<Bytes> {
  const added = directory.devices.map((device) => device.added_at);
  assertUtc("directory", directory.signed_at, ...added);
  const payload = { ...directory, type: DIRECTORY_TYPE };
  return await signEnvelope(signer, {
    ...checked(directorySchema, payload, "directory"),
  });
}

/**
 * Reads the directory of an account and verifies that this identity key (1,984
 * bytes) signed it, that it is of that account, and that its sealing key is one
 * that can be sealed to. The caller compares the server. Throws a DocumentError.
 */
export async function verifyDirectory(
  bytes: Uint8Array,
  identityKey: Uint8Array,
  userId: string,
  backend?: HybridBackend,
): Promise<Directory> {
  const opened = openDocument(bytes, "directory");
  await assertSigned(opened, "directory", DIRECTORY_TYPE, identityKey, backend);
  const { type: _type, ...directory } = withoutMore(
    checked(directorySchema, opened.payload, "directory"),
    "directory",
  );
  if (directory.user_id !== userId) {
    throw new DocumentError("the directory is of another account");
  }
  if (!isSealingKey(directory.sealing_key)) {
    throw new DocumentError("the directory's sealing key is damaged");
  }
  return directory;
}

/**
 * The version that the bytes of a directory claim, without verifying them;
 * undefined for anything else.
 */
export function directoryVersion(bytes: Uint8Array): number | undefined {
  try {
    const { payload } = openDocument(bytes, "directory");
    return checked(directorySchema, payload, "directory").directory_version;
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}
