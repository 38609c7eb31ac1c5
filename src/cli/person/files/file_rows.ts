/**
 * The commands about a person's files: keeping, finding, getting them back.
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";
import type { GetOptions } from "./listing.ts";
import type { SendOptions } from "../sharing/guests.ts";
import type { CliContext, CliOptions, OpenProfile } from "../cli_context.ts";
import type { ProveOptions } from "../proofs/proof.ts";
import type { PullOptions } from "./pull.ts";
import type { PushOptions } from "./push.ts";
import type { Row } from "../row.ts";
import { LINK_FILE, linkOf, type LinkOptions } from "../sharing/secret_link.ts";
import type { SyncOptions } from "./sync.ts";
import type { VerifyOptions } from "../proofs/verifying.ts";
import type { WebdavOptions } from "./webdav.ts";

const EXCLUDE = [
  "--exclude <pattern...>",
  "names or paths, as in .strongroomignore",
] as const;

const PROOF_FILE = [
  "--to <file>",
  "the file to write; default: the photo's name with .tlog-proof",
] as const;

/** `push` to `proof`. */
export const FILE_ROWS: readonly Row[] = [
  {
    usage: "push <path...>",
    description:
      "upload files and folders; only new files are sent, and nothing is " +
      "removed, here or there",
    options: [
      EXCLUDE,
      ["--dry-run", "list what would be sent"],
      ["--again", "also send files that you deleted from the library"],
      [
        "--album <album>",
        "into an album: its title, or the first letters of its id",
      ],
      [
        "--move",
        "delete each file here once it is proven to be stored: its " +
        "receipts verified, read again by the server, unchanged here",
      ],
      [
        "--move-after <time>",
        "with --move: keep files that changed more recently than this; 0, " +
        "5m, 12h, 7d",
        "5m",
      ],
      ["--watch", "continue with files that appear, until you end it"],
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
    description: "send files through an upload link; this machine cannot " +
      "read what it sent, and needs no account. - reads the link " +
      "from standard input. With --link-file, give only paths",
    options: [
      LINK_FILE,
      EXCLUDE,
      ["--passphrase-file <path>", "the link's passphrase, if it has one"],
      ["--again", "also send files that were sent before"],
    ],
    example: "send --link-file ~/link walk.jpg",
    needs: "profile",
    async run(
      profile: OpenProfile,
      options: CliOptions & SendOptions & LinkOptions,
      first: string,
      rest: string[],
    ) {
      const { sendTo } = await import("../sharing/guests.ts");
      const hasFile = options.linkFile !== undefined;
      const paths = hasFile ? [first, ...rest] : rest;
      if (paths.length === 0) throw new OperatorFault("name the files to send");
      const link = await linkOf(profile, hasFile ? undefined : first, options);
      await sendTo(profile, paths, link, options);
    },
  },
  {
    usage: "pull <folder>",
    description:
      "download your files into a folder; nothing there is overwritten",
    options: [
      ["--query <words>", "only files that `ls` finds with these words"],
      [
        "--album <album>",
        "only files of an album, which may be on another server",
      ],
      [
        "--layout <path>",
        "the path of each file, from {yyyy}, {mm}, {dd}, {path}, {name} " +
        "and {id}",
        "{yyyy}/{mm}/{name}",
      ],
      [
        "--sidecars <kinds>",
        "write the metadata of each file next to it: json, xmp, or json,xmp",
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
      "upload what is new in a folder, and download into it what is new " +
      "in your library; files missing here are listed",
    options: [
      EXCLUDE,
      [
        "--layout <path>",
        "the path of each downloaded file, from {path}, {yyyy}, {mm}, " +
        "{dd}, {name} and {id}",
        "{path}/{name}",
      ],
      ["--dry-run", "list what would be done"],
      [
        "--delete",
        "move files to the trash that were here and are missing now; " +
        "removes nothing here",
      ],
      [
        "--yes",
        "with --delete: even if that is many files, or all files of a folder",
      ],
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
      "export everything into a folder: files with sidecars, albums, " +
      "checksums and receipts; run it again to add what is new",
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
      "list your files: all of them, those that match every word (a " +
      "name, june, 2024-06, photos, favourites, archived, a camera), or " +
      "those with the given ids",
    example: "ls june 2024",
    async run(cli: CliContext, _: CliOptions, words: string[]) {
      const { list } = await import("./listing.ts");
      await list(cli, words);
    },
  },
  {
    usage: "get <words...>",
    description: "write one original file to standard output",
    options: [
      ["--video", "the video of a live photo instead"],
      ["--sidecar <kind>", "its metadata instead: json or xmp"],
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
    options: [["--yes", "allow more than one file"]],
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
    description: "show your files as a read-only folder on this machine, for " +
      "Finder, Explorer, davfs2 and rclone, until you end it",
    options: [
      ["--listen <host:port>", "on this machine", "127.0.0.1:8471"],
      [
        "--layout <path>",
        "the path of each file, from {yyyy}, {mm}, {dd}, {path}, {name} " +
        "and {id}",
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
      "check what the server stores, and say what is proven; ends with " +
      "status 4 if something is wrong",
    options: [
      ["--deep", "the server reads and hashes the bytes again"],
      ["--download", "read everything back here and hash it"],
      ["--sample <share>", "check only this share of the files, such as 5%"],
      [
        "--receipts [kept]",
        "check every receipt of the account; digest stores only 150 bytes " +
        "of each here from now on, whole stores all of it",
      ],
      [
        "--heal [folder]",
        "store missing and damaged files again, from other copies at the " +
        "server and from a folder of originals",
      ],
      ["--local <folder>", "list the files of a folder that are not stored"],
      [
        "--safe-to-delete <folder>",
        "list in its SAFE-TO-DELETE.txt the files that are proven to be " +
        "stored: receipts verified, read again by the server; deletes " +
        "nothing",
      ],
      [
        "--report <file>",
        "save a report of what is missing, with the server's receipts",
      ],
      [
        "--log",
        "look every receipt up in the server's public log, and compare what " +
        "the log says of your keys with what your devices did",
      ],
      [
        "--app",
        "compare the web app that the server sends with the one in this " +
        "program, byte for byte",
      ],
    ],
    example: "verify --deep --sample 5%",
    async run(
      cli: CliContext,
      options: CliOptions & VerifyOptions,
      words: string[],
    ) {
      const { verify } = await import("../proofs/verifying.ts");
      await verify(cli, words, options);
    },
  },
  {
    usage: "proof <photo>",
    description:
      "write a file that proves to anyone who has the photo that the server " +
      "signed for it, when, and who witnessed that. Name a file on this " +
      "machine, or words to search for. The proof has the key of this one " +
      "photo. Ends with status 75 while the public log does not contain it yet",
    options: [PROOF_FILE],
    example: "proof walk.jpg",
    async run(
      cli: CliContext,
      options: CliOptions & ProveOptions,
      photo: string,
    ) {
      const { provePhotoOf } = await import("../proofs/proof.ts");
      await provePhotoOf(cli, photo, options);
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
    description: "remove the mark; the files stay",
    example: "favourite rm 3f2a91bc",
    async run(cli: CliContext, _: CliOptions, words: string[]) {
      const { markFavourite } = await import("./listing.ts");
      await markFavourite(cli, words, false);
    },
  },
];

/** `archive …`. */
export const ARCHIVE_ROWS: readonly Row[] = [
  {
    usage: "add <words...>",
    description:
      "archive files: they leave the timeline, and stay in albums and searches",
    example: "archive add 3f2a91bc",
    async run(cli: CliContext, _: CliOptions, words: string[]) {
      const { markArchived } = await import("./listing.ts");
      await markArchived(cli, words, true);
    },
  },
  {
    usage: "rm <words...>",
    description: "take files back into the timeline",
    example: "archive rm 3f2a91bc",
    async run(cli: CliContext, _: CliOptions, words: string[]) {
      const { markArchived } = await import("./listing.ts");
      await markArchived(cli, words, false);
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
    description: "restore files from the trash",
    example: "trash restore 3f2a91bc",
    async run(cli: CliContext, _: CliOptions, words: string[]) {
      const { restore } = await import("./listing.ts");
      await restore(cli, words);
    },
  },
  {
    usage: "empty",
    description: "delete everything in the trash permanently",
    options: [["--yes", "confirm it"]],
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
    description:
      "write a file that proves what the server signed for a photo, and " +
      "that its public log contains it. Name a file on this machine, or " +
      "words to search for. Ends with status 75 while the log does not " +
      "contain it yet",
    options: [PROOF_FILE],
    example: "receipts prove walk.jpg",
    async run(
      cli: CliContext,
      options: CliOptions & ProveOptions,
      photo: string,
    ) {
      const { proveOne } = await import("../proofs/proof.ts");
      await proveOne(cli, photo, options);
    },
  },
];

/** `missing …`. */
export const MISSING_ROWS: readonly Row[] = [
  {
    usage: "ls",
    description:
      "list photos that the server lost although you did not delete " +
      "them; ends with status 4 if there are any",
    example: "missing ls",
    async run(cli: CliContext) {
      const { listMissing } = await import("../proofs/missing.ts");
      await listMissing(cli);
    },
  },
  {
    usage: "forget <words...>",
    description: "give up missing photos: they are no longer reported",
    options: [["--yes", "allow several"]],
    example: "missing forget 3f2a91bc",
    async run(
      cli: CliContext,
      options: CliOptions & { yes?: true },
      words: string[],
    ) {
      const { forgetMissing } = await import("../proofs/missing.ts");
      await forgetMissing(cli, words, options);
    },
  },
];
