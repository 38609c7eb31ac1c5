/**
 * A key out of a passphrase: Argon2id (RFC 9106), once, in a thread of its own.
 * The thread's end frees the memory at once; the garbage collector would keep
 * 64 MiB while a backup runs.
 *
 * @module
 */
import type { Argon2Answer, Argon2Task } from "./argon2_task.ts";

interface StretchCost {
  readonly memoryKib: number;
  readonly passes: number;
}

/**
 * 32 bytes. The same text of another keyboard gives the same key (NFC). Rejects
 * where the machine has not that much memory.
 */
export async function stretch(
  passphrase: string,
  salt: Uint8Array,
  { memoryKib, passes }: StretchCost,
): Promise<Uint8Array> {
  const task: Argon2Task = {
    id: 0,
    password: new TextEncoder().encode(passphrase.normalize("NFC")),
    salt,
    memoryKib,
    passes,
    lanes: 1,
    length: 32,
  };
  const worker = new Worker(new URL("./argon2_worker.ts", import.meta.url), {
    type: "module",
  });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Argon2Answer>) => {
        if ("hash" in data) resolve(data.hash);
        else reject(new Error(data.error));
      };
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message));
      };
      worker.postMessage(task);
    });
  } finally {
    worker.terminate();
  }
}
