/**
 * Uploading 256 MiB: ours by PUT and by PATCH (create, hash, sync, receipt)
 * against peers that write the same bytes to a file, neither hashed nor synced,
 * but for one.
 *
 *     deno task bench upload [--beside CHECKOUT]
 *
 * @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { connect } from "./connection.ts";
import { type Peer, startBare, startNginx, startRclone } from "./peers.ts";
import {
  alternate,
  bearer,
  type Contender,
  CPU_A_GIB,
  expectStatus,
  MIB,
  originalOf,
  type Ours,
  patchThrough,
  PIECE_BYTES,
  piecesOf,
  printTable,
  rateOf,
  type Repeated,
  repeated,
  requireFreeDisk,
  say,
  sayPeak,
  startOurs,
  withScratch,
} from "./support.ts";

const SIZE = 256 * MIB;

const { values } = parseArgs({ options: { beside: { type: "string" } } });

function byPut(ours: Ours, blob: Repeated, beside = false): Contender {
  const { account, server } = ours;
  return {
    ...beside
      ? { name: "beside, PUT" }
      : { name: "strongroom PUT", isOurs: true },
    pid: ours.server.pid,
    run: () =>
      rateOf(SIZE / MIB, async () => {
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
      }),
  };
}

function byPatch(ours: Ours, blob: Repeated): Contender {
  return {
    name: "strongroom PATCH",
    isOurs: true,
    pid: ours.server.pid,
    run: () =>
      rateOf(SIZE / MIB, async () => {
        const connection = await connect(ours.server.origin);
        const request = originalOf(ours.account, blob);
        await patchThrough(ours, connection, request, blob);
        connection.close();
      }),
  };
}

/** How a peer takes a file, and where it lies then. */
interface Taking {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly file: string;
}

function toPeer(peer: Peer, blob: Repeated, taking: Taking): Contender {
  const { method, path, status, file } = taking;
  return {
    name: peer.name,
    pid: peer.pid,
    run: async () => {
      const rate = await rateOf(SIZE / MIB, async () => {
        const connection = await connect(peer.origin);
        const answer = await connection.exchange({
          method,
          path,
          bodyBytes: blob.size,
          body: piecesOf(blob),
        });
        connection.close();
        expectStatus(answer, status);
      });
      const { size } = await Deno.stat(file);
      if (size !== blob.size) throw new Error(`${peer.name} lost bytes`);
      await Deno.remove(file);
      return rate;
    },
  };
}

await withScratch(async (scratch) => {
  await requireFreeDisk(scratch, 5 * SIZE);
  const folder = join(scratch, "peer");
  await Deno.mkdir(folder);
  const blob = repeated(SIZE / PIECE_BYTES);
  const ours = await startOurs(scratch);
  const other = join(scratch, "beside");
  await Deno.mkdir(other);
  const beside = values.beside === undefined
    ? undefined
    : await startOurs(other, {}, values.beside);
  const stopping: Pick<Peer, "stop">[] = [];
  if (beside !== undefined) {
    stopping.push({ stop: async () => void await beside.server.stop() });
  }
  try {
    const bare = await startBare(folder);
    const nginx = await startNginx(folder, scratch);
    const peers = nginx === undefined ? [bare] : [bare, nginx];
    stopping.push(...peers);
    const repository = join(scratch, "repository");
    await Deno.mkdir(repository);
    const rclone = await startRclone(repository);
    if (rclone !== undefined) stopping.push(rclone);
    const contenders = [
      byPut(ours, blob),
      byPatch(ours, blob),
      ...beside === undefined ? [] : [byPut(beside, blob, true)],
      ...peers.map((peer) =>
        toPeer(peer, blob, {
          method: "PUT",
          path: "/upload.bin",
          status: 201,
          file: join(folder, "upload.bin"),
        })
      ),
      toPeer({ ...bare, name: "bare, hashed and synced" }, blob, {
        method: "PUT",
        path: "/hashed/upload.bin",
        status: 201,
        file: join(folder, "upload.bin"),
      }),
      ...rclone === undefined ? [] : [toPeer(rclone, blob, {
        method: "POST",
        path: `/data/${blob.hash}`,
        status: 200,
        file: join(repository, "data", blob.hash.slice(0, 2), blob.hash),
      })],
    ];
    printTable(
      "256 MiB upload",
      "MiB/s",
      contenders,
      await alternate(contenders),
      CPU_A_GIB,
    );
    say(
      "median of 5 alternating rounds; only strongroom signs and keeps a receipt",
    );
    await sayPeak(ours);
  } finally {
    for (const peer of stopping) await peer.stop();
    await ours.server.stop();
  }
});
