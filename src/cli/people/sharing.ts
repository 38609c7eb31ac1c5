/**
 * `strongroom share` and `links`: what is looked for, for whoever has the link.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import { canBePlaceless, type Row } from "../../client/library/mod.ts";
import { counted } from "../../core/sizes.ts";
import { HOUR_MS, MINUTE_MS, toRfc3339 } from "../../core/time.ts";
import { printable } from "../words.ts";
import { chosen, everything } from "./listing.ts";
import type { Person } from "./person.ts";
import { qrCodeOf } from "./qr_code.ts";

/** The options of `share`. */
export interface ShareOptions {
  /** Everything, instead of what words mean. */
  readonly all?: true;
  readonly title?: string;
  readonly expires?: string;
  readonly passphraseFile?: string;
  /** Originals, also of photos that contain where they were taken. */
  readonly withPlaces?: true;
  readonly qr?: true;
}

/** Names that are said of what a link shows. */
const MOST_NAMES = 5;

const UNITS: Readonly<Record<string, number>> = {
  m: MINUTE_MS,
  h: HOUR_MS,
  d: 24 * HOUR_MS,
  w: 7 * 24 * HOUR_MS,
};

/** A time from now as it is typed: `45m`, `12h`, `7d`, `2w` (ms). */
export function spanOf(text: string): number {
  const [, count, unit = ""] = /^([1-9]\d{0,4})([mhdw])$/.exec(text) ?? [];
  const length = UNITS[unit];
  if (count !== undefined && length !== undefined) {
    return Number(count) * length;
  }
  throw new OperatorFault(`${text} is no time: 45m, 12h, 7d and 2w are`);
}

/** Makes a link to what is looked for. */
export async function share(
  person: Person,
  words: readonly string[],
  options: ShareOptions,
): Promise<void> {
  if ((words.length === 0) === (options.all !== true)) {
    throw new OperatorFault(
      "say what is to be shared: words that find it, or --all",
    );
  }
  const expiresAt = options.expires === undefined
    ? undefined
    : toRfc3339(person.platform.now() + spanOf(options.expires));
  const passphrase = options.passphraseFile === undefined
    ? undefined
    : await person.terminal.lineOf(options.passphraseFile, "the passphrase");
  const wanted = options.all
    ? await everything(person)
    : await chosen(person, words);
  const rows = options.withPlaces ? wanted : wanted.filter(canBePlaceless);
  const left = wanted.filter((row) => !rows.includes(row));
  if (rows.length === 0) {
    throw new OperatorFault(
      `every one of them says where it was taken (${namesOf(left)}), and has ` +
        "no small picture to show instead: --with-places shares them as they are",
    );
  }
  const { url, opaqueId } = await person.library.share({
    assetIds: rows.map(({ id }) => id),
    places: options.withPlaces ? "kept" : "left_out",
    ...(options.title === undefined ? {} : { title: options.title }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(passphrase === undefined ? {} : { passphrase }),
  });
  person.warn(
    `${counted(rows.length, "file")} (${
      namesOf(rows)
    }), for whoever has this ` +
      "link" +
      (passphrase === undefined ? "" : " and the passphrase") +
      (expiresAt === undefined ? "" : `, until ${expiresAt}`) + ":",
  );
  if (left.length > 0) {
    person.warn(
      `${counted(left.length, "file")} left out, with where they were taken: ` +
        `${namesOf(left)} (--with-places)`,
    );
  }
  if (options.qr) person.show(qrCodeOf(url));
  person.tell(
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

/** The first names, so that nobody shares more than was meant unawares. */
function namesOf(rows: readonly Row[]): string {
  const names = rows.slice(0, MOST_NAMES).map(({ id, metadata }) =>
    printable(metadata?.name ?? id)
  );
  const more = rows.length - names.length;
  return [...names, ...more > 0 ? [`${more} more`] : []].join(", ");
}

/** Lists the links that are open. */
export async function listLinks(person: Person): Promise<void> {
  await person.library.sync({ signal: person.signal });
  const links = await person.library.shares();
  for (const link of links) {
    person.tell(
      {
        event: "link",
        id: link.opaque_id,
        url: link.url,
        title: link.title,
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
  person.tell(
    { event: "end", status: 0, count: links.length },
    counted(links.length, "link"),
  );
}

/** Ends a link: nothing opens by it any more. */
export async function endLink(person: Person, given: string): Promise<void> {
  await person.library.sync({ signal: person.signal });
  const links = await person.library.shares();
  const meant = links.filter(({ opaque_id }) => opaque_id.startsWith(given));
  const [link] = meant;
  if (link === undefined || meant.length > 1 || given.length < 4) {
    throw new OperatorFault(
      "name one link by the letters that `strongroom links` shows first",
    );
  }
  await person.library.revokeShare(link.opaque_id);
  person.tell({ event: "link_ended", id: link.opaque_id }, "the link is ended");
}
