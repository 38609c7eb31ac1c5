/**
 * The file of a unix socket: made, shared with a group, and taken away.
 *
 * @module
 */

/**
 * The members of the server's group may connect, a proxy in front for one.
 * Nobody else may: with `unix` among the trusted proxies, whoever connects says
 * whose request it is.
 */
const MODE = 0o660;

/**
 * Removes the socket that a server left which was killed. Throws where one
 * still answers there, and where the file is no socket.
 */
export async function clearSocket(path: string): Promise<void> {
  try {
    const { isSocket } = await Deno.lstat(path);
    if (!isSocket) throw new Error("a file that is no socket lies there");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
  try {
    (await Deno.connect({ transport: "unix", path })).close();
  } catch (error) {
    if (!(error instanceof Deno.errors.ConnectionRefused)) throw error;
    return await removeSocket(path);
  }
  throw new Error("another server answers there");
}

/** Lets the server's group connect, whatever the umask says. */
export function shareSocket(path: string): void {
  Deno.chmodSync(path, MODE);
}

/** Removes a socket, if it is there. */
export async function removeSocket(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
