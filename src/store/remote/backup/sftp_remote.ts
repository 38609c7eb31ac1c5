/**
 * A directory on another machine as a place off the premises, over SSH:
 * `sftp://user@host:port/path`. An object is a file. It is written to a
 * temporary file, which is synced, if the server can, and then renamed.
 *
 * The host's key is pinned. A host with another key is sent nothing, not even a
 * signature.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Buffer } from "node:buffer";
// @ts-types="./ssh2.d.ts"
import ssh2, { type FileEntryWithStats, type SFTPWrapper } from "ssh2";
import { OperatorFault } from "../../../core/operator.ts";
import type { Platform } from "../../../core/platform.ts";
import { SECOND_MS } from "../../../core/time.ts";
import {
  type Incoming,
  type Outgoing,
  outgoing,
  type Remote,
  type RemoteObject,
  RemoteUnavailable,
} from "./remote.ts";
import {
  breakOff,
  call,
  codeOf,
  NO_SUCH_FILE,
  promised,
  readAt,
  rename,
  STEP_BYTES,
  TookTooLong,
  whyUnmade,
  whyUnwritten,
  write,
} from "./sftp_files.ts";

interface SftpPlace {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Absolute. */
  readonly path: string;
  /** The private key, as ssh-keygen writes it without a passphrase. */
  readonly privateKey: string;
  /** The fingerprint of the host's key, as `ssh-keygen -l` has it: SHA256:… */
  readonly hostKey: string;
  readonly timeoutMs: number;
}

/**
 * What is wrong with a private key, for its operator; undefined for a good one.
 */
export function privateKeyFault(text: string): string | undefined {
  const key = ssh2.utils.parseKey(text);
  if (!(key instanceof Error)) {
    return key.isPrivateKey() ? undefined : "is a public key: name the file " +
      "without .pub";
  }
  if (/passphrase|encrypted/i.test(key.message)) {
    return "has a passphrase, which no one is there to type: make a key " +
      "without one (ssh-keygen -t ed25519 -N '' -f FILE)";
  }
  return "is no private key that OpenSSH writes: make one (ssh-keygen -t " +
    "ed25519 -N '' -f FILE)";
}

export class SftpRemote implements Remote {
  readonly requests = new Map<string, number>();
  readonly #made = new Set<string>();
  #session: Promise<Session> | undefined;

  constructor(
    readonly name: string,
    private readonly place: SftpPlace,
    private readonly platform: Pick<Platform, "random" | "sleep">,
  ) {}

