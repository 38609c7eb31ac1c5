/**
 * Links that may still show a photo as it was before an edit. This device keeps
 * them until the person was told, whichever pass or edit found them.
 *
 * @module
 */
import { fromUtf8, utf8 } from "../../core/bytes.ts";
import type { Store } from "../base/store.ts";

/** A link that may still show a photo as it was. */
export interface StillShown {
  readonly opaqueId: string;
  /** Its title, or its id. */
  readonly name: string;
}

/** The links of which the person is yet to be told. */
export interface StillShownLinks {
  /** At most a hundred; the others follow once these were told. */
  list(): Promise<readonly StillShown[]>;
  /** Keeps links, each once; resolves once they are on the disk. */
  keep(links: readonly StillShown[]): Promise<void>;
  /** Forgets links of which the person was told, or which this device ended. */
  told(opaqueIds: readonly string[]): Promise<void>;
}

// Kept with what no server has, not with what can be read again.
const SPACE = "pins";
const PREFIX = "still-shown/";
const AT_ONCE = 100;

/** Opens the links that a device keeps in its store. */
export function openStillShown(store: Store): StillShownLinks {
  const keyOf = (opaqueId: string) => `${PREFIX}${opaqueId}`;
  return {
    async list() {
      const kept = await store.list(SPACE, { after: PREFIX, limit: AT_ONCE });
      return kept.filter(({ key }) => key.startsWith(PREFIX))
        .map(({ key, value }) => {
          const opaqueId = key.slice(PREFIX.length);
          return { opaqueId, name: fromUtf8(value) ?? opaqueId };
        });
    },
    async keep(links) {
      if (links.length === 0) return;
      await store.write(links.map(({ opaqueId, name }) => ({
        space: SPACE,
        key: keyOf(opaqueId),
        value: utf8(name),
      })));
    },
    async told(opaqueIds) {
      await store.write(opaqueIds.map((opaqueId) => ({
        space: SPACE,
        key: keyOf(opaqueId),
        value: null,
      })));
    },
  };
}
