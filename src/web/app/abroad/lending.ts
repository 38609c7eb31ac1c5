/**
 * The thread that talks to other servers. The vault uses it, but cannot start
 * it: in most browsers a shared thread starts no others.
 *
 * @module
 */
import { threadAddress } from "../trusted.ts";
import { vault } from "../vault.ts";

/** Starts a thread and lends it to the vault, if no other page did. */
export async function lendAbroad(): Promise<void> {
  const worker = new Worker(threadAddress("abroad.js"), {
    type: "module",
    name: "abroad",
  });
  const { port1, port2 } = new MessageChannel();
  worker.postMessage("line", [port1]);
  if (!await vault().abroad.lend(port2)) worker.terminate();
}
