/**
 * The commands about a person's account and its devices.
 *
 * @module
 */
import type { LoginOptions } from "./login.ts";
import type { CliContext, CliOptions, OpenProfile } from "../cli_context.ts";
import { QR, type Row } from "../row.ts";
import { LINK_FILE, linkOf, type LinkOptions } from "../sharing/secret_link.ts";

const ADDRESS = [
  "--address <address>",
  "the address that you sign in with",
] as const;
const PASSWORD_FILE = [
  "--password-file <path>",
  "read the password from its first line; - reads standard input",
] as const;
const OIDC = [
  "--oidc",
  "sign in through the server's identity provider",
] as const;
const DEVICE = ["--device <name>", "a name for this machine"] as const;
const COMPARED = ["--yes", "you have compared the four words"] as const;

/** `login` to `phrase`. */
export const ACCOUNT_ROWS: readonly Row[] = [
  {
    usage: "login [url]",
    description:
      "sign in to a server, or create an account there, and store its " +
      "keys here; if you sign in again, the keys and the list of your " +
      "photos stay",
    options: [
      ADDRESS,
      ["--new", "create an account; its 24 words are shown once"],
      OIDC,
      PASSWORD_FILE,
      ["--code <digits>", "the code of the second factor"],
      [
        "--new-password-file <path>",
        "your own password, in place of one that the operator set",
      ],
      [
        "--words-file <path>",
        "the 24 words: with --new they are written to it, otherwise read " +
        "from it",
      ],
      DEVICE,
      [
        "--move",
        "the account's server has moved to this address; verified before " +
        "anything changes",
      ],
    ],
    example: "login https://photos.example.org --new --address ada@example.org",
    needs: "profile",
    async run(
      profile: OpenProfile,
      options: CliOptions & LoginOptions,
      url?: string,
    ) {
      const { login } = await import("./login.ts");
      await login(profile, url, options);
    },
  },
  {
    usage: "logout",
    description: "end this machine's session and delete the keys from it",
    options: [
      ["--everywhere", "end every session of the account"],
      ["--yes", "delete the keys here; needed without a terminal"],
    ],
    example: "logout",
    async run(
      cli: CliContext,
      options: CliOptions & { everywhere?: true; yes?: true },
    ) {
      const { logout } = await import("./account.ts");
      await logout(cli, options);
    },
  },
  {
    usage: "whoami",
    alias: "usage",
    description: "show who is signed in here, how much is stored, and how to " +
      "recover it",
    options: [[
      "--go-on",
      "trust what the server shows now, if all devices that knew more are lost",
    ]],
    example: "whoami",
    async run(cli: CliContext, options: CliOptions & { goOn?: true }) {
      const { whoami } = await import("./account.ts");
      await whoami(cli, options);
    },
  },
  {
    usage: "devices",
    description: "list the devices on which the account is signed in",
    example: "devices",
    async run(cli: CliContext) {
      const { devices } = await import("./account.ts");
      await devices(cli);
    },
  },
  {
    usage: "enroll",
    description:
      "give the account to another device, which runs `strongroom join`",
    options: [PASSWORD_FILE, COMPARED, QR],
    example: "enroll",
    async run(
      cli: CliContext,
      options: CliOptions & { yes?: true; qr?: true },
    ) {
      const { enroll } = await import("./devices.ts");
      await enroll(cli, options);
    },
  },
  {
    usage: "join [code]",
    description:
      "join another device's account by the link or code that it shows; " +
      "- reads it from standard input",
    options: [
      LINK_FILE,
      ["--server <url>", "the server that a typed code is for"],
      ADDRESS,
      PASSWORD_FILE,
      OIDC,
      DEVICE,
      COMPARED,
    ],
    example: "join --link-file ~/link",
    needs: "profile",
    async run(
      profile: OpenProfile,
      options:
        & CliOptions
        & LoginOptions
        & LinkOptions
        & { server?: string; yes?: true },
      code?: string,
    ) {
      const { join } = await import("./devices.ts");
      await join(profile, await linkOf(profile, code, options), options);
    },
  },
  {
    usage: "recover",
    description: "get the account's keys back with 24 words",
    options: [[
      "--words-file <path>",
      "a file with the 24 words; - reads standard input",
    ]],
    example: "recover",
    needs: "profile",
    async run(
      profile: OpenProfile,
      options: CliOptions & { wordsFile?: string },
    ) {
      const { recover } = await import("./recovery.ts");
      await recover(profile, options);
    },
  },
  {
    usage: "phrase",
    description: "make 24 new words that open the keys",
    options: [
      PASSWORD_FILE,
      ["--words-file <path>", "write the 24 words there"],
    ],
    example: "phrase --words-file words.txt",
    async run(
      cli: CliContext,
      options: CliOptions & { wordsFile?: string },
    ) {
      const { phrase } = await import("./recovery.ts");
      await phrase(cli, options);
    },
  },
];

/** `origin …`. */
export const ORIGIN_ROWS: readonly Row[] = [
  {
    usage: "show",
    description: "show the address, and the one that the server suggests",
    example: "origin show",
    async run(cli: CliContext) {
      const { showOrigin } = await import("./origins.ts");
      await showOrigin(cli);
    },
  },
  {
    usage: "confirm <url>",
    description: "use another address of your server in your links",
    example: "origin confirm https://photos.example.org",
    async run(cli: CliContext, _: CliOptions, url: string) {
      const { confirmOrigin } = await import("./origins.ts");
      await confirmOrigin(cli, url);
    },
  },
];
