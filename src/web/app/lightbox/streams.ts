/**
 * The page's side of what the service worker streams: it asks the page for a
 * film's bytes, and the page lets it speak to the vault.
 *
 * @module
 */
import { vault } from "../vault.ts";

// Absent in insecure contexts, whatever the types say.
const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;

/** What the service worker asks. */
interface Asked {
  readonly stream?: {
    readonly assetId: string;
    readonly first: number;
    readonly last?: number;
  };
}

let listening = false;

/** Whether the service worker answers this page. */
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

/** Where a player finds a film. */
export function streamAddress(assetId: string): string {
  return `/app/stream/${assetId}`;
}
