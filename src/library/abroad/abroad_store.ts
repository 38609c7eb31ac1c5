/**
 * A store of its own for each album of another server, within this device's
 * store. Ids there are the host's choice: one that equals an id of the account's
 * own must mean nothing.
 *
 * @module
 */
import { utf8 } from "../../core/bytes.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import { SPACES, type Store } from "../base/store.ts";

const SPACE = "program";
const HEX_OF_HOST = 32;
const PAGE = 500;

function prefixOf(id: string): string {
  const at = id.indexOf("@");
  const host = sha256Hex(utf8(id.slice(at + 1))).slice(0, HEX_OF_HOST);
  return `abroad/${host}/${id.slice(0, at)}/`;
}

/** The store of an album, `<album_id>@<server_id>`. */
export function abroadStore(store: Store, id: string): Store {
  const prefix = prefixOf(id);
  return {
    get: (space, key) => store.get(SPACE, `${prefix}${space}/${key}`),
    async list(space, { after = "", limit } = {}) {
      const start = `${prefix}${space}/`;
      const entries = await store.list(SPACE, {
        after: `${start}${after}`,
        ...(limit === undefined ? {} : { limit }),
      });
      return entries.filter(({ key }) => key.startsWith(start)).map((
        { key, value },
      ) => ({ key: key.slice(start.length), value }));
    },
    write: (changes) =>
      store.write(changes.map(({ space, key, value }) => ({
        space: SPACE,
        key: `${prefix}${space}/${key}`,
        value,
      }))),
  };
}

/** Removes all that is kept of an album. */
export async function clearAbroadStore(
  store: Store,
  id: string,
): Promise<void> {
  const own = abroadStore(store, id);
  for (const space of SPACES) {
    for (;;) {
      const entries = await own.list(space, { limit: PAGE });
      if (entries.length === 0) break;
      await own.write(
        entries.map(({ key }) => ({ space, key, value: null })),
      );
    }
  }
}
