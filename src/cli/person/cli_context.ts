/**
 * What a command of a person works with: who is signed in, their library, what
 * they are told and asked.
 *
 * @module
 */
import { join } from "node:path";
import { OperatorFault } from "../../core/operator.ts";
import { VERSION } from "../../core/version.ts";
import {
  type Library,
  type LibraryPlatform,
  openLibrary,
  openVault,
  resumeSession,
  type Session,
  type SessionOptions,
} from "../../library/mod.ts";
import { nativePrimitives } from "../../client/keys/native.ts";
import { lockFile } from "../../store/files/lock.ts";
import type { CommandContext } from "../verb.ts";
import { type Progress, statusLine, terminalProgress } from "../progress.ts";
import { type Streams, writeOut } from "../streams.ts";
import { printable, printableJson, quoted } from "../phrasing.ts";
import { complaintOf } from "./faults.ts";
import { type LocalStore, openLocalStore } from "./local_store.ts";
import { type Meter, openMeter } from "./meter.ts";
import { type Places, placesOf } from "./account/user_folders.ts";
import { secretFile } from "./account/secret_file.ts";
import { PASSWORD_ELSEWHERE, Terminal } from "./terminal.ts";

/** The options of every command for people. */
export interface CliOptions {
  readonly profile: string;
  readonly secretFile?: string;
  /** Of the commands that may want the password again. */
  readonly passwordFile?: string;
  readonly json?: true;
}

/** A profile that is open, and no one signed in to it yet. */
export interface OpenProfile {
  readonly places: Places;
  readonly platform: LibraryPlatform;
  /** Milliseconds since an arbitrary start; never goes back. */
  readonly monotonic: () => number;
  readonly sessionOptions: SessionOptions;
  readonly streams: Streams;
  readonly terminal: Terminal;
  /** A line of progress, on a terminal. */
  readonly progress: () => Progress;
  /** The same for files: each of them, and all. */
  readonly meter: () => Meter;
  readonly signal: AbortSignal;
  /**
   * Tells of what happened: a line, if it has one, or with `--json` an event.
   */
  readonly tell: (
    event: Readonly<Record<string, unknown>>,
    line: string,
  ) => void;
  readonly warn: (line: string) => void;
  /** For the person's eyes, as it is: not the answer, not a complaint. */
  readonly show: (text: string) => void;
  readonly endWith: CommandContext["endWith"];
}

/** A signed-in person, with their library. */
export interface CliContext extends OpenProfile {
  readonly session: Session;
  readonly library: Library;
  readonly local: LocalStore;
}

/** Runs what needs a profile; no one has to be signed in. */
export async function withProfile(
  context: CommandContext,
  options: CliOptions,
  work: (profile: OpenProfile) => Promise<void>,
): Promise<void> {
  const interrupt = new AbortController();
  const onInterrupt = () => interrupt.abort();
  Deno.addSignalListener("SIGINT", onInterrupt);
  try {
    await work(await openProfile(context, options, interrupt.signal));
  } catch (error) {
    const complaint = complaintOf(error);
    if (complaint === undefined) throw error;
    const { text, status } = complaint;
    if (options.json) {
      context.say(printableJson({ event: "end", status, text }));
    }
    context.warn(printable(text));
    context.endWith(status);
  } finally {
    Deno.removeSignalListener("SIGINT", onInterrupt);
  }
}

/** Runs what needs a signed-in person, whose library no other process uses. */
export async function withCliContext(
  context: CommandContext,
  options: CliOptions,
  work: (cli: CliContext) => Promise<void>,
): Promise<void> {
  await withProfile(context, options, async (profile) => {
    const session = await resumeSession(
      profile.platform,
      profile.sessionOptions,
    );
    refuseGivenPassword(session);
    await withLibrary(profile, session, work);
  });
}

/** Refuses a session that waits for a password of the person's own. */
export function refuseGivenPassword(session: Session): void {
  if (!session.mustChangePassword()) return;
  throw new OperatorFault(
    "the operator set your password, and nothing else is possible until you " +
      "choose your own: run `strongroom login`",
  );
}

/** A member who is out of an album: nothing could be encrypted for them. */
interface LeftOut {
  readonly albumId: string;
  readonly title: string;
  readonly userId: string;
}

