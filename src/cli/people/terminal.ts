/**
 * Asking a person: on the terminal and nowhere else, so that a job of cron's
 * ends with a sentence instead of waiting for ever.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import { TypedLines } from "../account_password.ts";
import type { Streams } from "../streams.ts";

/** Whether there is somebody to ask. */
export function hasTerminal(): boolean {
  return Deno.stdin.isTerminal();
}

/** Asks for a line that is not shown while it is typed. */
export async function askHidden(
  question: string,
  instead: string,
): Promise<string> {
  return await onTerminal(instead, (typed) => typed.ask(question));
}

/**
 * Asks twice for a password that is new: who mistypes one that is not shown has
 * an account that nobody can sign in to.
 */
export async function askNewPassword(
  instead: string,
  streams: Streams = Deno,
): Promise<string> {
  return await onTerminal(instead, async (typed) => {
    const password = await typed.ask("Password: ");
    if (await typed.ask("Once more: ") === password) return password;
    throw new OperatorFault(
      "the two passwords differ: nothing was done, begin again",
    );
  }, streams);
}

/** Asks for a line that is shown. */
export async function ask(question: string, instead: string): Promise<string> {
  return await onTerminal(
    instead,
    (typed) => typed.ask(question, { shown: true }),
  );
}

async function onTerminal(
  instead: string,
  work: (typed: TypedLines) => Promise<string>,
  streams: Streams = Deno,
): Promise<string> {
  const { stdin } = streams;
  if (!stdin.isTerminal()) {
    throw new OperatorFault(`there is no terminal to ask on: ${instead}`);
  }
  stdin.setRaw(true);
  try {
    return await work(
      new TypedLines("nothing was typed: nothing was done", streams),
    );
  } finally {
    stdin.setRaw(false);
  }
}

/** The first line of a small file; `-` is standard input. */
export async function lineOf(path: string, what: string): Promise<string> {
  const text = path === "-"
    ? await new Response(Deno.stdin.readable).text()
    : await Deno.readTextFile(path);
  const [line = ""] = text.split(/\r?\n/);
  if (line !== "") return line;
  throw new OperatorFault(`${path} does not begin with ${what}`);
}
