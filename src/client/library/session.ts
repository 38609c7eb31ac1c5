/**
 * A person signed in on this device: resuming what was kept, and presenting the
 * password again where an operation wants that.
 *
 * @module
 */
import { sha256Hex } from "../../crypto/sha256.ts";
import { encodeCanonical } from "../../core/cbor.ts";
import { type Account, ApiProblem, type Client, createClient } from "../api.ts";
import type { Tokens } from "../answers.ts";
import { checked } from "../fields.ts";
import { clientOptions, type LibraryPlatform } from "./platform.ts";
import {
  decodeProfile,
  type Device,
  encodeProfile,
  type Keep,
  newDeviceSchema,
  type Profile,
} from "./profile.ts";

/** How a session is opened. */
export interface SessionOptions {
  /** Where the profile is kept; written whenever it changes. */
  readonly keep: Keep;
  /**
   * Asks the person for the password, when an operation wants a fresh
   * presentation; undefined where they do not want to.
   */
  readonly present?: () => Promise<string | undefined>;
}

/** A way into an account of a server. */
export interface Entrance extends SessionOptions {
  /** The server's origin; a path after it is not used. */
  readonly server: string;
  /** How this device is to be called; its id where another one enrolled it. */
  readonly device: Pick<Device, "name" | "platform"> & Partial<Device>;
}

/** A person signed in. */
export interface Session {
  readonly platform: LibraryPlatform;
  readonly server: string;
  readonly userId: string;
  readonly address: string | undefined;
  readonly device: Device;
  /** Operations that need no account, of the same server. */
  readonly client: Client;
  /** Operations of the account. */
  readonly account: Account;
  /** The master key, where this device has it. Secret. */
  masterKey(): Uint8Array | undefined;
  /** Whether this device was set up with the master key before. */
  isSetUp(): boolean;
  /** Keeps the master key with the session. */
  holdMasterKey(masterKey: Uint8Array): Promise<void>;
  /** Notes that this device is set up. */
  holdSetUp(): Promise<void>;
  /**
   * Runs an operation; where the server wants a recent presentation, asks the
   * person for the password once and runs it again.
   */
  recently<T>(operation: () => Promise<T>): Promise<T>;
  /** Ends the session at the server, and forgets it and the keys here. */
  signOut(): Promise<void>;
  /** Forgets the session and the keys here, whatever the server knows. */
  forget(): Promise<void>;
  /**
   * Notes that the server ended the session: from now on nobody is signed in
   * here. The keys stay for whoever signs in to the same account again, since a
   * server that lost its sessions must not cost anybody their photos.
   */
  holdEnded(): Promise<void>;
  /** Resolves when every change of the profile is kept. */
  settled(): Promise<void>;
}

/** No profile is kept here: the person has to sign in. */
export class NotSignedIn extends Error {
  override readonly name = "NotSignedIn";
}

/** Operations of a server that need no account. */
export function publicClient(
  platform: LibraryPlatform,
  server: string,
): Client {
  return createClient(clientOptions(platform, server));
}

/** Goes on with the session that is kept. Throws {@link NotSignedIn}. */
export async function resumeSession(
  platform: LibraryPlatform,
  options: SessionOptions,
): Promise<Session> {
  const kept = await options.keep.read();
  if (kept === undefined) throw new NotSignedIn("nobody is signed in here");
  const profile = decodeProfile(kept);
  if (profile.ended === true) throw new NotSignedIn("the session was ended");
  const { client, hold } = connect(platform, profile);
  const account = client.resume(profile.tokens);
  return openSession(platform, options, { client, account, hold }, profile);
}

/**
 * What a server's list of sessions groups those of one device by
 * (protocol/authentication.md#sessions); `primaryId` is a stable id of it.
 */
export function cohortHash(
  userId: string,
  platformTag: Device["platform"],
  primaryId: string,
): string {
  const domain = "service-device-cohort/v1";
  return sha256Hex(encodeCanonical([domain, userId, platformTag, primaryId]));
}

/** A client whose changed tokens go to whoever holds them by then. */
export function connect(
  platform: LibraryPlatform,
  { server, device }: Pick<Entrance, "server" | "device">,
) {
  // Before anything is asked of the server, not after.
  checked(newDeviceSchema, device, "device");
  const hold: { changed?: (tokens: Tokens) => void } = {};
  const client = createClient({
    ...clientOptions(platform, server),
    onTokens: (tokens) => hold.changed?.(tokens),
  });
  return { client, hold };
}

/** What a session is made of. */
export interface Opening {
  readonly client: Client;
  readonly account: Account;
  readonly hold: { changed?: (tokens: Tokens) => void };
}

/** The session of a profile. */
export function openSession(
  platform: LibraryPlatform,
  { keep, present }: SessionOptions,
  { client, account, hold }: Opening,
  given: Profile,
): Session {
  let profile = given;
  let writing: Promise<void> = Promise.resolve();
  let isForgotten = false;
  const change = (next: Partial<Profile>): Promise<void> => {
    profile = { ...profile, ...next };
    const bytes = encodeProfile(profile);
    // One after the other, so that the newest is what stays.
    writing = writing.catch(() => {}).then(async () => {
      // What was forgotten stays so, whatever is still under way.
      if (!isForgotten) await keep.write(bytes);
    });
    return writing;
  };
  const forget = async () => {
    isForgotten = true;
    await writing.catch(() => {});
    hold.changed = () => {};
    await keep.remove();
  };
  hold.changed = (tokens) => {
    // A keep that fails costs a sign-in later, and `settled` tells of it.
    change({ tokens }).catch(() => {});
  };
  return {
    platform,
    server: profile.server,
    userId: account.userId,
    address: profile.address,
    device: profile.device,
    client,
    account,
    masterKey: () => profile.master_key,
    isSetUp: () => profile.set_up === true,
    holdMasterKey: (masterKey) => change({ master_key: masterKey }),
    holdSetUp: () => change({ set_up: true }),
    async recently(operation) {
      try {
        return await operation();
      } catch (error) {
        const wanted = error instanceof ApiProblem &&
          error.code === "error.auth.reauthentication_required";
        const password = wanted ? await present?.() : undefined;
        if (password === undefined) throw error;
        await account.reauthenticate(password);
      }
      return await operation();
    },
    async signOut() {
      await account.logout();
      await forget();
    },
    forget,
    holdEnded: () => change({ ended: true }),
    settled: () => writing,
  };
}
