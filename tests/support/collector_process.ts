/**
 * A collection in a process of its own, as the operator starts one beside the
 * server: `collector_process.ts DATA_DIR NOW_MS MODE`. `once` collects and
 * ends; `repeat` until its standard input does; `die` is killed between the
 * first blob that it removes and the commit. Prints what was collected.
 *
 * @module
 */
import { sleep } from "../../src/server/sleep.ts";
import { collectGarbage } from "../../src/features/collection/collection.ts";
import { ActiveUploads } from "../../src/features/uploads/active.ts";
import { BlobDirectory } from "../../src/store/blobs.ts";
import { denoFiles } from "../../src/store/deno_files.ts";
import { openBesideServer } from "../../src/store/store.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/time.ts";

const [root = "", now = "", mode = ""] = Deno.args;
const silent = () => {};
const files = mode !== "die" ? denoFiles : {
  ...denoFiles,
  remove: async (path: string) => {
    await denoFiles.remove(path);
    if (!path.startsWith(`${root}/blobs/`)) return;
    Deno.kill(Deno.pid, "SIGKILL");
    // The signal may take a moment; nothing more happens here.
    await new Promise(() => {});
  },
};
const db = await openBesideServer(root);
const parts = {
  db,
  blobs: new BlobDirectory(files, root),
  uploads: new ActiveUploads(),
  limits: { trashMs: 30 * DAY_MS, uploadTtlMs: 24 * HOUR_MS },
  platform: {
    now: () => Number(now),
    monotonic: () => performance.now(),
    random: (length: number) => new Uint8Array(length),
    sleep,
    fetch,
    log: { debug: silent, info: silent, warn: silent, error: silent },
  },
};
let ended = mode !== "repeat";
if (!ended) {
  new Response(Deno.stdin.readable).bytes().then(() => ended = true);
}
let rounds = 0;
let blobs = 0;
do {
  blobs += (await collectGarbage(parts)).blobs.count;
  rounds += 1;
} while (!ended);
await db.destroy();
// deno-lint-ignore no-console
console.log(JSON.stringify({ rounds, blobs }));
