/**
 * Asking a person: on the terminal and nowhere else, so that a job of cron's
 * ends with a sentence instead of waiting for ever.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import { secretLine } from "../../core/secret_line.ts";
import { TypedLines } from "../operator/account_password.ts";
import { join } from "node:path";
import type { Streams } from "../streams.ts";

/** What to do where a password cannot be typed. */
export const PASSWORD_ELSEWHERE =
  "put the password into the first line of a file and name the file with " +
  "--password-file PATH, or pipe it in with --password-file -";

/** As systemd has them, and no way out of their directory. */
const CREDENTIAL = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}$/;

/** The terminal of whoever runs a command, if there is one. */
export class Terminal {
  readonly #streams: Streams;
  readonly #credentials: string | undefined;

  /** `credentials` is systemd's directory of them, where there is one. */
  constructor(streams: Streams, credentials?: string) {
    this.#streams = streams;
    this.#credentials = credentials;
  }

  /** Whether there is a terminal to ask on. */
  isThere(): boolean {
    return this.#streams.stdin.isTerminal();
  }

  /**
   * Asks for a line that is shown; `left` is the message if the person breaks
   * off.
   */
  async ask(question: string, instead: string, left?: string): Promise<string> {
    return await this.#typing(
      instead,
      (typed) => typed.ask(question, { shown: true }),
      left,
    );
  }

  /** Asks for a line that is not shown while it is typed. */
  async askHidden(question: string, instead: string): Promise<string> {
    return await this.#typing(instead, (typed) => typed.ask(question));
  }

  /**
   * Asks twice for a password that is new: a hidden typing error would make an
   * account that no one can sign in to.
   */
  async askNewPassword(instead: string): Promise<string> {
    return await this.#typing(instead, async (typed) => {
      const password = await typed.ask("Password: ");
      if (await typed.ask("Once more: ") === password) return password;
      throw new OperatorFault(
        "the two passwords differ, so nothing was done: run this again",
      );
    });
  }

  /**
   * The first line of a small file; `-` is standard input, `credential:NAME` a
   * credential that systemd gave the unit (LoadCredential=).
   */
  async lineOf(given: string, what: string): Promise<string> {
    const path = this.#pathOf(given);
    const text = path === "-"
      ? await new Response(this.#streams.stdin.readable).text()
      : await readText(path);
    const line = secretLine(text, path === "-" ? "standard input" : path);
    if (line !== "") return line;
    throw new OperatorFault(`${path} does not begin with ${what}`);
  }

  #pathOf(given: string): string {
    const [, name] = /^credential:(.*)$/s.exec(given) ?? [];
    if (name === undefined) return given;
    if (!CREDENTIAL.test(name)) {
      throw new OperatorFault(`${given} is not a credential`);
    }
    if (this.#credentials !== undefined) return join(this.#credentials, name);
    throw new OperatorFault(
      `${given}: systemd gave this unit no credentials (LoadCredential=)`,
    );
  }

  async #typing(
    instead: string,
    work: (typed: TypedLines) => Promise<string>,
    left = "nothing was typed, so nothing was done",
  ): Promise<string> {
    const { stdin } = this.#streams;
    if (!stdin.isTerminal()) {
      throw new OperatorFault(`there is no terminal to ask: ${instead}`);
    }
    stdin.setRaw(true);
    try {
      return await work(new TypedLines(left, this.#streams));
    } finally {
      stdin.setRaw(false);
    }
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      throw new OperatorFault(`${path}: there is no such file`);
    }
    throw error;
  }
}
