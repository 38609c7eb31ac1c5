/**
 * The same receiver by SFTP, for apps that speak it better than WebDAV: it
 * takes files and shows names, and gives nothing back (SSH File Transfer
 * Protocol 3, draft-ietf-secsh-filexfer-02).
 *
 * The protocol is ssh2's; here is what a telephone may do.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { OperatorFault } from "../../core/operator.ts";
import { reasonOf } from "../../core/reason.ts";
import { MINUTE_MS, SECOND_MS } from "../../core/time.ts";
// @ts-types="../../store/remote/backup/ssh2.d.ts"
import ssh2, {
  type GivenAttributes,
  type SaidAttributes,
  type SaidName,
  type SftpServing,
  type SshConnection,
} from "ssh2";
import {
  type Changing,
  makeFolder,
  moveTo,
  type Refusal,
  removeAt,
} from "./changing.ts";
import { type FolderNode, isSafeList, type Path } from "./device_folder.ts";
import { pathOfNames, type Receiver } from "./receiver.ts";
import { SftpFile } from "./sftp_file.ts";
import { type Asking, BrokenOff, NotTaken } from "./taking.ts";

/** Codes of answers, and flags of opening (sections 7 and 6.3). */
const OK = 0, END = 1, ABSENT = 2, DENIED = 3, FAILURE = 4, MALFORMED = 5;
const UNSUPPORTED = 8;
const READ = 1, APPEND = 4, TRUNCATE = 16, EXCLUSIVE = 32;

/** Connections at a time, and wrong passwords of one of them. */
const MOST_CONNECTIONS = 64;
const MOST_TRIES = 6;
/** How long a sign-in may take. */
const SIGN_IN_MS = MINUTE_MS;
const KEEPALIVE_MS = 30 * SECOND_MS;
/** Files and folders that a connection has open, and names of an answer. */
const MOST_HANDLES = 64;
const NAMES_AT_A_TIME = 100;

/** What serves by SFTP, until it is stopped. */
export interface RunningSftp {
  /** Of its key, as `ssh-keygen -l` says it. */
  readonly fingerprint: string;
  stop(): Promise<void>;
}

/** Where it listens, and whom it lets in. */
interface SftpServingParts {
  readonly hostname: string;
  readonly port: number;
  /** The folder in which its keys are kept. */
  readonly folder: string;
  readonly receiver: Receiver;
  readonly now: () => number;
  readonly random: (length: number) => Uint8Array<ArrayBuffer>;
  readonly wait: (ms: number) => Promise<void>;
  readonly warn: (line: string) => void;
}

