/**
 * What the program may do once it is packed, and how it is run: the same for the executable, the
 * bundle's launcher, `deno task strongroom` and the tests that run commands.
 *
 * @module
 */

/**
 * Which files and addresses a server needs is not known before its settings
 * are, so that reading, writing and the network are whole. What is missing is
 * what counts: the program can run no other, load no library and import no
 * code from elsewhere, whatever it is talked into.
 */
export const PROGRAM_PERMISSIONS: readonly string[] = [
  "--allow-env",
  "--allow-net",
  "--allow-read",
  "--allow-write",
  // Free disk space; whose the data directory is; where STRONGROOM_MDNS tells
  // the name; who serves the data directory, and since which start.
  "--allow-sys=statfs,uid,gid,networkInterfaces,hostname,osUptime",
  "--deny-import",
];

/**
 * V8 lets its young generation grow with the memory of the machine, to 100 MiB
 * on one of 24 GiB. Held to this a server that takes uploads has its peak 30
 * MiB lower, and its processor's time is the same.
 */
export const MEMORY_FLAG = "--v8-flags=--max-semi-space-size=4";

/**
 * Without the first the runtime takes an answered request for one whose client is
 * gone, and says so on standard error. A checkout has it from `deno.json`.
 */
export const RUNTIME_FLAGS: readonly string[] = [
  "--unstable-no-legacy-abort",
  MEMORY_FLAG,
];

/**
 * Without it the runtime takes every part of a bundled program apart at its
 * start, what is imported later too. An executable has them taken apart already.
 */
export const LAZY_FLAG = "--unstable-lazy-dynamic-imports";
