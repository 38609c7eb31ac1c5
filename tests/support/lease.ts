/**
 * The lease of a data directory that stands for the one that it was copied
 * from: the same disk after a power cut, or what a server that lies shows.
 *
 * @module
 */

/** Gives the lease the inode numbers of a copy, as the disk itself keeps them. */
export async function keepInodes(dataDir: string): Promise<void> {
  const path = `${dataDir}/lease.json`;
  let lease: Record<string, unknown>;
  try {
    lease = JSON.parse(await Deno.readTextFile(path));
  } catch {
    // The power went before there was one.
    return;
  }
  const inodeOf = async (name: string) =>
    (await Deno.stat(`${dataDir}/${name}`)).ino;
  const text = JSON.stringify({
    ...lease,
    database: await inodeOf("db/strongroom.sqlite"),
    lock: await inodeOf("lock"),
  });
  await Deno.writeTextFile(path, `${text.padEnd(511)}\n`);
}
