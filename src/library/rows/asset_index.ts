/**
 * The index of an account's assets. The rows are in memory and stored as pages
 * of a thousand, which is ten times faster than storing single rows.
 *
 * @module
 */
import { decodeJson } from "../../client/documents/json.ts";
import { decodePage } from "./row_pages.ts";
import {
  encodeRow,
  encodeRows,
  isApart,
  isBroken,
  type Row,
  rowSchema,
} from "./rows.ts";
import { numberKey, type Store, type StoreChange } from "../base/store.ts";

/** Rows in a page. */
const PAGE_ROWS = 1_000;
/**
 * Pages that are read and opened at once. With eight, what others asked of the
 * thread meanwhile waited for 8,000 rows: the first pictures of a library came
 * a second and a half later on a slow phone.
 */
const PAGES_AT_ONCE = 1;
/** The same of rows that are entries of their own. */
const ROWS_AT_ONCE = 200;
const PAGE = "page/";
const ROW = "row/";

/** The rows of an account's assets, backed by a store. */
export interface AssetIndex {
  /** Number of rows, also of those that are apart. */
  readonly size: number;
  /** Any row, also one that is apart. */
  get(assetId: string): Row | undefined;
  /**
   * The rows of files and of links' indexes, in no particular order. What
   * people say of photos is not among them.
   */
  rows(): IterableIterator<Row>;
  /** The rows that are apart: comments, hearts, and unknown kinds. */
  apart(): readonly Row[];
  /** All rows, for following the feed. */
  all(): IterableIterator<Row>;
  /**
   * The first live row with this plaintext hash in this album whose blobs the
   * server is not known to have lost or damaged.
   */
  byPlaintext(sha256: string, album: string | undefined): Row | undefined;
  /** Rows whose metadata did not open: what they hold is unknown. */
  closed(): readonly Row[];
  /** Every row with this plaintext hash, whatever its state. */
  allByPlaintext(sha256: string): readonly Row[];
  /** Puts a row; nothing is stored before {@link AssetIndex.commit}. */
  put(row: Row): void;
  remove(assetId: string): void;
  /**
   * Puts one row and stores it at once as an entry of its own, because a page
   * is too large to be written for each row. The next commit moves it into its
   * page.
   */
  append(row: Row, more?: readonly StoreChange[]): Promise<void>;
  /** Stores all changes, together with `more`, in one write. */
  commit(more?: readonly StoreChange[]): Promise<void>;
  /** Removes every row. */
  clear(): Promise<void>;
  /**
   * Calls `listener` with the id of every row that is put or removed. Call the
   * returned function to stop.
   */
  watch(listener: (assetId: string) => void): () => void;
}

/** Opens the index that is in a store. */
export async function openIndex(store: Store): Promise<AssetIndex> {
  const rows = new Map<string, Row>();
  /** The page of each row, and the rows of each page. */
  const pageOf = new Map<string, number>();
  const pages = new Map<number, Set<string>>();
  const byHash = new Map<string, Set<string>>();
  const closed = new Set<string>();
  const apart = new Set<string>();
  const dirty = new Set<number>();
  const listeners = new Set<(assetId: string) => void>();
  const tell = (id: string) => {
    for (const listener of listeners) listener(id);
  };
  let last = 0;

  const place = (row: Row, page: number) => {
    forget(row.id);
    rows.set(row.id, row);
    pageOf.set(row.id, page);
    setOf(pages, page).add(row.id);
    const hash = row.metadata?.sha256;
    if (isApart(row)) apart.add(row.id);
    else if (hash !== undefined) setOf(byHash, hash).add(row.id);
    else closed.add(row.id);
    last = Math.max(last, page);
  };
  const forget = (id: string) => {
    const hash = rows.get(id)?.metadata?.sha256;
    if (hash !== undefined) byHash.get(hash)?.delete(id);
    const page = pageOf.get(id);
    if (page !== undefined) pages.get(page)?.delete(id);
    pageOf.delete(id);
    closed.delete(id);
    apart.delete(id);
    rows.delete(id);
  };
  /** Rows that are stored as entries of their own. */
  const single = new Set<string>();
  const put = (row: Row) => {
    let page = pageOf.get(row.id) ?? last;
    const isNew = !pageOf.has(row.id);
    if (isNew && (pages.get(page)?.size ?? 0) >= PAGE_ROWS) page = last + 1;
    place(row, page);
    dirty.add(page);
    tell(row.id);
  };
  // A few at a time: the thread that reads many pages would keep others
  // waiting.
  for (let after = PAGE, limit = PAGES_AT_ONCE, more = true; more;) {
    const entries = await store.list("index", { after, limit });
    more = entries.length === limit;
    for (const { key, value } of entries) {
      if (key.startsWith(PAGE)) {
        for (const row of decodePage(value)) {
          place(row, Number(key.slice(PAGE.length)));
        }
      } else if (key.startsWith(ROW)) {
        const row = decodeJson(rowSchema, value, "index row");
        put(row);
        single.add(row.id);
        limit = ROWS_AT_ONCE;
      }
    }
    after = entries.at(-1)?.key ?? after;
  }

  const allByPlaintext = (sha256: string) =>
    [...byHash.get(sha256) ?? []].flatMap((id) => rows.get(id) ?? []);
  const changeOf = (page: number): StoreChange => {
    const held = [...pages.get(page) ?? []]
      .flatMap((id) => rows.get(id) ?? []);
    return {
      space: "index",
      key: `${PAGE}${numberKey(page)}`,
      value: held.length === 0 ? null : encodeRows(held),
    };
  };
  return {
    get size() {
      return rows.size;
    },
    get: (assetId) => rows.get(assetId),
    *rows() {
      for (const row of rows.values()) if (!apart.has(row.id)) yield row;
    },
    apart: () => [...apart].flatMap((id) => rows.get(id) ?? []),
    all: () => rows.values(),
    byPlaintext: (sha256, album) =>
      allByPlaintext(sha256)
        .find((row) =>
          row.state === "live" && row.album === album && !isBroken(row)
        ),
    closed: () => [...closed].flatMap((id) => rows.get(id) ?? []),
    allByPlaintext,
    put,
    async append(row, more = []) {
      put(row);
      single.add(row.id);
      const value = encodeRow(row);
      const key = `${ROW}${row.id}`;
      await store.write([{ space: "index", key, value }, ...more]);
    },
    remove(assetId) {
      const page = pageOf.get(assetId);
      if (page === undefined) return;
      forget(assetId);
      dirty.add(page);
      tell(assetId);
    },
    async commit(more = []) {
      const changed = [...dirty];
      const taken = [...single];
      dirty.clear();
      single.clear();
      try {
        await store.write([
          ...changed.map(changeOf),
          ...taken.map(noLongerSingle),
          ...more,
        ]);
      } catch (error) {
        for (const page of changed) dirty.add(page);
        for (const id of taken) single.add(id);
        throw error;
      }
    },
    async clear() {
      const emptied = [...pages.keys()];
      const taken = [...single];
      for (const id of [...rows.keys()]) {
        forget(id);
        tell(id);
      }
      dirty.clear();
      single.clear();
      last = 0;
      await store.write([
        ...emptied.map(changeOf),
        ...taken.map(noLongerSingle),
      ]);
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function noLongerSingle(id: string): StoreChange {
  return { space: "index", key: `${ROW}${id}`, value: null };
}

function setOf<K>(sets: Map<K, Set<string>>, key: K): Set<string> {
  const held = sets.get(key) ?? new Set<string>();
  sets.set(key, held);
  return held;
}
