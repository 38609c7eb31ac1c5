import { PROTOCOL_MAX } from "../../core/protocol.ts";
import {
  AlbumsResponse,
  ProvisionAlbumResponse,
} from "../../wire/answers/albums.ts";
import { ProvisionAlbumRequest } from "../../wire/bodies/albums.ts";
import { route } from "../app.ts";
import { listAlbums, provisionAlbum } from "./albums.ts";

export const albumRoutes = [
  route({
    operation: "provisionAlbum",
    method: "POST",
    path: "/v1/albums",
    summary: "Provision an album, binding its id to the caller",
    credential: "session",
    needsDirectory: true,
    body: { kind: "json", schema: ProvisionAlbumRequest },
    success: {
      200: { kind: "json", schema: ProvisionAlbumResponse },
      201: { kind: "json", schema: ProvisionAlbumResponse },
    },
    problems: ["error.album.not_owner", "error.account.limit_reached"],
  }).by(async ({ body, request, ...call }) => {
    const json = await provisionAlbum(
      call,
      body.album_id,
      request.protocol ?? PROTOCOL_MAX,
    );
    return json.created ? { status: 201, json } : { status: 200, json };
  }),

  route({
    operation: "listAlbums",
    method: "GET",
    path: "/v1/albums",
    summary: "The caller's own albums and those shared with the caller",
    credential: "session",
    success: { 200: { kind: "json", schema: AlbumsResponse } },
    problems: [],
  }).by(async ({ app, caller }) => ({
    status: 200,
    json: await listAlbums(app, caller.userId),
  })),
];
