/**
 * A mounted directory as a place off the premises: `file:///mnt/usb/backup`.
 * An object is a file. It is written to a temporary file, which is synced and
 * then renamed.
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";
import type { Platform } from "../../../core/platform.ts";
import { piecesOf } from "../../files/copies.ts";
import { denoFiles } from "../../files/deno_files.ts";
import { makeDirectoryDurably } from "../../files/files.ts";
import {
  type Incoming,
  type Outgoing,
  outgoing,
  type Remote,
  type RemoteObject,
} from "./remote.ts";

export class DirectoryRemote implements Remote {
  readonly requests: ReadonlyMap<string, number> = new Map();
  readonly #made = new Set<string>();

  private constructor(
    readonly name: string,
    private readonly root: string,
    private readonly random: Platform["random"],
  ) {}

  /** Opens a directory. It may have to be made; those above it are not. */
  static async open(
    name: string,
    root: string,
    { random }: Pick<Platform, "random">,
  ): Promise<DirectoryRemote> {
    const files = denoFiles;
    const above = root.slice(0, root.lastIndexOf("/")) || "/";
    if (await files.stat(above) === undefined) {
      throw new OperatorFault(
        `the directory above ${name} does not exist: mount the disk for ` +
          "it, or create that directory",
      );
    }
    const facts = await Deno.stat(root).catch(() => undefined);
    if (facts !== undefined && !facts.isDirectory) {
      throw new OperatorFault(`${name} is not a directory: give one`);
    }
    return new DirectoryRemote(name, root, random);
  }

  async put(key: string, { pieces }: Outgoing): Promise<void> {
    const path = await this.#prepare(key);
    // Two processes that put the same object write to a file each.
    const temporary = `${path}.${this.random(8).toHex()}.new`;
    const file = await denoFiles.open(temporary, "create");
    if (file === undefined) throw new Error(`cannot create ${temporary}`);
    try {
      for await (const piece of pieces()) file.write(piece);
      await file.sync();
      await denoFiles.rename(temporary, path);
    } catch (error) {
      await denoFiles.remove(temporary).catch(() => {});
      throw error;
    } finally {
      file.close();
    }
    await denoFiles.syncDirectory(path.slice(0, path.lastIndexOf("/")));
  }

  async putIfAbsent(
    key: string,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<void> {
    const path = await this.#prepare(key);
    if (await denoFiles.stat(path) !== undefined) return;
    await this.put(key, outgoing(bytes));
  }

  async get(key: string): Promise<Incoming | undefined> {
    const path = `${this.root}/${key}`;
    const facts = await denoFiles.stat(path);
    if (facts === undefined) return undefined;
    return { size: facts.size, pieces: piecesOf(denoFiles, path) };
  }

  async *list(
    under: string,
  ): AsyncGenerator<readonly RemoteObject[], void, void> {
    const directories = [under.replace(/\/$/, "")];
    for (;;) {
      const directory = directories.pop();
      if (directory === undefined) return;
      const found: RemoteObject[] = [];
      for await (const name of denoFiles.list(`${this.root}/${directory}`)) {
        const key = directory === "" ? name : `${directory}/${name}`;
        const info = await Deno.stat(`${this.root}/${key}`)
          .catch((error) => {
            if (error instanceof Deno.errors.NotFound) return undefined;
            throw error;
          });
        if (info?.isDirectory) directories.push(key);
        if (!info?.isFile) continue;
        const modifiedAt = info.mtime?.getTime() ?? 0;
        found.push({ key, size: info.size, modifiedAt });
      }
      if (found.length > 0) yield found;
    }
  }

  async remove(key: string): Promise<void> {
    await denoFiles.remove(`${this.root}/${key}`);
  }

  close(): void {}

  async #prepare(key: string): Promise<string> {
    let path = this.root;
    if (!this.#made.has(path)) await makeDirectoryDurably(denoFiles, path);
    this.#made.add(path);
    const parts = key.split("/");
    for (const part of parts.slice(0, -1)) {
      path += `/${part}`;
      if (this.#made.has(path)) continue;
      await makeDirectoryDurably(denoFiles, path);
      this.#made.add(path);
    }
    return `${path}/${parts.at(-1)}`;
  }
}
