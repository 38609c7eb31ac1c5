import { type AlbumId, parseUuid } from "../../core/ids.ts";
import { SECOND_MS } from "../../core/time.ts";
import type { Parameter } from "../../http/route.ts";
import { FEED_MAX, SyncResponse } from "../../wire/answers/assets.ts";
import { route } from "../app.ts";
import { flagParameter, wholeParameter } from "../parameters.ts";
import { LIMIT_DEFAULT, readFeed } from "./sync.ts";

const WAIT_MAX_SECONDS = 30;

const albumId: Parameter<AlbumId | undefined> = {
  parse: (given) => parseUuid<AlbumId>(given),
  schema: { type: "string", format: "uuid" },
  description: "Only the entries of this album",
  absent: { value: undefined },
};

const epoch: Parameter<string | undefined> = {
  parse: (given) => given,
  schema: { type: "string" },
  description: "The feed_epoch that `after` is of",
  absent: { value: undefined },
};

export const syncRoutes = [
  route({
    operation: "readFeed",
    anyOrigin: "capabilities",
    method: "GET",
    path: "/v1/sync",
    summary: "What has changed for the caller since a position",
    credential: "reader",
    query: {
      after: wholeParameter("The last position that the client has", {
        min: 0,
        preset: 0,
      }),
      limit: wholeParameter("Entries at most", {
        min: 1,
        max: FEED_MAX,
        preset: LIMIT_DEFAULT,
      }),
      wait: wholeParameter("Seconds to wait for an entry", {
        min: 0,
        max: WAIT_MAX_SECONDS,
        preset: 0,
      }),
      latest: flagParameter("Of each asset and album the newest entry alone"),
      album_id: albumId,
      epoch,
    },
    success: { 200: { kind: "json", schema: SyncResponse } },
    problems: [
      "error.album.not_found",
      "error.sync.epoch_changed",
      "error.federation.capability_invalid",
      "error.auth.token_invalid",
      "error.account.rate_limited",
    ],
  }).by(async ({ query, request, ...call }) => ({
    status: 200,
    json: await readFeed(call, {
      after: query.after,
      limit: query.limit,
      waitMs: query.wait * SECOND_MS,
      albumId: query.album_id,
      epoch: query.epoch,
      latest: query.latest,
      gone: request.gone,
    }),
  })),
];
