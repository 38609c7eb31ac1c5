/**
 * A rotation in a process of its own that is killed on its way, as it may be at
 * any point: `rotator_process.ts DATA_DIR PURPOSE MOMENT`. It dies `before` the
 * new key file takes the place of the old one, or `after`, which is before the
 * commit.
 *
 * @module
 */
import { rotateKey } from "../../src/features/keys/keys.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { keysPath } from "../../src/store/data_paths.ts";
import { openBesideServer } from "../../src/store/store.ts";

const [root = "", purpose = "", moment = ""] = Deno.args;
const db = await openBesideServer(root);
const files = {
  ...denoFiles,
  rename: async (from: string, to: string) => {
    if (moment === "after") await denoFiles.rename(from, to);
    Deno.kill(Deno.pid, "SIGKILL");
    // The signal may take a moment; nothing more happens here.
    await new Promise(() => {});
  },
};
await rotateKey(
  db,
  { files, directory: keysPath(root) },
  purpose === "access" ? "access" : "attestation",
  {
    now: () => Date.now(),
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    serverId: "http://127.0.0.1:8470",
  },
);
