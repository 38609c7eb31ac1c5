/**
 * Password hashing: Argon2id (RFC 9106), a few at a time, behind a bounded queue
 * that takes turns between clients. A hash is stored as a PHC string.
 *
 * @module
 */
import { equalBytes } from "../core/bytes.ts";
import { FairQueue, QueueFull } from "../core/fair_queue.ts";
import type { Platform } from "../core/platform.ts";
import { type Argon2Cost, argon2id } from "./argon2.ts";

export interface Passwords {
  /**
   * The PHC string of a new password. `client` names whose turn the hash takes.
   */
  readonly hash: (password: string, client: string) => Promise<string>;
  /**
   * Whether a password belongs to a PHC string. Null is for an account that
   * does not exist or has no password: it takes the same time and is always
   * false.
   */
  readonly verify: (
    password: string,
    phc: string | null,
    client: string,
  ) => Promise<boolean>;
  /** Hashes that run or wait, for metrics. */
  readonly pending: () => number;
  readonly close: () => void;
}

/**
 * Hashes that may wait, per core. The last one's turn comes within seconds. Up
 * to that many people at once, no one who sends a single one is turned away.
 */
const WAITING_PER_CORE = 32;
const SALT_BYTES = 16;
const LANES = 1;

interface Job {
  /** Runs the hash, and settles whatever comes of it. */
  readonly run: () => Promise<void>;
  readonly refuse: (reason: Error) => void;
}

/** Makes the queue of hashes. `cores` is the machine's count. */
export function createPasswords(
  cost: Argon2Cost,
  cores: number,
  { random }: Pick<Platform, "random">,
): Passwords {
  // One core stays free for everything that is not a password.
  const most = Math.max(1, cores - 1);
  const waiting = new FairQueue<Job>(WAITING_PER_CORE * cores);
  const running = new Set<Job>();

  function dispatch(): void {
    while (running.size < most) {
      const job = waiting.shift();
      if (job === undefined) return;
      running.add(job);
      void job.run().finally(() => {
        running.delete(job);
        dispatch();
      });
    }
  }

  function derive(
    password: string,
    salt: Uint8Array<ArrayBuffer>,
    cost: Argon2Cost,
    client: string,
  ): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const turnedAway = waiting.push(client, {
        run: () => argon2id(password, salt, cost).then(resolve, reject),
        refuse: reject,
      });
      turnedAway?.refuse(new QueueFull("too many passwords wait"));
      dispatch();
    });
  }

  return {
    async hash(password, client) {
      const salt = random(SALT_BYTES);
      return toPhc(cost, salt, await derive(password, salt, cost, client));
    },
    async verify(password, phc, client) {
      const stored = phc === null ? undefined : fromPhc(phc);
      const salt = stored?.salt ?? random(SALT_BYTES);
      const held = stored?.cost ?? cost;
      const hash = await derive(password, salt, held, client);
      // No account has the empty password.
      return stored !== undefined && password !== "" &&
        equalBytes(hash, stored.hash);
    },
    pending: () => waiting.size + running.size,
    close() {
      for (const { refuse } of [...running, ...waiting.clear()]) {
        refuse(new Error("closed"));
      }
    },
  };
}

function toPhc(cost: Argon2Cost, salt: Uint8Array, hash: Uint8Array): string {
  const base64 = (bytes: Uint8Array) => bytes.toBase64({ omitPadding: true });
  return `$argon2id$v=19$m=${cost.memoryKib},t=${cost.passes},p=${LANES}$` +
    `${base64(salt)}$${base64(hash)}`;
}

function fromPhc(
  phc: string,
): { cost: Argon2Cost; salt: Uint8Array<ArrayBuffer>; hash: Uint8Array } {
  const match =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/
      .exec(phc);
  const [, memoryKib, passes, salt, hash] = match ?? [];
  if (salt === undefined || hash === undefined) {
    throw new Error("not an Argon2id string");
  }
  return {
    cost: { memoryKib: Number(memoryKib), passes: Number(passes) },
    salt: Uint8Array.fromBase64(salt),
    hash: Uint8Array.fromBase64(hash),
  };
}
