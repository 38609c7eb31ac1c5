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
import { reasonOf } from "./core/reason.ts";
import type { ModelFiles } from "./http/static_file.ts";
import {
  type FileFacts,
  type Files,
  type StoredFile,
  streamFile,
} from "./store/files.ts";

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

/** What the log and the operator's commands say of models that are not offered. */
const notOffered = (folder: string, reason: string) =>
  `models of ${folder} are not offered: ${reason}`;

/**
 * Why the models of a folder are not offered, as the log says it; undefined if
 * they are. It does not read all of a model, which can have a gigabyte.
 */
export async function faultOfModels(
  folder: string,
  files: Files,
): Promise<string | undefined> {
  try {
    for (const name of filesOf(await describedIn(folder, files))) {
      await statModel(folder, name, files);
      const file = await openModel(folder, name, files);
      try {
        // A folder can be opened, and not read.
        await file.read(new Uint8Array(1));
      } finally {
        file.close();
      }
    }
    return undefined;
  } catch (error) {
    return notOffered(folder, reasonOf(error));
  }
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
    const path = pathOf(folder, name);
    const facts = await statModel(folder, name, files);
    const held = hashed.get(path);
    if (held !== undefined && isSame(held, facts)) return held;
    const file = await openModel(folder, name, files);
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
      const reason = reasonOf(error);
      if (reason !== said) {
        log.warn(notOffered("{folder}", "{reason}"), { folder, reason });
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

function pathOf(folder: string, name: string): string {
  return `${folder}/${name}`;
}

/** A file that the description names; throws a {@link MeaningFault}. */
async function statModel(
  folder: string,
  name: string,
  files: Files,
): Promise<FileFacts> {
  const facts = await files.stat(pathOf(folder, name));
  if (facts === undefined) throw new MeaningFault(`${name} is not there`);
  if (facts.size < 1 || facts.size > MOST_FILE_BYTES) {
    throw new MeaningFault(`${name} has to have 1 byte to 1 GiB`);
  }
  return facts;
}

async function openModel(
  folder: string,
  name: string,
  files: Files,
): Promise<StoredFile> {
  const file = await files.open(pathOf(folder, name), "read");
  if (file === undefined) throw new MeaningFault(`${name} is not there`);
  return file;
}

async function describedIn(
  folder: string,
  files: Files,
): Promise<MeaningModels> {
  const path = pathOf(folder, DESCRIPTION);
  const facts = await files.stat(path);
  if (facts === undefined) {
    const isThere = await files.stat(folder) !== undefined;
    throw new MeaningFault(
      isThere ? `no ${DESCRIPTION} in it` : "there is no such folder",
    );
  }
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
