/**
 * `strongroom login`: a new account, one that is new on this machine, or the
 * one whose keys are here already.
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";
import {
  adoptMasterKey,
  AnotherAccount,
  type CredentialStore,
  type Entrance,
  type KeptAccount,
  keptAccount,
  moveServer,
  NotSignedIn,
  openVault,
  registerAccount,
  resumeSession,
  type Session,
  signIn,
  type Vault,
  VaultError,
} from "../../../library/mod.ts";
import { keepEscrow } from "../../../library/vault/kept_escrow.ts";
import {
  refuseOpenNetwork,
  serverAddressOf,
  thisDevice,
} from "./server_address.ts";
import { ESCROW_NEWS } from "../following.ts";
import { signInByProvider } from "./provider.ts";
import { giveWords, recovered } from "./recovery.ts";
import { type OpenProfile, withLibrary, withStore } from "../cli_context.ts";
import { PASSWORD_ELSEWHERE } from "../terminal.ts";

/** The options of `login`. */
export interface LoginOptions {
  readonly address?: string;
  readonly passwordFile?: string;
  readonly code?: string;
  /** In place of a password that the operator set. */
  readonly newPasswordFile?: string;
  readonly new?: true;
  readonly wordsFile?: string;
  readonly device?: string;
  /** Through the server's identity provider. */
  readonly oidc?: true;
  /** The server of the account that is here has this address now. */
  readonly move?: true;
}

/**
 * Signs in, or makes an account, and has the keys here at its end. Where a
 * profile has an account already, only that one is signed in again: its keys
 * and everything that is known of its photos stay.
 */
export async function login(
  profile: OpenProfile,
  given: string | undefined,
  options: LoginOptions,
): Promise<void> {
  const { terminal } = profile;
  const { credentials: store } = profile.sessionOptions;
  const kept = await keptAccount(store);
  const url = given ?? kept?.server;
  if (url === undefined) {
    throw new OperatorFault("give the server: `strongroom login URL`");
  }
  const { server, invitation } = serverAddressOf(url);
  const isNew = options.new === true || invitation !== undefined;
  if (kept !== undefined) refuseAnother(kept, server, isNew, options);
  else if (options.move) {
    throw new OperatorFault(
      "--move needs an account on this machine, and this profile has " +
        "none: run `strongroom login URL`",
    );
  }
  if (isNew && options.wordsFile === undefined && !terminal.isThere()) {
    throw new OperatorFault(
      "without a terminal, a new account's 24 words need a file: give " +
        "one with --words-file",
    );
  }
  refuseOpenNetwork(server);
  const code = (attempt: number) =>
    attempt === 1 && options.code !== undefined
      ? Promise.resolve(options.code)
      : terminal.ask("Code of the second factor: ", "give it with --code");
  const onlyAs = kept?.userId ?? await ownerOf(profile);
  const entrance = (to: CredentialStore): Entrance => ({
    ...profile.sessionOptions,
    credentials: to,
    server,
    device: thisDevice(options.device),
    ...(onlyAs === undefined ? {} : { onlyAs }),
  });
  const signingIn = async (to: CredentialStore): Promise<Session> => {
    if (options.oidc) {
      return await signInByProvider(profile, { ...entrance(to), code });
    }
    const waiting = isNew ? undefined : await waitingSession(profile, to);
    const given = await credentialsOf(profile, options, isNew, kept?.address);
    const session = waiting ?? await signIn(profile.platform, {
      ...entrance(to),
      ...given,
      code,
    });
    await chooseOwnPassword(profile, session, given.password, options);
    return session;
  };
  if (isNew && !options.oidc) {
    if (onlyAs !== undefined) throw anotherAccount();
    const credentials = await credentialsOf(profile, options, isNew);
    const session = await registerAccount(profile.platform, {
      ...entrance(store),
      ...credentials,
      ...(invitation === undefined ? {} : { invitation }),
    });
    const vault = await openVault(session);
    try {
      await giveWords(profile, vault, options.wordsFile);
    } finally {
      // The account exists even if the person breaks off now.
      await session.settled();
    }
    return await signedIn(
      profile,
      session,
      "the account is created, and its keys are on this machine",
    );
  }
  try {
    const session = options.move
      ? await withStore(
        profile,
        (index) =>
          moveServer(profile.platform, store, server, index, signingIn),
      )
      : await signingIn(store);
    await enter(profile, session, options);
  } catch (error) {
    if (error instanceof AnotherAccount) throw anotherAccount();
    throw error;
  }
}

