/**
 * The files of a folder, in the order of their names, without what a person
 * would not call a file of theirs.
 *
 * @module
 */
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
}

/** Something that was passed over, and why. */
export interface PassedOver {
  readonly path: string;
  readonly why: string;
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
  const info = await Deno.stat(root);
  if (!info.isDirectory) {
    yield found(root, "", info);
    return;
  }
  yield* below(root, root, looking, looking.exclude.map(patternOf));
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
    looking.onPassedOver({ path: folder, why: String(error) });
    return;
  }
  entries.sort((a, b) => a.name < b.name ? -1 : 1);
  const patterns = [...outer, ...await ignoredIn(root, folder, entries)];
  for (const { name, isDirectory, isFile, isSymlink } of entries) {
    const path = join(folder, name);
    if (name.startsWith(".") || LITTER.has(name.toLowerCase())) continue;
    const inside = relative(root, path).split(sep).join("/");
    if (patterns.some((pattern) => pattern(inside, name))) continue;
    if (isDirectory) {
      yield* below(root, path, looking, patterns);
    } else if (isFile) {
      const info = await Deno.stat(path).catch(() => undefined);
      if (info === undefined) {
        looking.onPassedOver({ path, why: "it is gone" });
        continue;
      }
      const at = inside.lastIndexOf("/");
      yield found(path, at < 0 ? "" : inside.slice(0, at), info);
    } else {
      looking.onPassedOver({
        path,
        why: isSymlink ? "a link, which is not followed" : "no file",
      });
    }
  }
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
