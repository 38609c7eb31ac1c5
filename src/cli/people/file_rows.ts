/**
 * The commands about a person's files: keeping, finding, getting them back.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import type { GetOptions } from "./listing.ts";
import type { SendOptions } from "./guests.ts";
import type { CliContext, CliOptions, OpenProfile } from "./cli_context.ts";
import type { ProveOptions } from "./proof.ts";
import type { PullOptions } from "./pull.ts";
import type { PushOptions } from "./push.ts";
import type { Row } from "./row.ts";
import { LINK_FILE, linkOf, type LinkOptions } from "./secret_link.ts";
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
      ["--again", "send what you deleted from the library, too"],
      ["--album <album>", "into an album: its title, or how its id begins"],
      [
        "--move",
        "delete each file here once it is proven to be kept: receipts " +
        "verified, read again by the server, unchanged here",
      ],
      [
        "--move-after <time>",
        "with --move: files that changed more recently stay; 0, 5m, 12h, 7d",
        "5m",
      ],
      ["--watch", "go on with what appears, until it is ended"],
    ],
    example: "push ~/Pictures",
    async run(
      cli: CliContext,
      options: CliOptions & PushOptions,
      paths: string[],
    ) {
      const { push } = await import("./push.ts");
      await push(cli, paths, options);
    },
  },
  {
    usage: "send <link> [path...]",
    description:
      "send files by somebody's upload link: what was sent cannot be read " +
      "here, and nobody has to be signed in; - reads the link from standard " +
      "input, and with --link-file only paths are named",
    options: [
      LINK_FILE,
      EXCLUDE,
      ["--passphrase-file <path>", "of the link, where it has one"],
      ["--again", "what was sent before, too"],
    ],
    example: "send --link-file ~/link walk.jpg",
    needs: "profile",
    async run(
      profile: OpenProfile,
      options: CliOptions & SendOptions & LinkOptions,
      first: string,
      rest: string[],
    ) {
      const { sendTo } = await import("./guests.ts");
      const hasFile = options.linkFile !== undefined;
      const paths = hasFile ? [first, ...rest] : rest;
      if (paths.length === 0) throw new OperatorFault("say what is to be sent");
      const link = await linkOf(profile, hasFile ? undefined : first, options);
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
      cli: CliContext,
      options: CliOptions & PullOptions,
      folder: string,
    ) {
      const { pull } = await import("./pull.ts");
      await pull(cli, folder, options);
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
      cli: CliContext,
      options: CliOptions & SyncOptions,
      folder: string,
    ) {
      const { sync } = await import("./sync.ts");
      await sync(cli, folder, options);
    },
  },
  {
    usage: "export-all <folder>",
    description:
      "write everything into a folder: files with sidecars, albums, checksums " +
      "and receipts; again, and only what is new is written",
    example: "export-all /media/disk/everything",
    async run(cli: CliContext, _: CliOptions, folder: string) {
      const { exportAll } = await import("./export_all.ts");
      await exportAll(cli, folder);
    },
  },
  {
    usage: "ls [words...]",
    alias: "find",
    description:
      "list your files: all, or those that every word is met by (a name, " +
      "june, 2024-06, photos, videos, a camera), or those of several ids",
    example: "ls june 2024",
    async run(cli: CliContext, _: CliOptions, words: string[]) {
      const { list } = await import("./listing.ts");
      await list(cli, words);
    },
  },
  {
    usage: "get <words...>",
    description: "write one file to standard output, as it was kept",
    options: [
      ["--video", "the video of a live photo instead"],
      ["--sidecar <kind>", "what is known of it instead: json or xmp"],
    ],
    example: "get 3f2a91bc > walk.jpg",
    async run(
      cli: CliContext,
      options: CliOptions & GetOptions,
      words: string[],
    ) {
      const { get } = await import("./listing.ts");
      await get(cli, words, options);
    },
  },
  {
    usage: "rm <words...>",
    description: "move files to the trash",
    options: [["--yes", "more than one at a time"]],
    example: "rm 3f2a91bc",
    async run(
      cli: CliContext,
      options: CliOptions & { yes?: true },
      words: string[],
    ) {
      const { remove } = await import("./listing.ts");
      await remove(cli, words, options);
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
    async run(cli: CliContext, options: CliOptions & WebdavOptions) {
      const { webdav } = await import("./webdav.ts");
      await webdav(cli, options);
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
      [
        "--heal [folder]",
        "store what is missing or damaged again, from other copies at the " +
        "server and from a folder of originals",
      ],
      ["--local <folder>", "say which files of a folder are not kept"],
      [
        "--safe-to-delete <folder>",
        "list in its SAFE-TO-DELETE.txt what is proven to be kept: receipts " +
        "verified, read again by the server; nothing is deleted",
      ],
      [
        "--report <file>",
        "save a report of what is missing, with the server's receipts",
      ],
      [
        "--app",
        "compare the web app that the server hands out with the one in this " +
        "program, byte for byte",
      ],
    ],
    example: "verify --deep --sample 5%",
    async run(
      cli: CliContext,
      options: CliOptions & VerifyOptions,
      words: string[],
    ) {
      const { verify } = await import("./verifying.ts");
      await verify(cli, words, options);
    },
  },
];

/** `favourite …`. */
export const FAVOURITE_ROWS: readonly Row[] = [
  {
    usage: "add <words...>",
    description: "mark files as favourites, as the app does",
    example: "favourite add 3f2a91bc",
    async run(cli: CliContext, _: CliOptions, words: string[]) {
      const { markFavourite } = await import("./listing.ts");
      await markFavourite(cli, words, true);
    },
  },
  {
    usage: "rm <words...>",
    description: "take the mark away; the files stay",
    example: "favourite rm 3f2a91bc",
    async run(cli: CliContext, _: CliOptions, words: string[]) {
      const { markFavourite } = await import("./listing.ts");
      await markFavourite(cli, words, false);
    },
  },
];

