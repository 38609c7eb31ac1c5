import { fromBase64, toBase64 } from "../../core/bytes.ts";
import type { UserId } from "../../core/ids.ts";
import { HYBRID_PUBLIC_KEY_BYTES } from "../../crypto/hybrid.ts";
import type { Parameter } from "../../http/route.ts";
import { PublishDirectoryResponse } from "../../wire/answers/devices.ts";
import { route } from "../app.ts";
import { uuidParameter } from "../parameters.ts";
import { fetchDirectory, publishDirectory } from "./directory.ts";

const DIRECTORY_MAX_BYTES = 1024 * 1024;

const identityKey: Parameter<Uint8Array<ArrayBuffer> | null> = {
  parse: (given) => {
    if (given === "null") return null;
    const bytes = fromBase64(given);
    return bytes?.length === HYBRID_PUBLIC_KEY_BYTES ? bytes : undefined;
  },
  schema: { type: "string" },
  description: "Ed25519 key followed by ML-DSA-65 key, base64, or null",
};

export const deviceRoutes = [
  route({
    operation: "publishDirectory",
    method: "PUT",
    path: "/v1/auth/devices/directory",
    summary: "Publish the caller's signed device directory",
    credential: "session",
    headers: { "X-Service-Identity-Key": identityKey },
    body: {
      kind: "bytes",
      mediaType: "application/cbor",
      limitBytes: DIRECTORY_MAX_BYTES,
    },
    success: { 200: { kind: "json", schema: PublishDirectoryResponse } },
    problems: [
      "error.directory.malformed",
      "error.directory.identity_mismatch",
      "error.directory.version_conflict",
      "error.auth.reauthentication_required",
    ],
  }).by(async ({ headers, body, ...call }) => ({
    status: 200,
    json: await publishDirectory(call, body, headers["X-Service-Identity-Key"]),
  })),

  route({
    operation: "fetchDirectory",
    method: "GET",
    path: "/v1/users/{user_id}/directory",
    summary: "A user's signed device directory, verbatim",
    credential: "session",
    params: { user_id: uuidParameter<UserId>("Account id") },
    cacheControl: "no-store",
    success: {
      200: {
        kind: "bytes",
        mediaType: "application/cbor",
        headers: ["ETag", "X-Service-Identity-Key"],
      },
    },
    problems: ["error.directory.not_found"],
  }).by(async ({ params, ...call }) => {
    const held = await fetchDirectory(call, params.user_id);
    const headers = {
      ETag: `"${held.bodyHash}"`,
      "X-Service-Identity-Key": held.identityKey === null
        ? "null"
        : toBase64(held.identityKey),
    };
    const { body: bytes } = held;
    return { status: 200, bytes, length: bytes.length, headers };
  }),
];
