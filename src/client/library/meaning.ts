/**
 * What the pictures of a library show, as vectors that this device computed. They
 * are in the device's store, sealed like the index, and are of one model: with
 * another one all are computed anew. Nothing of it is sent.
 *
 * 50,000 vectors of 512 bytes are 26 MB. The state slots that an account has
 * left (protocol/client-cryptography.md#state-slots) do not hold that much.
 *
 * @module
 */
import { type Bytes, fromUtf8, toHex, utf8 } from "../../core/bytes.ts";
import type { ServedModels } from "../../core/meaning.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import { keptVector, type Likeness, Vectors } from "../meaning/vectors.ts";
import { numberKey, type Store, type StoreChange } from "./store.ts";

/** What this device knows of pictures. */
export interface Meanings {
  /** Pictures that were looked at. */
  readonly count: number;
  /** Whether a picture was looked at, by its content address. */
  has(blob: string): boolean;
  /** Stores vectors; null for what is no picture. */
  add(found: ReadonlyMap<string, ArrayLike<number> | null>): Promise<void>;
  /**
   * The pictures that are like a vector, the most alike first; a picture by the
   * beginning of its content address ({@link keyOfBlob}).
   */
  find(vector: ArrayLike<number>): readonly Likeness[];
}

/** Of whom the stored vectors are. */
interface About {
  readonly model: string;
  readonly era: number;
}

const ABOUT = "meaning/about";
const PAGES = "meaning/page/";
/** Vectors of a page: the last page is written anew with each addition. */
const PAGE_ENTRIES = 256;
/** Bytes of a content address that stand for it. */
const KEY_BYTES = 8;
/** Photos that a search finds. */
const MOST_FOUND = 500;

/** What stands for a picture. */
export function keyOfBlob(blob: string): string {
  return blob.slice(0, KEY_BYTES * 2);
}

/** Names all of a model that its vectors depend on. */
export function modelId(
  { dimension, image, files }: ServedModels,
): string {
  const { file, ...how } = image;
  const of = [files[file]?.sha256, dimension, Object.entries(how).toSorted()];
  return sha256Hex(utf8(JSON.stringify(of)));
}

/** Deletes everything that this device found. */
export async function forgetMeanings(store: Store): Promise<void> {
  const gone: StoreChange[] = [{ space: "program", key: ABOUT, value: null }];
  for (let page = 0;; page++) {
    const key = pageKey(page);
    if (await store.get("program", key) === undefined) break;
    gone.push({ space: "program", key, value: null });
  }
  await store.write(gone);
}

/**
 * Opens what this device found with a model since the person turned it on;
 * deletes what is of another model or of before.
 */
export async function openMeanings(
  store: Store,
  models: ServedModels,
  era: number,
): Promise<Meanings> {
  const model = modelId(models);
  const about = aboutIn(await store.get("program", ABOUT));
  if (about?.model !== model || about.era !== era) {
    await forgetMeanings(store);
    const value = utf8(JSON.stringify({ model, era }));
    await store.write([{ space: "program", key: ABOUT, value }]);
  }
  const { dimension, least, below } = models;
  const entryBytes = KEY_BYTES + dimension;
  const vectors = new Vectors(dimension);
  let last: Bytes = new Uint8Array();
  let page = 0;
  for (;; page++) {
    const bytes = await store.get("program", pageKey(page));
    if (bytes === undefined) break;
    last = new Uint8Array(bytes);
    for (let at = 0; at + entryBytes <= last.length; at += entryBytes) {
      const from = at + KEY_BYTES;
      vectors.add(
        toHex(last.subarray(at, from)),
        new Int8Array(last.buffer, from, dimension),
      );
    }
  }
  page = Math.max(0, page - 1);
  let writing = Promise.resolve();
  return {
    get count() {
      return vectors.count;
    },
    has: (blob) => vectors.has(keyOfBlob(blob)),
    async add(found) {
      const write = async () => {
        let [bytes, at] = [last, page];
        const changes: StoreChange[] = [];
        const end = () =>
          changes.push({ space: "program", key: pageKey(at), value: bytes });
        const kept = new Map<string, Int8Array>();
        for (const [blob, vector] of found) {
          const key = keyOfBlob(blob);
          if (vectors.has(key) || kept.has(key)) continue;
          const isWhole = vector?.length === dimension;
          kept.set(
            key,
            isWhole ? keptVector(vector) : new Int8Array(dimension),
          );
        }
        for (const [key, vector] of kept) {
          if (bytes.length >= PAGE_ENTRIES * entryBytes) {
            end();
            [bytes, at] = [new Uint8Array(), at + 1];
          }
          bytes = withEntry(bytes, key, vector);
        }
        if (kept.size === 0) return;
        end();
        await store.write(changes);
        [last, page] = [bytes, at];
        for (const [key, vector] of kept) vectors.add(key, vector);
      };
      // One after the other: each writes the last page.
      const done = writing.then(write);
      writing = done.catch(() => {});
      await done;
    },
    find(vector) {
      const alike = vectors.alike(vector, least)
        .toSorted((a, b) => b.likeness - a.likeness);
      const from = (alike[0]?.likeness ?? 0) - below;
      return alike.slice(0, MOST_FOUND)
        .filter(({ likeness }) => likeness >= from);
    },
  };
}

function pageKey(page: number): string {
  return `${PAGES}${numberKey(page)}`;
}

function withEntry(bytes: Bytes, key: string, vector: Int8Array): Bytes {
  const next = new Uint8Array(bytes.length + KEY_BYTES + vector.length);
  next.set(bytes);
  for (let i = 0; i < KEY_BYTES; i++) {
    next[bytes.length + i] = Number.parseInt(key.slice(i * 2, i * 2 + 2), 16);
  }
  new Int8Array(next.buffer).set(vector, bytes.length + KEY_BYTES);
  return next;
}

function aboutIn(value: Uint8Array | undefined): About | undefined {
  if (value === undefined) return undefined;
  return JSON.parse(fromUtf8(value) ?? "null") ?? undefined;
}
