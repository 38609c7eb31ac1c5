/**
 * Uploading 256 MiB: ours by PUT and by PATCH (create, hash, sync, receipt)
 * against peers that write the same bytes to a file, neither hashed nor synced.
 *
 * @module
 */
import { join } from "node:path";
import { connect } from "./connection.ts";
import { type Peer, startBare, startNginx, startRclone } from "./peers.ts";
import {
  alternate,
  bearer,
  type Contender,
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

function byPut(ours: Ours, blob: Repeated): Contender {
  const { account, server } = ours;
  return {
    name: "strongroom PUT",
    isOurs: true,
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
  const stopping: Peer[] = [];
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
      ...peers.map((peer) =>
        toPeer(peer, blob, {
          method: "PUT",
          path: "/upload.bin",
          status: 201,
          file: join(folder, "upload.bin"),
        })
      ),
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
    );
    say(
      "median of 5 alternating rounds; only strongroom hashes, syncs and signs",
    );
    await sayPeak(ours);
  } finally {
    for (const peer of stopping) await peer.stop();
    await ours.server.stop();
  }
});
