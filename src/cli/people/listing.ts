/**
 * `strongroom ls`, `get`, `rm` and `trash`: what is in the library, one of it,
 * and what is thrown away.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import { type Row, takenAt } from "../../client/library/mod.ts";
import { localDay, queryOf } from "../../client/library/search.ts";
import { bytesInWords, counted } from "../../core/sizes.ts";
import { writeOut } from "../streams.ts";
import { printable } from "../words.ts";
import type { Person } from "./person.ts";
import { nameUnopened } from "./pull.ts";
import { followFeed } from "./push.ts";

/**
 * Assets that a query means, newest first; refuses where there are none, and a
 * query without a word: an empty variable of a script would mean everything.
 */
export async function chosen(
  person: Person,
  words: readonly string[],
): Promise<readonly Row[]> {
  const text = words.join(" ").trim();
  if (text === "") throw new OperatorFault("say which: no word was given");
  await followFeed(person);
  const rows = person.library.list().filter(queryOf(text));
  if (rows.length > 0) return rows;
  throw new OperatorFault(`nothing is found for "${text}"`);
}

/** Everything in the library, newest first; refuses an empty one. */
export async function everything(person: Person): Promise<readonly Row[]> {
  await followFeed(person);
  const rows = person.library.list();
  if (rows.length > 0) return rows;
  throw new OperatorFault("the library is empty");
}

/** Lists what is looked for. */
export async function list(
  person: Person,
  words: readonly string[],
): Promise<void> {
  await followFeed(person);
  const rows = person.library.list().filter(queryOf(words.join(" ")));
  for (const row of rows) tellRow(person, row);
  if (words.length === 0) nameUnopened(person);
  const bytes = rows.reduce((sum, row) => sum + (row.metadata?.size ?? 0), 0);
  person.tell(
    { event: "end", status: 0, count: rows.length, bytes },
    `${counted(rows.length, "file")}, ${bytesInWords(bytes)}`,
  );
}

function tellRow({ tell }: Person, row: Row): void {
  const { metadata } = row;
  const name = metadata?.name ?? "";
  tell(
    {
      event: "asset",
      asset_id: row.id,
      name,
      mime: metadata?.mime,
      size: metadata?.size,
      sha256: metadata?.sha256,
      taken_at: new Date(takenAt(row)).toISOString(),
      custody: row.custody,
    },
    [
      row.id.slice(0, 8),
      localDay(row).toISOString().slice(0, 16).replace("T", " "),
      bytesInWords(metadata?.size ?? 0).padStart(9),
      row.custody.padEnd(10),
      printable(name),
    ].join("  "),
  );
}

/** Writes one file's bytes to standard output. */
export async function get(
  person: Person,
  words: readonly string[],
): Promise<void> {
  const rows = await chosen(person, words);
  const [row] = rows;
  if (row === undefined || rows.length > 1) {
    throw new OperatorFault(
      `${counted(rows.length, "file")} are meant by that: say which, by the ` +
        "first letters that `ls` shows",
    );
  }
  for await (
    const bytes of person.library.read(row.id, "original", {
      signal: person.signal,
    })
  ) writeOut(bytes, person.streams.stdout);
}

/** Moves what is looked for to the trash. */
export async function remove(
  person: Person,
  words: readonly string[],
  { yes }: { readonly yes?: true },
): Promise<void> {
  if (words.length === 0) throw new OperatorFault("say what is to go");
  const rows = await chosen(person, words);
  if (rows.length > 1 && yes !== true) {
    for (const row of rows.slice(0, 20)) tellRow(person, row);
    throw new OperatorFault(
      `${counted(rows.length, "file")} would go to the trash: if that is ` +
        "meant, say so with --yes",
    );
  }
  for (const row of rows) {
    person.signal.throwIfAborted();
    await person.library.trash(row.id);
    person.tell(
      { event: "trashed", asset_id: row.id },
      `in the trash: ${printable(row.metadata?.name ?? row.id)}`,
    );
  }
}

/** What is in the trash. */
export async function listTrash(person: Person): Promise<void> {
  await followFeed(person);
  const rows = trashed(person, "");
  for (const row of rows) tellRow(person, row);
  person.tell(
    { event: "end", status: 0, count: rows.length },
    `${counted(rows.length, "file")} in the trash`,
  );
}

/** Takes what is looked for out of the trash. */
export async function restore(
  person: Person,
  words: readonly string[],
): Promise<void> {
  await followFeed(person);
  const rows = trashed(person, words.join(" "));
  if (rows.length === 0) {
    throw new OperatorFault("nothing like that is in the trash");
  }
  for (const row of rows) {
    person.signal.throwIfAborted();
    await person.library.restore(row.id);
    person.tell(
      { event: "restored_asset", asset_id: row.id },
      `back: ${printable(row.metadata?.name ?? row.id)}`,
    );
  }
}

/** Ends what is in the trash for good. */
export async function emptyTrash(
  person: Person,
  { yes }: { readonly yes?: true },
): Promise<void> {
  await followFeed(person);
  const rows = trashed(person, "");
  if (!yes) {
    throw new OperatorFault(
      `${counted(rows.length, "file")} would be gone for good: if that is ` +
        "meant, say so with --yes",
    );
  }
  const { assets, bytes } = await person.library.emptyTrash();
  person.tell(
    { event: "trash_emptied", assets, bytes },
    `${counted(assets, "file")} gone for good (${bytesInWords(bytes)})`,
  );
}

function trashed({ library }: Person, text: string): readonly Row[] {
  const meant = queryOf(text);
  return [...library.index.rows()]
    .filter((row) => row.state === "deleted" && meant(row))
    .sort((a, b) => takenAt(b) - takenAt(a));
}