  async put(key: string, { pieces }: Outgoing): Promise<void> {
    await this.#with("put", async ({ sftp }) => {
      const path = await this.#prepare(sftp, key);
      // Two processes that put the same object write to a file each.
      const temporary = `${path}.${this.platform.random(8).toHex()}.new`;
      const file = await call<Buffer>(
        sftp,
        (done) => sftp.open(temporary, "wx", { mode: 0o600 }, done),
      ).catch(async (error) => {
        throw await whyUnwritten(sftp, this.name, this.place, error);
      });
      try {
        await write(sftp, file, pieces()).catch(async (given) => {
          // While the file still takes the room.
          const error = await whyUnwritten(sftp, this.name, this.place, given);
          await call<void>(sftp, (done) => sftp.unlink(temporary, done))
            .catch(() => {});
          throw error;
        });
        // A server without this request syncs when it sees fit.
        await call<void>(sftp, (done) => sftp.ext_openssh_fsync(file, done))
          .catch(() => {});
      } finally {
        await call<void>(sftp, (done) => sftp.close(file, done)).catch(
          () => {},
        );
      }
      await rename(sftp, temporary, path);
    });
  }

  async putIfAbsent(
    key: string,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<void> {
    if (await this.#sizeOf(key) !== undefined) return;
    await this.put(key, outgoing(bytes));
  }

  async get(key: string): Promise<Incoming | undefined> {
    const size = await this.#sizeOf(key);
    if (size === undefined) return undefined;
    return { size, pieces: this.#read(key, size) };
  }

  async #sizeOf(key: string): Promise<number | undefined> {
    return await this.#with("stat", async ({ sftp }) => {
      const path = `${this.place.path}/${key}`;
      try {
        const { size } = await call<{ size: number }>(
          sftp,
          (done) => sftp.stat(path, done),
        );
        return size;
      } catch (error) {
        if (codeOf(error) === NO_SUCH_FILE) return undefined;
        throw error;
      }
    });
  }

  async *#read(
    key: string,
    size: number,
  ): AsyncGenerator<Uint8Array, void, void> {
    const { sftp } = await this.#open();
    count(this.requests, "get");
    try {
      const path = `${this.place.path}/${key}`;
      const file = await this.#inTime(
        call<Buffer>(sftp, (done) => sftp.open(path, "r", done)),
      );
      try {
        for (let at = 0; at < size; at += STEP_BYTES) {
          const length = Math.min(STEP_BYTES, size - at);
          yield await this.#inTime(readAt(sftp, file, at, length));
        }
      } finally {
        await call<void>(sftp, (done) => sftp.close(file, done)).catch(
          () => {},
        );
      }
    } catch (error) {
      throw this.#inWords(error);
    }
  }

  async *list(
    under: string,
  ): AsyncGenerator<readonly RemoteObject[], void, void> {
    const directories = [under.replace(/\/$/, "")];
    for (;;) {
      const directory = directories.pop();
      if (directory === undefined) return;
      const entries = await this.#with("list", async ({ sftp }) => {
        const path = `${this.place.path}/${directory}`;
        try {
          return await call<FileEntryWithStats[]>(
            sftp,
            (done) => sftp.readdir(path, done),
          );
        } catch (error) {
          if (codeOf(error) === NO_SUCH_FILE) return [];
          throw error;
        }
      });
      const found: RemoteObject[] = [];
      for (const { filename, attrs } of entries) {
        if (filename === "." || filename === "..") continue;
        const key = directory === "" ? filename : `${directory}/${filename}`;
        if (attrs.isDirectory()) directories.push(key);
        else {
          const { size, mtime } = attrs;
          found.push({ key, size, modifiedAt: mtime * SECOND_MS });
        }
      }
      if (found.length > 0) yield found;
    }
  }

  async remove(key: string): Promise<void> {
    await this.#with("delete", async ({ sftp }) => {
      const path = `${this.place.path}/${key}`;
      try {
        await call<void>(sftp, (done) => sftp.unlink(path, done));
      } catch (error) {
        if (codeOf(error) !== NO_SUCH_FILE) throw error;
      }
    });
  }

  close(): void {
    this.#session?.then(({ end }) => end()).catch(() => {});
  }

  /** Makes the directories of a key, the place's own first. */
  async #prepare(sftp: SFTPWrapper, key: string): Promise<string> {
    const parts = key.split("/");
    let path = this.place.path;
    for (const part of ["", ...parts.slice(0, -1)]) {
      if (part !== "") path += `/${part}`;
      if (this.#made.has(path)) continue;
      const directory = path;
      await call<void>(
        sftp,
        (done) => sftp.mkdir(directory, { mode: 0o700 }, done),
      )
        .catch(async (error) => {
          // Version 3 has one code for "it exists" and "it cannot be made".
          const facts = await call<{ isDirectory(): boolean }>(
            sftp,
            (done) => sftp.stat(directory, done),
          ).catch(() => undefined);
          if (facts?.isDirectory() === true) return;
          if (directory !== this.place.path) {
            throw await whyUnwritten(sftp, this.name, this.place, error);
          }
          throw await whyUnmade(sftp, this.name, this.place, error);
        });
      this.#made.add(path);
    }
    return `${path}/${parts.at(-1)}`;
  }

  /** Does some work; again over a new connection if one broke off. */
  async #with<T>(
    what: string,
    work: (session: Session) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1;; attempt++) {
      const session = await this.#open();
      count(this.requests, what);
      try {
        return await this.#inTime(work(session), what === "put");
      } catch (error) {
        const isOver = session.isOver() || error instanceof TookTooLong;
        if (isOver) {
          session.end();
          this.#session = undefined;
        }
        // A removal without an answer may still be carried out.
        if (!isOver || attempt === 3 || what === "delete") {
          throw this.#inWords(error);
        }
      }
    }
  }

  #open(): Promise<Session> {
    return this.#session ??= this.#connect().catch((error) => {
      this.#session = undefined;
      throw error;
    });
  }

  async #connect(): Promise<Session> {
    const { host, port, user, privateKey, hostKey, timeoutMs } = this.place;
    const client = new ssh2.Client();
    let over: Error | undefined;
    let opened: SFTPWrapper | undefined;
    const end = (error: Error) => {
      over ??= error;
      if (opened !== undefined) breakOff(opened, over);
      ready.reject(over);
      closed.reject(over);
    };
    let seen = "";
    const ready = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<never>();
    closed.promise.catch(() => {});
    // Otherwise Nagle's algorithm holds every request back until the server has
    // acknowledged the one before, 40 ms later.
    client.on("connect", () => client.setNoDelay(true));
    client.on("ready", () => ready.resolve());
    client.on("error", end);
    client.on("close", () => end(new Error("the connection was closed")));
    try {
      client.connect({
        ...{ host, port, privateKey, username: user },
        readyTimeout: timeoutMs,
        keepaliveInterval: timeoutMs,
        hostVerifier: (key: Buffer) => {
          const hash = createHash("sha256").update(key).digest("base64");
          seen = `SHA256:${hash.replace(/=+$/, "")}`;
          return seen === hostKey;
        },
      });
      await ready.promise;
      const sftp = opened = await Promise.race([
        promised<SFTPWrapper>((done) => client.sftp(done)),
        closed.promise,
      ]);
      // The other side may end it alone, and keep the connection.
      sftp.on("close", () => end(new Error("the connection was closed")));
      return {
        sftp,
        isOver: () => over !== undefined,
        end: () => client.end(),
      };
    } catch (error) {
      client.end();
      if (seen !== "" && seen !== hostKey) {
        throw new OperatorFault(
          `${this.name}: the host's key is ${seen}, not ${hostKey}. It is ` +
            "another machine, or its key was changed. Nothing was sent: check " +
            "the host, then set STRONGROOM_BACKUP_SFTP_HOST_KEY",
        );
      }
      throw this.#inWords(error);
    }
  }

  async #inTime<T>(work: Promise<T>, isLong = false): Promise<T> {
    const done = new AbortController();
    // A large file may take long; keepalives end a dead connection.
    const ms = isLong ? 24 * 3_600_000 : this.place.timeoutMs;
    const late = this.platform.sleep(ms, done.signal).then(() => {
      if (!done.signal.aborted) throw new TookTooLong();
      return work;
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      done.abort();
    }
  }

  #inWords(error: unknown): unknown {
    if (error instanceof OperatorFault) return error;
    if (!(error instanceof Error)) return error;
    // The content that is put has faults of its own, with the system's codes.
    const isOfSsh = "level" in error || typeof codeOf(error) === "number" ||
      error instanceof TookTooLong ||
      /connection|No response|Not connected/i.test(error.message);
    if (!isOfSsh) return error;
    return new RemoteUnavailable(this.name, error.message, error);
  }
}

interface Session {
  readonly sftp: SFTPWrapper;
  readonly isOver: () => boolean;
  readonly end: () => void;
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}
