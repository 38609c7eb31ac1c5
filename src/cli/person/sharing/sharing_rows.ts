/**
 * The commands about other people: links, guests and albums.
 *
 * @module
 */
import type { RequestOptions } from "./guests.ts";
import type { CliContext, CliOptions } from "../cli_context.ts";
import { QR, type Row } from "../row.ts";
import type { CardOptions } from "./contacts.ts";
import { LINK_FILE, linkOf, type LinkOptions } from "./secret_link.ts";
import type { ShareOptions } from "./sharing.ts";

/** `share` and `request`. */
export const SHARING_ROWS: readonly Row[] = [
  {
    usage: "share [words...]",
    description: "make a link that shows files to anyone who has it",
    options: [
      ["--all", "share everything instead of what the words find"],
      [
        "--album <album>",
        "share an album, and what comes into it later: its title, or the " +
        "first letters of its id",
      ],
      ["--as-now", "with --album: only what is in it now"],
      [
        "--may-add",
        "with --album: whoever has the link can add files, which wait in " +
        "your inbox",
      ],
      [
        "--may-react",
        "with --may-add: they can give hearts and comments, too, which you " +
        "see and delete in the app",
      ],
      ["--title <text>", "the title of the page"],
      ["--expires <time>", "ends after 45m, 12h, 7d, 2w"],
      [
        "--passphrase-file <path>",
        "a file whose first line is a passphrase that the link asks for",
      ],
      ["--with-places", "share original files, including their locations"],
      QR,
    ],
    example: "share june 2024 --expires 7d --title 'Our walk'",
    async run(
      cli: CliContext,
      options: CliOptions & ShareOptions,
      words: string[],
    ) {
      const { share } = await import("./sharing.ts");
      await share(cli, words, options);
    },
  },
  {
    usage: "save [link]",
    description: "save what a link of your server shows to your library",
    options: [
      LINK_FILE,
      ["--passphrase-file <path>", "the link's passphrase, if it has one"],
    ],
    example: "save --link-file ~/link",
    async run(
      cli: CliContext,
      options: CliOptions & LinkOptions & { passphraseFile?: string },
      given: string | undefined,
    ) {
      const { saveLink } = await import("./saving_link.ts");
      await saveLink(cli, await linkOf(cli, given, options), options);
    },
  },
  {
    usage: "request",
    description: "make a link through which others send you files",
    options: [
      ["--expires <time>", "ends after 12h, 7d, 2w", "7d"],
      ["--max-bytes <size>", "in all", "2GiB"],
      ["--max-files <count>", "in all", "500"],
      [
        "--passphrase-file <path>",
        "a file whose first line is a passphrase that the link asks for",
      ],
      ["--mine", "for your own phone: accept files without asking"],
      QR,
    ],
    example: "request --expires 3d",
    async run(cli: CliContext, options: CliOptions & RequestOptions) {
      const { request } = await import("./guests.ts");
      await request(cli, options);
    },
  },
];

/** `links …`. */
export const LINK_ROWS: readonly Row[] = [
  {
    usage: "ls",
    description: "list them",
    example: "links ls",
    async run(cli: CliContext) {
      const { listLinks } = await import("./sharing.ts");
      await listLinks(cli);
    },
  },
  {
    usage: "follow <id>",
    description: "have the link of an album show what comes into it later",
    options: [["--off", "leave the link as it is now"]],
    example: "links follow 3f2a91bc",
    async run(
      cli: CliContext,
      options: CliOptions & { off?: true },
      id: string,
    ) {
      const { followLink } = await import("./sharing.ts");
      await followLink(cli, id, options.off !== true);
    },
  },
  {
    usage: "mine <id>",
    description: "accept files from this upload link without asking",
    options: [["--off", "ask again"]],
    example: "links mine 3f2a91bc",
    async run(
      cli: CliContext,
      options: CliOptions & { off?: true },
      id: string,
    ) {
      const { markLink } = await import("./sharing.ts");
      await markLink(cli, id, options.off !== true);
    },
  },
  {
    usage: "end <id>",
    description: "end a link: it stops working",
    example: "links end 3f2a91bc",
    async run(cli: CliContext, _: CliOptions, id: string) {
      const { endLink } = await import("./sharing.ts");
      await endLink(cli, id);
    },
  },
];

