/**
 * `strongroom logout`, `whoami` and `devices`: who this machine is signed in as.
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";
import {
  dropKeys,
  NoWayBack,
  requireWayBack,
  signOutEverywhere,
  waysBack,
} from "../../../library/mod.ts";
import { bytesInWords, counted } from "../../../core/sizes.ts";
import type { CliContext } from "../cli_context.ts";
import {
  LIBRARY_UNCONFIRMED,
  trustFaults,
  UNCONFIRMED,
} from "../sharing/trusting.ts";
import { suggestion } from "./origins.ts";

/** `logout`: here, or everywhere; says first what is deleted. */
export async function logout(
  cli: CliContext,
  { everywhere, yes }: { readonly everywhere?: true; readonly yes?: true },
): Promise<void> {
  const { session, library: { vault }, local, tell, terminal, warn } = cli;
  const { boxes, devices } = await waysBack(session, vault);
  warn(
    "logout deletes from this machine the account's keys, the list of your " +
      `photos and the names of ${
        counted(local.fileCount, "file")
      }. Your files ` +
      "and the server's copies stay.",
  );
  const others = everywhere ? [] : devices;
  try {
    requireWayBack({ boxes, devices: others });
  } catch (error) {
    if (!(error instanceof NoWayBack)) throw error;
    throw new OperatorFault(
      "NO RECOVERY WORDS ARE SET, and nothing else opens your photos: without " +
        "the keys of this machine they would be lost, so nothing was deleted. " +
        "Run `strongroom phrase` first",
    );
  }
  warn(
    boxes.length > 0
      ? "To come back you need your password and your 24 words, or another " +
        "device. To sign in again with the keys on this machine, run " +
        "`strongroom login` instead."
      : "NO RECOVERY WORDS ARE SET: afterwards, only these devices open your " +
        `photos: ${others.join(", ")}. If you lose them, you lose your ` +
        "photos. `strongroom phrase` makes words.",
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
  if (everywhere) await signOutEverywhere(vault);
  else await dropKeys(session, { vault });
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
      ...(trust.library === "unconfirmed" && trust.mayMissHidden
        ? [`  ${LIBRARY_UNCONFIRMED}`]
        : []),
      ...trustFaults(library).map((fault) => `  ${fault}`),
    ].join("\n"),
  );
}
