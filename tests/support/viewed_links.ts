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

/** The index of a link, as a stranger with the link opens it. */
export async function openedIndex(url: string) {
  const { index } = await opened(url);
  return index;
}

/** What a stranger with the link gets: names, and bytes. */
export async function viewed(url: string) {
  const { index, open } = await opened(url);
  return await Promise.all(
    index.items.map(async ({ name, hash, key, chunk_size }) => ({
      name,
      bytes: await open(hash, key, chunk_size),
    })),
  );
}

async function opened(url: string) {
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
  return { index: decodeShareIndex(await open(index, secret)), open };
}
