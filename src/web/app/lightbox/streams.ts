/**
 * The page's side of streaming: the service worker asks the page for a video's
 * bytes, and the page connects it with the vault.
 *
 * @module
 */
import { vault } from "../vault.ts";

// Insecure contexts lack it, although its type says otherwise.
const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;

/** A request of the service worker. */
interface Asked {
  readonly stream?: {
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
  vault().viewing.stream(assetId, range, port);
}

/** The address of a video for a player. */
export function streamAddress(assetId: string): string {
  return `/app/stream/${assetId}`;
}
