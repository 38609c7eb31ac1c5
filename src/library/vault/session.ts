/**
 * The session of a person on this device: resuming it from the kept profile,
 * and presenting the password again when an operation requires that.
 *
 * @module
 */
import { MINUTE_MS } from "../../core/time.ts";
import {
  type Account,
  ApiProblem,
  type Client,
  createClient,
} from "../../client/api/api.ts";
import type { Tokens } from "../../wire/answers/sessions.ts";
import { checked } from "../../client/documents/fields.ts";
import { clientOptions, type LibraryPlatform } from "../base/platform.ts";
import {
  type Arrival,
  type CredentialStore,
  decodeProfile,
  type Device,
  encodeProfile,
  type KeptEscrow,
  newDeviceSchema,
  type Profile,
} from "./profile.ts";

/** Options of opening a session. */
export interface SessionOptions {
  /** The place of the profile, which is written whenever it changes. */
  readonly credentials: CredentialStore;
  /**
   * Asks the person for the password when an operation requires it again;
   * undefined if they decline.
   */
  readonly present?: () => Promise<string | undefined>;
}

/** The inputs of a sign-in to an account of a server. */
export interface Entrance extends SessionOptions {
  /** URL of the server; only its origin is used. */
  readonly server: string;
  /** This device's name; also its id if another device enrolled it. */
  readonly device: Pick<Device, "name" | "platform"> & Partial<Device>;
  /**
   * The id of the only account to sign in as, where this device has something
   * of that account: nothing is kept of another one.
   */
  readonly onlyAs?: string;
}

/** The session of a person who is signed in. */
export interface Session {
  readonly platform: LibraryPlatform;
  readonly server: string;
  readonly userId: string;
  readonly address: string | undefined;
  readonly device: Device;
  /** The server's operations that need no account. */
  readonly client: Client;
  /** Operations of the account. */
  readonly account: Account;
  /** The master key, if this device has it. Secret. */
  masterKey(): Uint8Array | undefined;
  /** Whether this device was set up with the master key. */
  isSetUp(): boolean;
  /** Stores the master key in the profile. */
  holdMasterKey(masterKey: Uint8Array): Promise<void>;
  /** How the keys came here, until the library has noted it. */
  arrival(): Arrival | undefined;
  holdArrival(arrival: Arrival | undefined): Promise<void>;
  /** Notes that this device is set up. */
  holdSetUp(): Promise<void>;
  /**
   * Whether the person signed in with a password that the operator set: nothing
   * is written before {@link Session.changePassword}.
   */
  mustChangePassword(): boolean;
  holdMustChange(): Promise<void>;
  /** Changes the password; every other session ends. Throws ApiProblem. */
  changePassword(current: string, next: string): Promise<void>;
  /** The account's escrow as this device last saw it; `kept_escrow.ts`. */
  escrow(): KeptEscrow | undefined;
  holdEscrow(escrow: KeptEscrow): Promise<void>;
  /**
   * Runs an operation. If the server requires the password again, asks the
   * person once and repeats the operation.
   */
  recently<T>(operation: () => Promise<T>): Promise<T>;
  /**
   * Whether the server probably runs an operation of {@link Session.recently}
   * without a password.
   */
  isRecent(): boolean;
  /**
   * Ends the session at the server, and forgets it and the keys here. Call
   * `dropKeys` instead for a device that may have the only keys.
   */
  signOut(): Promise<void>;
  /** Forgets the session and the keys here, without telling the server. */
  forget(): Promise<void>;
  /**
   * Notes that the server ended the session, so that no one is signed in here.
   * The keys stay for the next sign-in to the same account, because a server
   * that lost its sessions must not cost anybody their photos.
   */
  holdEnded(): Promise<void>;
  /** Resolves once every change of the profile is stored. */
  settled(): Promise<void>;
}

/**
 * The sign-in was to another account than the one this device has something of,
 * such as its keys; its session was ended again.
 */
export class AnotherAccount extends Error {
  override readonly name = "AnotherAccount";
}

/** No profile is kept here: the person has to sign in. */
export class NotSignedIn extends Error {
  override readonly name = "NotSignedIn";
  /** `address` is whose session was ended; the keys wait for them here. */
  constructor(message: string, readonly address?: string) {
    super(message);
  }
}

/** Operations of a server that need no account. */
export function publicClient(
  platform: LibraryPlatform,
  server: string,
): Client {
  return createClient(clientOptions(platform, server));
}

/** Resumes the kept session. Throws {@link NotSignedIn}. */
export async function resumeSession(
  platform: LibraryPlatform,
  options: SessionOptions,
): Promise<Session> {
  const kept = await options.credentials.read();
  if (kept === undefined) throw new NotSignedIn("no one is signed in here");
  const profile = decodeProfile(kept);
  if (profile.ended === true) {
    throw new NotSignedIn("the session was ended", profile.address);
  }
  const { client, hold } = connect(platform, profile);
  const account = client.resume(profile.tokens);
  return openSession(platform, options, { client, account, hold }, profile);
}

/** Makes a client that passes changed tokens to the session opened later. */
export function connect(
  platform: LibraryPlatform,
  { server, device }: Pick<Entrance, "server" | "device">,
) {
  // Checked before any request to the server.
  checked(newDeviceSchema, device, "device");
  const hold: { changed?: (tokens: Tokens) => void } = {};
  const client = createClient({
    ...clientOptions(platform, server),
    onTokens: (tokens) => hold.changed?.(tokens),
  });
  return { client, hold };
}

/** A little less than the server's five minutes. */
const RECENT_MS = 4.5 * MINUTE_MS;

/** The parts of a session. */
export interface Opening {
  readonly client: Client;
  readonly account: Account;
  readonly hold: { changed?: (tokens: Tokens) => void };
}

/** The session of a profile. */
export function openSession(
  platform: LibraryPlatform,
  { credentials, present }: SessionOptions,
  { client, account, hold }: Opening,
  given: Profile,
): Session {
  let profile = given;
  let writing: Promise<void> = Promise.resolve();
  let isForgotten = false;
  const change = (next: Partial<Profile>): Promise<void> => {
    profile = { ...profile, ...next };
    const bytes = encodeProfile(profile);
    // Writes run one after the other, so that the newest profile stays.
    writing = writing.catch(() => {}).then(async () => {
      // A forgotten profile must not be written again by a late change.
      if (!isForgotten) await credentials.write(bytes);
    });
    return writing;
  };
  const forget = async () => {
    isForgotten = true;
    await writing.catch(() => {});
    hold.changed = () => {};
    await credentials.remove();
  };
  hold.changed = (tokens) => {
    // A failed write only costs a sign-in later; `settled` reports it.
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
    arrival: () => profile.arrival,
    holdArrival: (arrival) => change({ arrival }),
    holdSetUp: () => change({ set_up: true }),
    mustChangePassword: () => profile.must_change === true,
    holdMustChange: () => change({ must_change: true }),
    async changePassword(current, next) {
      await account.changePassword(current, next);
      await change({ must_change: undefined });
    },
    escrow: () => profile.escrow,
    holdEscrow: (escrow) => change({ escrow }),
    async recently(operation) {
      try {
        return await operation();
      } catch (error) {
        const wanted = error instanceof ApiProblem &&
          error.code === "error.auth.reauthentication_required";
        const password = wanted ? await present?.() : undefined;
        if (password === undefined) throw error;
        await account.reauthenticate(password);
        await change({ presented_at: platform.now() });
      }
      return await operation();
    },
    isRecent() {
      const age = platform.now() - (profile.presented_at ?? -Infinity);
      return age >= 0 && age < RECENT_MS;
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
