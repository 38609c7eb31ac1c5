/**
 * `strongroom enroll`, `join` and `devices`: a second device, from either side.
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";
import {
  adoptJoined,
  enrollDevice,
  joinAccount,
  type Joined,
  type Session,
  signIn,
} from "../../../library/mod.ts";
import { printable } from "../../phrasing.ts";
import type { LoginOptions } from "./login.ts";
import { serverAddressOf, thisDevice } from "./server_address.ts";
import type { CliContext, OpenProfile } from "../cli_context.ts";
import { signInByProvider } from "./provider.ts";
import { qrCodeOf } from "../sharing/qr_code.ts";
import { PASSWORD_ELSEWHERE } from "../terminal.ts";

/** Hands the account to another device. */
export async function enroll(
  cli: CliContext,
  { yes, qr }: { readonly yes?: true; readonly qr?: true },
): Promise<void> {
  const { library, terminal, tell, warn, signal } = cli;
  const device = await enrollDevice(library.vault, {
    origin: library.origins.links,
    trust: library.trust,
    show: ({ link, code, expiresAt }) => {
      warn(`on the other device, until ${expiresAt}: strongroom join`);
      if (qr || terminal.isThere()) cli.show(qrCodeOf(link));
      tell({ event: "enrolling", link, code, expires_at: expiresAt }, link);
    },
    compare: async (words, { name }) => {
      warn(`${printable(name)} shows four words. Here they are:`);
      warn(`  ${words.join(" ")}`);
      warn(
        "If you gave it the link and it shows none, the server removed the " +
          "proof of the link: answer no.",
      );
      if (yes) return true;
      const said = await terminal.ask(
        "The same? (yes or no) ",
        "say so with --yes",
      );
      return said.trim().toLowerCase() === "yes";
    },
    signal,
  });
  tell(
    { event: "enrolled", device_id: device.deviceId, name: device.name },
    `${printable(device.name)} now has the account's keys`,
  );
}

/** Comes to the account that another device shows. */
export async function join(
  profile: OpenProfile,
  given: string,
  options: LoginOptions & { readonly server?: string; readonly yes?: true },
): Promise<void> {
  const { terminal, sessionOptions: { credentials } } = profile;
  if (await credentials.read() !== undefined) {
    throw new OperatorFault(
      "this profile already has an account: `strongroom login` signs in " +
        "again; for another account, use another --profile",
    );
  }
  const isLink = given.includes("#/join/");
  if (!isLink && options.server === undefined) {
    throw new OperatorFault("a typed code needs its server: give --server URL");
  }
  const opened = options.server === undefined
    ? undefined
    : serverAddressOf(options.server).server;
  const joined = await joinAccount(profile.platform, {
    link: isLink ? given : { server: opened ?? "", code: given },
    ...(opened === undefined ? {} : { opened }),
    device: thisDevice(options.device),
    compare: async (words, foreign) => {
      if (foreign !== undefined) {
        profile.warn(
          `this link is for another server, ${foreign}: continue only if you ` +
            "know that it is yours",
        );
      }
      profile.warn(
        "no one is in between if the other device shows the same four",
      );
      profile.warn(`words: ${words.join(" ")}`);
      if (options.yes) return true;
      const said = await terminal.ask(
        "The same? (yes or no) ",
        "say so with --yes",
      );
      return said.trim().toLowerCase() === "yes";
    },
    signal: profile.signal,
  });
  const session = await signedInAs(profile, joined, options);
  await adoptJoined(session, joined);
  await session.settled();
  const { server, userId } = session;
  profile.tell(
    { event: "signed_in", server, user_id: userId },
    `signed in to ${server} as ${session.address ?? userId}; the keys are here`,
  );
}

/** The person signs in by themselves: having the keys gives no session. */
async function signedInAs(
  profile: OpenProfile,
  { server, account, device }: Joined,
  options: LoginOptions,
): Promise<Session> {
  const { terminal, sessionOptions } = profile;
  const entrance = {
    ...sessionOptions,
    server,
    device,
    code: () =>
      terminal.ask("Code of the second factor: ", "give it with --code"),
  };
  if (options.oidc) return await signInByProvider(profile, entrance);
  const address = options.address ?? account.address ??
    await terminal.ask("Address: ", "give it with --address");
  const password = options.passwordFile === undefined
    ? await terminal.askHidden("Password: ", PASSWORD_ELSEWHERE)
    : await terminal.lineOf(options.passwordFile, "the password");
  return await signIn(profile.platform, { ...entrance, address, password });
}
