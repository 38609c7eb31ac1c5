/**
 * `strongroom share` and `links`: what is looked for, for whoever has the link.
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";
import { canBePlaceless, type Row } from "../../../library/mod.ts";
import { shareBothWays } from "../../../library/sharing/both_ways.ts";
import type { MadeShare, NewShare } from "../../../library/sharing/links.ts";
import {
  assetsOf,
  followLinks,
} from "../../../library/sharing/following_links.ts";
import {
  followed,
  type FollowedList,
  isFollowing,
} from "../../../library/sharing/link_notes.ts";
import { countPlaceless } from "../../../library/sharing/placeless_counts.ts";
import { counted } from "../../../core/sizes.ts";
import { toRfc3339 } from "../../../core/time.ts";
import { spanOf } from "../span.ts";
import { printable } from "../../phrasing.ts";
import { chosen, everything } from "../files/listing.ts";
import type { CliContext } from "../cli_context.ts";
import { albumOf } from "./albums.ts";
import { qrCodeOf } from "./qr_code.ts";
import { catchUp } from "../following.ts";

/** The options of `share`. */
export interface ShareOptions {
  /** Everything, instead of what words mean. */
  readonly all?: true;
  /** An album's title, or the first letters of its id; and what comes later. */
  readonly album?: string;
  /** Of an album: what comes later is not shown. */
  readonly asNow?: true;
  /** Of an album: whoever has the link can add to it. */
  readonly mayAdd?: true;
  /** With `mayAdd`: they may give hearts and comments, too. */
  readonly mayReact?: true;
  readonly title?: string;
  readonly expires?: string;
  readonly passphraseFile?: string;
  /** Originals, also of photos that contain where they were taken. */
  readonly withPlaces?: true;
  readonly qr?: true;
}

/** Names that are said of what a link shows. */
const MOST_NAMES = 5;

