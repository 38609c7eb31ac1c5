/**
 * Downloading 256 MiB over one connection, and 4 KiB over and over on sixteen:
 * ours through a share link against peers that serve the same bytes as a file.
 *
 * @module
 */
import { join } from "node:path";
import { connect } from "./connection.ts";
import { CONNECTIONS, manyAnswers } from "./many.ts";
import { type Peer, startBare, startCaddy, startNginx } from "./peers.ts";
import {
  alternate,
  type Contender,
  CPU_A_GIB,
  CPU_AN_ANSWER,
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
  shareOriginal,
  startOurs,
  withScratch,
} from "./support.ts";

const LARGE = 256 * MIB;
const SMALL = 4 * 1024;
const SMALL_MS = 1_200;

/** A place to fetch a file from. */
interface Place {
  readonly name: string;
  readonly isOurs?: true;
  readonly pid: number;
  readonly origin: string;
  readonly path: string;
}

function fetchLarge({ origin, path, ...place }: Place): Contender {
  return {
    ...place,
    run: () =>
      rateOf(LARGE / MIB, async () => {
        const connection = await connect(origin);
        const answer = await connection.exchange({ method: "GET", path });
        connection.close();
        expectLength(answer, LARGE);
      }),
  };
}

function fetchSmall({ origin, path, ...who }: Place): Contender {
  return manyAnswers(who, {
    origin,
    path,
    check: (answer) => expectLength(answer, SMALL),
  }, SMALL_MS);
}

function expectLength(
  answer: { status: number; bodyBytes: number; text: string },
  length: number,
): void {
  expectStatus(answer, 200);
  if (answer.bodyBytes === length) return;
  throw new Error(`${answer.bodyBytes} bytes, not ${length}`);
}

async function writeFile(path: string, blob: Repeated): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true });
  for (const piece of piecesOf(blob)) file.writeSync(piece);
}

/** Stores a blob with us and for the peers; where each has it. */
async function place(
  ours: Ours,
  peers: readonly Peer[],
  folder: string,
  name: string,
  blob: Repeated,
): Promise<Place[]> {
  const connection = await connect(ours.server.origin);
  const request = originalOf(ours.account, blob);
  await patchThrough(ours, connection, request, blob);
  connection.close();
  await writeFile(join(folder, name), blob);
  return [
    {
      name: "strongroom",
      isOurs: true,
      pid: ours.server.pid,
      origin: ours.server.origin,
      path: await shareOriginal(ours, request),
    },
    ...peers.map((peer) => ({
      name: peer.name,
      pid: peer.pid,
      origin: peer.origin,
      path: `/${name}`,
    })),
  ];
}

await withScratch(async (scratch) => {
  await requireFreeDisk(scratch, 4 * LARGE);
  const folder = join(scratch, "peer");
  await Deno.mkdir(folder);
  const ours = await startOurs(scratch);
  const peers: Peer[] = [];
  try {
    peers.push(await startBare(folder));
    const nginx = await startNginx(folder, scratch);
    if (nginx !== undefined) peers.push(nginx);
    const caddy = await startCaddy(folder, scratch);
    if (caddy !== undefined) peers.push(caddy);
    const large = repeated(LARGE / PIECE_BYTES);
    const small = repeated(1, SMALL);
    const inLarge = (await place(ours, peers, folder, "large.bin", large))
      .map(fetchLarge);
    const inSmall = (await place(ours, peers, folder, "small.bin", small))
      .map(fetchSmall);
    printTable(
      "256 MiB download",
      "MiB/s",
      inLarge,
      await alternate(inLarge),
      CPU_A_GIB,
    );
    say("");
    printTable(
      `4 KiB download, ${CONNECTIONS} connections`,
      "answers/s",
      inSmall,
      await alternate(inSmall),
      CPU_AN_ANSWER,
    );
    say(
      "median of 5 alternating rounds; strongroom looks its link up each time",
    );
    await sayPeak(ours);
  } finally {
    for (const peer of peers) await peer.stop();
    await ours.server.stop();
  }
});
