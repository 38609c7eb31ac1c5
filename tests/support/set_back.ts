/**
 * A server whose database is set back, as a snapshot of the machine does it:
 * without a restore, and without anything that could tell.
 *
 * @module
 */
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { dropLease } from "../../src/store/lease.ts";
import type { TestApp } from "./app.ts";

/** Copies the database of a server that does nothing meanwhile. */
export async function copyDatabase({ dataDir }: TestApp) {
  const copy = new Map<string, Uint8Array>();
  for await (const { name } of Deno.readDir(`${dataDir}/db`)) {
    copy.set(name, await Deno.readFile(`${dataDir}/db/${name}`));
  }
  return copy;
}

/** Starts the server over the copy. */
export function setBack(
  app: TestApp,
  copy: ReadonlyMap<string, Uint8Array>,
): Promise<TestApp> {
  const place = `${app.dataDir}/db`;
  return app.reopen({}, async () => {
    // A machine's snapshot would have the lease as it was then.
    await dropLease(app.dataDir, denoFiles);
    await Deno.remove(place, { recursive: true });
    await Deno.mkdir(place, { mode: 0o700 });
    for (const [name, bytes] of copy) {
      await Deno.writeFile(`${place}/${name}`, bytes);
    }
  });
}