/** Makes a link to what is looked for. */
export async function share(
  cli: CliContext,
  words: readonly string[],
  options: ShareOptions,
): Promise<void> {
  const ways = [words.length > 0, options.all, options.album !== undefined];
  if (options.mayReact && !options.mayAdd) {
    throw new OperatorFault("--may-react is for --may-add");
  }
  if (ways.filter((one) => one === true).length !== 1) {
    throw new OperatorFault(
      "name what to share: words that find it, --album, or --all",
    );
  }
  const expiresAt = options.expires === undefined
    ? undefined
    : toRfc3339(cli.platform.now() + spanOf(options.expires));
  const passphrase = options.passphraseFile === undefined
    ? undefined
    : await cli.terminal.lineOf(options.passphraseFile, "the passphrase");
  const list = await listNamed(cli, options);
  const wanted = list !== undefined
    ? await photosOf(cli, list)
    : options.all
    ? await everything(cli)
    : await chosen(cli, words);
  const rows = options.withPlaces ? wanted : wanted.filter(canBePlaceless);
  const left = wanted.filter((row) => !rows.includes(row));
  if (rows.length === 0) {
    throw new OperatorFault(
      `all of them may contain a location (${namesOf(left)}) and have no ` +
        "small picture to show instead: --with-places shares them as they are",
    );
  }
  const isLiving = list !== undefined && options.asNow !== true;
  const wish = {
    assetIds: rows.map(({ id }) => id),
    places: options.withPlaces ? "kept" : "left_out",
    ...(options.title === undefined ? {} : { title: options.title }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(passphrase === undefined ? {} : { passphrase }),
  } as const;
  const { url, opaqueId } = list === undefined
    ? await cli.library.share(wish)
    : await shareList(cli, options, {
      ...wish,
      follows: followed(list),
      gives: { still: !isLiving },
    });
  cli.warn(
    `${counted(rows.length, "file")} (${namesOf(rows)})` +
      (isLiving ? ", and what comes into the album later, for" : ", for") +
      " anyone who has this link" +
      (passphrase === undefined ? "" : " and the passphrase") +
      (expiresAt === undefined ? "" : `, until ${expiresAt}`) + ":",
  );
  const { copies, edited, stills } = countPlaceless(rows);
  if (edited > 0) {
    cli.warn(
      `${counted(edited, "photo")} ${
        edited === 1 ? "was edited and is a smaller copy" : "were edited and " +
          "are smaller copies"
      } as edited`,
    );
  }
  if (options.withPlaces !== true && copies + stills > 0) {
    cli.warn(
      `${counted(copies + stills, "file")} ${
        copies + stills === 1 ? "is a smaller copy" : "are smaller copies"
      } without their location (--with-places)`,
    );
  }
  if (left.length > 0) {
    cli.warn(
      `${counted(left.length, "file")} left out, because they may contain a ` +
        `location: ${namesOf(left)} (--with-places)`,
    );
  }
  if (options.qr) cli.show(qrCodeOf(url));
  cli.tell(
    {
      event: "shared",
      id: opaqueId,
      url,
      count: rows.length,
      left_out: left.map(({ id }) => id),
      expires_at: expiresAt,
    },
    url,
  );
}

function shareList(
  { library }: CliContext,
  { mayAdd, mayReact }: ShareOptions,
  share: NewShare & { readonly follows: string },
): Promise<MadeShare> {
  // No command shows or deletes hearts and comments.
  const gives = { ...share.gives, reacts: mayReact === true };
  return mayAdd
    ? shareBothWays(library, { ...share, gives })
    : library.share(share);
}

/** The album that is shared. */
async function listNamed(
  cli: CliContext,
  { album, asNow, mayAdd }: ShareOptions,
): Promise<FollowedList | undefined> {
  if (album === undefined) {
    if (asNow || mayAdd) {
      throw new OperatorFault(
        `${asNow ? "--as-now" : "--may-add"} is for --album`,
      );
    }
    return undefined;
  }
  const { id } = await albumOf(cli, album);
  return { kind: "album", id };
}

/** What is in an album and may be shown, with its place too. */
async function photosOf(
  { library }: CliContext,
  list: FollowedList,
): Promise<readonly Row[]> {
  const gives = { places: "kept" };
  const ids = await assetsOf(library, list, { gives });
  const rows = ids?.flatMap((id) => library.index.get(id) ?? []) ?? [];
  if (rows.length > 0) return rows;
  throw new OperatorFault("nothing in the album can be shared with a link");
}

/** The first names, so that no one shares more than they meant to. */
function namesOf(rows: readonly Row[]): string {
  const names = rows.slice(0, MOST_NAMES).map(({ id, metadata }) =>
    printable(metadata?.name ?? id)
  );
  const more = rows.length - names.length;
  return [...names, ...more > 0 ? [`${more} more`] : []].join(", ");
}

/** Lists the links that are open. */
export async function listLinks(cli: CliContext): Promise<void> {
  await catchUp(cli);
  const links = await cli.library.shares();
  for (const link of links) {
    cli.tell(
      {
        event: "link",
        id: link.opaque_id,
        url: link.url,
        title: link.title,
        follows: isFollowing(cli.library.state.held.links[link.opaque_id]),
        created_at: link.created_at,
        expires_at: link.expires_at,
        last_viewed_at: link.last_viewed_at,
      },
      [
        link.opaque_id.slice(0, 8),
        link.created_at.slice(0, 10),
        printable(link.title ?? ""),
        link.expires_at === undefined ? "" : `until ${link.expires_at}`,
        link.url ?? "(made elsewhere)",
      ].filter((text) => text !== "").join("  "),
    );
  }
  const requests = await cli.library.requests();
  for (const { opaque_id: id, url, note, isMine, ...entry } of requests) {
    cli.tell(
      {
        event: "upload_link",
        id,
        url,
        note,
        mine: isMine,
        created_at: entry.created_at,
        expires_at: entry.expires_at,
        files_used: entry.files_used,
        bytes_used: entry.bytes_used,
      },
      [
        id.slice(0, 8),
        entry.created_at.slice(0, 10),
        isMine ? "for your own phone" : "for others to send",
        printable(note ?? ""),
        `until ${entry.expires_at}`,
        url,
      ].filter((text) => text !== "").join("  "),
    );
  }
  cli.tell(
    { event: "end", status: 0, count: links.length + requests.length },
    counted(links.length + requests.length, "link"),
  );
}

/** Ends a link: nothing opens by it, and nothing comes by it, any more. */
export async function endLink(cli: CliContext, given: string): Promise<void> {
  const { library } = cli;
  await catchUp(cli);
  const shares = (await library.shares()).map(({ opaque_id: id }) => id);
  const requests = (await library.requests()).map(({ opaque_id: id }) => id);
  const id = onlyOne([...shares, ...requests], given);
  if (shares.includes(id)) await library.revokeShare(id);
  else await library.revokeRequest(id);
  cli.tell({ event: "link_ended", id }, "the link is ended");
}

/** Says whether a link to an album shows what comes into it later. */
export async function followLink(
  cli: CliContext,
  given: string,
  follows: boolean,
): Promise<void> {
  const { library } = cli;
  await catchUp(cli);
  const shares = (await library.shares()).map(({ opaque_id: id }) => id);
  const id = onlyOne(shares, given);
  if (library.state.held.links[id]?.gives === undefined) {
    throw new OperatorFault(
      "that is no link to an album: `strongroom share --album` makes one",
    );
  }
  await library.followList(id, { still: !follows });
  await followLinks(library);
  cli.tell(
    { event: "link_follows", id, follows },
    follows
      ? "the link shows what comes into its album later, too"
      : "the link stays as it is now",
  );
}

/** Says whether what comes by an upload link is accepted without asking. */
export async function markLink(
  cli: CliContext,
  given: string,
  mine: boolean,
): Promise<void> {
  const { library } = cli;
  await catchUp(cli);
  const requests = (await library.requests()).map(({ opaque_id: id }) => id);
  const id = onlyOne(requests, given);
  await library.markMine(id, mine);
  cli.tell(
    { event: "link_marked", id, mine },
    mine
      ? "your devices accept everything sent through this link without " +
        "asking: keep it to yourself"
      : "files sent through this link wait until you accept them",
  );
}

/** Throws an OperatorFault where none or several begin like that. */
function onlyOne(ids: readonly string[], given: string): string {
  const meant = ids.filter((id) => id.startsWith(given));
  const [id] = meant;
  if (id !== undefined && meant.length === 1 && given.length >= 4) return id;
  throw new OperatorFault(
    "give the letters that `strongroom links ls` shows first for a link",
  );
}
