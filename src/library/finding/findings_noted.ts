/**
 * What this device found since it last wrote a page of findings. A page has up
 * to megabytes and is written whole, so what is found in a few pictures is kept
 * next to it in the device's store, and comes into the page with more of it.
 *
 * @module
 */
import { type RandomBytes, toHex } from "../../core/bytes.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import {
  decodePage,
  emptyPage,
  encodePage,
  type FindingsPage,
  type KindOfFindings,
  sizeOfPage,
} from "./findings_pages.ts";
import type { Store } from "../base/store.ts";

/**
 * Bytes of an entry's name, so that two programs on one store have their own.
 */
const NAME_BYTES = 8;
/** Entries that are read at once. */
const MANY = 200;

/** What is kept next to the pages. */
interface NotedFindings {
  /** The files of all entries of an era; another map whenever they change. */
  of(era: number): ReadonlyMap<string, Uint8Array>;
  /** The names of the entries. */
  readonly entries: readonly string[];
  /** Roughly how many bytes the entries have. */
  readonly size: number;
  add(page: FindingsPage): Promise<void>;
  /** Deletes entries. */
  forget(entries: readonly string[]): Promise<void>;
}

/** Opens what is kept next to the pages of a kind. */
export async function openNotedFindings(
  store: Store,
  kind: KindOfFindings,
  random: RandomBytes,
): Promise<NotedFindings> {
  const prefix = `noted/${kind.name}/`;
  const held = await entriesIn(store, kind, prefix);
  let known: { readonly era: number; readonly files: Files } | undefined;
  return {
    of(era) {
      if (known?.era === era) return known.files;
      const files = new Map<string, Uint8Array>();
      for (const page of held.values()) {
        if (page.era !== era) continue;
        for (const [file, bytes] of Object.entries(page.files)) {
          files.set(file, bytes);
        }
      }
      known = { era, files };
      return files;
    },
    get entries() {
      return [...held.keys()];
    },
    get size() {
      return [...held.values()].reduce(
        (sum, page) => sum + sizeOfPage(page),
        0,
      );
    },
    async add(page) {
      const key = `${prefix}${toHex(random(NAME_BYTES))}`;
      await store.write([{ space: "program", key, value: encodePage(page) }]);
      held.set(key, page);
      known = undefined;
    },
    async forget(entries) {
      if (entries.length === 0) return;
      await store.write(
        entries.map((key) => ({ space: "program", key, value: null })),
      );
      for (const key of entries) held.delete(key);
      known = undefined;
    },
  };
}

type Files = ReadonlyMap<string, Uint8Array>;

async function entriesIn(
  store: Store,
  kind: KindOfFindings,
  prefix: string,
): Promise<Map<string, FindingsPage>> {
  const held = new Map<string, FindingsPage>();
  for (let after = prefix;;) {
    const found = await store.list("program", { after, limit: MANY });
    for (const { key, value } of found) {
      if (!key.startsWith(prefix)) return held;
      held.set(key, pageIn(kind, value));
      after = key;
    }
    if (found.length < MANY) return held;
  }
}

/** An entry; empty, so that it is deleted, if this program cannot read it. */
function pageIn(kind: KindOfFindings, value: Uint8Array): FindingsPage {
  try {
    return decodePage(kind, value);
  } catch (error) {
    if (error instanceof DocumentError) return emptyPage();
    throw error;
  }
}
