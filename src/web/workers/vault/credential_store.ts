/**
 * Storing a person's session and keys in the browser. Over https they are in
 * IndexedDB, sealed under a key that no script can export. On plain http there
 * is no such key, so they stay in memory. An unlock phrase seals them once
 * more, and only with one are they stored on plain http.
 *
 * @module
 */
import { asBufferSource, concatBytes } from "../../../core/bytes.ts";
import {
  type CredentialStore,
  type LibraryPlatform,
  memoryCredentialStore,
  openWithPhrase,
  sealWithPhrase,
} from "../../../library/mod.ts";
import { quickPrimitives } from "../../../client/keys/portable_primitives.ts";
import { randomBytes } from "../../browser.ts";
import { ended, openDatabase, resultOf } from "./databases.ts";

const DATABASE = "strongroom";
const STORE = "keep";

/** The states of a browser's credential store. */
type KeepState =
  /** No account is remembered here. */
  | "empty"
  /** Someone is remembered, and the unlock phrase is needed. */
  | "sealed"
  | "open";

/** A credential store that an unlock phrase can seal. */
export interface BrowserCredentialStore extends CredentialStore {
  state(): Promise<KeepState>;
  /** Whether it lasts longer than the page even without an unlock phrase. */
  readonly lasts: boolean;
  hasPhrase(): Promise<boolean>;
  /**
   * What opens the account of the stored profile without its keys, also while
   * it is sealed: the labels of boxes in escrow, as this browser saw them last.
   * Undefined if no keys are here.
   */
  boxes(): Promise<readonly string[] | undefined>;
  /** Opens a sealed credential store; false if the phrase is wrong. */
  unlock(phrase: string): Promise<boolean>;
  /** Seals the content under a phrase; undefined removes the phrase. */
  sealUnder(phrase: string | undefined): Promise<void>;
}

/** The record in the database. */
interface Kept {
  /** The browser's own seal; absent on plain http. */
  readonly wrap?: { readonly key: CryptoKey; readonly iv: Uint8Array };
  /** The key of the content, sealed under the unlock phrase. */
  readonly lock?: Uint8Array;
  /** Labels of boxes in escrow; null if the content has no keys. */
  readonly boxes?: readonly string[] | null;
  readonly content: Uint8Array;
}

const NONCE_BYTES = 12;
const KEY_BYTES = 32;
const BOUND_TO = new TextEncoder().encode("strongroom-keep/v1");

/**
 * Opens a credential store of this browser by its name; `boxesOf` reads from
 * its content what {@link BrowserCredentialStore.boxes} returns.
 */
