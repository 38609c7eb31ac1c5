/**
 * A thread with the viewers of a share: each scrolls from page to page and
 * reads its thumbnails as a browser does, six at a time. Told where, it begins;
 * told anything more, it ends and tells what each read took.
 *
 * @module
 */
import { connect, type RawConnection } from "./connection.ts";
import { expectStatus } from "./support.ts";

/** Where thumbnails are read. */
export interface Scrolled {
  readonly origin: string;
  /** The path of each thumbnail, in their order. */
  readonly paths: readonly string[];
}

/** The part of a worker's scope that is used here. */
declare const self: {
  onmessage: (event: MessageEvent<Scrolled | "end">) => void;
  postMessage: (took: readonly number[]) => void;
};

const VIEWERS = 2;
const PAGE = 20;
const PAGE_MS = 200;
/** What browsers open to one host. */
const CONNECTIONS = 6;

let isOver = false;

async function readPage(
  connections: readonly RawConnection[],
  paths: readonly string[],
  took: number[],
): Promise<void> {
  const left = paths.values();
  await Promise.all(connections.map(async (connection) => {
    for (const path of left) {
      const started = performance.now();
      const answer = await connection.exchange({ method: "GET", path });
      took.push(performance.now() - started);
      expectStatus(answer, 200);
    }
  }));
}

async function scroll(
  { origin, paths }: Scrolled,
  from: number,
): Promise<readonly number[]> {
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => connect(origin)),
  );
  const took: number[] = [];
  for (let at = from; !isOver; at = (at + PAGE) % paths.length) {
    const started = performance.now();
    await readPage(connections, paths.slice(at, at + PAGE), took);
    const pause = PAGE_MS - (performance.now() - started);
    if (pause > 0) await new Promise((done) => setTimeout(done, pause));
  }
  for (const connection of connections) connection.close();
  return took;
}

async function view(scrolled: Scrolled): Promise<void> {
  const apart = Math.floor(scrolled.paths.length / VIEWERS);
  const took = await Promise.all(
    Array.from(
      { length: VIEWERS },
      (_, index) => scroll(scrolled, index * apart),
    ),
  );
  self.postMessage(took.flat());
}

self.onmessage = ({ data }) => {
  if (data === "end") isOver = true;
  else void view(data);
};
