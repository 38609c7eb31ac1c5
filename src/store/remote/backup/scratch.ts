/**
 * Sets of the names of objects. They may be too large for memory, so they lie in
 * a temporary database.
 *
 * @module
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { StoreFault } from "../../failure.ts";

/** An object's name (32 bytes, hex) and the size of its content (bytes). */
export interface NamedSize {
  readonly name: string;
  readonly size: number;
}

/** A set of names with a size each. */
export class NameSet {
  readonly #put: StatementSync;
  readonly #get: StatementSync;
  readonly #page: StatementSync;

  constructor(sqlite: DatabaseSync, table: string) {
    sqlite.exec(
      `create table ${table} (name blob primary key, size integer not null) ` +
        "without rowid, strict",
    );
    this.#put = sqlite.prepare(
      `insert or replace into ${table} values (?, ?)`,
    );
    this.#get = sqlite.prepare(`select size from ${table} where name = ?`);
    this.#page = sqlite.prepare(
      `select name, size from ${table} where name > ? order by name limit 1000`,
    );
  }

  put({ name, size }: NamedSize): void {
    this.#put.run(Uint8Array.fromHex(name), size);
  }

  sizeOf(name: string): number | undefined {
    const size = this.#get.get(Uint8Array.fromHex(name))?.["size"];
    return typeof size === "number" ? size : undefined;
  }

  has(name: string): boolean {
    return this.sizeOf(name) !== undefined;
  }

  /** All of them, in the order of their names. */
  *all(): Generator<NamedSize, void, void> {
    let after = new Uint8Array();
    for (;;) {
      const rows = this.#page.all(after);
      for (const { name, size } of rows) {
        if (!(name instanceof Uint8Array) || typeof size !== "number") continue;
        after = new Uint8Array(name);
        yield { name: after.toHex(), size };
      }
      if (rows.length === 0) return;
    }
  }
}

/** The temporary database of some sets. */
export class Scratch {
  readonly #sqlite: DatabaseSync;
  readonly #directory: string;
  #sets = 0;

  /**
   * Makes it in a directory, or else among the system's temporary files. Throws
   * a {@link StoreFault} where those cannot be written.
   */
  constructor(directory?: string) {
    const place = makePlace(directory);
    this.#sqlite = new DatabaseSync(`${place}/names.sqlite`);
    // It is useless after a crash.
    this.#sqlite.exec("pragma journal_mode = off");
    this.#sqlite.exec("pragma synchronous = off");
    this.#sqlite.exec("begin");
    this.#directory = place;
  }

  newSet(): NameSet {
    this.#sets += 1;
    return new NameSet(this.#sqlite, `names_${this.#sets}`);
  }

  close(): void {
    this.#sqlite.close();
    Deno.removeSync(this.#directory, { recursive: true });
  }
}

function makePlace(directory: string | undefined): string {
  const prefix = "strongroom-";
  if (directory !== undefined) {
    return Deno.makeTempDirSync({ prefix, dir: directory });
  }
  try {
    return Deno.makeTempDirSync({ prefix });
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    throw new StoreFault(
      "temporary files cannot be written: name a directory for them with " +
        "TMPDIR, or give a container a /tmp that it can write (--tmpfs /tmp)",
      { cause: error },
    );
  }
}
