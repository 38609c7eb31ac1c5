/**
 * Registering, signing in by password, and signing in through an identity
 * provider.
 *
 * @module
 */
import {
  type Account,
  ApiProblem,
  type Client,
  type LoginOutcome,
} from "../../client/api/api.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { type LibraryPlatform, newId } from "../base/platform.ts";
import {
  type CredentialStore,
  decodeProfile,
  type Device,
  encodeProfile,
  type Profile,
} from "../vault/profile.ts";
import {
  AnotherAccount,
  connect,
  type Entrance,
  NotSignedIn,
  type Opening,
  openSession,
  publicClient,
  type Session,
} from "../vault/session.ts";

/** Makes an account and signs in. Throws ApiProblem as `register` does. */
export async function registerAccount(
  platform: LibraryPlatform,
  entrance: Entrance & {
    readonly address: string;
    readonly password: string;
    /** The operator's invitation, if registration is not open. */
    readonly invitation?: string;
  },
): Promise<Session> {
  const { address, password, invitation } = entrance;
  if ((await kept(entrance.credentials))?.master_key !== undefined) {
    throw new AnotherAccount("this device has the keys of an account");
  }
  const { client, hold } = connect(platform, entrance);
  const account = await client.register(address, password, invitation);
  return await begin(platform, entrance, { client, account, hold });
}

/** Signs in by password, and by a code if the account has a second factor. */
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
  const named = await withDeviceId(platform, entrance);
  const device = { device_id: named.device.device_id };
  const outcome = await client.login(address, password, device);
  const account = await completed(client, outcome, named);
  // Kept first: a password of the operator's signs in only once.
  const session = await begin(platform, named, { client, account, hold });
  const { password_must_change } = await account.profile();
  if (password_must_change) await session.holdMustChange();
  return session;
}

/** How a person gets to the identity provider and back. */
export interface Provider {
  /** The address that the operator registered, or a loopback address. */
  readonly redirectUri: string;
  /**
   * Sends the person to the address; resolves to the address by which they
   * return.
   */
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
  const asked = await askProvider(
    platform,
    entrance.server,
    provider.redirectUri,
  );
  const returned = await provider.visit(asked.authorizationUrl);
  return await signInReturned(platform, {
    ...entrance,
    state: asked.state,
    returned,
  });
}

/** A sign-in that was begun at an identity provider. */
export interface AskedProvider {
  /** The address to which the person goes. */
  readonly authorizationUrl: string;
  /** The state that the address of their return must contain. */
  readonly state: string;
}

/**
 * The first half of {@link signInThrough}, for a page that the person leaves.
 * The page keeps `state` and later calls {@link signInReturned}. Throws
 * ApiProblem.
 */
export async function askProvider(
  platform: LibraryPlatform,
  server: string,
  redirectUri: string,
): Promise<AskedProvider> {
  const client = publicClient(platform, server);
  const asked = await client.oidcAuthorize(redirectUri);
  return { authorizationUrl: asked.authorization_url, state: asked.state };
}

/**
 * The second half: signs in with the address by which the person returned.
 * Throws {@link NotSignedIn} if it belongs to another sign-in or the provider
 * refused, and ApiProblem.
 */
export async function signInReturned(
  platform: LibraryPlatform,
  entrance: Entrance & {
    /** The state from {@link askProvider}. */
    readonly state: string;
    readonly returned: string;
    readonly code?: (attempt: number) => Promise<string | undefined>;
  },
): Promise<Session> {
  const { searchParams: answer } = new URL(entrance.returned);
  // Another state belongs to someone else's sign-in.
  if (answer.get("state") !== entrance.state) {
    throw new NotSignedIn("the identity provider answered something else");
  }
  const code = answer.get("code");
  if (code === null) {
    throw new NotSignedIn(
      `the identity provider refused: ${answer.get("error") ?? "no code"}`,
    );
  }
  const { client, hold } = connect(platform, entrance);
  const named = await withDeviceId(platform, entrance);
  const device = { device_id: named.device.device_id };
  const outcome = await client.oidcCallback(entrance.state, code, device);
  const account = await completed(client, outcome, named);
  return await begin(platform, named, { client, account, hold });
}

const MOST_CODES = 3;

async function completed(
  client: Client,
  outcome: LoginOutcome,
  { device, code: ask }: {
    readonly device: Device;
    readonly code?: (attempt: number) => Promise<string | undefined>;
  },
): Promise<Account> {
  if (outcome.kind === "signed_in") return outcome.account;
  const { challenge_id: challengeId } = outcome.challenge;
  const { device_id } = device;
  for (let attempt = 1;; attempt++) {
    const code = await ask?.(attempt);
    if (code === undefined) throw new NotSignedIn("a code is needed");
    try {
      return await client.verifyLogin(challengeId, code, { device_id });
    } catch (error) {
      const wrong = error instanceof ApiProblem &&
        error.code === "error.auth.second_factor_invalid";
      if (!wrong || attempt === MOST_CODES) throw error;
    }
  }
}

/**
 * Adds the id of this device, which both the server's list of sessions and the
 * account's directory name. A sign-in again on the same device keeps the
 * earlier id.
 */
async function withDeviceId<
  E extends Entrance & { readonly address?: string },
>(
  platform: LibraryPlatform,
  entrance: E,
): Promise<E & { readonly device: Device }> {
  const before = await kept(entrance.credentials);
  const same = before?.server === new URL(entrance.server).origin &&
    before.address?.toLowerCase() === entrance.address?.toLowerCase();
  return {
    ...entrance,
    device: {
      device_id: same ? before.device.device_id : newId(platform),
      ...entrance.device,
    },
  };
}

/** Keeps the profile of an account that was signed in to, and opens it. */
async function begin(
  platform: LibraryPlatform,
  entrance: Entrance & { readonly address?: string },
  opening: Opening,
): Promise<Session> {
  const { address } = entrance;
  const server = new URL(entrance.server).origin;
  const tokens = opening.account.tokens();
  if (entrance.onlyAs !== undefined && tokens.user_id !== entrance.onlyAs) {
    // That the session cannot be ended changes nothing here.
    await opening.account.logout().catch(() => {});
    throw new AnotherAccount("that is another account");
  }
  const before = await kept(entrance.credentials);
  const same = before?.server === server &&
    before.tokens.user_id === tokens.user_id;
  if (before?.master_key !== undefined && !same) {
    // They are deleted only by what asks for a way back (`departure.ts`).
    await opening.account.logout().catch(() => {});
    throw new AnotherAccount("this device has the keys of another account");
  }
  const profile: Profile = {
    v: 1,
    server,
    ...(address === undefined ? {} : { address }),
    // After a sign-in again, the same device keeps its id and its keys.
    device: same
      ? before.device
      : { device_id: newId(platform), ...entrance.device },
    tokens,
    presented_at: platform.now(),
    ...(same && before.master_key !== undefined
      ? { master_key: before.master_key }
      : {}),
    ...(same && before.escrow !== undefined ? { escrow: before.escrow } : {}),
  };
  await entrance.credentials.write(encodeProfile(profile));
  return openSession(platform, entrance, opening, profile);
}

/** The kept profile, if it can be read. */
async function kept(
  credentials: CredentialStore,
): Promise<Profile | undefined> {
  const bytes = await credentials.read();
  try {
    return bytes === undefined ? undefined : decodeProfile(bytes);
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}
