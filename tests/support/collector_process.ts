/**
 * A collection in another process, as the operator starts one while the server
 * runs: `collector_process.ts DATA_DIR NOW_MS MODE`. `once` collects and
 * ends; `repeat` until its standard input does, and says when it has begun;
 * `die` is killed between the first blob that it removes and the commit. Where
 * blobs lie is in its environment. Prints what was collected.
 *
 * @module
 */
import { collectGarbage } from "../../src/features/garbage_collection/collection.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { openServiceContext } from "./service_context.ts";

const [root = "", now = "", mode = ""] = Deno.args;
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
const context = await openServiceContext(root, () => Number(now), {
  files,
  settings: Object.fromEntries(
    Object.entries(Deno.env.toObject())
      .filter(([name]) => name.startsWith("STRONGROOM_")),
  ),
});
let ended = mode !== "repeat";
if (!ended) {
  new Response(Deno.stdin.readable).bytes().then(() => ended = true);
}
let rounds = 0;
let blobs = 0;
do {
  blobs += (await collectGarbage(context)).blobs.count;
  rounds += 1;
  // deno-lint-ignore no-console
  if (mode === "repeat" && rounds === 1) console.log("collecting");
} while (!ended);
await context.db.destroy();
// deno-lint-ignore no-console
console.log(JSON.stringify({ rounds, blobs }));
