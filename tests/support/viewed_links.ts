/**
 * What people with a link get from a server.
 *
 * @module
 */
import { createViewer } from "../../src/client/api/links.ts";
import { nativePrimitives } from "../../src/client/keys/native.ts";
import {
  decodeShareIndex,
  parseShareLink,
} from "../../src/client/documents/share.ts";
import { decryptBytes } from "../../src/client/stream/stream.ts";

/** What a stranger with the link gets: names, and bytes. */
export async function viewed(url: string) {
  const link = parseShareLink(url);
  if (link?.secret === undefined) throw new Error("no secret");
  const { origin: baseUrl, opaqueId, secret } = link;
  const viewer = createViewer({
    baseUrl,
    fetch: (input, init) => fetch(input, init),
  });
  const whole = async (hash: string) => {
    const { stream } = await viewer.sharedBlob(opaqueId, hash);
    return await new Response(stream).bytes();
  };
  const open = async (hash: string, fileKey: Uint8Array, chunkSize?: number) =>
    await decryptBytes({
      fileKey,
      primitives: nativePrimitives,
      ...(chunkSize === undefined ? {} : { chunkSize }),
    }, await whole(hash));
  const { metadata_hash: index } = await viewer.viewShare(opaqueId);
  const { items } = decodeShareIndex(await open(index, secret));
  return await Promise.all(
    items.map(async ({ name, hash, key, chunk_size }) => ({
      name,
      bytes: await open(hash, key, chunk_size),
    })),
  );
}