function leftOutOf({ albums }: Library): readonly LeftOut[] {
  return albums.list().flatMap(({ id, title = id, leftOut }) =>
    leftOut.map((userId) => ({ albumId: id, title, userId }))
  );
}

function keyOfLeftOut({ albumId, userId }: LeftOut): string {
  return `${albumId} ${userId}`;
}

/** Opens the library of a session. */
export async function withLibrary(
  profile: OpenProfile,
  session: Session,
  work: (cli: CliContext) => Promise<void>,
): Promise<void> {
  await withStore(profile, async (local) => {
    const vault = await openVault(session);
    local.ownedBy(session.userId);
    const library = await openLibrary(vault, local);
    const known = new Set(leftOutOf(library).map(keyOfLeftOut));
    await work({ ...profile, session, library, local });
    for (const one of leftOutOf(library)) {
      if (known.has(keyOfLeftOut(one))) continue;
      const { albumId, title, userId } = one;
      profile.tell(
        { event: "left_out", album_id: albumId, user_id: userId },
        "",
      );
      profile.warn(
        `removed from the album ${quoted(title)}: ${
          library.people.nameOf(userId) ?? userId
        }, because nothing can be encrypted for them. Their list of devices ` +
          "is damaged: invite them again when they have signed in once more",
      );
    }
    await session.settled();
  });
}

/** Opens what this machine keeps of a profile, for one command at a time. */
export async function withStore<T>(
  { places }: OpenProfile,
  work: (local: LocalStore) => Promise<T>,
): Promise<T> {
  await Deno.mkdir(places.stateDirectory, { recursive: true, mode: 0o700 });
  const lock = await lockFile(places.lock);
  if (lock === undefined) {
    throw new OperatorFault(
      "another strongroom command is using this profile: wait until it " +
        "ends",
    );
  }
  try {
    using local = openLocalStore(places.database);
    return await work(local);
  } finally {
    lock.close();
  }
}

async function openProfile(
  context: CommandContext,
  { profile, secretFile: named, passwordFile, json }: CliOptions,
  signal: AbortSignal,
): Promise<OpenProfile> {
  const { streams, environment, passphraseCost } = context;
  const variable = (name: string) =>
    environment === undefined ? Deno.env.get(name) : environment[name];
  const places = placesOf(profile, variable);
  const credentials = variable("CREDENTIALS_DIRECTORY");
  const terminal = new Terminal(streams, credentials);
  const file = named ?? variable("ROOM_SECRET_FILE") ??
    await phraseAmong(credentials);
  const phrase = file === undefined
    ? undefined
    : await terminal.lineOf(file, "the phrase");
  const line = statusLine(streams.stderr);
  const { monotonic } = context.platform;
  return {
    places,
    signal,
    streams,
    terminal,
    monotonic,
    progress: () => terminalProgress(monotonic, streams.stderr, line),
    meter: () => openMeter(monotonic, line),
    platform: {
      fetch: (input, init) => context.platform.fetch(input, init),
      now: context.platform.now,
      random: context.platform.random,
      wait: (ms) => context.platform.sleep(ms, signal),
      patience: context.platform.sleep,
      clientVersion: `strongroom-cli/${VERSION}`,
      primitives: nativePrimitives,
      ...(passphraseCost === undefined ? {} : { passphraseCost }),
    },
    sessionOptions: {
      credentials: secretFile(places, phrase),
      present: () =>
        passwordFile === undefined
          ? terminal.askHidden(
            "Password, once more: ",
            PASSWORD_ELSEWHERE,
          )
          : terminal.lineOf(passwordFile, "the password"),
    },
    // What is said has a line of its own, and progress comes back below it.
    tell(event, text) {
      if (!json && text === "") return;
      line.clear();
      context.say(json ? printableJson(event) : text);
    },
    warn(text) {
      line.clear();
      context.warn(text);
    },
    show(text) {
      line.clear();
      writeOut(new TextEncoder().encode(`${text}\n`), streams.stderr);
    },
    endWith: context.endWith,
  };
}

/** What a unit's `LoadCredential=` calls the phrase. */
const PHRASE_CREDENTIAL = "strongroom-phrase";

async function phraseAmong(
  directory: string | undefined,
): Promise<string | undefined> {
  if (directory === undefined || directory === "") return undefined;
  const path = join(directory, PHRASE_CREDENTIAL);
  try {
    await Deno.stat(path);
    return path;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
