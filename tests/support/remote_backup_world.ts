/**
 * A backup in a bucket for tests of what may happen on the way there.
 *
 * @module
 */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { faultsOf, withRoom, withServer } from "./backups.ts";
import { type TestBucket, withBucket } from "./bucket.ts";
import type { Json } from "./expect.ts";
import { hasty } from "./hasty.ts";
import { runInProcess } from "./in_process.ts";
import { createAsset, registerWriter } from "./people.ts";
import type { EndedProgram } from "./program.ts";

export const NAME = "s3://photos/home";

/** A backup with a generation, a server that has more since, and a way there. */
export interface World {
  readonly bucket: TestBucket;
  readonly data: string;
  readonly room: string;
  readonly settings: Record<string, string>;
  /** A command, with injected faults. */
  readonly run: (...args: readonly string[]) => Promise<EndedProgram>;
  /** The same with other settings. */
  readonly runWith: (
    more: Readonly<Record<string, string>>,
    ...args: readonly string[]
  ) => Promise<EndedProgram>;
  /** The bucket as it is now, to come back to. */
  readonly save: () => Promise<void>;
  readonly reset: () => Promise<void>;
}

export async function withWorld(
  strict: boolean,
  test: (world: World) => Promise<void>,
  more: Record<string, string> = {},
): Promise<void> {
  await withBucket(async (bucket) => {
    await withRoom(async (room) => {
      const keyFile = `${room}/key`;
      await Deno.writeTextFile(keyFile, "c3".repeat(32), { mode: 0o600 });
      const data = `${room}/data`;
      const settings = {
        STRONGROOM_DATA_DIR: data,
        STRONGROOM_BACKUP_KEY_FILE: keyFile,
        STRONGROOM_BACKUP_S3_ENDPOINT:
          bucket.settings["STRONGROOM_S3_ENDPOINT"] ?? "",
        STRONGROOM_BACKUP_S3_ACCESS_KEY_ID: "S3RVER",
        STRONGROOM_BACKUP_S3_SECRET_ACCESS_KEY: "S3RVER",
        STRONGROOM_BACKUP_S3_TIMEOUT_SECONDS: "600",
        ...more,
      };
      const runWith: World["runWith"] = (more, ...args) =>
        runInProcess(
          [...args, "--json"],
          { ...settings, ...more },
          new Uint8Array(),
          { ...hasty, fetch: bucket.fetch },
        );
      const run: World["run"] = (...args) => runWith({}, ...args);
      const saved = `${room}/saved`;
      const root = dirname(bucket.pathOf("home/x"));
      const world: World = {
        ...{ bucket, data, room, settings, run, runWith },
        save: () => copyTree(root, saved),
        reset: async () => {
          await Deno.remove(root, { recursive: true });
          await copyTree(saved, root);
        },
      };
      await withServer(data, async (server) => {
        const ada = await registerWriter(server, "ada");
        await createAsset(server, ada, "one");
        done(await run("backup", NAME));
        await createAsset(server, ada, "two");
      });
      await test(world);
    });
  }, { strict });
}

export async function copyTree(from: string, to: string): Promise<void> {
  await Deno.remove(to, { recursive: true }).catch(() => {});
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyTree(`${from}/${name}`, `${to}/${name}`);
    else await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}

export function done({ status, stdout, stderr }: EndedProgram): Json {
  assert.equal(status, 0, stderr + stdout);
  return JSON.parse(stdout);
}

/** A line says why; what the program did not expect would be a stack of them. */
export function refused({ status, stderr }: EndedProgram): string {
  assert.equal(status, 1);
  assert.match(stderr, /^(strongroom: [^\n]+\n)+$/);
  return stderr;
}

/** Every generation is whole, byte for byte; returns their numbers. */
export async function expectWhole(
  { run }: World,
  what: string,
): Promise<number[]> {
  await run("backup", "unlock", NAME, "--force");
  const ended = await run("backup", "verify", NAME, "--deep");
  const { findings, generations } = JSON.parse(ended.stdout || "{}");
  assert.deepEqual(findings, [], `${what}: ${ended.stderr}`);
  return generations.map(({ generation }: Json) => generation);
}

export async function expectRestored({ run, room }: World, number: number) {
  const to = `${room}/restored`;
  done(
    await run(
      "restore",
      NAME,
      "--generation",
      String(number),
      "--data-dir",
      to,
    ),
  );
  assert.deepEqual(await faultsOf(to), []);
  await Deno.remove(to, { recursive: true });
}
