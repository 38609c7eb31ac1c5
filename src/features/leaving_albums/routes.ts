import type { AlbumId } from "../../core/ids.ts";
import { route } from "../app.ts";
import { uuidParameter } from "../parameters.ts";
import { endAlbum, leaveAlbum } from "./leaving.ts";

const params = { album_id: uuidParameter<AlbumId>("Album id") };

export const membershipRoutes = [
  route({
    operation: "leaveAlbum",
    method: "DELETE",
    path: "/v1/albums/{album_id}/membership",
    summary: "Leave another account's album",
    credential: "session",
    params,
    success: { 204: { kind: "empty" } },
    problems: ["error.album.not_found", "error.album.role_forbidden"],
  }).by(async ({ params, ...call }) => {
    await leaveAlbum(call, params.album_id);
    return { status: 204 };
  }),

  route({
    operation: "endAlbum",
    method: "DELETE",
    path: "/v1/albums/{album_id}",
    summary: "End an album of the caller's in which nothing is any more",
    credential: "session",
    params,
    success: { 204: { kind: "empty" } },
    problems: [
      "error.album.not_found",
      "error.album.role_forbidden",
      "error.album.not_empty",
      "error.album.upgrade_in_flight",
    ],
  }).by(async ({ params, ...call }) => {
    await endAlbum(call, params.album_id);
    return { status: 204 };
  }),
];
