/**
 * Own albums that are to end: their ending is tried again until it succeeds.
 *
 * @module
 */
import {
  ApiProblem,
  changedAt,
  ConnectionError,
} from "../../../../library/mod.ts";
import type { VaultContext } from "../../vault/context.ts";

/** Prefix of the settings that mark albums which are to end. */
const ENDING = "ending-album/";

/** The albums of a library that are to end. */
export interface EndingAlbums {
  isEnding(id: string): boolean;
  /** Marks an album, on all devices. */
  mark(id: string): Promise<unknown>;
  /** Tries those again that were not tried since the start. */
  endAgain(): Promise<void>;
}

export function endingAlbums(context: VaultContext): EndingAlbums {
  const isEnding = (id: string) =>
    context.opened().state.held.settings[`${ENDING}${id}`]?.value === true;
  /**
   * Albums whose ending was tried again since the start; others' trash may be
   * empty by now.
   */
  const tried = new Set<string>();
  return {
    isEnding,
    mark: (id) =>
      context.opened().state.change((held) => {
        const name = `${ENDING}${id}`;
        const at = changedAt(held.settings[name], context.platform.now());
        const settings = { ...held.settings, [name]: { value: true, at } };
        return { ...held, settings };
      }),
    async endAgain() {
      const { albums } = context.opened();
      for (const { id, role } of albums.list()) {
        if (role !== "owner" || !isEnding(id) || tried.has(id)) continue;
        tried.add(id);
        await albums.end(id).catch((error) => {
          const later = error instanceof ApiProblem ||
            error instanceof ConnectionError;
          if (!later) throw error;
        });
      }
    },
  };
}
