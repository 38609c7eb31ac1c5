/**
 * The profile that a program keeps of a person on this device, so that it can
 * resume without asking: the session's tokens and, once there is one, the
 * master key. Secret: anybody who reads it can act as the person.
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, fromUtf8 } from "../../core/bytes.ts";
import { TokenResponse, type Tokens } from "../../wire/answers/sessions.ts";
import { open } from "../../wire/open.ts";
import type { DevicePlatform } from "../../client/documents/directory.ts";
import { DocumentError, hash, uuid } from "../../client/documents/fields.ts";
import { base64UrlUpTo, encodeJson, key } from "../../client/documents/json.ts";

/**
 * A place for one secret value, such as a file of mode 0600 or a sealed row.
 */
export interface CredentialStore {
  read(): Promise<Uint8Array | undefined>;
  /** Replaces the value; resolves once it is durable. */
  write(secret: Uint8Array): Promise<void>;
  remove(): Promise<void>;
}

const PLATFORMS = [
  "android",
  "ios",
  "linux",
  "macos",
  "web",
  "windows",
] as const;

/** The most that the server takes (protocol/devices.md#escrow). */
const ESCROW_MAX_BYTES = 64 * 1024;

const deviceFields = {
  name: z.string().check(z.minLength(1), z.maxLength(128)),
  platform: z.enum(PLATFORMS),
};
const deviceSchema = z.object({ device_id: uuid, ...deviceFields });
/** The schema of a {@link Device} that may have no id yet. */
export const newDeviceSchema = z.object({
  device_id: z.optional(uuid),
  ...deviceFields,
});
/** This device, as the account's directory names it. */
export interface Device {
  readonly device_id: string;
  readonly name: string;
  readonly platform: DevicePlatform;
}

const profileSchema = z.object({
  v: z.literal(1),
  server: z.string(),
  address: z.optional(z.string()),
  device: deviceSchema,
  tokens: open(TokenResponse),
  master_key: z.optional(key),
  presented_at: z.optional(z.number()),
  set_up: z.optional(z.boolean()),
  ended: z.optional(z.boolean()),
  must_change: z.optional(z.boolean()),
  escrow: z.optional(z.object({
    blob: z.optional(base64UrlUpTo(ESCROW_MAX_BYTES)),
    before: z.readonly(z.array(hash)),
    at: z.number(),
    due: z.optional(z.boolean()),
  })),
  arrival: z.optional(z.object({
    came: z.enum(["first", "enrolled", "words"]),
    trust: z.optional(z.string()),
  })),
});
/** The profile of a person. */
export interface Profile {
  readonly v: 1;
  /** The server's origin. */
  readonly server: string;
  /**
   * The address with which the person signs in; absent for a sign-in through an
   * identity provider.
   */
  readonly address?: string | undefined;
  readonly device: Device;
  readonly tokens: Tokens;
  readonly master_key?: Uint8Array | undefined;
  /** When the person last proved who they are to this session (ms). */
  readonly presented_at?: number | undefined;
  /**
   * True once the account's directory lists this device and the library exists.
   */
  readonly set_up?: boolean | undefined;
  /**
   * True if the server ended the session; the keys stay for the next sign-in.
   */
  readonly ended?: boolean | undefined;
  /** True while the password is one that the operator set. */
  readonly must_change?: boolean | undefined;
  /** How the keys came here, until the library has noted it. */
  readonly arrival?: Arrival | undefined;
  readonly escrow?: KeptEscrow | undefined;
}

/** The account's escrow as this device last saw or wrote it. */
export interface KeptEscrow {
  /** Undefined if the account had none. */
  readonly blob?: Uint8Array | undefined;
  /** SHA-256 in hex of earlier ones, oldest first. */
  readonly before: readonly string[];
  /** When this device last asked for it (ms). */
  readonly at: number;
  /** The server has an older one, and did not take this one yet. */
  readonly due?: boolean | undefined;
}

/** How the account's keys came to a device; `first` if it made them. */
export interface Arrival {
  readonly came: "first" | "enrolled" | "words";
  /** The trust record of the other device, JSON. */
  readonly trust?: string | undefined;
}

/** A credential store that lasts as long as the program. */
export function memoryCredentialStore(): CredentialStore {
  let held: Uint8Array | undefined;
  return {
    read: () => Promise.resolve(held),
    write(secret) {
      held = new Uint8Array(secret);
      return Promise.resolve();
    },
    remove() {
      held = undefined;
      return Promise.resolve();
    },
  };
}

/** Encodes a profile. */
export function encodeProfile(profile: Profile): Bytes {
  return encodeJson(profileSchema, profile, "profile");
}

/** Reads a profile. Throws a DocumentError that says nothing of its content. */
export function decodeProfile(bytes: Uint8Array): Profile {
  let value: unknown;
  try {
    value = JSON.parse(fromUtf8(bytes) ?? "");
  } catch {
    // A cause would quote the secret.
    throw new DocumentError("the profile is not JSON");
  }
  const parsed = profileSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join("/") ?? "";
  throw new DocumentError(`the profile is damaged at /${where}`);
}
