/**
 * Where the browser keeps a person's session and keys. Over https they lie in
 * IndexedDB, sealed under a key that no script can read out; on plain http there
 * is no such key, and they stay in memory.
 *
 * @module
 */
import { asBufferSource } from "../../core/bytes.ts";
import { type Keep, memoryKeep } from "../../client/library/mod.ts";
import { randomBytes } from "../browser.ts";
import { ended, openDatabase, resultOf } from "./databases.ts";

const DATABASE = "strongroom";
const STORE = "keep";

interface Sealed {
  readonly key: CryptoKey;
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly box: ArrayBuffer;
}

/** The keep of this browser. */
export function browserKeep(): Keep {
  // Absent in insecure contexts, whatever the types say.
  const subtle: SubtleCrypto | undefined = crypto.subtle;
  return subtle === undefined ? memoryKeep() : sealedKeep(subtle);
}

function sealedKeep(subtle: SubtleCrypto): Keep {
  const database = openDatabase(DATABASE, 1, [STORE]);
  const read = async (): Promise<Sealed | undefined> => {
    const transaction = (await database).transaction(STORE, "readonly");
    return await resultOf(transaction.objectStore(STORE).get("profile"));
  };
  const change = async (act: (store: IDBObjectStore) => void) => {
    const transaction = (await database).transaction(STORE, "readwrite", {
      durability: "strict",
    });
    act(transaction.objectStore(STORE));
    await ended(transaction);
  };
  return {
    async read() {
      const sealed = await read();
      if (sealed === undefined) return undefined;
      const { key, iv, box } = sealed;
      return new Uint8Array(
        await subtle.decrypt({ name: "AES-GCM", iv }, key, box),
      );
    },
    async write(secret) {
      const key = await subtle.generateKey(
        { name: "AES-GCM", length: 256 },
        false,
        ["encrypt", "decrypt"],
      );
      const iv = new Uint8Array(randomBytes(12));
      const box = await subtle.encrypt(
        { name: "AES-GCM", iv },
        key,
        asBufferSource(secret),
      );
      await change((store) => store.put({ key, iv, box }, "profile"));
    },
    remove: () => change((store) => store.delete("profile")),
  };
}
