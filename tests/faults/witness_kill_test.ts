/**
 * A witness that is killed while two checkpoints of one size compete for its
 * cosignature (protocol/logs.md#the-witness): one of them gets it, whenever the
 * process ends, and the other one never does.
 *
 * There are 6 kills, or as many as `TEST_KILLS` says.
 *
 * @module
 */
import assert from "node:assert/strict";
import { witnessLog } from "../../src/features/witness/operator.ts";
import { openCosigner } from "../../src/features/witness/identity.ts";
import { verifierKey } from "../../src/crypto/logs/signed_note.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { keysPath } from "../../src/store/data_paths.ts";
import { openBesideServer } from "../../src/store/store.ts";
import { START_MS } from "../support/app.ts";
import { MortalServer } from "../support/mortal_server.ts";
import {
  bodyOf,
  consistencyOf,
  outsideLog,
  verifyCosignature,
} from "../support/outside_log.ts";
import { withDataDir } from "../support/program.ts";

const KILLS = Number(Deno.env.get("TEST_KILLS") ?? 6);

Deno.test(`of two trees of one size a witness cosigns one, through ${KILLS} kills`, async () => {
  await withDataDir(async (dataDir) => {
    const server = new MortalServer({
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_LISTEN: "127.0.0.1:0",
      STRONGROOM_BASE_URL: "http://witness.example",
      STRONGROOM_WITNESS: "on",
    });
    const log = await outsideLog("sea.example/log", 0);
    await server.start();
    const key = await agree(dataDir, log);
    let entries: Uint8Array[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const old = entries.length;
      const trees = [1, 2].map((branch) => [
        ...entries,
        ...Array.from(
          { length: 1 + kill % 3 },
          (_, at) => Uint8Array.of(branch, kill, at),
        ),
      ]);
      /** What is said of a tree in the end; undefined where it is refused. */
      const ask = async (tree: readonly Uint8Array[]) => {
        const note = await log.note(tree.length, tree);
        let from = old;
        for (;;) {
          const proof = consistencyOf(from, tree);
          const answer = await server.send("POST", "/witness/add-checkpoint", {
            protocol: null,
            body: bodyOf(from, proof, note),
          });
          const text = await answer.text();
          if (answer.status === 200) {
            await verifyCosignature(text, note, key);
            return text;
          }
          assert.equal(answer.status, 409, text);
          assert.equal(text, `${tree.length}\n`);
          if (from === tree.length) return undefined;
          // An answer may be lost: it is asked for again from there.
          from = tree.length;
        }
      };
      const asking = trees.map(ask);
      // Now at once, now behind the first record.
      if (kill % 2 === 1) await Promise.race(asking);
      await server.kill();
      await server.start();
      const said = await Promise.all(asking);
      assert.equal(said.filter((text) => text !== undefined).length, 1);
      const winner = trees[said[0] === undefined ? 1 : 0];
      assert(winner !== undefined);
      // And later on it is the same.
      const again = await Promise.all(trees.map(ask));
      assert.deepEqual(again, said);
      entries = winner;
    }
    await server.stop();
  });
});

async function agree(
  dataDir: string,
  log: { readonly origin: string; readonly verifierKey: string },
): Promise<string> {
  const db = await openBesideServer(dataDir, { access: "write" });
  try {
    await witnessLog(db, log.origin, log.verifierKey, START_MS);
    const directory = keysPath(dataDir);
    const cosigner = await openCosigner(db, { files: denoFiles, directory });
    assert(cosigner !== undefined);
    return verifierKey(cosigner.key);
  } finally {
    await db.destroy();
  }
}
