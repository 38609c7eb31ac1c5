/**
 * The commands about a person's account and its devices.
 *
 * @module
 */
import type { LoginOptions } from "./account.ts";
import type { OpenProfile, Person, PersonOptions } from "./person.ts";
import { QR, type Row } from "./row.ts";

const ADDRESS = ["--address <address>", "what you sign in with"] as const;
const PASSWORD_FILE = [
  "--password-file <path>",
  "its first line; - is standard input",
] as const;
const OIDC = ["--oidc", "through the server's identity provider"] as const;
const DEVICE = ["--device <name>", "what this machine is called"] as const;
const COMPARED = ["--yes", "the four words were compared"] as const;

/** `login` to `phrase`. */
export const ACCOUNT_ROWS: readonly Row[] = [
  {
    usage: "login <url>",
    description:
      "sign in to a server, or make an account there, and have its keys here",
    options: [
      ADDRESS,
      ["--new", "make an account; its 24 words are shown once"],
      OIDC,
      PASSWORD_FILE,
      ["--code <digits>", "of the second factor"],
      [
        "--words-file <path>",
        "24 words: written there with --new, else read from it",
      ],
      DEVICE,
    ],
    example: "login https://photos.example.org --new --address ada@example.org",
    needs: "profile",
    async run(
      profile: OpenProfile,
      options: PersonOptions & LoginOptions,
      url: string,
    ) {
      const { login } = await import("./account.ts");
      await login(profile, url, options);
    },
  },
  {
    usage: "logout",
    description: "end this machine's session and take its keys away from here",
    options: [["--everywhere", "end every session of the account"]],
    example: "logout",
    async run(person: Person, options: PersonOptions & { everywhere?: true }) {
      const { logout } = await import("./account.ts");
      await logout(person, options);
    },
  },
  {
    usage: "whoami",
    alias: "usage",
    description:
      "who is signed in here, how much is stored, and how it is recovered",
    example: "whoami",
    async run(person: Person) {
      const { whoami } = await import("./account.ts");
      await whoami(person);
    },
  },
  {
    usage: "devices",
    description: "where the account is signed in",
    example: "devices",
    async run(person: Person) {
      const { devices } = await import("./account.ts");
      await devices(person);
    },
  },
  {
    usage: "enroll",
    description:
      "hand the account to another device, which runs `strongroom join`",
    options: [PASSWORD_FILE, COMPARED, QR],
    example: "enroll",
    async run(
      person: Person,
      options: PersonOptions & { yes?: true; qr?: true },
    ) {
      const { enroll } = await import("./devices.ts");
      await enroll(person, options);
    },
  },
  {
    usage: "join <code>",
    description:
      "come to the account that another device shows, by its link or code",
    options: [
      ["--server <url>", "of a typed code"],
      ADDRESS,
      PASSWORD_FILE,
      OIDC,
      DEVICE,
      COMPARED,
    ],
    example: "join https://photos.example.org/#/join/…",
    needs: "profile",
    async run(
      profile: OpenProfile,
      options: PersonOptions & LoginOptions & { server?: string; yes?: true },
      code: string,
    ) {
      const { join } = await import("./devices.ts");
      await join(profile, code, options);
    },
  },
  {
    usage: "recover",
    description:
      "get the account's keys back with 24 words or a recovery sentence",
    options: [["--words-file <path>", "holds them; - is standard input"]],
    example: "recover",
    needs: "profile",
    async run(
      profile: OpenProfile,
      options: PersonOptions & { wordsFile?: string },
    ) {
      const { recover } = await import("./recovery.ts");
      await recover(profile, options);
    },
  },
  {
    usage: "phrase",
    description:
      "make 24 new words that open the keys, or set a recovery sentence",
    options: [
      PASSWORD_FILE,
      ["--words-file <path>", "write the 24 words there"],
      [
        "--phrase-file <path>",
        "a recovery sentence of your own, its first line",
      ],
    ],
    example: "phrase --words-file words.txt",
    async run(
      person: Person,
      options: PersonOptions & { wordsFile?: string; phraseFile?: string },
    ) {
      const { phrase } = await import("./recovery.ts");
      await phrase(person, options);
    },
  },
];
