/**
 * The page's side of streaming: the service worker asks the page for a video's
 * bytes, and the page connects it with the vault.
 *
 * @module
 */
import { type FilmKind, isFilmKind } from "../../../client/library/films.ts";
import { vault } from "../vault.ts";

// Insecure contexts lack it, although its type says otherwise.
const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;

/** A request of the service worker. */
interface Asked {
  readonly stream?: {
    /** Its id, or one with the part of it: `<id>/playable`. */
    readonly assetId: string;
    readonly first: number;
    readonly last?: number;
  };
}

let listening = false;

/** Whether the service worker serves this page. */
export function canStream(): boolean {
  if (workers?.controller === null || workers === undefined) return false;
  if (!listening) {
    listening = true;
    workers.addEventListener(
      "message",
      ({ data, ports }) => answer(data, ports),
    );
    workers.startMessages();
  }
  return true;
}

function answer(
  { stream }: Asked,
  [port]: readonly MessagePort[],
): void {
  if (stream === undefined || port === undefined) return;
  const { assetId, ...range } = stream;
  const [id = "", copy = ""] = assetId.split("/");
  const part = isFilmKind(copy) ? copy : undefined;
  vault().viewing.stream(id, range, port, part);
}

/** The address of a video, or of a copy of it, for a player. */
export function streamAddress(assetId: string, copy?: FilmKind): string {
  return `/app/stream/${assetId}${copy === undefined ? "" : `/${copy}`}`;
}
