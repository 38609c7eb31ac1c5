import type { AlbumId, IntentId } from "../../core/ids.ts";
import {
  UpgradeCommitResponse,
  UpgradePhaseResponse,
} from "../../wire/answers/albums.ts";
import { route } from "../app.ts";
import { uuidParameter } from "../parameters.ts";
import {
  abortUpgrade,
  beginUpgrade,
  commitUpgrade,
  readPhase,
} from "./upgrade.ts";

const params = { album_id: uuidParameter<AlbumId>("Album id") };
const query = { intent_id: uuidParameter<IntentId>("The intent's id") };

const END_PROBLEMS = [
  "error.album.not_found",
  "error.album.role_forbidden",
  "error.album.tombstoned",
  "error.album.upgrade_in_flight",
  "error.album.upgrade_not_in_flight",
  "error.album.upgrade_intent_spent",
] as const;

export const upgradeRoutes = [
  route({
    operation: "readUpgradePhase",
    method: "GET",
    path: "/v1/albums/{album_id}/upgrade",
    summary: "The album's upgrade phase and drain count",
    credential: "session",
    params,
    success: { 200: { kind: "json", schema: UpgradePhaseResponse } },
    problems: ["error.album.not_found"],
  }).by(async ({ params, ...call }) => ({
    status: 200,
    json: await readPhase(call, params.album_id),
  })),

  route({
    operation: "beginUpgrade",
    method: "POST",
    path: "/v1/albums/{album_id}/upgrade",
    summary: "Begin the quiescence of an album under a signed intent",
    credential: "session",
    needsDirectory: true,
    params,
    body: { kind: "bytes", mediaType: "application/cbor" },
    success: { 200: { kind: "json", schema: UpgradePhaseResponse } },
    problems: [
      "error.album.intent_invalid",
      "error.album.not_found",
      "error.album.role_forbidden",
      "error.album.tombstoned",
      "error.album.upgrade_in_flight",
      "error.album.upgrade_intent_spent",
    ],
  }).by(async ({ params, body, ...call }) => ({
    status: 200,
    json: await beginUpgrade(call, params.album_id, body),
  })),

  route({
    operation: "abortUpgrade",
    method: "DELETE",
    path: "/v1/albums/{album_id}/upgrade",
    summary: "Abort the live upgrade ceremony",
    credential: "session",
    params,
    query,
    success: { 200: { kind: "json", schema: UpgradePhaseResponse } },
    problems: END_PROBLEMS,
  }).by(async ({ params, query, ...call }) => ({
    status: 200,
    json: await abortUpgrade(call, params.album_id, query.intent_id),
  })),

  route({
    operation: "commitUpgrade",
    method: "POST",
    path: "/v1/albums/{album_id}/upgrade/commit",
    summary: "Tombstone a drained album and provision its successor",
    credential: "session",
    params,
    query,
    success: { 200: { kind: "json", schema: UpgradeCommitResponse } },
    problems: END_PROBLEMS,
  }).by(async ({ params, query, ...call }) => ({
    status: 200,
    json: await commitUpgrade(call, params.album_id, query.intent_id),
  })),
];
