/**
 * Uploading 256 MiB: ours by PUT and by PATCH (create, hash, sync, receipt)
 * against peers that write the same bytes to a file, neither hashed nor synced.
 *
 * @module
 */
import { join } from "node:path";
import { connect } from "./connection.ts";
import { type Peer, startBare, startNginx } from "./peers.ts";
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

function toPeer(peer: Peer, blob: Repeated, path: string): Contender {
  return {
    name: peer.name,
    run: async () => {
      const rate = await rateOf(SIZE / MIB, async () => {
        const connection = await connect(peer.origin);
        const answer = await connection.exchange({
          method: "PUT",
          path: "/upload.bin",
          bodyBytes: blob.size,
          body: piecesOf(blob),
        });
        connection.close();
        expectStatus(answer, 201);
      });
      const { size } = await Deno.stat(path);
      if (size !== blob.size) throw new Error(`${peer.name} lost bytes`);
      await Deno.remove(path);
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
  const peers: Peer[] = [];
  try {
    peers.push(await startBare(folder));
    const nginx = await startNginx(folder, scratch);
    if (nginx !== undefined) peers.push(nginx);
    const contenders = [
      byPut(ours, blob),
      byPatch(ours, blob),
      ...peers.map((peer) => toPeer(peer, blob, join(folder, "upload.bin"))),
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
    for (const peer of peers) await peer.stop();
    await ours.server.stop();
  }
});
