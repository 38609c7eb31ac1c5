/**
 * The commands about other people: links, guests and albums.
 *
 * @module
 */
import type { RequestOptions } from "./guests.ts";
import type { Person, PersonOptions } from "./person.ts";
import { QR, type Row } from "./row.ts";
import type { ShareOptions } from "./sharing.ts";

/** `share` and `request`. */
export const SHARING_ROWS: readonly Row[] = [
  {
    usage: "share [words...]",
    description: "make a link to files, for whoever has it",
    options: [
      ["--all", "everything, instead of what words find"],
      ["--title <text>", "what the page is called"],
      ["--expires <time>", "ends after 45m, 12h, 7d, 2w"],
      ["--passphrase-file <path>", "asked of whoever opens it"],
      ["--with-places", "files as they are, with where they were taken"],
      QR,
    ],
    example: "share june 2024 --expires 7d --title 'Our walk'",
    async run(
      person: Person,
      options: PersonOptions & ShareOptions,
      words: string[],
    ) {
      const { share } = await import("./sharing.ts");
      await share(person, words, options);
    },
  },
  {
    usage: "request",
    description: "make a link by which others send you files",
    options: [
      ["--expires <time>", "ends after 12h, 7d, 2w", "7d"],
      ["--max-bytes <size>", "in all", "2GiB"],
      ["--max-files <count>", "in all", "500"],
      ["--passphrase-file <path>", "asked of whoever opens it"],
      QR,
    ],
    example: "request --expires 3d",
    async run(person: Person, options: PersonOptions & RequestOptions) {
      const { request } = await import("./guests.ts");
      await request(person, options);
    },
  },
];

/** `links …`. */
export const LINK_ROWS: readonly Row[] = [
  {
    usage: "ls",
    description: "list them",
    example: "links ls",
    async run(person: Person) {
      const { listLinks } = await import("./sharing.ts");
      await listLinks(person);
    },
  },
  {
    usage: "end <id>",
    description: "nothing opens by it any more",
    example: "links end 3f2a91bc",
    async run(person: Person, _: PersonOptions, id: string) {
      const { endLink } = await import("./sharing.ts");
      await endLink(person, id);
    },
  },
];

/** `inbox …`. */
export const INBOX_ROWS: readonly Row[] = [
  {
    usage: "ls",
    description: "list it",
    example: "inbox ls",
    async run(person: Person) {
      const { inbox } = await import("./guests.ts");
      await inbox(person);
    },
  },
  {
    usage: "accept <ids...>",
    description: "take files into your library: their ids, or all",
    example: "inbox accept all",
    async run(person: Person, _: PersonOptions, ids: string[]) {
      const { decide } = await import("./guests.ts");
      await decide(person, ids, "accept");
    },
  },
  {
    usage: "refuse <ids...>",
    description: "give them up",
    example: "inbox refuse 3f2a91bc",
    async run(person: Person, _: PersonOptions, ids: string[]) {
      const { decide } = await import("./guests.ts");
      await decide(person, ids, "refuse");
    },
  },
];

/** `album …`. */
export const ALBUM_ROWS: readonly Row[] = [
  {
    usage: "ls",
    description: "list them",
    example: "album ls",
    async run(person: Person) {
      const { listAlbums } = await import("./albums.ts");
      await listAlbums(person);
    },
  },
  {
    usage: "new <title>",
    description: "make one",
    example: "album new 'Summer 2026'",
    async run(person: Person, _: PersonOptions, title: string) {
      const { createAlbum } = await import("./albums.ts");
      await createAlbum(person, title);
    },
  },
  {
    usage: "invite <album> <address>",
    description: "let somebody in",
    options: [["--role <role>", "viewer or contributor", "viewer"]],
    example: "album invite 'Summer 2026' bob@example.org --role contributor",
    async run(
      person: Person,
      options: PersonOptions & { role: string },
      album: string,
      address: string,
    ) {
      const { invite } = await import("./albums.ts");
      await invite(person, album, address, options);
    },
  },
  {
    usage: "remove <album> <address>",
    description: "take somebody out: the album gets a new key",
    example: "album remove 'Summer 2026' bob@example.org",
    async run(
      person: Person,
      _: PersonOptions,
      album: string,
      address: string,
    ) {
      const { removeMember } = await import("./albums.ts");
      await removeMember(person, album, address);
    },
  },
  {
    usage: "leave <album>",
    description: "leave somebody's, or end an empty one of your own",
    example: "album leave 'Summer 2026'",
    async run(person: Person, _: PersonOptions, album: string) {
      const { leave } = await import("./albums.ts");
      await leave(person, album);
    },
  },
];