/** Refuses what would put another account into a profile that has one. */
function refuseAnother(
  { server: before, address, userId }: KeptAccount,
  server: string,
  isNew: boolean,
  { move }: LoginOptions,
): void {
  const whose = `this profile has the account ${address ?? userId}`;
  if (isNew) {
    throw new OperatorFault(
      `${whose}: use another --profile for a new account`,
    );
  }
  if (server === before || move) return;
  throw new OperatorFault(
    `${whose} of ${before}. If that server has a new address, run ` +
      `\`strongroom login --move ${server}\`; for another account choose ` +
      "another --profile",
  );
}

function anotherAccount(): OperatorFault {
  return new OperatorFault(
    "this profile has the keys or the receipts of another account, " +
      "which stay: use another --profile. Nothing was changed",
  );
}

/** The account of which a profile that is signed out still has receipts. */
async function ownerOf(profile: OpenProfile): Promise<string | undefined> {
  return await withStore(profile, ({ owner }) => Promise.resolve(owner));
}

/**
 * The session that waits for a password of the person's own: the operator's
 * signs in only once.
 */
async function waitingSession(
  { platform, sessionOptions }: OpenProfile,
  credentials: CredentialStore,
): Promise<Session | undefined> {
  try {
    const options = { ...sessionOptions, credentials };
    const session = await resumeSession(platform, options);
    return session.mustChangePassword() ? session : undefined;
  } catch (error) {
    if (error instanceof NotSignedIn) return undefined;
    throw error;
  }
}

/** Replaces a password that the operator set by the person's own. */
async function chooseOwnPassword(
  { terminal, warn }: OpenProfile,
  session: Session,
  given: string,
  { newPasswordFile }: LoginOptions,
): Promise<void> {
  if (!session.mustChangePassword()) return;
  await session.settled();
  warn("the operator set your password: choose your own");
  const next = newPasswordFile !== undefined
    ? await terminal.lineOf(newPasswordFile, "the new password")
    : await terminal.askNewPassword("give it with --new-password-file");
  await session.changePassword(given, next);
}

/** What a person signs in with, asked for where it was not given. */
async function credentialsOf(
  { terminal }: OpenProfile,
  options: LoginOptions,
  isNew: boolean,
  before?: string,
): Promise<{ readonly address: string; readonly password: string }> {
  const instead = PASSWORD_ELSEWHERE;
  const address = options.address ?? before ??
    await terminal.ask("Address: ", "give it with --address");
  const password = options.passwordFile !== undefined
    ? await terminal.lineOf(options.passwordFile, "the password")
    : isNew
    ? await terminal.askNewPassword(instead)
    : await terminal.askHidden("Password: ", instead);
  return { address, password };
}

/** Has the keys of the person who signed in now. */
async function enter(
  profile: OpenProfile,
  session: Session,
  options: LoginOptions,
): Promise<void> {
  const vault = await vaultOf(profile, session, options);
  // Just signed in, it may be replaced.
  const escrow = await keepEscrow(session, false);
  if (escrow !== undefined) profile.warn(ESCROW_NEWS[escrow]);
  const labels = await vault.escrowLabels();
  if (labels.length === 0 && options.new) {
    await giveWords(profile, vault, options.wordsFile);
  } else if (labels.length === 0) {
    profile.warn(
      "no recovery words were set: run `strongroom phrase` to make them. " +
        "Without them, if you lose this device, you lose everything",
    );
  }
  await session.settled();
  await signedIn(profile, session, "the keys are here");
}

async function signedIn(
  profile: OpenProfile,
  session: Session,
  keys: string,
): Promise<void> {
  const { server, userId, address } = session;
  const { tell } = profile;
  tell(
    { event: "signed_in", server, user_id: userId, address },
    `signed in to ${server} as ${address ?? userId}; ${keys}`,
  );
  try {
    // Only now does the server let the directory say what the slots hold.
    await withLibrary(profile, session, async ({ library: { trust } }) => {
      await trust.read();
      await trust.settle();
    });
  } catch (error) {
    // Another command uses the profile: the next sign-in does it.
    if (!(error instanceof OperatorFault)) throw error;
  }
}

/** The vault of a session, with words where the keys are not here. */
async function vaultOf(
  profile: OpenProfile,
  session: Session,
  options: LoginOptions,
): Promise<Vault> {
  const kept = session.masterKey();
  try {
    // Of a sign-in again: the server still has to have this identity.
    if (kept !== undefined) return await adoptMasterKey(session, kept);
    return await openVault(session);
  } catch (error) {
    if (!(error instanceof VaultError) || error.fault !== "locked") throw error;
  }
  if (options.wordsFile === undefined && !profile.terminal.isThere()) {
    await session.settled();
    throw new OperatorFault(
      "signed in, but the account's keys are not here yet: run `strongroom " +
        "recover --words-file PATH`",
    );
  }
  return await recovered(profile, session, options.wordsFile);
}
