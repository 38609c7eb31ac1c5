/**
 * A program that hashes a password with few descriptors left, and takes them
 * all the moment after it asked: what a flood of connections does to a server
 * whose worker is starting. Prints the hash.
 *
 * @module
 */
import { closeSync, openSync } from "node:fs";
import { createPasswords } from "../../src/crypto/password.ts";
import {
  descriptorLimit,
  hasDescriptors,
} from "../../src/store/files/descriptors.ts";
import { prepareForNone } from "../../src/server/descriptors.ts";

/** More than a worker may start with, and too few for one next to others. */
const LEFT = 40;
const held: number[] = [];

function takeAll(): void {
  try {
    for (;;) held.push(openSync("/", "r"));
  } catch {
    // None is left.
  }
}

function openPasswords() {
  return createPasswords({ memoryKib: 256, passes: 1 }, 2, {
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    hasDescriptors: (count) => hasDescriptors("/", count, limit),
  });
}

prepareForNone();
const limit = descriptorLimit("/", 4_096);
// As in a server that runs, the runtime has opened what it opens but once: for
// signals, and for the first worker.
const ignore = () => {};
Deno.addSignalListener("SIGTERM", ignore);
const first = openPasswords();
await first.hash("a password", "somebody");
first.close();

takeAll();
for (const descriptor of held.splice(0, LEFT)) closeSync(descriptor);
const passwords = openPasswords();
const hash = passwords.hash("a password of somebody", "somebody");
takeAll();
await Deno.stdout.write(new TextEncoder().encode(await hash));
passwords.close();
Deno.removeSignalListener("SIGTERM", ignore);
