/**
 * A person signed in on this device: registering, signing in, resuming what was
 * kept, and presenting the password again where an operation wants that.
 *
 * @module
 */
import { sha256Hex } from "../../crypto/sha256.ts";
import { encodeCanonical } from "../../core/cbor.ts";
import {
  type Account,
  ApiProblem,
  type Client,
  createClient,
  type LoginOutcome,
} from "../api.ts";
import type { Tokens } from "../answers.ts";
import { checked, DocumentError } from "../fields.ts";
import { clientOptions, type LibraryPlatform, newId } from "./platform.ts";
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
  /** Resolves when every change of the profile is kept. */
  settled(): Promise<void>;
}

/** No profile is kept here: the person has to sign in. */
export class NotSignedIn extends Error {
  override readonly name = "NotSignedIn";
}

/** Makes an account and signs in. Throws ApiProblem as `register` does. */
export async function registerAccount(
  platform: LibraryPlatform,
  entrance: Entrance & {
    readonly address: string;
    readonly password: string;
    /** Of the operator's, where registering is not open. */
    readonly invitation?: string;
  },
): Promise<Session> {
  const { address, password, invitation } = entrance;
  const { client, hold } = connect(platform, entrance);
  const account = await client.register(address, password, invitation);
  return await begin(platform, entrance, { client, account, hold });
}

/** Signs in by password, and by a code where the account has a second factor. */
export async function signIn(
  platform: LibraryPlatform,
  entrance: Entrance & {
    readonly address: string;
    readonly password: string;
    /** Asks the person for the code; called again after a wrong one. */
    readonly code?: (attempt: number) => Promise<string | undefined>;
  },
): Promise<Session> {
  const { address, password } = entrance;
  const { client, hold } = connect(platform, entrance);
  const outcome = await client.login(address, password);
  const account = await completed(client, outcome, entrance.code);
  return await begin(platform, entrance, { client, account, hold });
}

/** Where an identity provider sends the person back to, and how they get there. */
export interface Provider {
  /** As the operator registered it, or a loopback address. */
  readonly redirectUri: string;
  /** Shows the address to the person; resolves to the one they came back by. */
  readonly visit: (authorizationUrl: string) => Promise<string>;
}

/** Signs in through the server's identity provider. Throws ApiProblem. */
export async function signInThrough(
  platform: LibraryPlatform,
  entrance: Entrance & {
    readonly provider: Provider;
    readonly code?: (attempt: number) => Promise<string | undefined>;
  },
): Promise<Session> {
  const { provider } = entrance;
  const { client, hold } = connect(platform, entrance);
  const asked = await client.oidcAuthorize(provider.redirectUri);
  const back = new URL(await provider.visit(asked.authorization_url));
  const { searchParams: answer } = back;
  // Whoever brings another state brings somebody else's sign-in.
  if (answer.get("state") !== asked.state) {
    throw new NotSignedIn("the identity provider answered something else");
  }
  const code = answer.get("code");
  if (code === null) {
    throw new NotSignedIn(
      `the identity provider refused: ${answer.get("error") ?? "no code"}`,
    );
  }
  const outcome = await client.oidcCallback(asked.state, code);
  const account = await completed(client, outcome, entrance.code);
  return await begin(platform, entrance, { client, account, hold });
}

/** Goes on with the session that is kept. Throws {@link NotSignedIn}. */
export async function resumeSession(
  platform: LibraryPlatform,
  options: SessionOptions,
): Promise<Session> {
  const kept = await options.keep.read();
  if (kept === undefined) throw new NotSignedIn("nobody is signed in here");
  const profile = decodeProfile(kept);
  const { client, hold } = connect(platform, profile);
  const account = client.resume(profile.tokens);
  return open(platform, options, { client, account, hold }, profile);
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

const MOST_CODES = 3;

async function completed(
  client: Client,
  outcome: LoginOutcome,
  ask: ((attempt: number) => Promise<string | undefined>) | undefined,
): Promise<Account> {
  if (outcome.kind === "signed_in") return outcome.account;
  const { challenge_id: challengeId } = outcome.challenge;
  for (let attempt = 1;; attempt++) {
    const code = await ask?.(attempt);
    if (code === undefined) throw new NotSignedIn("a code is needed");
    try {
      return await client.verifyLogin(challengeId, code);
    } catch (error) {
      const wrong = error instanceof ApiProblem &&
        error.code === "error.auth.second_factor_invalid";
      if (!wrong || attempt === MOST_CODES) throw error;
    }
  }
}

/** A client whose changed tokens go to whoever holds them by then. */
function connect(
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

interface Opening {
  readonly client: Client;
  readonly account: Account;
  readonly hold: { changed?: (tokens: Tokens) => void };
}

async function begin(
  platform: LibraryPlatform,
  entrance: Entrance & { readonly address?: string },
  opening: Opening,
): Promise<Session> {
  const { address } = entrance;
  const server = new URL(entrance.server).origin;
  const tokens = opening.account.tokens();
  const before = await kept(entrance.keep);
  const same = before?.server === server &&
    before.tokens.user_id === tokens.user_id;
  const profile: Profile = {
    v: 1,
    server,
    ...(address === undefined ? {} : { address }),
    // Whoever signs in again is on the same device, which has its keys still.
    device: same
      ? before.device
      : { device_id: newId(platform), ...entrance.device },
    tokens,
    ...(same && before.master_key !== undefined
      ? { master_key: before.master_key }
      : {}),
  };
  await entrance.keep.write(encodeProfile(profile));
  return open(platform, entrance, opening, profile);
}

/** What is kept, where it can be read. */
async function kept(keep: Keep): Promise<Profile | undefined> {
  const bytes = await keep.read();
  try {
    return bytes === undefined ? undefined : decodeProfile(bytes);
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

function open(
  platform: LibraryPlatform,
  { keep, present }: SessionOptions,
  { client, account, hold }: Opening,
  given: Profile,
): Session {
  let profile = given;
  let writing: Promise<void> = Promise.resolve();
  const change = (next: Partial<Profile>): Promise<void> => {
    profile = { ...profile, ...next };
    const bytes = encodeProfile(profile);
    // One after the other, so that the newest is what stays.
    writing = writing.catch(() => {}).then(() => keep.write(bytes));
    return writing;
  };
  const forget = async () => {
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
    settled: () => writing,
  };
}
