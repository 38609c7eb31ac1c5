/**
 * The files of a folder, in the order of their names, without what a person
 * would not call a file of theirs.
 *
 * @module
 */
import { counted } from "../../../core/sizes.ts";
import { reasonOf } from "../../../core/reason.ts";
import { OperatorFault } from "../../../core/operator.ts";
import { isHiddenName, isLitter } from "../../../media/exports/file_names.ts";
import { besidePairs } from "../../../media/exports/live_photos.ts";
import { isOwnProof } from "../../../library/account/own_proof.ts";
import { printable } from "../../phrasing.ts";
import type { CliContext } from "../cli_context.ts";
import { type FileStamp, stampOf } from "../local_store.ts";
import { nameBeforeAside, putBack } from "./set_aside.ts";
import { basename, join, relative, resolve, sep } from "node:path";

/** A file that was found. */
export interface FoundFile extends FileStamp {
  /** Absolute. */
  readonly path: string;
  readonly name: string;
  /** Its folders below the folder that was named, with `/` between. */
  readonly folder: string;
  /** One that may be its video; not found again by itself. */
  readonly video?: FoundFile;
  /** A live photo of its name lies next to it, and it is no part of that. */
  readonly isBesidePair?: true;
}

/** Something that was passed over, and why. */
export interface PassedOver {
  readonly path: string;
  readonly why: string;
  /** A file or folder that could not be looked at: it may hold anything. */
  readonly isUnread?: true;
}

/** So many hidden files and folders are listed. */
const HIDDEN_LISTED = 10;

/** Hidden files and folders that were passed over. */
export class HiddenFiles {
  count = 0;
  readonly #first: string[] = [];

