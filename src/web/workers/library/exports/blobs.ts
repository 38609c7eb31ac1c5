/**
 * The bytes of a zip's entry as a Blob, which never need to be in memory: what
 * is not packed stays where it lies, and what is goes to the browser's own
 * storage, which is on disk for what is large.
 *
 * @module
 */
import type { ZipEntry } from "../../../../media/zip.ts";

/** Rejects with MalformedZip if the entry is not what the zip says. */
export async function blobOf(zip: Blob, entry: ZipEntry): Promise<Blob> {
  const start = await entry.place();
  if (start !== undefined) {
    // Read once against its checksum.
    for await (const _ of entry.read());
    return zip.slice(start, start + entry.size);
  }
  const pieces = entry.read();
  let fault: unknown;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        fault = error;
        controller.error(error);
      }
    },
  });
  try {
    return await new Response(stream).blob();
  } catch (error) {
    // Browsers say of a stream that failed no more than that it did.
    throw fault ?? error;
  }
}
