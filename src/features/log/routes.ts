/**
 * The public logs as tlog-tiles serves them (protocol/logs.md#what-is-served):
 * for anybody, without a credential.
 *
 * @module
 */
import { utf8 } from "../../core/bytes.ts";
import {
  parseTilePath,
  type Tile,
  TILE_WIDTH,
} from "../../crypto/logs/merkle.ts";
import type { Call } from "../call.ts";
import type { Parameter } from "../../http/route.ts";
import type { LogName } from "../../store/sqlite/schema.ts";
import { route } from "../app.ts";
import type { Logs } from "./logs.ts";
import { LOG_NAMES } from "./store.ts";

/** A checkpoint is signed each minute, and asked for again. */
const CHANGING = "no-cache";
/** A full tile never changes as long as the log lives. */
const FOR_EVER = "public, max-age=31536000, immutable";
/** A partial one neither, but a wider one takes its place. */
const FOR_A_WHILE = "public, max-age=3600";

const LOG: Parameter<LogName> = {
  parse: (text) => LOG_NAMES.find((one) => one === text),
  schema: { enum: [...LOG_NAMES] },
  description: "Which log",
};

const log = {
  method: "GET",
  credential: "none",
  anyOrigin: true,
  query: {
    gen: {
      parse: (text) => text,
      schema: { type: "string" },
      description: "The last part of the log's origin: of another there is " +
        "nothing here",
      absent: { value: "" },
    } satisfies Parameter<string>,
  },
  problems: ["error.request.route_unknown"],
} as const;

export const logRoutes = [
  route({
    ...log,
    operation: "logCheckpoint",
    path: "/log/{log}/checkpoint",
    summary: "The newest checkpoint of a public log",
    params: { log: LOG },
    cacheControl: CHANGING,
    success: { 200: { kind: "bytes", mediaType: "text/plain; charset=utf-8" } },
  }).by(async ({ params, query, request, ...call }) => {
    const served = await requireLogs(call, query.gen).served(params.log);
    if (served === undefined) throw call.raise("error.request.route_unknown");
    const bytes = utf8(served.note + served.cosignatures);
    return {
      status: 200,
      bytes: request.isHead ? null : bytes,
      length: bytes.length,
    };
  }),

  route({
    ...log,
    operation: "logTile",
    path: "/log/{log}/tile/{level}/{tile}",
    takesRest: true,
    summary: "A tile of a public log, or a bundle of its entries",
    params: {
      log: LOG,
      level: {
        parse: (text) => isTile(text, "000") ? text : undefined,
        schema: { type: "string", pattern: "^(entries|0|[1-9][0-9]?)$" },
        description: "0 to 63, or entries",
      } satisfies Parameter<string>,
      tile: {
        parse: (text) => isTile("0", text) ? text : undefined,
        schema: { type: "string" },
        description: "The index and what is partial of it, such as " +
          "x001/234.p/5; it is more than one segment",
      } satisfies Parameter<string>,
    },
    success: {
      200: {
        kind: "bytes",
        mediaType: "application/octet-stream",
        headers: ["Cache-Control"],
      },
    },
  }).by(async ({ params, query, request, ...call }) => {
    const logs = requireLogs(call, query.gen);
    const tile = parseTilePath(`tile/${params.level}/${params.tile}`);
    const bytes = tile && await logs.tile(params.log, tile);
    if (tile === undefined || bytes === undefined) {
      throw call.raise("error.request.route_unknown");
    }
    return {
      status: 200,
      bytes: request.isHead ? null : bytes,
      length: bytes.length,
      headers: { "Cache-Control": lifeOf(tile) },
    };
  }),
];

function lifeOf({ width }: Tile): string {
  return width === TILE_WIDTH ? FOR_EVER : FOR_A_WHILE;
}

/** The logs, as long as they are in the life that is asked for. */
function requireLogs(
  { app, raise }: Call<"error.request.route_unknown">,
  gen: string,
): Logs {
  const { logs } = app;
  if (logs !== undefined && (gen === "" || gen === logs.gen)) return logs;
  throw raise("error.request.route_unknown");
}

function isTile(level: string, tile: string): boolean {
  return parseTilePath(`tile/${level}/${tile}`) !== undefined;
}
