/**
 * Reads the facts of every file of a folder as `push` does, with this program's
 * module or that of an older version. Prints how many files state a date.
 *
 *     facts_reader.ts MODULE FOLDER
 *
 * @module
 */
import { join } from "node:path";

/** A file as both versions read it. */
interface Source {
  readonly size: number;
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** What older versions have of it as well. */
interface Module {
  readonly readFileFacts?: (
    source: Source,
    options: { readonly isMedia: boolean },
  ) => Promise<object>;
  readonly readMediaFacts: (source: Source) => Promise<object>;
  readonly aboutFile: (
    file: {
      readonly name: string;
      readonly folder: string;
      readonly modifiedAt: number;
    },
    facts: object,
  ) => { readonly taken_source?: string };
}

const [module = "", folder = ""] = Deno.args;
const { readFileFacts, readMediaFacts, aboutFile }: Module = await import(
  module
);
let dated = 0;
for await (const { name } of Deno.readDir(folder)) {
  using file = await Deno.open(join(folder, name));
  const { size, mtime } = file.statSync();
  const source: Source = {
    size,
    async read(offset, length) {
      file.seekSync(offset, Deno.SeekMode.Start);
      const bytes = new Uint8Array(Math.min(length, size - offset));
      let at = 0;
      while (at < bytes.length) {
        const count = await file.read(bytes.subarray(at));
        if (count === null) break;
        at += count;
      }
      return bytes.subarray(0, at);
    },
  };
  const facts = await (readFileFacts?.(source, { isMedia: true }) ??
    readMediaFacts(source));
  const about = aboutFile(
    { name, folder: "", modifiedAt: mtime?.getTime() ?? 0 },
    facts,
  );
  if (about.taken_source !== "mtime") dated++;
}
Deno.stdout.writeSync(new TextEncoder().encode(String(dated)));