export function browserCredentialStore(
  platform: LibraryPlatform,
  name: string,
  boxesOf: (
    content: Uint8Array,
  ) => Promise<readonly string[] | undefined> = () =>
    Promise.resolve(undefined),
): BrowserCredentialStore {
  // Insecure contexts lack it, although its type says otherwise.
  const subtle: SubtleCrypto | undefined = crypto.subtle;
  const memory = memoryCredentialStore();
  /** The key of the content, once the phrase was given. */
  let opened:
    | { readonly key: Uint8Array; readonly lock: Uint8Array }
    | undefined;

  const kept = () => record<Kept>(name);

  const write = async (secret: Uint8Array): Promise<void> => {
    let content = new Uint8Array(secret);
    if (opened !== undefined) {
      const nonce = new Uint8Array(randomBytes(NONCE_BYTES));
      const { key } = opened;
      content = concatBytes(
        nonce,
        quickPrimitives.seal(key, nonce, content, BOUND_TO),
      );
    } else if (subtle === undefined) return;
    const beside = {
      boxes: await boxesOf(secret) ?? null,
      ...(opened === undefined ? {} : { lock: opened.lock }),
    };
    if (subtle === undefined) {
      return await putRecord(name, { ...beside, content });
    }
    const key = await subtle.generateKey(
      { name: "AES-GCM", length: 256 },
      false,
      ["encrypt", "decrypt"],
    );
    const iv = new Uint8Array(randomBytes(NONCE_BYTES));
    const box = await subtle.encrypt({ name: "AES-GCM", iv }, key, content);
    const sealed = new Uint8Array(box);
    await putRecord(name, { wrap: { key, iv }, ...beside, content: sealed });
  };

  /** Opens the browser's own seal. */
  const unwrapped = async ({ wrap, content }: Kept): Promise<Uint8Array> => {
    if (wrap === undefined || subtle === undefined) return content;
    const iv = asBufferSource(wrap.iv);
    const box = asBufferSource(content);
    return new Uint8Array(
      await subtle.decrypt({ name: "AES-GCM", iv }, wrap.key, box),
    );
  };

  const credentials: BrowserCredentialStore = {
    lasts: subtle !== undefined,
    async state() {
      if (await memory.read() !== undefined) return "open";
      const held = await kept();
      if (held === undefined) return "empty";
      return held.lock === undefined || opened !== undefined
        ? "open"
        : "sealed";
    },
    hasPhrase: async () => (await kept())?.lock !== undefined,
    async read() {
      const inMemory = await memory.read();
      if (inMemory !== undefined) return inMemory;
      const held = await kept();
      if (held === undefined) return undefined;
      const content = await unwrapped(held);
      if (held.lock === undefined) return content;
      if (opened === undefined) return undefined;
      return quickPrimitives.open(
        opened.key,
        content.subarray(0, NONCE_BYTES),
        content.subarray(NONCE_BYTES),
        BOUND_TO,
      );
    },
    async boxes() {
      const inMemory = await memory.read();
      if (inMemory !== undefined) return await boxesOf(inMemory);
      const held = await kept();
      // What was kept before this was noted may have the only keys.
      const { boxes = [] } = held ?? { boxes: null };
      return boxes ?? undefined;
    },
    async write(secret) {
      if (await credentials.state() === "sealed") {
        throw new Error("what is kept here is locked");
      }
      await memory.write(secret);
      await write(secret);
    },
    async remove() {
      opened = undefined;
      await memory.remove();
      await removeRecord(name);
    },
    async unlock(phrase) {
      const lock = (await kept())?.lock;
      if (lock === undefined) return true;
      const key = await openWithPhrase(platform, phrase, lock);
      if (key === undefined) return false;
      opened = { key, lock };
      return true;
    },
    async sealUnder(phrase) {
      const secret = await credentials.read();
      if (secret !== undefined) await memory.write(secret);
      if (phrase === undefined) opened = undefined;
      else {
        const key = new Uint8Array(randomBytes(KEY_BYTES));
        opened = { key, lock: await sealWithPhrase(platform, phrase, key) };
      }
      if (phrase === undefined && subtle === undefined) {
        await removeRecord(name);
      }
      if (secret !== undefined) await credentials.write(secret);
    },
  };
  return credentials;
}

/** Reads a value that is no secret or is sealed already. */
export async function record<T>(name: string): Promise<T | undefined> {
  const transaction = (await database()).transaction(STORE, "readonly");
  return await resultOf<T | undefined>(
    transaction.objectStore(STORE).get(name),
  );
}

/** Writes a value, replacing the previous one. */
export function putRecord(name: string, value: unknown): Promise<void> {
  return change((store) => store.put(value, name));
}

/** Replaces a value by what is made of it, in one transaction. */
export function changeRecord<T>(
  name: string,
  next: (held: T | undefined) => T,
): Promise<void> {
  return change((store) => {
    const read: IDBRequest<T | undefined> = store.get(name);
    read.onsuccess = () => store.put(next(read.result), name);
  });
}

/** Removes a value. */
export function removeRecord(name: string): Promise<void> {
  return change((store) => store.delete(name));
}

async function change(act: (store: IDBObjectStore) => void): Promise<void> {
  const transaction = (await database()).transaction(STORE, "readwrite", {
    durability: "strict",
  });
  act(transaction.objectStore(STORE));
  await ended(transaction);
}

let opening: Promise<IDBDatabase> | undefined;

function database(): Promise<IDBDatabase> {
  return opening ??= openDatabase(DATABASE, 1, [STORE]);
}
