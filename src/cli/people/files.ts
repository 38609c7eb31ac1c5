/**
 * The files of a folder, in the order of their names, without what a person
 * would not call a file of theirs.
 *
 * @module
 */
import { reasonOf } from "../../core/reason.ts";
import { OperatorFault } from "../../core/operator.ts";
import { pairByName } from "../../client/exports/live_photos.ts";
import { basename, join, relative, resolve, sep } from "node:path";

/** A file that was found. */
export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  readonly name: string;
  /** Its folders below the folder that was named, with `/` between. */
  readonly folder: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  readonly inode: number | null;
  /** One of its name that may be its film; not found again by itself. */
  readonly film?: FoundFile;
}

/** Something that was passed over, and why. */
export interface PassedOver {
  readonly path: string;
  readonly why: string;
  /** A folder that could not be looked into. */
  readonly isUnread?: true;
}

/** What systems and cameras leave behind, which nobody misses. */
const LITTER = new Set([
  "thumbs.db",
  "desktop.ini",
  "@eadir",
  "lost+found",
  "$recycle.bin",
  "system volume information",
]);
const IGNORE_FILE = ".strongroomignore";
/** Longer lists are somebody's mistake (bytes). */
const IGNORE_MAX_BYTES = 1024 * 1024;

/** How a folder is looked through. */
export interface Looking {
  /** Patterns as in `.strongroomignore`. */
  readonly exclude: readonly string[];
  readonly onPassedOver: (passed: PassedOver) => void;
  readonly signal: AbortSignal;
  /** Folders that are looked into although their names begin with a dot. */
  readonly hidden?: readonly string[];
  /** A film that lies beside a still of its name comes with it. */
  readonly withFilms?: true;
}

/**
 * Every file of a path, which may be one. Names that begin with a dot, links
 * and devices are passed over; a pattern of `.strongroomignore` holds for the
 * folder that it lies in and all below.
 */
export async function* filesOf(
  given: string,
  looking: Looking,
): AsyncGenerator<FoundFile> {
  const root = resolve(given);
  const info = await rootInfo(given);
  if (!info.isDirectory) {
    yield found(root, "", info);
    return;
  }
  yield* below(root, root, looking, looking.exclude.map(patternOf));
}

/** What a path that somebody named is. */
export async function rootInfo(given: string): Promise<Deno.FileInfo> {
  try {
    return await Deno.stat(given);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      throw new OperatorFault(`${given}: there is no such file or folder`);
    }
    if (error instanceof Deno.errors.PermissionDenied) {
      throw new OperatorFault(`${given}: you may not read it`);
    }
    throw error;
  }
}

type Pattern = (path: string, name: string) => boolean;

async function* below(
  root: string,
  folder: string,
  looking: Looking,
  outer: readonly Pattern[],
): AsyncGenerator<FoundFile> {
  looking.signal.throwIfAborted();
  let entries: Deno.DirEntry[];
  try {
    entries = await Array.fromAsync(Deno.readDir(folder));
  } catch (error) {
    looking.onPassedOver({
      path: folder,
      why: reasonOf(error),
      isUnread: true,
    });
    return;
  }
  entries.sort((a, b) => a.name < b.name ? -1 : 1);
  const patterns = [...outer, ...await ignoredIn(root, folder, entries)];
  const insideOf = (name: string) =>
    relative(root, join(folder, name)).split(sep).join("/");
  const wanted = entries.filter(({ name }) =>
    (!name.startsWith(".") || looking.hidden?.includes(name)) &&
    !LITTER.has(name.toLowerCase()) &&
    !patterns.some((pattern) => pattern(insideOf(name), name))
  );
  const films = looking.withFilms
    ? filmsAmong(wanted)
    : new Map<string, string>();
  const paired = new Set(films.values());
  const fileOf = async (name: string) => {
    const path = join(folder, name);
    const info = await Deno.stat(path).catch(() => undefined);
    if (info === undefined) {
      looking.onPassedOver({ path, why: "it is gone" });
      return undefined;
    }
    const inside = insideOf(name);
    const at = inside.lastIndexOf("/");
    return found(path, at < 0 ? "" : inside.slice(0, at), info);
  };
  for (const { name, isDirectory, isFile, isSymlink } of wanted) {
    const path = join(folder, name);
    if (isDirectory) {
      yield* below(root, path, looking, patterns);
    } else if (isFile) {
      if (paired.has(name)) continue;
      const file = await fileOf(name);
      const beside = films.get(name);
      const film = beside === undefined ? undefined : await fileOf(beside);
      if (file === undefined) {
        // The film is left, and is one of its own.
        if (film !== undefined) yield film;
        continue;
      }
      yield film === undefined ? file : { ...file, film };
    } else {
      looking.onPassedOver({
        path,
        why: isSymlink ? "a link, which is not followed" : "no file",
      });
    }
  }
}

/** Names of films by those of their stills. */
function filmsAmong(entries: readonly Deno.DirEntry[]): Map<string, string> {
  const files = entries.filter(({ isFile }) => isFile)
    .map(({ name }) => ({ path: name }));
  return new Map(
    [...pairByName(files)].map(([still, film]) => [still.path, film.path]),
  );
}

function found(path: string, folder: string, info: Deno.FileInfo): FoundFile {
  return {
    path,
    name: basename(path),
    folder,
    size: info.size,
    modifiedAt: info.mtime?.getTime() ?? 0,
    inode: info.ino,
  };
}

async function ignoredIn(
  root: string,
  folder: string,
  entries: readonly Deno.DirEntry[],
): Promise<Pattern[]> {
  const listed = entries.some(({ name, isFile }) =>
    isFile && name === IGNORE_FILE
  );
  if (!listed) return [];
  const path = join(folder, IGNORE_FILE);
  if ((await Deno.stat(path)).size > IGNORE_MAX_BYTES) return [];
  return (await Deno.readTextFile(path)).split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map(patternOf)
    .map((pattern) => (inside, name) =>
      // A path of a list goes from the folder that the list lies in.
      pattern(relative(folder, join(root, inside)).split(sep).join("/"), name)
    );
}

/**
 * A pattern as gitignore has them: `*` and `?` within a name, `**` across
 * folders; one without a slash is met by the name alone.
 */
export function patternOf(text: string): Pattern {
  const given = text.replace(/\/$/, "");
  const byName = !given.includes("/");
  const source = given.replace(/^\//, "")
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("**/", "\u0000")
    .replaceAll("**", "\u0001")
    .replaceAll("*", "[^/]*")
    .replaceAll("?", "[^/]")
    .replaceAll("\u0000", "(?:.*/)?")
    .replaceAll("\u0001", ".*");
  const expression = new RegExp(`^${source}$`, "u");
  return (path, name) => expression.test(byName ? name : path);
}
