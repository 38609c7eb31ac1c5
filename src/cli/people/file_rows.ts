/**
 * The commands about a person's files: keeping, finding, getting them back.
 *
 * @module
 */
import type { SendOptions } from "./guests.ts";
import type { OpenProfile, Person, PersonOptions } from "./person.ts";
import type { PullOptions } from "./pull.ts";
import type { PushOptions } from "./push.ts";
import type { Row } from "./row.ts";
import type { SyncOptions } from "./sync.ts";
import type { VerifyOptions } from "./verifying.ts";
import type { WebdavOptions } from "./webdav.ts";

const EXCLUDE = [
  "--exclude <pattern...>",
  "names or paths, as in .strongroomignore",
] as const;

/** `push` to `verify`. */
export const FILE_ROWS: readonly Row[] = [
  {
    usage: "push <path...>",
    description:
      "keep files and folders: what is new is sent, nothing is removed, here " +
      "or there",
    options: [
      EXCLUDE,
      ["--dry-run", "say what would be sent"],
      ["--album <album>", "into an album: its title, or how its id begins"],
      [
        "--move",
        "take each file away here once it is proven to be there: receipts " +
        "verified, read again by the server, unchanged here",
      ],
      ["--watch", "go on with what appears, until it is ended"],
    ],
    example: "push ~/Pictures",
    async run(
      person: Person,
      options: PersonOptions & PushOptions,
      paths: string[],
    ) {
      const { push } = await import("./push.ts");
      await push(person, paths, options);
    },
  },
  {
    usage: "send <link> <path...>",
    description:
      "send files by somebody's upload link: what was sent cannot be read " +
      "here, and nobody has to be signed in",
    options: [
      EXCLUDE,
      ["--passphrase-file <path>", "of the link, where it has one"],
      ["--again", "what was sent before, too"],
    ],
    example: "send 'https://photos.example.org/u/…' walk.jpg",
    needs: "profile",
    async run(
      profile: OpenProfile,
      options: PersonOptions & SendOptions,
      link: string,
      paths: string[],
    ) {
      const { sendTo } = await import("./guests.ts");
      await sendTo(profile, paths, link, options);
    },
  },
  {
    usage: "pull <folder>",
    description:
      "write your files into a folder; what is there is never written over",
    options: [
      ["--query <words>", "only these, as `ls` finds them"],
      [
        "--layout <path>",
        "made of {yyyy}, {mm}, {dd}, {path}, {name} and {id}",
        "{yyyy}/{mm}/{name}",
      ],
      [
        "--sidecars <kinds>",
        "what is known of each file beside it: json, xmp, or json,xmp",
      ],
    ],
    example: "pull ~/Pictures/back --query 'june 2024'",
    async run(
      person: Person,
      options: PersonOptions & PullOptions,
      folder: string,
    ) {
      const { pull } = await import("./pull.ts");
      await pull(person, folder, options);
    },
  },
  {
    usage: "sync <folder>",
    description:
      "send what is new in a folder, and write what is new in your library " +
      "into it; what is missing here is named",
    options: [
      EXCLUDE,
      [
        "--layout <path>",
        "of what is written: {path}, {yyyy}, {mm}, {dd}, {name} and {id}",
        "{path}/{name}",
      ],
      ["--dry-run", "say what would be done"],
      [
        "--delete",
        "move to the trash what was here and is not any more; never removes " +
        "anything here",
      ],
      ["--yes", "with --delete: much of it, too"],
    ],
    example: "sync ~/Pictures",
    async run(
      person: Person,
      options: PersonOptions & SyncOptions,
      folder: string,
    ) {
      const { sync } = await import("./sync.ts");
      await sync(person, folder, options);
    },
  },
  {
    usage: "export-all <folder>",
    description:
      "write everything into a folder: files with sidecars, albums, checksums " +
      "and receipts; again, and only what is new is written",
    example: "export-all /media/disk/everything",
    async run(person: Person, _: PersonOptions, folder: string) {
      const { exportAll } = await import("./export_all.ts");
      await exportAll(person, folder);
    },
  },
  {
    usage: "ls [words...]",
    alias: "find",
    description:
      "list your files: all, or those that every word is met by (a name, " +
      "june, 2024-06, photos, films, a camera), or those of several ids",
    example: "ls june 2024",
    async run(person: Person, _: PersonOptions, words: string[]) {
      const { list } = await import("./listing.ts");
      await list(person, words);
    },
  },
  {
    usage: "get <words...>",
    description: "write one file to standard output",
    example: "get 3f2a91bc > walk.jpg",
    async run(person: Person, _: PersonOptions, words: string[]) {
      const { get } = await import("./listing.ts");
      await get(person, words);
    },
  },
  {
    usage: "rm <words...>",
    description: "move files to the trash",
    options: [["--yes", "more than one at a time"]],
    example: "rm 3f2a91bc",
    async run(
      person: Person,
      options: PersonOptions & { yes?: true },
      words: string[],
    ) {
      const { remove } = await import("./listing.ts");
      await remove(person, words, options);
    },
  },
  {
    usage: "webdav",
    description:
      "show your files as a read-only folder of this machine, for Finder, " +
      "Explorer, davfs2 and rclone; until it is ended",
    options: [
      ["--listen <host:port>", "on this machine", "127.0.0.1:8471"],
      [
        "--layout <path>",
        "made of {yyyy}, {mm}, {dd}, {path}, {name} and {id}",
        "{yyyy}/{mm}/{name}",
      ],
    ],
    example: "webdav",
    async run(person: Person, options: PersonOptions & WebdavOptions) {
      const { webdav } = await import("./webdav.ts");
      await webdav(person, options);
    },
  },
  {
    usage: "verify [words...]",
    description:
      "ask what the server keeps, and say what is proven; status 4 where " +
      "something is wrong",
    options: [
      ["--deep", "the server reads and hashes the bytes again"],
      ["--download", "read everything back here and hash it"],
      ["--sample <share>", "of all files, such as 5%"],
      [
        "--receipts [kept]",
        "go through every receipt of the account; with digest keep 150 bytes " +
        "of each here from now on, with whole all of it",
      ],
      ["--local <folder>", "say which files of a folder are not kept"],
      [
        "--app",
        "compare the web app that the server hands out with the one in this " +
        "program, byte for byte",
      ],
    ],
    example: "verify --deep --sample 5%",
    async run(
      person: Person,
      options: PersonOptions & VerifyOptions,
      words: string[],
    ) {
      const { verify } = await import("./verifying.ts");
      await verify(person, words, options);
    },
  },
];

/** `trash …`. */
export const TRASH_ROWS: readonly Row[] = [
  {
    usage: "ls",
    description: "list the trash",
    example: "trash ls",
    async run(person: Person) {
      const { listTrash } = await import("./listing.ts");
      await listTrash(person);
    },
  },
  {
    usage: "restore <words...>",
    description: "take files out of it",
    example: "trash restore 3f2a91bc",
    async run(person: Person, _: PersonOptions, words: string[]) {
      const { restore } = await import("./listing.ts");
      await restore(person, words);
    },
  },
  {
    usage: "empty",
    description: "end what is in the trash for good",
    options: [["--yes", "that is meant"]],
    example: "trash empty --yes",
    async run(person: Person, options: PersonOptions & { yes?: true }) {
      const { emptyTrash } = await import("./listing.ts");
      await emptyTrash(person, options);
    },
  },
];