  readonly add = (path: string): void => {
    this.count += 1;
    if (this.#first.length < HIDDEN_LISTED) this.#first.push(path);
  };

  /** Says how many there are, and names the first of them. */
  tell(tell: CliContext["tell"]): void {
    if (this.count === 0) return;
    const rest = this.count - this.#first.length;
    tell(
      { event: "hidden", count: this.count, paths: this.#first },
      [
        `${counted(this.count, "hidden file")} passed over:`,
        ...this.#first.map((path) => `  ${printable(path)}`),
        ...rest > 0 ? [`  and ${rest} more`] : [],
      ].join("\n"),
    );
  }
}

const IGNORE_FILE = ".strongroomignore";
/** Longer lists are a mistake (bytes). */
const IGNORE_MAX_BYTES = 1024 * 1024;

/** Finds live photos among the files of a folder: videos by their stills. */
export type PairNames = (
  folder: string,
  names: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

/** How a folder is looked through. */
export interface Looking {
  /** Patterns as in `.strongroomignore`. */
  readonly exclude: readonly string[];
  readonly onPassedOver: (passed: PassedOver) => void;
  readonly signal: AbortSignal;
  /** Folders that are looked into although their names begin with a dot. */
  readonly hidden?: readonly string[];
  /** Told of each hidden file or folder that is passed over. */
  readonly onHidden?: (path: string) => void;
  /** What systems left behind, too, for a caller that names it. */
  readonly withLitter?: true;
  /** A video that may belong to a still of its folder comes with it. */
  readonly pairs?: PairNames;
  /** Proofs that this program wrote, too, which are about other files. */
  readonly withProofs?: true;
  /** Files that a killed `push --move` set aside have their names again. */
  readonly putsBack?: true;
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
  const info = await rootInfo(given, looking.putsBack);
  if (!info.isDirectory) {
    if (isPassedOver(root, looking)) return;
    yield found(root, "", info);
    return;
  }
  yield* below(root, root, looking, looking.exclude.map(patternOf));
}

/** What a path that was named is. */
export async function rootInfo(
  given: string,
  putsBack?: true,
): Promise<Deno.FileInfo> {
  try {
    return await Deno.stat(given);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      const isBack = putsBack === true &&
        await putBack(resolve(given)).catch(() => undefined) !== undefined;
      if (isBack) return await rootInfo(given);
      throw new OperatorFault(`${given}: there is no such file or folder`);
    }
    if (error instanceof Deno.errors.PermissionDenied) {
      throw new OperatorFault(`${given}: you have no permission to read it`);
    }
    throw error;
  }
}

/** Whether a file is a proof of this program's; says so. */
function isPassedOver(
  path: string,
  { withProofs, onPassedOver }: Looking,
): boolean {
  if (withProofs || !isOwnProof(basename(path))) return false;
  onPassedOver({ path, why: "it is a proof that strongroom wrote" });
  return true;
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
    entries = await entriesOf(folder, looking);
  } catch (error) {
    looking.onPassedOver({
      path: folder,
      why: whyUnread(folder, error),
      isUnread: true,
    });
    return;
  }
  entries.sort((a, b) => a.name < b.name ? -1 : 1);
  const patterns = [...outer, ...await ignoredIn(root, folder, entries)];
  const insideOf = (name: string) =>
    relative(root, join(folder, name)).split(sep).join("/");
  const wanted = entries.filter(({ name, isDirectory }) => {
    if (patterns.some((pattern) => pattern(insideOf(name), name))) return false;
    if (
      looking.withLitter || !isLitter(name) || looking.hidden?.includes(name)
    ) return true;
    if (isHiddenName(name) && name !== IGNORE_FILE) {
      looking.onHidden?.(`${join(folder, name)}${isDirectory ? sep : ""}`);
    }
    return false;
  });
  const { videos, besides } = await videosAmong(folder, wanted, looking);
  const paired = new Set(videos.values());
  const fileOf = async (name: string) => {
    const path = join(folder, name);
    let info: Deno.FileInfo;
    try {
      info = await Deno.stat(path);
    } catch (error) {
      const isGone = error instanceof Deno.errors.NotFound &&
        !UNREADABLE_NAME.test(name);
      looking.onPassedOver(
        isGone
          ? { path, why: "it is gone" }
          : { path, why: whyUnread(path, error), isUnread: true },
      );
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
      if (paired.has(name) || isPassedOver(path, looking)) continue;
      const file = await fileOf(name);
      const beside = videos.get(name);
      const video = beside === undefined ? undefined : await fileOf(beside);
      if (file === undefined) {
        // The video is left, and is one of its own.
        if (video !== undefined) yield video;
        continue;
      }
      yield {
        ...file,
        ...(video === undefined ? {} : { video }),
        ...(besides.has(name) ? { isBesidePair: true } : {}),
      };
    } else {
      looking.onPassedOver({
        path,
        why: isSymlink
          ? "it is a symbolic link, which is not followed"
          : "no file",
      });
    }
  }
}

/** What the system's names have in place of bytes that are not UTF-8. */
const UNREADABLE_NAME = /\uFFFD/;

function whyUnread(path: string, error: unknown): string {
  return UNREADABLE_NAME.test(basename(path))
    ? "its name is not UTF-8: rename it"
    : reasonOf(error);
}

/** What lies in a folder, with what was set aside there put back. */
async function entriesOf(
  folder: string,
  { putsBack }: Looking,
): Promise<Deno.DirEntry[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  const aside = entries.flatMap(({ name, isFile }) =>
    (isFile ? nameBeforeAside(name) : undefined) ?? []
  );
  if (aside.length === 0 || !putsBack) return entries;
  for (const name of aside) await putBack(join(folder, name));
  return await Array.fromAsync(Deno.readDir(folder));
}

/** Names of videos by those of their stills, and of the stills next to them. */
async function videosAmong(
  folder: string,
  entries: readonly Deno.DirEntry[],
  { pairs }: Looking,
) {
  const names = entries.filter(({ isFile }) => isFile).map(({ name }) => name);
  const videos = await pairs?.(folder, names) ?? new Map<string, string>();
  const files = new Map(names.map((path) => [path, { path }]));
  const paired = [...videos].flatMap(([still, video]) => {
    const [one, other] = [files.get(still), files.get(video)];
    return one && other ? [[one, other] as const] : [];
  });
  const besides = besidePairs([...files.values()], new Map(paired));
  return { videos, besides: new Set(besides.map(({ path }) => path)) };
}

function found(path: string, folder: string, info: Deno.FileInfo): FoundFile {
  return {
    path,
    name: basename(path),
    folder,
    ...stampOf(info),
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
function patternOf(text: string): Pattern {
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