/** Begins to serve. Throws OperatorFault. */
export async function startSftp(parts: SftpServingParts): Promise<RunningSftp> {
  const { hostname, port, folder, warn } = parts;
  const key = await hostKey(folder, warn);
  const open = new Set<SshConnection>();
  const server = new ssh2.Server(
    { hostKeys: [key], ident: "strongroom", keepaliveInterval: KEEPALIVE_MS },
    (client, { ip }) => {
      open.add(client);
      client.on("close", () => open.delete(client));
      // Strangers send whatever they like; that ends their connection alone.
      client.on("error", () => client.end());
      serveClient(client, ip, parts);
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.on("error", reject);
  server.listen(port, hostname, resolve);
  try {
    await promise;
  } catch (error) {
    throw new OperatorFault(
      `--sftp: cannot listen on ${hostname}:${port} (${reasonOf(error)})`,
    );
  }
  server.on("error", (error) => warn(reasonOf(error)));
  return {
    fingerprint: fingerprintOf(key),
    async stop() {
      const closed = Promise.withResolvers<void>();
      server.close(closed.resolve);
      for (const client of open) client.end();
      await closed.promise;
    },
  };
}

/**
 * The server's own key, made when it is first asked for, and again where
 * the kept one cannot be read: no server starts with that.
 */
async function hostKey(
  folder: string,
  warn: (line: string) => void,
): Promise<string> {
  const path = join(folder, "ssh_host_ed25519_key");
  try {
    const kept = await Deno.readTextFile(path);
    if (isKey(kept)) return kept;
    warn(`${path} is no SSH key: another one is made`);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const made = newKey();
  await Deno.writeTextFile(`${path}.part`, made, { mode: 0o600 });
  await Deno.rename(`${path}.part`, path);
  return made;
}

/** One in 300 keys that ssh2 1.17.0 makes is too short for itself to read. */
function newKey(): string {
  for (;;) {
    const { private: made } = ssh2.utils.generateKeyPairSync("ed25519");
    if (isKey(made)) return made;
  }
}

function isKey(text: string): boolean {
  return !(ssh2.utils.parseKey(text) instanceof Error);
}

function fingerprintOf(key: string): string {
  const parsed = ssh2.utils.parseKey(key);
  if (parsed instanceof Error) throw parsed;
  const hash = createHash("sha256").update(parsed.getPublicSSH());
  return `SHA256:${hash.digest("base64").replace(/=+$/, "")}`;
}

function serveClient(
  client: SshConnection,
  address: string,
  parts: SftpServingParts,
): void {
  let asking: Asking | undefined;
  let tries = 0;
  void parts.wait(SIGN_IN_MS).then(() => {
    if (asking === undefined) client.end();
  }, () => {});
  client.setNoDelay(true);
  client.on("authentication", (asked) => {
    const { method, username, password } = asked;
    if (method !== "password" || password === undefined) {
      return asked.reject(["password"]);
    }
    const name = username.trim().toLowerCase();
    const admitted = parts.receiver.admit({ name, password }, address);
    if (admitted !== undefined && "asking" in admitted) {
      asking = admitted.asking;
      return asked.accept();
    }
    asked.reject(["password"]);
    if ((tries += 1) >= MOST_TRIES) client.end();
  });
  client.on("ready", () => {
    client.on("session", (accept) => {
      accept().on("sftp", (accept) => {
        if (asking === undefined) return client.end();
        const serving = accept();
        serving.on("error", () => client.end());
        new SftpSession(serving, asking, parts, () => client.end()).serve();
      });
    });
  });
}

/** What a handle stands for. */
type Opened =
  | { readonly kind: "file"; readonly file: SftpFile }
  /** A file that is there, which is not readable unless it is the list. */
  | {
    readonly kind: "shown";
    readonly node: FolderNode;
    readonly text: Uint8Array | undefined;
  }
  | { readonly kind: "folder"; readonly names: Iterator<SaidName> };

/** One connection of a telephone. */
class SftpSession {
  readonly #open = new Map<number, Opened>();
  #next = 0;

  constructor(
    readonly sftp: SftpServing,
    readonly asking: Asking,
    readonly parts: SftpServingParts,
    readonly end: () => void,
  ) {}

  serve(): void {
    const { sftp } = this;
    sftp.on("REALPATH", (id, path) =>
      this.#answer(id, () => {
        const filename = `/${pathOf(path).join("/")}`;
        sftp.name(id, [{ filename, longname: filename, attrs: {} }]);
      }));
    for (const kind of ["STAT", "LSTAT"] as const) {
      sftp.on(kind, (id, path) =>
        this.#answer(id, () => {
          const node = this.#nodeAt(pathOf(path));
          if (node === undefined) return ABSENT;
          return void sftp.attrs(id, attributesOf(node));
        }));
    }
    sftp.on("FSTAT", (id, handle) =>
      this.#answer(id, () => {
        const opened = this.#of(handle);
        if (opened?.kind === "folder") return FAILURE;
        if (opened === undefined) return FAILURE;
        const node = opened.kind === "file" ? opened.file.node : opened.node;
        return void sftp.attrs(id, attributesOf(node));
      }));
    sftp.on("OPENDIR", (id, path) =>
      this.#answer(id, () => {
        const at = pathOf(path);
        if (this.#nodeAt(at)?.kind !== "folder") return ABSENT;
        const names = saidIn(this.asking.folder.list(at));
        return this.#hand(id, { kind: "folder", names });
      }));
    sftp.on("READDIR", (id, handle) =>
      this.#answer(id, () => {
        const opened = this.#of(handle);
        if (opened?.kind !== "folder") return FAILURE;
        const names: SaidName[] = [];
        while (names.length < NAMES_AT_A_TIME) {
          const { done, value } = opened.names.next();
          if (done) break;
          names.push(value);
        }
        return names.length === 0 ? END : void sftp.name(id, names);
      }));
    sftp.on(
      "OPEN",
      (id, path, flags, given) =>
        this.#answer(id, () => this.#openFile(id, pathOf(path), flags, given)),
    );
    sftp.on("WRITE", (id, handle, offset, data) => {
      const opened = this.#of(handle);
      if (opened?.kind !== "file") return sftp.status(id, FAILURE);
      // Clients send many at a time, and wait for the answers of none.
      opened.file.write(offset, data).then(
        () => sftp.status(id, OK),
        (error) => this.#tell(id, error),
      );
      if (opened.file.isTooMuch) this.end();
    });
    sftp.on("READ", (id, handle, offset, length) =>
      this.#answer(id, () => {
        const opened = this.#of(handle);
        if (opened?.kind === "shown" && opened.text !== undefined) {
          const part = opened.text.subarray(offset, offset + length);
          if (part.length === 0) return END;
          return void sftp.data(id, Buffer.from(part));
        }
        const isEmpty = opened?.kind === "shown" && opened.node.size === 0;
        return isEmpty ? END : DENIED;
      }));
    sftp.on("CLOSE", (id, handle) =>
      this.#answer(id, async () => {
        const opened = this.#of(handle);
        if (opened === undefined) return FAILURE;
        this.#open.delete(handle.readUInt32BE());
        if (opened.kind === "file") await opened.file.end();
        return OK;
      }));
    sftp.on("FSETSTAT", (id, handle, { mtime }) =>
      this.#answer(id, () => {
        const opened = this.#of(handle);
        if (opened?.kind !== "file") return FAILURE;
        if (mtime !== undefined) opened.file.modifiedAt = mtime * SECOND_MS;
        return OK;
      }));
    sftp.on("SETSTAT", (id, path, { mtime }) =>
      this.#answer(id, () => {
        const at = pathOf(path);
        if (this.#nodeAt(at) === undefined) return ABSENT;
        if (mtime !== undefined) {
          this.parts.receiver.taking.setModified(
            this.asking,
            at,
            mtime * SECOND_MS,
          );
        }
        return OK;
      }));
    sftp.on("MKDIR", (id, path) =>
      this.#answer(id, () => {
        const at = pathOf(path);
        if (this.#nodeAt(at) !== undefined) return FAILURE;
        return codeOf(makeFolder(this.#changing(), at));
      }));
    for (const kind of ["REMOVE", "RMDIR"] as const) {
      sftp.on(kind, (id, path) =>
        this.#answer(
          id,
          async () => codeOf(await removeAt(this.#changing(), pathOf(path))),
        ));
    }
    sftp.on(
      "RENAME",
      (id, from, to) =>
        this.#answer(
          id,
          () =>
            codeOf(moveTo(this.#changing(), pathOf(from), pathOf(to), false)),
        ),
    );
    sftp.on("EXTENDED", (id, name, data) =>
      this.#answer(id, () => {
        if (name !== "posix-rename@openssh.com") return UNSUPPORTED;
        const [from, to] = stringsOf(data);
        if (from === undefined || to === undefined) return MALFORMED;
        return codeOf(
          moveTo(this.#changing(), pathOf(from), pathOf(to), true),
        );
      }));
    // What came of a file is kept for a while, and can be gone on with.
    const broken = () => {
      for (const opened of this.#open.values()) {
        if (opened.kind === "file") opened.file.breakOff();
      }
      this.#open.clear();
    };
    sftp.on("close", broken);
    sftp.on("end", () => {
      broken();
      // Clients wait for this end to close, too.
      sftp.end();
    });
  }

  #openFile(
    id: number,
    path: Path,
    flags: number,
    { mtime }: GivenAttributes,
  ): number | undefined {
    const { asking, parts: { receiver, now } } = this;
    const { folder, device } = asking;
    const node = this.#nodeAt(path);
    const isReading = (flags & ~READ) === 0;
    if (isReading) {
      if (node === undefined) return ABSENT;
      if (node.kind === "folder") return FAILURE;
      const text = isSafeList(path) ? folder.safeText() : undefined;
      return (node.size ?? 0) > 0 && text === undefined
        ? DENIED
        : this.#hand(id, { kind: "shown", node, text });
    }
    if (isSafeList(path)) return DENIED;
    if (path.length === 0 || node?.kind === "folder") return FAILURE;
    if (folder.get(path.slice(0, -1))?.kind !== "folder") return ABSENT;
    if (node !== undefined && (flags & EXCLUSIVE) !== 0) return FAILURE;
    if (!receiver.locks.allows(device.name, path, [])) return DENIED;
    const held = receiver.taking.brokenSize(asking, path);
    const goesOn = (flags & TRUNCATE) === 0 && held !== undefined;
    // Nothing is added to a file that was sealed.
    if ((flags & APPEND) !== 0 && !goesOn && (node?.size ?? 0) > 0) {
      return DENIED;
    }
    const file = new SftpFile(receiver.taking, asking, path, {
      from: goesOn ? held : 0,
      isAppended: (flags & APPEND) !== 0,
      now,
    });
    if (mtime !== undefined) file.modifiedAt = mtime * SECOND_MS;
    return this.#hand(id, { kind: "file", file });
  }

  #nodeAt(path: Path): FolderNode | undefined {
    const { asking, parts: { receiver } } = this;
    const node = asking.folder.get(path);
    const size = receiver.taking.brokenSize(asking, path);
    if (size === undefined) return node;
    return {
      name: path.at(-1) ?? "",
      kind: "file",
      size,
      modified_at: node?.modified_at ?? 0,
      tag: "",
    };
  }

  #changing(): Changing {
    const { asking, parts: { receiver, now, random } } = this;
    return {
      ...{ asking, now, random, taking: receiver.taking },
      mayChange: (path, isDeep) =>
        receiver.locks.allows(asking.device.name, path, [], isDeep),
    };
  }

  #hand(id: number, opened: Opened): number | undefined {
    if (this.#open.size >= MOST_HANDLES) return FAILURE;
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(this.#next);
    this.#open.set(this.#next, opened);
    this.#next = (this.#next + 1) >>> 0;
    this.sftp.handle(id, handle);
    return undefined;
  }

  #of(handle: Buffer): Opened | undefined {
    return handle.length === 4
      ? this.#open.get(handle.readUInt32BE())
      : undefined;
  }

  /** Answers with a code, unless the work has answered itself. */
  #answer(
    id: number,
    work: () => number | undefined | void | Promise<number>,
  ): void {
    const { asking, parts: { receiver } } = this;
    // A telephone that was removed is let in no more.
    if (receiver.parts.spool.device(asking.device.name) === undefined) {
      return this.end();
    }
    if (receiver.charge(asking) !== undefined) {
      return this.sftp.status(id, FAILURE, "too many requests");
    }
    const working = async () => {
      const code = await work();
      if (code !== undefined) this.sftp.status(id, code);
    };
    working().catch((error) => this.#tell(id, error));
  }

  #tell(id: number, error: unknown): void {
    const { sftp, parts } = this;
    if (error instanceof Misnamed) return sftp.status(id, FAILURE);
    if (error instanceof NotTaken) {
      return sftp.status(id, FAILURE, error.message);
    }
    if (error instanceof BrokenOff) return sftp.status(id, FAILURE);
    parts.warn(String(error));
    sftp.status(id, FAILURE, "a fault here: try again");
  }
}

