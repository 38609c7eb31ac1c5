/**
 * Where the program looks for its settings if their file is not named
 * (configuration.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { debianProgram } from "../support/debian.ts";
import { programCommand, runProgram, withDataDir } from "../support/program.ts";

const ROOT = new URL("../../", import.meta.url);
const UNSHARE = await debianProgram("unshare", "util-linux");

/** Gives the program an /etc of its own, as far as the kernel lets. */
const OWN_ETC = [
  ...[UNSHARE ?? "unshare", "--map-root-user", "--mount", "sh", "-c"],
  'mount --bind "$1" /etc && shift && exec "$@"',
  "sh",
];
const CAN_MOUNT = UNSHARE !== undefined && await canMount();

async function canMount(): Promise<boolean> {
  const folder = await Deno.makeTempDir();
  const [program = "", ...args] = [...OWN_ETC, folder, "true"];
  const { success } = await new Deno.Command(program, { args }).output();
  await Deno.remove(folder);
  return success;
}

interface Shown {
  readonly env_file: string | null;
  readonly faults: readonly string[];
  readonly listen: string;
}

function shownIn(stdout: string): Shown {
  const { env_file, faults, settings } = JSON.parse(stdout);
  const { value: listen } = settings.find((one: { name: string }) =>
    one.name === "STRONGROOM_LISTEN"
  );
  return { env_file, faults, listen };
}

async function showFor(dataDir: string): Promise<Shown> {
  const args = ["config", "show", "--json", "--data-dir", dataDir];
  return shownIn((await runProgram(args)).stdout);
}

Deno.test("the file next to a data directory is that one's and not its neighbour's", async () => {
  await withDataDir(async (place) => {
    const file = `${place}/strongroom.env`;
    for (const named of [`${place}/one`, "./one", "one"]) {
      await Deno.writeTextFile(
        file,
        `STRONGROOM_DATA_DIR=${named}\nSTRONGROOM_LISTEN=127.0.0.1:9001\n`,
      );
      const one = await showFor(`${place}/one`);
      assert.deepEqual(one, {
        env_file: file,
        faults: [],
        listen: "127.0.0.1:9001",
      });
      const two = await showFor(`${place}/two`);
      assert.deepEqual(two, {
        env_file: null,
        faults: [],
        listen: "127.0.0.1:8470",
      });
    }
  });
});

Deno.test("a file that names no data directory is refused, and not passed over", async () => {
  await withDataDir(async (place) => {
    const file = `${place}/strongroom.env`;
    await Deno.writeTextFile(file, "STRONGROOM_REGISTRATION=closed\n");
    const { status, stderr } = await runProgram(
      ["account", "list", "--data-dir", `${place}/data`],
    );
    assert.equal(status, 1);
    assert.equal(
      stderr,
      `strongroom: ${file}: names no data directory: write ` +
        "STRONGROOM_DATA_DIR into it, or give the file with --env-file\n",
    );
  });
});

Deno.test({
  name:
    "the system's settings are found by themselves, and are for their own data directory",
  ignore: !CAN_MOUNT,
  fn: async () => {
    await withDataDir(async (place) => {
      const etc = `${place}/etc`;
      const here = `${place}/here`;
      const mine = `${place}/mine`;
      await Deno.mkdir(`${etc}/strongroom`, { recursive: true });
      for (const folder of [here, mine]) await Deno.mkdir(folder);
      const system = "/etc/strongroom/strongroom.env";
      const write = (text: string) =>
        Deno.writeTextFile(`${etc}/strongroom/strongroom.env`, text);
      const show = async (folder: string, ...more: string[]) => {
        const { args, program } = programCommand(
          ["config", "show", "--json", ...more],
        );
        const main = new URL("main.ts", ROOT).pathname;
        const config = new URL("deno.json", ROOT).pathname;
        const [command = "", ...rest] = [
          ...[...OWN_ETC, etc, program],
          ...args.flatMap((one) =>
            one === "main.ts" ? [`--config=${config}`, main] : [one]
          ),
        ];
        const { stdout } = await new Deno.Command(command, {
          args: rest,
          cwd: folder,
        }).output();
        return shownIn(new TextDecoder().decode(stdout));
      };
      await write(
        "STRONGROOM_DATA_DIR=/var/lib/strongroom\n" +
          "STRONGROOM_LISTEN=127.0.0.1:9002\n",
      );
      const ofSystem = {
        env_file: system,
        faults: [],
        listen: "127.0.0.1:9002",
      };
      const ofNobody = {
        ...ofSystem,
        env_file: null,
        listen: "127.0.0.1:8470",
      };
      assert.deepEqual(await show(here), ofSystem);
      assert.deepEqual(
        await show(here, "--data-dir", "/var/lib/strongroom"),
        ofSystem,
      );
      assert.deepEqual(await show(here, "--data-dir", mine), ofNobody);
      // A file here is nearer.
      await Deno.writeTextFile(
        `${here}/strongroom.env`,
        "STRONGROOM_DATA_DIR=./data\n",
      );
      assert.deepEqual(await show(here), {
        ...ofNobody,
        env_file: `${here}/strongroom.env`,
      });
      await Deno.remove(`${here}/strongroom.env`);
      // A unit may name the data directory in the file's place.
      await write("STRONGROOM_LISTEN=127.0.0.1:9002\n");
      assert.deepEqual(await show(here, "--data-dir", mine), ofSystem);
    });
  },
});
