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
  // Free disk space; whose the data directory is.
  "--allow-sys=statfs,uid,gid",
  "--deny-import",
];

/**
 * Without it the runtime takes an answered request for one whose client is
 * gone, and says so on standard error. A checkout has it from `deno.json`.
 */
export const RUNTIME_FLAGS: readonly string[] = ["--unstable-no-legacy-abort"];
