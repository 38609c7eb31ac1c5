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

declare const ssh2: { readonly Client: typeof Client };
export default ssh2;
