/**
 * How many descriptors the process has open. Every connection has one, and the
 * runtime tells of a connection only once something is asked on it: so they are
 * counted by the number that the kernel gives the next, which is the lowest
 * that is free.
 *
 * @module
 */
import { closeSync, openSync } from "node:fs";
import { SECOND_MS } from "../core/time.ts";
import { isOutOfDescriptors } from "../store/files/descriptors.ts";
import type { Listener } from "./listener.ts";

/** Connections on which nothing is asked may be so many, ... */
const MAX_IDLE = 4_096;
/** ... and are counted this often. */
const LOOK_EVERY_MS = 10 * SECOND_MS;
/** A request has its connection and, for a while, a file. */
const PER_REQUEST = 2;

/**
 * To be called while there are descriptors: where an error was thrown the
 * runtime (2.9.6) looks up with the help of a file that it opens the first time
 * alone; without a descriptor for that file it ends the whole process.
 */
export function prepareForNone(): string {
  return new Error("none").stack ?? "";
}

/** Counts descriptors with the help of a directory that can be read. */
function openDescriptors(directory: string): number {
  try {
    const descriptor = openSync(directory, "r");
    closeSync(descriptor);
    return descriptor;
  } catch (cause) {
    // The listener says so itself, but only once a client connects; until then
    // those who are connected would wait for one.
    return isOutOfDescriptors(cause) ? Infinity : 0;
  }
}

/** Has listeners end idle connections when they are many; returns its end. */
export function watchDescriptors(
  directory: string,
  listeners: () => readonly Pick<Listener, "running" | "relieve">[],
  onRelief: () => void,
): () => void {
  const timer = setInterval(() => {
    let asked = 0;
    for (const one of listeners()) asked += one.running();
    if (openDescriptors(directory) - asked * PER_REQUEST <= MAX_IDLE) return;
    onRelief();
    for (const one of listeners()) void one.relieve();
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
