/**
 * The vault's calls for copies of films: which films have none, and keeping one
 * that was made.
 *
 * @module
 */
import {
  FILM_MIME,
  type FilmKind,
  type FilmSides,
  isFilm,
} from "../../../library/showing/films.ts";
import { mayTellPlace } from "../../../library/rows/embedded_media.ts";
import { isBroken } from "../../../library/rows/rows.ts";
import { keepFilm } from "../../../library/adding/keeping_film.ts";
import { sourceOfFile } from "../../../client/stream/threads/file_source.ts";
import type { VaultContext } from "../vault/context.ts";

/** A film of which a copy can be made. */
export interface FilmToCopy {
  readonly id: string;
  readonly name: string;
  /** Plaintext bytes of the original. */
  readonly size: number;
  /** Its file may tell where it was taken, so that links need a copy. */
  readonly hasPlace: boolean;
}

/** The calls about films in the group `viewing`. */
export function filmCalls(context: VaultContext) {
  return {
    /** Which of some photos are the person's own films without that copy. */
    without(ids: readonly string[], kind: FilmKind): readonly FilmToCopy[] {
      const { userId } = context.signedIn();
      return ids.flatMap((id) => {
        const row = context.opened().index.get(id);
        const { metadata } = row ?? {};
        if (row === undefined || metadata === undefined) return [];
        const isOwn = row.owner === userId && row.state === "live" &&
          !context.view().isShut(row);
        // A copy may be what the server lost.
        const has = !isBroken(row) &&
          metadata.derivatives.some((one) => one.kind === kind);
        if (!isOwn || has || !isFilm(metadata)) return [];
        const { name, size } = metadata;
        return [{ id, name, size, hasPlace: mayTellPlace(metadata) }];
      });
    },

    /**
     * Keeps a copy. The port gets how far it is, 0 to 1; the message `end` on it
     * cancels it.
     */
    async keep(
      id: string,
      film: Blob,
      sides: FilmSides,
      kind: FilmKind,
      port: MessagePort,
    ): Promise<void> {
      const ending = new AbortController();
      port.addEventListener("message", () => ending.abort());
      port.start();
      try {
        await keepFilm(context.opened(), id, {
          kind,
          mime: FILM_MIME,
          ...sides,
          source: sourceOfFile(film),
        }, {
          signal: ending.signal,
          onSent: (bytes) =>
            port.postMessage(Math.min(1, bytes / Math.max(1, film.size))),
        });
      } finally {
        port.close();
        context.changed();
      }
    },
  };
}
