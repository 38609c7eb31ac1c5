/**
 * What pages have besides the portable core: files of a person as plaintexts,
 * and Workers that hash and seal them, so that the page stays free. A library
 * whose platform has a `sealer` gives it every file that it takes in.
 *
 * @module
 */
import type { LibraryPlatform } from "./base/platform.ts";
import { quickened } from "../client/keys/portable_primitives.ts";
import { type Sealer, sealerOf } from "../client/stream/sealer.ts";
import {
  serveSealingOn,
  type WorkerScope,
} from "../client/stream/threads/sealing_serving.ts";
import { SealingThreads } from "../client/stream/threads/sealing_threads.ts";

export {
  type FileSource,
  sourceOfFile,
} from "../client/stream/threads/file_source.ts";
export type {
  Addressed,
  PlainSource,
  Sealer,
  SealerOptions,
} from "../client/stream/sealer.ts";
export type { WorkerScope } from "../client/stream/threads/sealing_serving.ts";

/** Workers of a page, and what gives them work. */
export interface SealingWorkers {
  /** For the platform of a library. It seals by itself until one is ready. */
  readonly sealer: Sealer;
  /** Ends the Workers; the sealer goes on by itself. */
  end(): void;
}

/** More hold up one another. */
const MOST_WORKERS = 4;

/** How a page starts Workers. */
export interface SealingWorkersOptions {
  /** Makes one, whose script calls {@link serveSealing}. */
  readonly start: () => Worker;
  /** The platform's. */
  readonly wait: LibraryPlatform["wait"];
  /** Default: one for each core but one, from 1 to 4. */
  readonly count?: number;
}

/** Starts Workers that seal. */
export function sealingWorkers({
  start,
  wait,
  count = Math.min(MOST_WORKERS, navigator.hardwareConcurrency - 1),
}: SealingWorkersOptions): SealingWorkers {
  const here = async () => sealerOf(await quickened());
  const threads = new SealingThreads({ here, wait });
  const ports: MessagePort[] = [];
  const workers = Array.from({ length: Math.max(1, count) }, () => {
    const worker = start();
    // It sends its port once it can seal.
    worker.addEventListener("message", ({ data }: MessageEvent) => {
      if (!(data instanceof MessagePort)) return;
      ports.push(data);
      threads.add(data);
    });
    return worker;
  });
  return {
    sealer: threads,
    end() {
      for (const port of ports) threads.remove(port);
      for (const worker of workers) worker.terminate();
    },
  };
}

/**
 * What the script of such a Worker calls: it seals for its page from now on.
 */
export async function serveSealing(scope: WorkerScope): Promise<void> {
  serveSealingOn(scope, sealerOf(await quickened()));
}
