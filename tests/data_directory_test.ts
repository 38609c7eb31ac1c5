/**
 * Data directories that cannot be served: each is refused in one line that
 * says why and what to do, and is left as it was (operator.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { startProgram, withDataDir } from "./support/program.ts";
import { layOut } from "./support/schemas.ts";
import { mayMount, withSmallDisk } from "./support/small_disk.ts";

const isRoot = Deno.build.os === "linux" && Deno.uid() === 0;
const canMount = await mayMount();

/** Expects status 1 and one line on standard error. */
async function expectRefused(
  dataDir: string,
  why: RegExp,
  settings: Record<string, string> = {},
): Promise<void> {
  const program = await startProgram({
    STRONGROOM_DATA_DIR: dataDir,
    ...settings,
  });
  assert.equal(program.line, "");
  assert.equal(await program.exited, 1);
  const complaint = await program.complaint();
  assert.match(complaint, /^strongroom: [^\n]+\n$/);
  assert.match(complaint, why);
}

const IN_THE_WAY = /cannot be laid out, for something else has the name/;

const UNUSABLE: readonly {
  readonly sentence: string;
  readonly spoil: (dataDir: string) => Promise<void>;
  readonly why: RegExp;
}[] = [
  {
    sentence: "a database that is none",
    spoil: async (dataDir) => {
      const server = await startProgram({ STRONGROOM_DATA_DIR: dataDir });
      await server.stop();
      const noise = new Uint8Array(5_000).fill(7);
      await Deno.writeFile(`${dataDir}/db/strongroom.sqlite`, noise);
    },
    why: /holds a database that is damaged: .*restore a backup/,
  },
  {
    sentence: "a key file of something else",
    spoil: async (dataDir) => {
      await Deno.mkdir(`${dataDir}/keys`);
      await Deno.writeTextFile(`${dataDir}/keys/access.json`, "{}");
    },
    why: /access\.json is not a key file: put back the one that belongs here/,
  },
  {
    sentence: "a database and without a key of its time",
    spoil: async (dataDir) => {
      const server = await startProgram({ STRONGROOM_DATA_DIR: dataDir });
      await server.stop();
      await Deno.remove(`${dataDir}/keys/attestation.json`);
    },
    why: /keys\/attestation\.json is not there, .*: put it back from a backup/,
  },
  {
    sentence: "the attestation keys of another server",
    spoil: async (dataDir) => {
      const other = `${dataDir}/other`;
      await Deno.mkdir(other);
      await layOut(3, other);
      await layOut(4, dataDir);
      const keys = "keys/attestation.json";
      await Deno.copyFile(`${other}/${keys}`, `${dataDir}/${keys}`);
    },
    why: /attestation\.json [^\n]*newest receipt/,
  },
  ...(["access", "attestation"] as const).map((purpose) => ({
    sentence: `another server's ${purpose}.json, and no receipt yet`,
    spoil: async (dataDir: string) => {
      const other = await Deno.makeTempDir({ prefix: "strongroom-smoke-" });
      for (const place of [other, dataDir]) {
        const server = await startProgram({ STRONGROOM_DATA_DIR: place });
        await server.stop();
      }
      const name = `keys/${purpose}.json`;
      await Deno.copyFile(`${other}/${name}`, `${dataDir}/${name}`);
      await Deno.remove(other, { recursive: true });
    },
    why: new RegExp(`${purpose}\\.json is another server's, [^\\n]+: put back`),
  })),
  {
    sentence: "a file where the database's folder should be",
    spoil: (dataDir) => Deno.writeTextFile(`${dataDir}/db`, ""),
    why: /chown|cannot be laid out/,
  },
  {
    sentence: "a folder where the lock should be",
    spoil: (dataDir) => Deno.mkdir(`${dataDir}/lock`),
    why: IN_THE_WAY,
  },
];

for (const { sentence, spoil, why } of UNUSABLE) {
  Deno.test(`a data directory with ${sentence} is refused`, async () => {
    await withDataDir(async (dataDir) => {
      await spoil(dataDir);
      await expectRefused(dataDir, why);
    });
  });
}

Deno.test("a file in the data directory's place is refused and left alone", async () => {
  await withDataDir(async (parent) => {
    const path = `${parent}/data`;
    await Deno.writeTextFile(path, "a diary");
    await expectRefused(path, IN_THE_WAY);
    assert.equal(await Deno.readTextFile(path), "a diary");
  });
});

Deno.test({
  name: "a data directory that is somebody else's is refused",
  ignore: !isRoot,
  fn: async () => {
    await withDataDir(async (dataDir) => {
      await Deno.chown(dataDir, 12_345, 12_345);
      // Root may read everything; without these capabilities it may not.
      const child = new Deno.Command("setpriv", {
        args: [
          "--bounding-set=-dac_override,-dac_read_search",
          Deno.execPath(),
          ..."run --allow-all main.ts serve".split(" "),
        ],
        cwd: new URL("../", import.meta.url),
        env: {
          STRONGROOM_DATA_DIR: dataDir,
          STRONGROOM_LISTEN: "127.0.0.1:0",
          STRONGROOM_LOG_FORMAT: "pretty",
        },
      });
      const { code, stderr } = await child.output();
      assert.equal(code, 1);
      assert.match(
        new TextDecoder().decode(stderr),
        /^strongroom: \S+ is not this user's to read and write: [^\n]+chown[^\n]+\n$/,
      );
    });
  },
});

Deno.test({
  name: "a data directory without room for a database is refused",
  ignore: !canMount,
  fn: async () => {
    await withSmallDisk(5 * 4_096, async ({ path }) => {
      await expectRefused(path, /lies on a disk that is full or fails: make/);
    });
  },
});

Deno.test({
  name: "a data directory on a read-only file system is refused",
  ignore: !canMount,
  fn: async () => {
    await withSmallDisk(1_000_000, async ({ path }) => {
      const remount = ["-o", "remount,ro", path];
      await new Deno.Command("mount", { args: remount }).output();
      await expectRefused(path, /mounted read-only: mount it for writing/);
    });
  },
});
