/**
 * Password hashing: Argon2id (RFC 9106) in a small pool of workers, behind a
 * bounded queue that takes turns between clients. A hash is stored as a PHC
 * string.
 *
 * @module
 */
import { equalBytes } from "../core/bytes.ts";
import { FairQueue, QueueFull } from "../core/fair_queue.ts";
import { SECOND_MS } from "../core/time.ts";
import type { Platform } from "../core/platform.ts";
import type { Argon2Answer, Argon2Start, Argon2Task } from "./argon2_task.ts";

interface PasswordCost {
  readonly memoryKib: number;
  readonly passes: number;
}

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
const HASH_BYTES = 32;
const LANES = 1;

interface Job {
  readonly task: Argon2Task;
  readonly settle: (answer: Argon2Answer) => void;
  readonly refuse: (reason: Error) => void;
  /** How often its worker found no descriptor left. */
  starved: number;
}

/** What the pool needs of the platform and of the process. */
export interface PasswordParts extends Pick<Platform, "random" | "sleep"> {
  /** Whether the process may open `count` more descriptors. */
  readonly hasDescriptors: (count: number) => boolean;
  /**
   * Starts a thread that hashes; by default a worker. Where descriptors are
   * `scarce` it returns once the thread runs.
   */
  readonly startThread?: ((scarce: boolean) => Argon2Thread) | undefined;
}

/**
 * A thread that hashes one task after the other: the part of `Worker` that the
 * pool uses.
 */
export interface Argon2Thread {
  onmessage:
    | ((event: MessageEvent<Argon2Answer | "closing">) => void)
    | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(task: Argon2Task): void;
  terminate(): void;
}

function startWorker(scarce: boolean): Argon2Thread {
  const worker = new Worker(new URL("./argon2_worker.ts", import.meta.url), {
    type: "module",
  });
  if (scarce) {
    // The event loop stands still meanwhile, so no new connection takes what
    // the worker needs: without it the runtime (2.9.6) ends the whole process.
    const order: Argon2Start = {
      started: new Int32Array(new SharedArrayBuffer(4)),
    };
    worker.postMessage(order);
    Atomics.wait(order.started, 0, 0, START_MS);
  }
  return worker;
}

/**
 * Free descriptors required to start a worker. It takes eight, without which
 * the runtime (2.9.6) ends the whole process, and other code opens some
 * meanwhile.
 */
const DESCRIPTORS_TO_START = 32;
/**
 * With fewer than these, a flood of connections could take what a worker needs
 * between the check and its start.
 */
const DESCRIPTORS_TO_START_BESIDE_OTHERS = 512;
/** A worker runs within a hundredth of this (ms), or its start has failed. */
const START_MS = 20 * SECOND_MS;
/** Interval of the checks while descriptors are short (ms). */
const AGAIN_MS = 50;
/** So often a hash is tried where workers find no descriptor left. */
const STARVED_MAX = 10;
const NEVER = new AbortController().signal;

/**
 * Makes the pool; no worker starts before the first hash. `cores` is the
 * machine's count.
 */
export function createPasswords(
  cost: PasswordCost,
  cores: number,
  { random, sleep, hasDescriptors, startThread = startWorker }: PasswordParts,
): Passwords {
  // One core stays free for everything that is not a password.
  const maxWorkers = Math.max(1, cores - 1);
  const idle: Argon2Thread[] = [];
  const all: Argon2Thread[] = [];
  const waiting = new FairQueue<Job>(WAITING_PER_CORE * cores);
  /** Jobs given to a worker that had just ended; they have the next turns. */
  const returned: Job[] = [];
  const running = new Map<Argon2Thread, Job>();
  let lastId = 0;
  let isWaiting = false;

  /**
   * A new worker; undefined while descriptors are short, and then a retry is
   * due.
   */
  function start(): Argon2Thread | undefined {
    if (!hasDescriptors(DESCRIPTORS_TO_START)) {
      if (!isWaiting) void dispatchLater();
      return undefined;
    }
    const worker = startThread(
      !hasDescriptors(DESCRIPTORS_TO_START_BESIDE_OTHERS),
    );
    worker.onmessage = ({ data }) => {
      if (data === "closing") lose(worker, (job) => returned.push(job));
      else finish(worker, data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      const error = event.message;
      lose(worker, (job) => {
        // Others took what the worker was to have while it started.
        const isStarved = /os error 2[34]\b/.test(error);
        if (isStarved && ++job.starved < STARVED_MAX) returned.push(job);
        else job.settle({ id: job.task.id, error, isLast: true });
      });
    };
    all.push(worker);
    return worker;
  }

  async function dispatchLater(): Promise<void> {
    isWaiting = true;
    await sleep(AGAIN_MS, NEVER);
    isWaiting = false;
    dispatch();
  }

  /** Removes a worker that has ended; `decide` says what becomes of its job. */
  function lose(worker: Argon2Thread, decide: (job: Job) => void): void {
    const job = running.get(worker);
    running.delete(worker);
    for (const list of [all, idle]) {
      const at = list.indexOf(worker);
      if (at >= 0) list.splice(at, 1);
    }
    worker.terminate();
    if (job !== undefined) decide(job);
    dispatch();
  }

  function finish(worker: Argon2Thread, answer: Argon2Answer): void {
    const job = running.get(worker);
    running.delete(worker);
    job?.settle(answer);
    if (answer.isLast) return lose(worker, () => undefined);
    idle.push(worker);
    dispatch();
  }

  function dispatch(): void {
    while (returned.length + waiting.size > 0) {
      const worker = idle.pop() ??
        (all.length < maxWorkers ? start() : undefined);
      if (worker === undefined) return;
      const job = returned.shift() ?? waiting.shift();
      if (job === undefined) return;
      running.set(worker, job);
      worker.postMessage(job.task);
    }
  }

  function derive(
    password: string,
    salt: Uint8Array,
    { memoryKib, passes }: PasswordCost,
    client: string,
  ): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const turnedAway = waiting.push(client, {
        task: {
          id: lastId += 1,
          // Normalised, because keyboards encode one text differently (RFC 8265
          // section 4.2, OpaqueString).
          password: new TextEncoder().encode(password.normalize("NFC")),
          salt,
          memoryKib,
          passes,
          lanes: LANES,
          length: HASH_BYTES,
        },
        settle: (answer) =>
          "hash" in answer
            ? resolve(answer.hash)
            : reject(new Error(answer.error)),
        refuse: reject,
        starved: 0,
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
      // No account has the empty password, and hash-wasm cannot hash it.
      const presented = password === "" ? "\0" : password;
      const held = stored?.cost ?? cost;
      const hash = await derive(presented, salt, held, client);
      return stored !== undefined && password !== "" &&
        equalBytes(hash, stored.hash);
    },
    pending: () => returned.length + waiting.size + running.size,
    close() {
      for (const worker of all) worker.terminate();
      const left = [...running.values(), ...returned, ...waiting.clear()];
      returned.length = 0;
      running.clear();
      for (const { refuse } of left) refuse(new Error("closed"));
    },
  };
}

function toPhc(cost: PasswordCost, salt: Uint8Array, hash: Uint8Array): string {
  const base64 = (bytes: Uint8Array) => bytes.toBase64({ omitPadding: true });
  return `$argon2id$v=19$m=${cost.memoryKib},t=${cost.passes},p=${LANES}$` +
    `${base64(salt)}$${base64(hash)}`;
}

function fromPhc(
  phc: string,
): { cost: PasswordCost; salt: Uint8Array; hash: Uint8Array } {
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
