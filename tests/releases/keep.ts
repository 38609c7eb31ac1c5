/**
 * Keeps what a release writes, for every later gate to read: a household's data
 * directory, its backups, an export, receipts and a proof, in
 * `tests/releases/VERSION`. Run once for a release, from the root of its tag:
 *
 *     deno run --lock --frozen --allow-all tests/releases/keep.ts
 *
 * @module
 */
import { join } from "node:path";
import manifest from "../../deno.json" with { type: "json" };
import {
  type EndedProgram,
  runProgram,
  serveHere,
} from "../support/program.ts";
import { newAccount, openMachine } from "../support/people_commands.ts";

const HERE = new URL("./", import.meta.url).pathname;
const SAMPLES = new URL("../samples/", import.meta.url).pathname;

/** Exit status of a proof that is to be asked for later. */
const NOT_YET = 75;

function succeeded({ status, stdout, stderr }: EndedProgram): string {
  if (status !== 0) throw new Error(stdout + stderr);
  return stdout;
}

/** Packed alike by every machine that has the same files. */
async function pack(folder: string, to: string): Promise<void> {
  const { success, stderr } = await new Deno.Command("tar", {
    args: [
      ...["--create", "--use-compress-program=gzip -9n", `--file=${to}`],
      ...["--sort=name", "--owner=0", "--group=0", "--numeric-owner"],
      ...[`--directory=${folder}`, "."],
    ],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

const room = await Deno.makeTempDir({ prefix: "strongroom-release-" });
try {
  const kept = join(room, "kept");
  await Deno.mkdir(kept);
  const data = join(kept, "data");
  // The settings that a restore and the next release find again.
  const settings = {
    STRONGROOM_DATA_DIR: data,
    STRONGROOM_REGISTRATION: "open",
    STRONGROOM_ARGON2_MEMORY_KIB: "8",
    STRONGROOM_ARGON2_PASSES: "1",
  };
  const server = await serveHere(settings);
  const laptop = await openMachine(join(room, "laptop"));
  const phone = await openMachine(join(room, "phone"));
  const town = { server, url: server.url, folder: room, machine: openMachine };
  const words = await newAccount(town, laptop, "ada@example.org");
  await newAccount(town, phone, "bob@example.org");
  await Deno.mkdir(laptop.path("Pictures"));
  for (const name of ["cat.jpg", "rocket.jpg"]) {
    await Deno.copyFile(`${SAMPLES}${name}`, laptop.path(`Pictures/${name}`));
  }
  await laptop.write("Pictures/note.txt", "Kept by the first release.\n");
  await laptop.done("push", laptop.path("Pictures"));
  await laptop.done("album", "new", "Summer");
  await laptop.done(
    "push",
    laptop.path("Pictures/cat.jpg"),
    "--album",
    "Summer",
  );
  await laptop.done("album", "invite", "Summer", "bob@example.org");
  await phone.done("album", "accept", "Summer");
  await phone.done("sync", phone.path("."));
  await laptop.done("rm", "note");
  const shared = await laptop.events("share", "rocket", "--title", "A rocket");
  const link = shared.map((one) => one["link"] ?? one["url"]).find(Boolean);
  await laptop.done("export-all", join(kept, "export"));
  succeeded(
    await runProgram(["backup", join(kept, "backup"), "--copy"], settings),
  );
  const keyFile = join(kept, "backup-key");
  await Deno.writeTextFile(keyFile, "5a".repeat(32), { mode: 0o600 });
  succeeded(
    await runProgram(["backup", `file://${kept}/off-site`], {
      ...settings,
      STRONGROOM_BACKUP_KEY_FILE: keyFile,
    }),
  );
  const keys = await fetch(
    `${server.url}/.well-known/service/attestation-keys`,
  );
  await Deno.writeTextFile(`${kept}/attestation-keys.json`, await keys.text());
  await Deno.writeTextFile(
    `${kept}/receipts.jsonl`,
    succeeded(await runProgram(["receipts", "export"], settings)),
  );
  const prove = () =>
    laptop.run(
      ...["receipts", "prove", laptop.path("Pictures/rocket.jpg")],
      ...["--to", `${kept}/rocket.tlog-proof`],
    );
  // The server signs its log every minute.
  let proven = await prove();
  while (proven.status === NOT_YET) {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    proven = await prove();
  }
  succeeded(proven);
  await server.stop();
  await Deno.writeTextFile(
    `${kept}/household.json`,
    `${
      JSON.stringify(
        {
          url: server.url,
          link,
          words: (await Deno.readTextFile(words)).trim(),
        },
        undefined,
        2,
      )
    }\n`,
  );
  const folder = `${HERE}${manifest.version}`;
  await Deno.mkdir(folder, { recursive: true });
  await pack(kept, `${folder}/household.tar.gz`);
} finally {
  await Deno.remove(room, { recursive: true });
}
