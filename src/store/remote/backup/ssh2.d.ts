/**
 * The part of ssh2 that this program uses. Its published types depend on types
 * of another Node.js.
 *
 * @module
 */
import type { Buffer } from "node:buffer";

type Done<T> = (error: Error | null | undefined, value: T) => void;

interface Attributes {
  readonly size: number;
  /** Seconds since the epoch. */
  readonly mtime: number;
  isDirectory(): boolean;
}

export interface FileEntryWithStats {
  readonly filename: string;
  readonly attrs: Attributes;
}

/** As statvfs(3) has it. */
export interface FileSystemFacts {
  readonly f_frsize: number | bigint;
  readonly f_bavail: number | bigint;
  readonly f_files: number | bigint;
  readonly f_favail: number | bigint;
  readonly f_flag: number | bigint;
}

export interface SFTPWrapper {
  on(event: "close", listener: () => void): this;
  open(path: string, flags: "r", done: Done<Buffer>): void;
  open(
    path: string,
    flags: "wx",
    attributes: { readonly mode: number },
    done: Done<Buffer>,
  ): void;
  close(file: Buffer, done: Done<void>): void;
  read(
    file: Buffer,
    into: Buffer,
    offset: number,
    length: number,
    position: number,
    done: Done<number>,
  ): void;
  write(
    file: Buffer,
    from: Buffer,
    offset: number,
    length: number,
    position: number,
    done: Done<void>,
  ): void;
  stat(path: string, done: Done<Attributes>): void;
  readdir(path: string, done: Done<FileEntryWithStats[]>): void;
  mkdir(
    path: string,
    attributes: { readonly mode: number },
    done: Done<void>,
  ): void;
  unlink(path: string, done: Done<void>): void;
  rename(from: string, to: string, done: Done<void>): void;
  ext_openssh_rename(from: string, to: string, done: Done<void>): void;
  ext_openssh_fsync(file: Buffer, done: Done<void>): void;
  ext_openssh_statvfs(path: string, done: Done<FileSystemFacts>): void;
}

declare class Client {
  on(event: "connect" | "ready" | "close", listener: () => void): this;
  on(event: "error", listener: (error: Error) => void): this;
  connect(to: {
    readonly host: string;
    readonly port: number;
    readonly username: string;
    readonly privateKey: string;
    /** How long a sign-in may take, and the time between keepalives (ms). */
    readonly readyTimeout: number;
    readonly keepaliveInterval: number;
    readonly hostVerifier: (key: Buffer) => boolean;
  }): void;
  setNoDelay(isOn: boolean): void;
  sftp(done: Done<SFTPWrapper>): void;
  end(): void;
}

/** What a client says of a file; the server side of the package. */
export interface GivenAttributes {
  /** Seconds since the epoch. */
  readonly mtime?: number | undefined;
}

/** What a server says of a file. */
export interface SaidAttributes {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
  readonly atime: number;
  readonly mtime: number;
}

export interface SaidName {
  readonly filename: string;
  readonly longname: string;
  readonly attrs: SaidAttributes | Record<never, never>;
}

type OnPath = "REALPATH" | "STAT" | "LSTAT" | "OPENDIR" | "REMOVE" | "RMDIR";
type OnHandle = "CLOSE" | "FSTAT" | "READDIR";

/** The server's end of a connection for files. */
export interface SftpServing {
  on(event: OnPath, listener: (id: number, path: string) => void): this;
  on(event: OnHandle, listener: (id: number, handle: Buffer) => void): this;
  on(
    event: "OPEN",
    listener: (
      id: number,
      path: string,
      flags: number,
      attributes: GivenAttributes,
    ) => void,
  ): this;
  on(
    event: "READ",
    listener: (
      id: number,
      handle: Buffer,
      offset: number,
      length: number,
    ) => void,
  ): this;
  on(
    event: "WRITE",
    listener: (
      id: number,
      handle: Buffer,
      offset: number,
      data: Buffer,
    ) => void,
  ): this;
  on(
    event: "SETSTAT" | "MKDIR",
    listener: (id: number, path: string, attributes: GivenAttributes) => void,
  ): this;
  on(
    event: "FSETSTAT",
    listener: (
      id: number,
      handle: Buffer,
      attributes: GivenAttributes,
    ) => void,
  ): this;
  on(
    event: "RENAME",
    listener: (id: number, from: string, to: string) => void,
  ): this;
  on(
    event: "EXTENDED",
    listener: (id: number, name: string, data: Buffer) => void,
  ): this;
  on(event: "close" | "end", listener: () => void): this;
  on(event: "error", listener: (error: Error) => void): this;
  status(id: number, code: number, message?: string): void;
  handle(id: number, handle: Buffer): void;
  name(id: number, names: readonly SaidName[]): void;
  data(id: number, data: Buffer): void;
  attrs(id: number, attributes: SaidAttributes): void;
  end(): void;
}

interface Authentication {
  readonly method: string;
  readonly username: string;
  readonly password?: string;
  accept(): void;
  reject(methods: readonly string[]): void;
}

interface Session {
  on(event: "sftp", listener: (accept: () => SftpServing) => void): this;
}

/** A client of a server, who has to say who they are first. */
export interface SshConnection {
  on(
    event: "authentication",
    listener: (asked: Authentication) => void,
  ): this;
  on(event: "ready" | "close", listener: () => void): this;
  on(event: "session", listener: (accept: () => Session) => void): this;
  on(event: "error", listener: (error: Error) => void): this;
  setNoDelay(isOn: boolean): void;
  end(): void;
}

declare class Server {
  constructor(
    settings: {
      readonly hostKeys: readonly string[];
      readonly ident: string;
      readonly keepaliveInterval: number;
    },
    onClient: (
      client: SshConnection,
      about: { readonly ip: string },
    ) => void,
  );
  maxConnections: number;
  on(event: "error", listener: (error: Error) => void): this;
  listen(port: number, hostname: string, onListening: () => void): void;
  close(onClosed: () => void): void;
}

interface KeyPair {
  readonly private: string;
  readonly public: string;
}

declare const ssh2: {
  readonly Client: typeof Client;
  readonly Server: typeof Server;
  readonly utils: {
    generateKeyPairSync(kind: "ed25519"): KeyPair;
    parseKey(text: string):
      | { getPublicSSH(): Buffer; isPrivateKey(): boolean }
      | Error;
  };
};
export default ssh2;
