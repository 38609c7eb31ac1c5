/**
 * A thread's side of sealing: a Worker's, which parses nothing and has no keys
 * but those of the blobs that it is just sealing.
 *
 * @module
 */
import type { Sealer } from "../sealer.ts";
import { sealingCalls } from "./sealing_calls.ts";
import { type Line, serveLine } from "./thread_messages.ts";

/** The global scope of a Worker. */
export interface WorkerScope extends Line {
  close(): void;
}

/**
 * Seals with `sealer` for whoever has the port that is posted now; ends the
 * Worker when they let it go.
 */
export function serveSealingOn(scope: WorkerScope, sealer: Sealer): void {
  const { port1, port2 } = new MessageChannel();
  serveLine(
    port1,
    sealingCalls(
      sealer,
      (id, bytes) =>
        port1.postMessage({ event: "sealed", data: { id, bytes } }),
    ),
  );
  // Whoever had it has ended, or takes this thread for dead.
  port1.addEventListener("close", () => scope.close());
  port1.start();
  scope.postMessage(port2, [port2]);
}
