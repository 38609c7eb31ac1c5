/**
 * The operator's map with streets, for the web app. Like the app's files it is
 * no part of the contract that programs rely on, and asks for no credential: so
 * the server is not told whose map it is.
 *
 * @module
 */
import { toHttpDate } from "../../core/time.ts";
import { selectPart } from "../../http/range.ts";
import type { OpenedFile } from "../../http/static_file.ts";
import { route } from "../app.ts";
import { LONG_FILE_PROBLEMS, longFile } from "./long_file.ts";

/**
 * Bytes of the largest part. Longer ranges are answered with their beginning
 * (RFC 9110 section 15.3.7); a tile has a tenth of it.
 */
const MOST_BYTES = 4 * 1024 * 1024;

/** Bytes read at once from a longer range. */
const PIECE_BYTES = 64 * 1024;

const HEADERS = [
  "Accept-Ranges",
  "Cache-Control",
  "Content-Range",
  "Content-Type",
  "Cross-Origin-Resource-Policy",
  "ETag",
  "Last-Modified",
] as const;

const browsers = {
  method: "GET",
  credential: "none",
  forBrowsers: true,
  problems: LONG_FILE_PROBLEMS,
} as const;

const PRIVATE = {
  // What a browser kept of it would tell whoever has its disk where photos are.
  "Cache-Control": "no-store",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

export const mapRoutes = [
  route({
    ...browsers,
    operation: "mapFacts",
    path: "/app/map.json",
    summary: "Whether there is a map with streets",
    success: {
      200: { kind: "bytes", mediaType: "application/json", headers: HEADERS },
    },
  }).by(async ({ app, request }) => {
    const streets = await app.documents.mapFile?.isUsable() ?? false;
    const json = JSON.stringify({ streets });
    const bytes = new TextEncoder().encode(json);
    return {
      status: 200,
      bytes: request.isHead ? null : bytes,
      length: bytes.length,
      headers: { ...PRIVATE, "Content-Type": "application/json" },
    } as const;
  }),

  route({
    ...browsers,
    operation: "mapFile",
    path: "/app/map.pmtiles",
    summary: "A part of the map with streets",
    success: {
      200: { kind: "bytes", mediaType: "*/*", headers: HEADERS },
      206: { kind: "bytes", mediaType: "*/*", headers: HEADERS },
      304: { kind: "empty", headers: HEADERS },
    },
  }).by(async ({ app, request, raise }) => {
    const file = await app.documents.mapFile?.open();
    if (file === undefined) throw raise("error.request.route_unknown");
    let isSending = false;
    try {
      const part = selectPart(request.header, request.isHead, file);
      const headers = {
        ...PRIVATE,
        ETag: file.etag,
        "Last-Modified": toHttpDate(file.lastModified),
      };
      if (part.status === 304) return { status: part.status, headers } as const;
      const more = {
        ...headers,
        "Accept-Ranges": "bytes",
        "Content-Type": "application/vnd.pmtiles",
      };
      if (request.isHead) {
        const { length } = file;
        return { status: 200, bytes: null, length, headers: more } as const;
      }
      // As a whole it is larger than anybody's map needs.
      if (part.status === 200) throw raise("error.request.route_unknown");
      const { first } = part;
      const last = Math.min(part.last, first + MOST_BYTES - 1);
      const length = last - first + 1;
      const bytes = length > PIECE_BYTES
        ? await longFile(app, request, raise, async () => {
          const stream = await streamed(file, first, last);
          isSending = stream !== undefined;
          return stream;
        })
        : await file.read(first, last);
      // The file is being written, so there is no map for the moment.
      if (bytes === undefined) throw raise("error.request.route_unknown");
      const range = `bytes ${first}-${last}/${file.length}`;
      return {
        status: part.status,
        bytes,
        length,
        headers: { ...more, "Content-Range": range },
      } as const;
    } finally {
      if (!isSending) file.close();
    }
  }),
];

/**
 * A part that is read as the client takes it, and closes its file. Undefined
 * while the file is being written.
 */
async function streamed(
  file: OpenedFile,
  first: number,
  last: number,
): Promise<ReadableStream<Uint8Array> | undefined> {
  let at = first;
  const read = async () => {
    const end = Math.min(last, at + PIECE_BYTES - 1);
    const piece = await file.read(at, end);
    at = end + 1;
    return piece;
  };
  let next = await read();
  if (next === undefined) return undefined;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = next ?? await read();
      next = undefined;
      if (piece !== undefined) controller.enqueue(piece);
      if (piece !== undefined && at <= last) return;
      file.close();
      // Cut off, where it was written into meanwhile.
      controller.close();
    },
    cancel: () => file.close(),
  }, { highWaterMark: 0 });
}