class Misnamed extends Error {}

/** Names from the root on; what climbs above it stays at it. */
function pathOf(given: string): Path {
  const names: string[] = [];
  for (const name of given.split("/")) {
    if (name === "..") names.pop();
    else if (name !== ".") names.push(name);
  }
  const path = pathOfNames(names);
  if (path === undefined || path === "long") throw new Misnamed(given);
  return path;
}

const CODES: Readonly<Record<Refusal, number>> = {
  absent: ABSENT,
  there: FAILURE,
  no_parent: ABSENT,
  locked: DENIED,
  sealed: DENIED,
  misplaced: FAILURE,
  full: FAILURE,
  too_much: FAILURE,
};

function codeOf(refusal: Refusal | undefined): number {
  return refusal === undefined ? OK : CODES[refusal];
}

const FOLDER_MODE = 0o040_755;
const FILE_MODE = 0o100_644;

function attributesOf(
  { kind, size = 0, modified_at: at }: FolderNode,
): SaidAttributes {
  const seconds = Math.min(
    Math.max(0, Math.floor(at / SECOND_MS)),
    0xffff_ffff,
  );
  return {
    mode: kind === "folder" ? FOLDER_MODE : FILE_MODE,
    ...{ uid: 0, gid: 0, size, atime: seconds, mtime: seconds },
  };
}

function* saidIn(
  pages: Iterable<readonly FolderNode[]>,
): Generator<SaidName, void> {
  for (const page of pages) yield* page.map(saidOf);
}

function saidOf(node: FolderNode): SaidName {
  const { name, kind, size = 0 } = node;
  const mode = kind === "folder" ? "drwxr-xr-x" : "-rw-r--r--";
  return {
    filename: name,
    longname: `${mode} 1 phone phone ${size} Jan 1 1970 ${name}`,
    attrs: attributesOf(node),
  };
}

/** Strings of an extended request, each behind its length. */
function stringsOf(data: Buffer): string[] {
  const found: string[] = [];
  for (let at = 0; at + 4 <= data.length;) {
    const length = data.readUInt32BE(at);
    found.push(data.toString("utf8", at + 4, at + 4 + length));
    at += 4 + length;
  }
  return found;
}
