import type { AlbumId } from "../../core/ids.ts";
import { holdsAlready } from "../../http/range.ts";
import { RosterResponse } from "../../wire/answers/albums.ts";
import { RosterRequest } from "../../wire/bodies/albums.ts";
import { route } from "../app.ts";
import { uuidParameter } from "../parameters.ts";
import { fetchRoster, publishRoster } from "./rosters.ts";

const BODY_MAX_BYTES = 12 * 1024 * 1024;

const params = { album_id: uuidParameter<AlbumId>("Album id") };

export const rosterRoutes = [
  route({
    operation: "publishRoster",
    method: "PUT",
    path: "/v1/albums/{album_id}/roster",
    summary: "Publish the signed roster of the caller's album",
    credential: "session",
    needsDirectory: true,
    params,
    body: {
      kind: "json",
      schema: RosterRequest,
      limitBytes: BODY_MAX_BYTES,
    },
    success: { 200: { kind: "json", schema: RosterResponse } },
    problems: [
      "error.album.not_found",
      "error.album.role_forbidden",
      "error.album.tombstoned",
      "error.album.roster_stale",
      "error.album.roster_version_leap",
      "error.roster.invalid",
      "error.account.limit_reached",
    ],
  }).by(async ({ params, body, ...call }) => ({
    status: 200,
    json: await publishRoster(call, params.album_id, body.roster_cbor),
  })),

  route({
    operation: "fetchRoster",
    anyOrigin: "capabilities",
    method: "GET",
    path: "/v1/albums/{album_id}/roster",
    summary: "The album's signed roster, verbatim",
    credential: "reader",
    params,
    cacheControl: "no-store",
    success: {
      200: {
        kind: "bytes",
        mediaType: "application/cbor",
        headers: ["ETag"],
      },
      304: { kind: "empty", headers: ["ETag"] },
    },
    problems: ["error.album.not_found", "error.roster.not_found"],
  }).by(async ({ params, request, ...call }) => {
    const held = await fetchRoster(call, params.album_id);
    const headers = { ETag: `"${held.body_hash}"` };
    if (holdsAlready(request.header, headers.ETag)) {
      return { status: 304, headers };
    }
    const { body: bytes } = held;
    return { status: 200, bytes, length: bytes.length, headers };
  }),
];
