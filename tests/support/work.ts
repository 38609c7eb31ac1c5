/**
 * What an answer costs the server, counted: statements, commits, hashes,
 * signatures, files and waits. If two answers are the same work, their time
 * shows no difference, on any machine and under any load.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { StatementSync } from "node:sqlite";
import type { Argon2Task } from "../../src/crypto/argon2_task.ts";
import type { WriterThread } from "../../src/store/sqlite/writer.ts";
import { Argon2InThread } from "./argon2.ts";

/** What is counted. */
interface Work {
  /** Statements that read, and the rows that they found. */
  queries: number;
  rows: number;
  /** Statements that write, and what ends a transaction. */
  writes: number;
  commits: number;
  /** Passwords that are hashed, in KiB of memory walked. */
  passwordKib: number;
  /** What is put through other hashes (B). */
  hashedBytes: number;
  /** Uses of keys of the runtime's. */
  keyUses: number;
  /** Operations on files. */
  files: number;
  /** Timers begun. */
  waits: number;
  /** The answer's body (B). */
  answerBytes: number;
}

function nothing(): Work {
  return {
    queries: 0,
    rows: 0,
    writes: 0,
    commits: 0,
    passwordKib: 0,
    hashedBytes: 0,
    keyUses: 0,
    files: 0,
    waits: 0,
    answerBytes: 0,
  };
}

/**
 * A statement that finds nothing ends a look that would go on with what it
 * finds, and who is unknown is counted in a table of their own: by so many one
 * kind may have more than another. Each looks into an index, or changes a row
 * before a commit that both have, in some ten microseconds.
 */
const STATEMENTS_APART = 2;
/** Names and ids that are looked up differ by some bytes. */
const BYTES_APART = 128;

/** Asks for one more answer of its kind. */
type Ask = () => Promise<Response>;

/** Expects that all kinds of answers cost the server the same. */
export async function expectSameWork(
  kinds: Readonly<Record<string, Ask>>,
): Promise<void> {
  const costs = new Map<string, Work>();
  // The first prepares statements and reads what is kept from then on.
  for (const _ of ["first", "counted"]) {
    for (const [name, ask] of Object.entries(kinds)) {
      costs.set(name, await costOf(ask));
    }
  }
  const said = [...costs].map(([name, cost]) =>
    `${name}: ${JSON.stringify(cost)}`
  ).join("\n");
  const apart = (part: keyof Work) => {
    const all = [...costs.values()].map((cost) => cost[part]);
    return Math.max(...all) - Math.min(...all);
  };
  for (const part of EXACT) {
    assert.equal(apart(part), 0, `${part} differ\n${said}`);
  }
  for (const part of ["queries", "writes"] as const) {
    assert(apart(part) <= STATEMENTS_APART, `${part} differ\n${said}`);
  }
  assert(apart("hashedBytes") <= BYTES_APART, `hashes differ\n${said}`);
}

const EXACT = [
  "commits",
  "passwordKib",
  "keyUses",
  "files",
  "waits",
  "answerBytes",
] as const;

/** What is being counted; undefined while nothing is. */
let counted: Work | undefined;

/** Counts what one answer takes. */
async function costOf(ask: Ask): Promise<Work> {
  let answerBytes = 0;
  const work = await workOf(async () => {
    const response = await ask();
    answerBytes = (await response.arrayBuffer()).byteLength;
  });
  return { ...work, answerBytes };
}

/** Counts all that is done meanwhile. */
export async function workOf(act: () => Promise<void>): Promise<Work> {
  assert(counted === undefined, "one thing is counted at a time");
  const work = counted = nothing();
  try {
    await act();
    return work;
  } finally {
    counted = undefined;
  }
}

/** Has every call of a method counted, and does what it did. */
function count<T extends object, K extends keyof T>(
  owner: T,
  names: readonly K[],
  note: (work: Work, given: unknown[], result: unknown) => void,
): void {
  for (const name of names) {
    const original = owner[name];
    assert(typeof original === "function", String(name));
    Object.defineProperty(owner, name, {
      configurable: true,
      writable: true,
      value(this: unknown, ...given: unknown[]) {
        const result: unknown = Reflect.apply(original, this, given);
        if (counted !== undefined) note(counted, given, result);
        return result;
      },
    });
  }
}

count(
  StatementSync.prototype,
  ["all", "get", "iterate", "run"],
  (work, _, found) => {
    work.queries++;
    work.rows += Array.isArray(found) ? found.length : 1;
  },
);
count(Worker.prototype, ["postMessage"], (work, [orders]) => {
  if (!isOrders(orders)) return;
  work.writes += orders.length;
  work.commits += orders.filter((order) =>
    order.kind === "end" && order.how === "commit"
  ).length;
});
count(Argon2InThread.prototype, ["postMessage"], (work, [task]) => {
  if (!isTask(task)) throw new Error("it is no task of Argon2's");
  work.passwordKib += task.memoryKib * task.passes;
});
count(
  Object.getPrototypeOf(createHash("sha256")),
  ["update"],
  (work, [piece]) => work.hashedBytes += bytesIn(piece),
);
count(crypto.subtle, ["digest"], (work, [, bytes]) => {
  work.hashedBytes += bytesIn(bytes);
});
count(
  crypto.subtle,
  ["sign", "verify", "importKey", "exportKey"],
  (work) => work.keyUses++,
);
count(
  Deno,
  [
    "open",
    "openSync",
    "stat",
    "lstat",
    "statSync",
    "readFile",
    "writeFile",
    "rename",
    "remove",
    "link",
    "mkdir",
    "readDir",
  ],
  (work) => work.files++,
);
count(globalThis, ["setTimeout"], (work) => work.waits++);

type Orders = Parameters<WriterThread["postMessage"]>[0];

function isOrders(given: unknown): given is Orders {
  return Array.isArray(given);
}

function isTask(given: unknown): given is Argon2Task {
  return typeof given === "object" && given !== null && "memoryKib" in given;
}

function bytesIn(piece: unknown): number {
  if (typeof piece === "string") return new TextEncoder().encode(piece).length;
  return piece instanceof ArrayBuffer || ArrayBuffer.isView(piece)
    ? piece.byteLength
    : 0;
}
