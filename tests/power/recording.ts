/**
 * Having a program recorded, for tests that cut its power.
 *
 * @module
 */
import assert from "node:assert/strict";
import { seededRandom } from "../support/app.ts";
import { debianProgram } from "../support/debian.ts";
import type { Draw } from "./disk.ts";

const GCC = await debianProgram("gcc", "gcc");

/** The library follows what glibc has the program call. */
export const MAY_RECORD = GCC !== undefined && Deno.build.os === "linux";

/** Builds the library that records; returns its path. */
export async function buildRecorder(room: string): Promise<string> {
  const library = `${room}/recorder.so`;
  const source = new URL("recorder.c", import.meta.url).pathname;
  const { success, stderr } = await new Deno.Command(GCC ?? "", {
    args: ["-O2", "-shared", "-fPIC", "-o", library, source, "-ldl"],
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  return library;
}

/** Copies a folder to a place where none is. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { mode: 0o700 });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    const paths = [`${from}/${name}`, `${to}/${name}`] as const;
    await (isDirectory ? copyFolder(...paths) : Deno.copyFile(...paths));
  }
}

/** Draws that a seed repeats. */
export function drawing(seed: string): Draw {
  const random = seededRandom(seed);
  return () => {
    const [a = 0, b = 0, c = 0] = random(3);
    return (a << 16 | b << 8 | c) / 2 ** 24;
  };
}