/** `inbox …`. */
export const INBOX_ROWS: readonly Row[] = [
  {
    usage: "ls",
    description: "list it",
    example: "inbox ls",
    async run(cli: CliContext) {
      const { inbox } = await import("./guests.ts");
      await inbox(cli);
    },
  },
  {
    usage: "accept <ids...>",
    description:
      "accept files into your library: by id, all, or mine (from your " +
      "own upload links)",
    example: "inbox accept all",
    async run(cli: CliContext, _: CliOptions, ids: string[]) {
      const { decide } = await import("./guests.ts");
      await decide(cli, ids, "accept");
    },
  },
  {
    usage: "refuse <ids...>",
    description: "refuse files, which deletes them",
    example: "inbox refuse 3f2a91bc",
    async run(cli: CliContext, _: CliOptions, ids: string[]) {
      const { decide } = await import("./guests.ts");
      await decide(cli, ids, "refuse");
    },
  },
];

/** `contact …`. */
export const CONTACT_ROWS: readonly Row[] = [
  {
    usage: "card",
    description:
      "make a contact card, with which someone on another server can let you " +
      "into an album",
    options: [
      ["--name <text>", "what you call yourself"],
      ["--days <number>", "how long it is good, at most 90", "7"],
      ["--file <path>", "also write it to a file, NAME.strongroom-contact"],
      QR,
    ],
    example: "contact card --name Bob",
    async run(cli: CliContext, options: CliOptions & CardOptions) {
      const { makeOwnCard } = await import("./contacts.ts");
      await makeOwnCard(cli, options);
    },
  },
  {
    usage: "add [card]",
    description: "add someone by their card: a link, a file, or its text",
    options: [
      LINK_FILE,
      [
        "--believe <fingerprint>",
        "they told you that they have new keys, with this fingerprint",
      ],
    ],
    example: "contact add Bob.strongroom-contact",
    async run(
      cli: CliContext,
      options: CliOptions & LinkOptions & { believe?: string },
      card: string | undefined,
    ) {
      const { addCard } = await import("./contacts.ts");
      await addCard(cli, card, options);
    },
  },
  {
    usage: "ls",
    description: "list them",
    example: "contact ls",
    async run(cli: CliContext) {
      const { listCards } = await import("./contacts.ts");
      await listCards(cli);
    },
  },
  {
    usage: "compare <contact>",
    description: "show the number that you and they have to compare",
    options: [["--same", "you have compared it, and it is the same"]],
    example: "contact compare Bob --same",
    async run(
      cli: CliContext,
      options: CliOptions & { same?: true },
      contact: string,
    ) {
      const { compareContact } = await import("./contacts.ts");
      await compareContact(cli, contact, options);
    },
  },
  {
    usage: "rm <contact>",
    description: "remove a contact, or withdraw a card of yours by its id",
    example: "contact rm Bob",
    async run(cli: CliContext, _: CliOptions, contact: string) {
      const { removeContact } = await import("./contacts.ts");
      await removeContact(cli, contact);
    },
  },
];

