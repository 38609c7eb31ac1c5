/**
 * The folder in which an operator put models that find photos by what they show
 * (meaning.md). Only files that its `meaning.json` names are served, at an
 * address that is their hash: a request names no path.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { utf8 } from "./core/bytes.ts";
import {
  filesOf,
  MeaningFault,
  type MeaningModels,
  type ModelFile,
  readMeaning,
} from "./core/meaning.ts";
import type { Log } from "./core/platform.ts";
import type { ModelFiles } from "./http/static_file.ts";
import { type Files, streamFile } from "./store/files.ts";

/** The description's name. */
const DESCRIPTION = "meaning.json";
const MOST_DESCRIPTION_BYTES = 64 * 1024;
/** A browser's WebAssembly takes no larger one. */
const MOST_FILE_BYTES = 1024 ** 3;
const PIECE_BYTES = 1024 * 1024;

const NONE = utf8("{}\n");

/** A file as it was hashed. */
interface Hashed extends ModelFile {
  readonly path: string;
  readonly modifiedAt: number;
}

/** The models of a folder; none if there is no folder. */
export function openModels(
  folder: string | undefined,
  files: Files,
  log: Log,
): ModelFiles {
  if (folder === undefined) {
    return {
      description: () => Promise.resolve(NONE),
      open: () => Promise.resolve(undefined),
    };
  }
  /** By their paths; a changed file is hashed again. */
  const hashed = new Map<string, Hashed>();
  let said = "";
  let making: Promise<Uint8Array<ArrayBuffer>> | undefined;

  const hash = async (name: string): Promise<Hashed> => {
    const path = `${folder}/${name}`;
    const facts = await files.stat(path);
    if (facts === undefined) throw new MeaningFault(`${name} is not there`);
    if (facts.size < 1 || facts.size > MOST_FILE_BYTES) {
      throw new MeaningFault(`${name} has to have 1 byte to 1 GiB`);
    }
    const held = hashed.get(path);
    if (held !== undefined && isSame(held, facts)) return held;
    const file = await files.open(path, "read");
    if (file === undefined) throw new MeaningFault(`${name} is not there`);
    const sha256 = createHash("sha256");
    let size = 0;
    try {
      const piece = new Uint8Array(PIECE_BYTES);
      for (;;) {
        const read = await file.read(piece);
        if (read === null) break;
        sha256.update(piece.subarray(0, read));
        size += read;
      }
    } finally {
      file.close();
    }
    const found = {
      path,
      size,
      sha256: sha256.digest("hex"),
      modifiedAt: facts.modifiedAt ?? 0,
    };
    hashed.set(path, found);
    return found;
  };

  const make = async () => {
    try {
      const models = await describedIn(folder, files);
      const named: [string, ModelFile][] = [];
      // One after the other: each is as large as memory is small.
      for (const name of filesOf(models)) {
        const { sha256, size } = await hash(name);
        named.push([name, { sha256, size }]);
      }
      said = "";
      const meaning = { ...models, files: Object.fromEntries(named) };
      return utf8(`${JSON.stringify({ meaning }, null, 1)}\n`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== said) {
        log.warn("models of {folder} are not offered: {reason}", {
          folder,
          reason,
        });
      }
      said = reason;
      return NONE;
    }
  };

  return {
    description() {
      making ??= make().finally(() => making = undefined);
      return making;
    },
    async open(wanted) {
      let found = hashed.values().find(({ sha256 }) => sha256 === wanted);
      if (found === undefined) return undefined;
      const facts = await files.stat(found.path);
      if (facts === undefined || !isSame(found, facts)) return undefined;
      const { path, size, modifiedAt } = found;
      found = undefined;
      return {
        size,
        modifiedAt,
        async read(first, last) {
          const file = await files.open(path, "read");
          if (file === undefined) return undefined;
          try {
            await file.seek(first);
          } catch (error) {
            file.close();
            throw error;
          }
          return streamFile(file, last - first + 1);
        },
      };
    },
  };
}

function isSame(
  { size, modifiedAt }: Hashed,
  facts: { readonly size: number; readonly modifiedAt: number | null },
): boolean {
  return facts.size === size && (facts.modifiedAt ?? 0) === modifiedAt;
}

async function describedIn(
  folder: string,
  files: Files,
): Promise<MeaningModels> {
  const path = `${folder}/${DESCRIPTION}`;
  const facts = await files.stat(path);
  if (facts === undefined) throw new MeaningFault(`no ${DESCRIPTION} in it`);
  if (facts.size > MOST_DESCRIPTION_BYTES) {
    throw new MeaningFault(`${DESCRIPTION} is larger than 64 KiB`);
  }
  const bytes = files.readWhole(path);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new MeaningFault(`${DESCRIPTION} is not JSON`);
  }
  try {
    return readMeaning(value);
  } catch (error) {
    if (!(error instanceof MeaningFault)) throw error;
    throw new MeaningFault(`${DESCRIPTION}: ${error.message}`);
  }
}
