/**
 * Starts the thread of a share link's page before the page's script is here: on
 * a slow line the link's index comes meanwhile.
 *
 * @module
 */
import { threadAddress } from "../../trusted.ts";

/** A thread, and the messages that it sent before something listened. */
interface EarlyThread {
  readonly worker: Worker;
  readonly sent: MessageEvent[];
  readonly keep: (message: MessageEvent) => void;
}

let early: EarlyThread | undefined;

/** Starts a thread; a name is the link that it asks for at once. */
function start(name = ""): Worker {
  return new Worker(threadAddress("link.js"), { type: "module", name });
}

/** The page's thread; `listen` gets its messages from the first one on. */
export function linkThread(listen: (message: MessageEvent) => void): Worker {
  const { worker = start(), sent = [], keep } = early ?? {};
  early = undefined;
  if (keep !== undefined) worker.removeEventListener("message", keep);
  worker.addEventListener("message", listen);
  for (const message of sent) listen(message);
  return worker;
}

const [, opaqueId] = /^\/s\/([0-9a-f]{32})/.exec(location.pathname) ?? [];
// Without a key there is nothing to open.
if (opaqueId !== undefined && location.hash.length > 1) {
  const sent: MessageEvent[] = [];
  const keep = (message: MessageEvent) => {
    sent.push(message);
  };
  early = { worker: start(opaqueId), sent, keep };
  early.worker.addEventListener("message", keep);
}
