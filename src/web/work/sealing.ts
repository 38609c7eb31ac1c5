/**
 * A thread that seals files for the vault. A page starts it, because a shared
 * thread cannot, and hands its port to the vault. It parses nothing, and has
 * no keys but those of the blobs that it is just sealing.
 *
 * @module
 */
import "../browser.ts";
import { sealerOf } from "../../client/sealer.ts";
import { sealingCalls } from "./sealing/calls.ts";
import { sodiumPrimitives } from "./sealing/sodium.ts";
import { type Line, serveLine } from "./wire.ts";

declare const self: Line & { close(): void };

const { port1, port2 } = new MessageChannel();
const sealer = sealerOf(await sodiumPrimitives());
serveLine(
  port1,
  sealingCalls(
    sealer,
    (id, bytes) => port1.postMessage({ event: "sealed", data: { id, bytes } }),
  ),
);
// The vault has ended, or takes this thread for dead.
port1.addEventListener("close", () => self.close());
port1.start();
self.postMessage(port2, [port2]);
