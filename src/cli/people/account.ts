/**
 * `strongroom login`, `logout`, `whoami` and `devices`: who this machine is
 * signed in as.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import {
  openVault,
  registerAccount,
  type Session,
  signIn,
  signOutEverywhere,
  type Vault,
  VaultError,
} from "../../client/library/mod.ts";
import { bytesInWords } from "../../core/sizes.ts";
import { doorOf, refuseOpenNetwork, thisDevice } from "./door.ts";
import { signInByProvider } from "./provider.ts";
import { giveWords, recovered } from "./recovery.ts";
import type { OpenProfile, Person } from "./person.ts";

/** The options of `login`. */
export interface LoginOptions {
  readonly address?: string;
  readonly passwordFile?: string;
  readonly code?: string;
  readonly new?: true;
  readonly wordsFile?: string;
  readonly device?: string;
  /** Through the server's identity provider. */
  readonly oidc?: true;
}

/** Signs in, or makes an account, and has the keys here at its end. */
export async function login(
  profile: OpenProfile,
  given: string,
  options: LoginOptions,
): Promise<void> {
  const { terminal } = profile;
  const { server, invitation } = doorOf(given);
  const isNew = options.new === true || invitation !== undefined;
  if (await profile.sessionOptions.keep.read() !== undefined) {
    throw new OperatorFault(
      "somebody is signed in here: `strongroom logout` first, or choose " +
        "another --profile",
    );
  }
  if (isNew && options.wordsFile === undefined && !terminal.isThere()) {
    throw new OperatorFault(
      "a new account's 24 words have to be seen or kept: name a file for them " +
        "with --words-file",
    );
  }
  refuseOpenNetwork(server);
  const code = (attempt: number) =>
    attempt === 1 && options.code !== undefined
      ? Promise.resolve(options.code)
      : terminal.ask("Code of the second factor: ", "give it with --code");
  if (options.oidc) {
    const session = await signInByProvider(profile, {
      ...profile.sessionOptions,
      server,
      device: thisDevice(options.device),
      code,
    });
    return await enter(profile, session, options);
  }
  const address = options.address ??
    await terminal.ask("Address: ", "give it with --address");
  const password = options.passwordFile === undefined
    ? isNew
      ? await terminal.askNewPassword("give it with --password-file")
      : await terminal.askHidden("Password: ", "give it with --password-file")
    : await terminal.lineOf(options.passwordFile, "the password");
  const entrance = {
    ...profile.sessionOptions,
    server,
    address,
    password,
    device: thisDevice(options.device),
  };
  if (isNew) {
    const session = await registerAccount(profile.platform, {
      ...entrance,
      ...(invitation === undefined ? {} : { invitation }),
    });
    const vault = await openVault(session);
    try {
      await giveWords(profile, vault, options.wordsFile);
    } finally {
      // Whoever breaks off has the account all the same.
      await session.settled();
    }
    return signedIn(
      profile,
      session,
      "the account is made, and its keys are here",
    );
  }
  const session = await signIn(profile.platform, {
    ...entrance,
    code,
  });
  await enter(profile, session, options);
}

/** Has the keys of somebody who is signed in now. */
async function enter(
  profile: OpenProfile,
  session: Session,
  options: LoginOptions,
): Promise<void> {
  const vault = await vaultOf(profile, session, options);
  const labels = await vault.escrowLabels();
  if (labels.length === 0 && options.new) {
    await giveWords(profile, vault, options.wordsFile);
  } else if (labels.length === 0) {
    profile.warn(
      "no recovery words were set: `strongroom phrase` makes them, and without " +
        "them everything is lost with this device",
    );
  }
  await session.settled();
  signedIn(profile, session, "the keys are here");
}

function signedIn(
  { tell }: OpenProfile,
  { server, userId, address }: Session,
  keys: string,
): void {
  tell(
    { event: "signed_in", server, user_id: userId, address },
    `signed in to ${server} as ${address ?? userId}; ${keys}`,
  );
}

/** The vault of a session, with words where the keys are not here. */
async function vaultOf(
  profile: OpenProfile,
  session: Session,
  options: LoginOptions,
): Promise<Vault> {
  try {
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

/** `logout`: here, or everywhere. */
export async function logout(
  { session, library, local, tell }: Person,
  { everywhere }: { readonly everywhere?: true },
): Promise<void> {
  if (everywhere) await signOutEverywhere(library.vault);
  await session.signOut();
  local.forget();
  tell(
    { event: "signed_out", everywhere: everywhere === true },
    everywhere
      ? "every session of the account is ended, and the keys and the names of " +
        "files are gone from here"
      : "signed out; the keys and the names of files are gone from here",
  );
}

/** `devices`: the live sessions, named as the directory names them. */
export async function devices(
  { session, tell }: Person,
): Promise<void> {
  const { sessions } = await session.account.sessions();
  for (const one of sessions) {
    const isHere = one.current || one.device_id === session.device.device_id;
    tell(
      { ...one, event: "session" },
      [
        // Ids begin with their time: those of one minute differ at the end.
        one.session_id.slice(-8),
        `since ${one.created_at.slice(0, 10)}`,
        `used ${one.last_used_at.slice(0, 16).replace("T", " ")}`,
        isHere ? session.device.name : one.device_id ?? "",
        one.current ? "(this one)" : "",
      ].filter((text) => text !== "").join("  "),
    );
  }
}

/** Who is signed in, and how much room is taken. */
export async function whoami(
  { session, library, tell }: Person,
): Promise<void> {
  const profile = await session.account.profile();
  const usage = await session.account.usage();
  const boxes = await library.vault.escrowLabels();
  tell(
    {
      event: "whoami",
      server: session.server,
      user_id: session.userId,
      address: profile.address,
      device: session.device,
      usage,
      recovery: boxes,
    },
    [
      `${profile.address ?? session.userId} on ${session.server}`,
      `  this device: ${session.device.name} (${session.device.device_id})`,
      `  stored: ${bytesInWords(usage.used_bytes)}`,
      `  recovery: ${boxes.length === 0 ? "NOT SET" : boxes.join(", ")}`,
    ].join("\n"),
  );
}
