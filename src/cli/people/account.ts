/**
 * `strongroom logout`, `whoami` and `devices`: who this machine is signed in as.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import {
  ApiProblem,
  type Library,
  NoWayBack,
  signOutEverywhere,
} from "../../client/library/mod.ts";
import { bytesInWords, counted } from "../../core/sizes.ts";
import type { CliContext } from "./cli_context.ts";
import { LIBRARY_UNCONFIRMED, trustFaults, UNCONFIRMED } from "./trusting.ts";
import { suggestion } from "./origins.ts";

async function endEverySession({ vault }: Library): Promise<void> {
  try {
    await signOutEverywhere(vault);
  } catch (error) {
    if (!(error instanceof NoWayBack)) throw error;
    throw new OperatorFault(
      "no recovery words or sentence are set, so signing out everywhere could " +
        "lose your photos: run `strongroom phrase` first",
    );
  }
}

/** `logout`: here, or everywhere; says first what is deleted. */
export async function logout(
  cli: CliContext,
  { everywhere, yes }: { readonly everywhere?: true; readonly yes?: true },
): Promise<void> {
  const { session, library, local, tell, terminal, warn } = cli;
  const boxes = await unlessEnded(() => library.vault.escrowLabels());
  warn(
    "logout deletes from this machine the account's keys, the list of your " +
      `photos and the names of ${
        counted(local.fileCount, "file")
      }. Your files ` +
      "and the server's copies stay.",
  );
  warn(
    boxes?.length === 0
      ? "NO RECOVERY WORDS ARE SET: without another device, nobody can " +
        "open your photos again. `strongroom phrase` makes words."
      : "To come back you need your password and your 24 words, or another " +
        "device. To sign in again with the keys on this machine, run " +
        "`strongroom login` instead.",
  );
  if (!yes) {
    const said = await terminal.ask(
      "Delete them? (yes or no) ",
      "say so with --yes",
    );
    if (said.trim().toLowerCase() !== "yes") {
      throw new OperatorFault("nothing was deleted");
    }
  }
  if (everywhere) await endEverySession(library);
  await unlessEnded(() => session.signOut());
  await session.forget();
  local.forget();
  tell(
    { event: "signed_out", everywhere: everywhere === true },
    everywhere
      ? "every session of the account is ended, and the keys and the names " +
        "of files are deleted from this machine"
      : "signed out; the keys and the names of files are deleted from this " +
        "machine",
  );
}

/** What the server answers; undefined if it has ended the session already. */
async function unlessEnded<T>(asked: () => Promise<T>): Promise<T | undefined> {
  try {
    return await asked();
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) return undefined;
    throw error;
  }
}

/** `devices`: the live sessions, named as the directory names them. */
export async function devices(
  { session, tell }: CliContext,
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
  { session, library, tell }: CliContext,
  { goOn }: { readonly goOn?: true },
): Promise<void> {
  const { trust } = library;
  await trust.read();
  await trust.attend();
  await library.state.read();
  if (goOn) await trust.goOn();
  const profile = await session.account.profile();
  const usage = await session.account.usage();
  const boxes = await library.vault.escrowLabels();
  await library.origins.read();
  const suggested = await library.origins.suggested();
  tell(
    {
      event: "whoami",
      server: session.server,
      link_origin: library.origins.links,
      suggested_origin: suggested,
      user_id: session.userId,
      address: profile.address,
      device: session.device,
      usage,
      recovery: boxes,
      trust: trust.status,
      trust_damage: trust.damage,
      library_state: trust.library,
    },
    [
      `${profile.address ?? session.userId} on ${session.server}`,
      `  this device: ${session.device.name} (${session.device.device_id})`,
      `  links begin with ${library.origins.links}`,
      ...(suggested === undefined ? [] : [`  ${suggestion(suggested)}`]),
      `  stored: ${bytesInWords(usage.used_bytes)}, encrypted, with previews ` +
      "and deleted photos",
      `  recovery: ${boxes.length === 0 ? "NOT SET" : boxes.join(", ")}`,
      ...(trust.status === "unconfirmed" ? [`  ${UNCONFIRMED}`] : []),
      ...(trust.library === "unconfirmed" ? [`  ${LIBRARY_UNCONFIRMED}`] : []),
      ...trustFaults(library).map((fault) => `  ${fault}`),
    ].join("\n"),
  );
}
