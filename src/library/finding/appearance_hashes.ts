/**
 * What pictures look like, as this device found out once. It is in the device's
 * store, sealed like the index: each device computes it from the small pictures
 * that it has, so that nothing of it is sent.
 *
 * @module
 */
import { type Bytes, concatBytes } from "../../core/bytes.ts";
import type { Looks } from "../../media/pictures/looks.ts";
import { numberKey, type Store } from "../base/store.ts";

/** The looks of a small picture; null if it has none. */
export type FoundLooks = Looks | null;

/** What this device knows. */
export interface KnownLooks {
  /**
   * By the content address of the small picture; undefined if not looked at.
   */
  of(blob: string): FoundLooks | undefined;
  /** Stores what was found. */
  add(found: ReadonlyMap<string, FoundLooks>): Promise<void>;
}

const PREFIX = "looks/1/";
/** Digits of a content address that stand for it. */
const DIGITS = 16;
/** Bytes of an entry: the address, the hash, the sharpness. */
const ENTRY_BYTES = DIGITS / 2 + 16 + 4;
/** Entries of a page: each addition rewrites the last page. */
const PAGE_ENTRIES = 1_000;

/** Reads what this device knows from its store. */
export async function openKnownLooks(store: Store): Promise<KnownLooks> {
  const known = new Map<string, FoundLooks>();
  /** The entries of the last page, and its number. */
  let last: Bytes = new Uint8Array();
  let page = 0;
  for (;; page++) {
    const bytes = await store.get("program", keyOf(page));
    if (bytes === undefined) break;
    last = new Uint8Array(bytes);
    for (let at = 0; at + ENTRY_BYTES <= last.length; at += ENTRY_BYTES) {
      const [blob, looks] = decode(last, at);
      known.set(blob, looks);
    }
  }
  page = Math.max(0, page - 1);
  let writing = Promise.resolve();
  return {
    of: (blob) => known.get(blob.slice(0, DIGITS)),
    async add(found) {
      const write = async () => {
        const entries = [...found].filter(([blob]) =>
          !known.has(blob.slice(0, DIGITS))
        );
        let [bytes, at] = [last, page];
        const changes: Parameters<Store["write"]>[0][number][] = [];
        const end = () =>
          changes.push({ space: "program", key: keyOf(at), value: bytes });
        for (const [blob, looks] of entries) {
          if (bytes.length >= PAGE_ENTRIES * ENTRY_BYTES) {
            end();
            [bytes, at] = [new Uint8Array(), at + 1];
          }
          bytes = concatBytes(bytes, encode(blob, looks));
        }
        if (entries.length > 0) end();
        await store.write(changes);
        [last, page] = [bytes, at];
        for (const [blob, looks] of entries) {
          known.set(blob.slice(0, DIGITS), looks);
        }
      };
      // One after the other: each writes the last page.
      const done = writing.then(write);
      writing = done.catch(() => {});
      await done;
    },
  };
}

function keyOf(page: number): string {
  return `${PREFIX}${numberKey(page)}`;
}

function encode(blob: string, looks: FoundLooks): Bytes {
  const entry = new Uint8Array(ENTRY_BYTES);
  const view = new DataView(entry.buffer);
  view.setBigUint64(0, BigInt(`0x${blob.slice(0, DIGITS)}`));
  for (let i = 0; i < 4; i++) {
    view.setUint32(8 + 4 * i, looks?.hash[i] ?? 0);
  }
  view.setFloat32(24, looks?.sharpness ?? NaN);
  return entry;
}

function decode(bytes: Bytes, at: number): [string, FoundLooks] {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, ENTRY_BYTES);
  const blob = view.getBigUint64(0).toString(16).padStart(DIGITS, "0");
  const sharpness = view.getFloat32(24);
  if (Number.isNaN(sharpness)) return [blob, null];
  const hash = Uint32Array.from(
    { length: 4 },
    (_, i) => view.getUint32(8 + 4 * i),
  );
  return [blob, { hash, sharpness }];
}