/** `album …`. */
export const ALBUM_ROWS: readonly Row[] = [
  {
    usage: "ls",
    description: "list them",
    example: "album ls",
    async run(cli: CliContext) {
      const { listAlbums } = await import("./albums.ts");
      await listAlbums(cli);
    },
  },
  {
    usage: "new <title>",
    description: "make one",
    example: "album new 'Summer 2026'",
    async run(cli: CliContext, _: CliOptions, title: string) {
      const { createAlbum } = await import("./albums.ts");
      await createAlbum(cli, title);
    },
  },
  {
    usage: "favourite <album>",
    description: "mark an album as a favourite: lists show it first",
    example: "album favourite 'Summer 2026'",
    async run(cli: CliContext, _: CliOptions, album: string) {
      const { markFavouriteAlbum } = await import("./albums.ts");
      await markFavouriteAlbum(cli, album, true);
    },
  },
  {
    usage: "unfavourite <album>",
    description: "take that mark away",
    example: "album unfavourite 'Summer 2026'",
    async run(cli: CliContext, _: CliOptions, album: string) {
      const { markFavouriteAlbum } = await import("./albums.ts");
      await markFavouriteAlbum(cli, album, false);
    },
  },
  {
    usage: "save <album>",
    description: "save the photos of others in an album to your own library; " +
      "each is read whole first, and nothing is sent again",
    example: "album save 'Summer 2026'",
    async run(cli: CliContext, _: CliOptions, album: string) {
      const { saveAlbum } = await import("./albums.ts");
      await saveAlbum(cli, album);
    },
  },
  {
    usage: "invite <album> <person>",
    description:
      "invite a person into an album, by their address, or a contact of " +
      "another server by their name",
    options: [
      ["--role <role>", "viewer or contributor", "viewer"],
      [
        "--small",
        "let a contact of another server see the small pictures and not " +
        "the originals",
      ],
    ],
    example: "album invite 'Summer 2026' bob@example.org --role contributor",
    async run(
      cli: CliContext,
      options: CliOptions & { role: string; small?: true },
      album: string,
      person: string,
    ) {
      const { invite } = await import("./albums.ts");
      await invite(cli, album, person, options);
    },
  },
  {
    usage: "remove <album> <person>",
    description: "remove a member from an album, which gets a new key",
    example: "album remove 'Summer 2026' bob@example.org",
    async run(
      cli: CliContext,
      _: CliOptions,
      album: string,
      person: string,
    ) {
      const { removeMember } = await import("./albums.ts");
      await removeMember(cli, album, person);
    },
  },
  {
    usage: "accept [album]",
    description:
      "accept an invitation: of an album by its title, or of another server " +
      "by its link or its id",
    options: [LINK_FILE],
    example: "album accept 'Summer 2026'",
    async run(
      cli: CliContext,
      options: CliOptions & LinkOptions,
      album: string | undefined,
    ) {
      const { answerInvitation } = await import("./invitations.ts");
      const given = await linkOf(cli, album, options);
      await answerInvitation(cli, given, "accept");
    },
  },
  {
    usage: "decline <album>",
    description: "decline an invitation",
    example: "album decline 'Summer 2026'",
    async run(cli: CliContext, _: CliOptions, album: string) {
      const { answerInvitation } = await import("./invitations.ts");
      await answerInvitation(cli, album, "decline");
    },
  },
  {
    usage: "block <person>",
    description:
      "hide all invitations from a person, given by address or user id",
    example: "album block mallory@example.org",
    async run(cli: CliContext, _: CliOptions, given: string) {
      const { block } = await import("./invitations.ts");
      await block(cli, given, true);
    },
  },
  {
    usage: "unblock <person>",
    description: "show a person's invitations again",
    example: "album unblock mallory@example.org",
    async run(cli: CliContext, _: CliOptions, given: string) {
      const { block } = await import("./invitations.ts");
      await block(cli, given, false);
    },
  },
  {
    usage: "ask <album>",
    description:
      "ask the owner of a paused album of another server to let you see it " +
      "again, once a day",
    options: [["--text <text>", "what you say to them"]],
    example: "album ask Bornholm --text 'May I see it again?'",
    async run(
      cli: CliContext,
      options: CliOptions & { text?: string },
      album: string,
    ) {
      const { askForAlbum } = await import("./invitations.ts");
      await askForAlbum(cli, album, options);
    },
  },
  {
    usage: "leave <album>",
    description:
      "leave another person's album, or end an empty one of your own",
    example: "album leave 'Summer 2026'",
    async run(cli: CliContext, _: CliOptions, album: string) {
      const { leave } = await import("./albums.ts");
      await leave(cli, album);
    },
  },
];
