/**
 * Many small answers: the same GET over and over on several connections.
 *
 * @module
 */
import { connect, type RawAnswer } from "./connection.ts";
import type { Contender } from "./support.ts";

/** Connections that ask at once. */
export const CONNECTIONS = 16;

/** Something to ask for, and what its answer has to be. */
interface Target {
  readonly origin: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Throws unless the answer is the right one. */
  readonly check: (answer: RawAnswer) => void;
}

/** Measures answers a second over runs of so many milliseconds. */
export function manyAnswers(
  who: Omit<Contender, "run">,
  target: Target,
  runMs: number,
): Contender {
  return {
    ...who,
    run: async () => {
      const started = performance.now();
      const isOver = () => performance.now() - started > runMs;
      const counts = await Promise.all(
        Array.from({ length: CONNECTIONS }, () => drive(target, isOver)),
      );
      const seconds = (performance.now() - started) / 1_000;
      return counts.reduce((sum, one) => sum + one, 0) / seconds;
    },
  };
}

/** Asks on one connection, one after the other; returns how often. */
async function drive(target: Target, isOver: () => boolean): Promise<number> {
  const { origin, path, headers = {}, check } = target;
  const connection = await connect(origin);
  let done = 0;
  while (!isOver()) {
    check(await connection.exchange({ method: "GET", path, headers }));
    done++;
  }
  connection.close();
  return done;
}
