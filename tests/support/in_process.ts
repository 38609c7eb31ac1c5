/**
 * A command of the operator's in the test's own process, with streams and an
 * environment of its own: the same code, without half a second to start it.
 *
 * @module
 */
import { platform } from "../../main.ts";
import { runProgram } from "../../src/cli/program.ts";
import type { EndedProgram } from "./program.ts";

/** Resolves when the command before has ended. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Runs a command line to its end, after those that were asked for before: of
 * two that write, one would wait for the other without letting it go on.
 */
export function runInProcess(
  ...given: Parameters<typeof run>
): Promise<EndedProgram> {
  const ended = turn.then(() => run(...given));
  turn = ended.catch(() => {});
  return ended;
}

async function run(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  input: Uint8Array<ArrayBuffer>,
): Promise<EndedProgram> {
  const stdout = new Gathered();
  const stderr = new Gathered();
  const status = await runProgram(args, platform, {
    streams: { stdin: inputOf(input), stdout, stderr },
    environment,
  });
  return { status, stdout: stdout.text(), stderr: stderr.text() };
}

/** What was written, as a pipe takes it. */
class Gathered {
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];

  writeSync(bytes: Uint8Array): number {
    this.#pieces.push(bytes.slice());
    return bytes.length;
  }

  isTerminal(): boolean {
    return false;
  }

  text(): string {
    const length = this.#pieces.reduce((sum, one) => sum + one.length, 0);
    const whole = new Uint8Array(length);
    let at = 0;
    for (const piece of this.#pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return new TextDecoder().decode(whole);
  }
}

/** Standard input that holds some bytes and is no terminal. */
function inputOf(bytes: Uint8Array<ArrayBuffer>) {
  let at = 0;
  return {
    isTerminal: () => false,
    setRaw: () => {
      throw new Error("no terminal");
    },
    readable: new Blob([bytes]).stream(),
    read: (into: Uint8Array) => {
      const piece = bytes.subarray(at, at + into.length);
      into.set(piece);
      at += piece.length;
      return Promise.resolve(piece.length === 0 ? null : piece.length);
    },
  };
}
