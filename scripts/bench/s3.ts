/**
 * Blobs in an object store, through our server, against rclone and s3cmd on the
 * same Ceph: a file of 64 MiB up and down, and two hundred small ones up. Ours
 * takes each upload into a file, hashes it, puts it, sees it there, and signs a
 * receipt; the peers put a file and are done. Exit status 3 where Ceph is not
 * installed.
 *
 * @module
 */
import { join } from "node:path";
import type { UploadRequest } from "../../src/client/api.ts";
import { sourceOf, uploadBlob } from "../../src/client/upload.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { randomBytes } from "../demo/staging.ts";
import { connect } from "./connection.ts";
import {
  alternate,
  bearer,
  type Contender,
  expectStatus,
  MIB,
  originalOf,
  type Ours,
  piecesOf,
  printTable,
  rateOf,
  type Repeated,
  repeated,
  requireFreeDisk,
  say,
  sayPeak,
  shareOriginal,
  startOurs,
  withScratch,
} from "./support.ts";

const SIZE = 64 * MIB;
const SMALL = 200;
const SMALL_BYTES = 16_384;
/** Transfers at a time, everybody's. */
const AT_ONCE = 8;
const SCRIPT = new URL("../../tests/ceph/ceph.sh", import.meta.url).pathname;
const NOT_INSTALLED = 3;
const BUCKET = "photos";
const ACCESS = "strongroom";
const SECRET = "strongroom-secret";

/** A program that talks to the store by itself. */
interface Tool {
  readonly name: string;
  readonly put: (file: string, key: string) => string[];
  readonly putAll: (folder: string, under: string) => string[];
  readonly read: (key: string) => string[];
  readonly env: Record<string, string>;
}

function rclone(endpoint: string): Tool {
  const at = (key: string) => `c:${BUCKET}/${key}`;
  // Without looking whether the bucket is there, as ours does.
  const base = ["rclone", "--s3-no-check-bucket", "--config", "/dev/null"];
  return {
    name: "rclone",
    put: (file, key) => [...base, "copyto", "--ignore-times", file, at(key)],
    putAll: (folder, under) => [
      ...base,
      "copy",
      "--ignore-times",
      "--transfers",
      `${AT_ONCE}`,
      folder,
      at(under),
    ],
    read: (key) => [...base, "cat", at(key)],
    env: {
      RCLONE_CONFIG_C_TYPE: "s3",
      RCLONE_CONFIG_C_PROVIDER: "Ceph",
      RCLONE_CONFIG_C_ENDPOINT: endpoint,
      RCLONE_CONFIG_C_ACCESS_KEY_ID: ACCESS,
      RCLONE_CONFIG_C_SECRET_ACCESS_KEY: SECRET,
    },
  };
}

function s3cmd(endpoint: string): Tool {
  const { host } = new URL(endpoint);
  const base = [
    ...["s3cmd", "--config=/dev/null", "--no-ssl", "--quiet"],
    ...[`--host=${host}`, `--host-bucket=${host}`],
    ...[`--access_key=${ACCESS}`, `--secret_key=${SECRET}`],
  ];
  const at = (key: string) => `s3://${BUCKET}/${key}`;
  return {
    name: "s3cmd",
    put: (file, key) => [...base, "put", file, at(key)],
    putAll: (folder, under) => [
      ...base,
      "put",
      "--recursive",
      `${folder}/`,
      at(`${under}/`),
    ],
    read: (key) => [...base, "get", at(key), "-"],
    env: {},
  };
}