/** `trash …`. */
export const TRASH_ROWS: readonly Row[] = [
  {
    usage: "ls",
    description: "list the trash",
    example: "trash ls",
    async run(cli: CliContext) {
      const { listTrash } = await import("./listing.ts");
      await listTrash(cli);
    },
  },
  {
    usage: "restore <words...>",
    description: "take files out of it",
    example: "trash restore 3f2a91bc",
    async run(cli: CliContext, _: CliOptions, words: string[]) {
      const { restore } = await import("./listing.ts");
      await restore(cli, words);
    },
  },
  {
    usage: "empty",
    description: "end what is in the trash for good",
    options: [["--yes", "that is meant"]],
    example: "trash empty --yes",
    async run(cli: CliContext, options: CliOptions & { yes?: true }) {
      const { emptyTrash } = await import("./listing.ts");
      await emptyTrash(cli, options);
    },
  },
];

/** `receipts prove`. */
export const PROOF_ROWS: readonly Row[] = [
  {
    usage: "prove <photo>",
    description: "write a file that proves what the server signed for a " +
      "photo, and that its public log has it; a file of this machine or a " +
      "search; status 75 as long as the log does not have it",
    options: [
      ["--to <file>", "instead of the photo's name with .tlog-proof, here"],
    ],
    example: "receipts prove walk.jpg",
    async run(
      cli: CliContext,
      options: CliOptions & ProveOptions,
      photo: string,
    ) {
      const { proveOne } = await import("./proof.ts");
      await proveOne(cli, photo, options);
    },
  },
];

/** `missing …`. */
export const MISSING_ROWS: readonly Row[] = [
  {
    usage: "ls",
    description:
      "list photos that are no longer at the server although you did not " +
      "delete them; status 4 where there are any",
    example: "missing ls",
    async run(cli: CliContext) {
      const { listMissing } = await import("./missing.ts");
      await listMissing(cli);
    },
  },
  {
    usage: "forget <words...>",
    description: "give missing photos up: they are not told of any more",
    options: [["--yes", "several are meant"]],
    example: "missing forget 3f2a91bc",
    async run(
      cli: CliContext,
      options: CliOptions & { yes?: true },
      words: string[],
    ) {
      const { forgetMissing } = await import("./missing.ts");
      await forgetMissing(cli, words, options);
    },
  },
];