/** Runs a tool; returns how many bytes it wrote to its output. */
async function run(args: readonly string[], env: Record<string, string>) {
  const [program = "", ...rest] = args;
  const child = new Deno.Command(program, {
    args: rest,
    // Nothing of this process's own settings for stores and certificates.
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "", ...env },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stderr = new Response(child.stderr).text();
  let bytes = 0;
  for await (const piece of child.stdout) bytes += piece.length;
  const { code } = await child.status;
  if (code !== 0) throw new Error(`${program}: ${await stderr}`);
  return bytes;
}

function large(): Repeated {
  return repeated(SIZE / (8 * MIB));
}

/** PUTs a blob; returns the request that it was made with. */
async function putLarge(
  { account, server }: Ours,
  blob: Repeated,
): Promise<UploadRequest> {
  const request = originalOf(account, blob);
  const { upload_id: uploadId } = await account.createUpload(request);
  const connection = await connect(server.origin);
  const answer = await connection.exchange({
    method: "PUT",
    path: `/v1/upload/${uploadId}`,
    headers: {
      ...bearer(account),
      "Content-Type": "application/octet-stream",
    },
    bodyBytes: blob.size,
    body: piecesOf(blob),
  });
  connection.close();
  expectStatus(answer, 200);
  return request;
}

/** Another blob each time: what the store has already is not sent. */
function ourUpload(ours: Ours): Contender {
  return {
    name: "strongroom",
    isOurs: true,
    run: async () => {
      const blob = large();
      return await rateOf(SIZE / MIB, async () => {
        await putLarge(ours, blob);
      });
    },
  };
}

function ourSmall({ account }: Ours): Contender {
  return {
    name: "strongroom",
    isOurs: true,
    run: async () => {
      const blobs = Array.from({ length: SMALL }, () => {
        const bytes = randomBytes(SMALL_BYTES);
        return { bytes, hash: sha256Hex(bytes) };
      });
      return await rateOf(SMALL, async () => {
        const waiting = blobs.values();
        await Promise.all(Array.from({ length: AT_ONCE }, async () => {
          for (const { bytes, hash } of waiting) {
            const request = originalOf(account, { size: bytes.length, hash });
            await uploadBlob(account, request, sourceOf(bytes));
          }
        }));
      });
    },
  };
}

async function ourRead(ours: Ours): Promise<Contender> {
  const link = await shareOriginal(ours, await putLarge(ours, large()));
  return {
    name: "strongroom share",
    isOurs: true,
    run: () =>
      rateOf(SIZE / MIB, async () => {
        const answer = await fetch(`${ours.server.origin}${link}`);
        let read = 0;
        for await (const piece of answer.body ?? []) read += piece.length;
        if (read !== SIZE) throw new Error(`${read} bytes`);
      }),
  };
}

async function measure(endpoint: string, scratch: string): Promise<void> {
  const ours = await startOurs(scratch, {
    STRONGROOM_BLOBS: "s3",
    STRONGROOM_S3_ENDPOINT: endpoint,
    STRONGROOM_S3_BUCKET: BUCKET,
    STRONGROOM_S3_PREFIX: "ours/",
    STRONGROOM_S3_ACCESS_KEY_ID: ACCESS,
    STRONGROOM_S3_SECRET_ACCESS_KEY: SECRET,
  });
  try {
    const file = join(scratch, "file");
    await Deno.writeFile(file, ReadableStream.from(piecesOf(large())));
    const folder = join(scratch, "small");
    await Deno.mkdir(folder);
    for (let i = 0; i < SMALL; i++) {
      await Deno.writeFile(join(folder, `${i}`), randomBytes(SMALL_BYTES));
    }
    const tools = [rclone(endpoint), s3cmd(endpoint)];
    const peers = (
      units: number,
      args: (tool: Tool) => string[],
      expected = 0,
    ): Contender[] =>
      tools.map((tool) => ({
        name: tool.name,
        run: () =>
          rateOf(units, async () => {
            const bytes = await run(args(tool), tool.env);
            if (bytes < expected) throw new Error(`${tool.name}: ${bytes}`);
          }),
      }));
    const tables: [string, string, Contender[]][] = [
      ["64 MiB up", "MiB/s", [
        ourUpload(ours),
        ...peers(SIZE / MIB, (tool) => tool.put(file, tool.name)),
      ]],
      ["64 MiB down", "MiB/s", [
        await ourRead(ours),
        ...peers(SIZE / MIB, (tool) => tool.read(tool.name), SIZE),
      ]],
      [`${SMALL} of 16 KiB up`, "a second", [
        ourSmall(ours),
        ...peers(SMALL, (tool) => tool.putAll(folder, `${tool.name}-small`)),
      ]],
    ];
    for (const [title, unit, contenders] of tables) {
      printTable(title, unit, contenders, await alternate(contenders));
    }
    say("median of 5 alternating rounds, on one Ceph that is in memory");
    await sayPeak(ours);
  } finally {
    await ours.server.stop();
  }
}

async function ceph(command: "start" | "stop", folder: string) {
  const { code, stdout } = await new Deno.Command("bash", {
    args: [SCRIPT, command, folder],
    stderr: "inherit",
  }).output();
  return { code, said: new TextDecoder().decode(stdout).trim() };
}

let status = 0;
await withScratch(async (scratch) => {
  await requireFreeDisk(scratch, 10 * SIZE);
  const folder = join(scratch, "ceph");
  try {
    const { code, said } = await ceph("start", folder);
    if (code === 0) {
      await measure(said, scratch);
    } else {
      say("NOT MEASURED: Ceph did not start");
      status = code === NOT_INSTALLED ? NOT_INSTALLED : 1;
    }
  } finally {
    await ceph("stop", folder);
  }
});
Deno.exit(status);
