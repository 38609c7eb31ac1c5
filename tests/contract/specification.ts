/**
 * The tables of the interface specification, transcribed once: every operation
 * whose statuses it lists, in its order. Where it leaves method and path open,
 * they are those of the protocol's pages (`src/docs/protocol/operations.md`).
 *
 * "Every operation may answer 413. Every operation except the discovery and
 * version operations may answer 500. Statuses listed below are the complete set
 * for each operation."
 *
 * @module
 */

/** One row of a table. */
interface Row {
  /** `POST /v1/shares` */
  readonly operation: string;
  readonly success: readonly number[];
  /** "Other statuses", without the 413 and 500 that every operation has. */
  readonly others: readonly number[];
  /** Listed statuses that this server never answers, each with the reason. */
  readonly never?: Readonly<Record<number, string>>;
  /**
   * Statuses of a row whose list the specification says is not shown, each with
   * where it comes from.
   */
  readonly unlisted?: Readonly<Record<number, string>>;
  /** Discovery and version: no 500. */
  readonly cannotFail?: true;
}

const HANDSHAKE = "the handshake headers: malformed, or outside the window";
const BODY = "JSON bodies: the media type and the shape";

/** Why nothing is forbidden to a caller who reads, revokes or signs out. */
const NEVER_FORBIDDEN = {
  403:
    "any account may, a suspended one too, and nothing of another's is named",
};

export const TABLES: readonly Row[] = [
  // Accounts and sessions.
  {
    operation: "POST /v1/auth/login",
    success: [200, 202],
    others: [400, 401, 415, 422, 423, 426],
  },
  {
    operation: "POST /v1/auth/login/verify-totp",
    success: [200],
    others: [400, 401, 415, 422, 426, 429],
  },
  {
    operation: "POST /v1/auth/logout/all/challenge",
    success: [200],
    others: [400, 401, 403, 426],
  },
  {
    operation: "POST /v1/auth/logout/all",
    success: [200],
    others: [400, 401, 415, 422, 426],
  },
  {
    operation: "POST /v1/auth/oidc/authorize",
    success: [200],
    others: [400, 404, 415, 422, 426, 429, 503],
  },
  {
    operation: "POST /v1/auth/oidc/callback",
    success: [200, 202],
    others: [401, 409],
    unlisted: { 400: HANDSHAKE, 415: BODY, 422: BODY, 426: HANDSHAKE },
  },
  {
    operation: "POST /v1/auth/register",
    success: [200],
    others: [409],
    unlisted: {
      400: HANDSHAKE,
      403: "the operator has closed registration",
      415: BODY,
      422: BODY,
      426: HANDSHAKE,
    },
  },

  // Operations whose methods and paths are left open.
  {
    operation: "GET /v1/auth/sessions",
    success: [200],
    others: [400, 401, 403],
    never: NEVER_FORBIDDEN,
  },
  {
    operation: "PUT /v1/auth/devices/directory",
    success: [200],
    others: [400, 401, 403, 409, 415, 426],
  },
  {
    operation: "GET /v1/users/{user_id}/directory",
    success: [200],
    others: [400, 401, 403, 404],
    never: { 403: "any account of this server may fetch it" },
  },
  {
    operation: "POST /v1/auth/devices/enroll/code",
    success: [200],
    others: [400, 401, 403, 426],
  },
  {
    operation: "POST /v1/auth/devices/enroll/redeem",
    success: [200],
    others: [400, 404, 415, 422, 426, 429],
  },
  {
    operation: "DELETE /v1/auth/sessions/{session_id}",
    success: [204],
    others: [400, 401, 403, 404, 426],
  },
  {
    operation: "GET /v1/auth/escrow",
    success: [200],
    others: [400, 401, 403, 404],
    never: NEVER_FORBIDDEN,
  },
  {
    operation: "PUT /v1/auth/escrow",
    success: [200],
    others: [400, 401, 403, 415, 426],
  },
  {
    operation: "POST /v1/auth/logout",
    success: [204],
    others: [400, 401, 403, 426],
    never: NEVER_FORBIDDEN,
  },

  // Enrollment relay channel.
  {
    operation: "GET /v1/auth/devices/enroll/channel/{channel_id}",
    success: [200],
    others: [400, 404],
  },
  {
    operation: "POST /v1/auth/devices/enroll/channel/{channel_id}",
    success: [204],
    others: [400, 404, 415, 422, 426],
  },
  {
    operation: "DELETE /v1/auth/devices/enroll/channel/{channel_id}",
    success: [204],
    others: [400, 401, 403, 404, 426],
  },

  // Albums and lifecycle writes.
  {
    operation: "POST /v1/albums",
    success: [200, 201],
    others: [400, 401, 403, 415, 422, 426],
  },
  {
    operation: "POST /v1/albums/{album_id}/capabilities",
    success: [201],
    others: [400, 401, 403, 404, 409, 415, 422, 426],
  },
  {
    operation: "DELETE /v1/albums/{album_id}/capabilities/{jti}",
    success: [204],
    others: [400, 401, 403, 404, 426],
  },
  {
    operation: "POST /v1/albums/{album_id}/ops",
    success: [200],
    others: [400, 401, 403, 409, 415, 422, 426],
  },
  {
    operation: "PUT /v1/albums/{album_id}/roster",
    success: [200],
    others: [400, 401, 403, 404, 409, 415, 422, 426],
  },
  {
    operation: "GET /v1/albums/{album_id}/upgrade",
    success: [200],
    others: [400, 401, 403, 404],
    never: { 403: "another's album answers as an unknown one" },
  },
  {
    operation: "POST /v1/albums/{album_id}/upgrade",
    success: [200],
    others: [400, 401, 403, 404, 409, 415, 426],
  },
  {
    operation: "DELETE /v1/albums/{album_id}/upgrade",
    success: [200],
    others: [400, 401, 403, 404, 409, 426],
  },

  // Share links.
  { operation: "GET /s/{opaque_id}", success: [200], others: [400, 404, 429] },
  {
    operation: "GET /s/{opaque_id}/blob/{hash}",
    success: [200, 206, 304],
    others: [400, 404, 429],
  },
  {
    operation: "GET /s/{opaque_id}/wrapped-secret",
    success: [200],
    others: [400, 404, 429],
  },
  {
    operation: "POST /v1/shares",
    success: [201],
    others: [400, 401, 403, 415, 422, 426],
  },
  {
    operation: "DELETE /v1/shares/{opaque_id}",
    success: [204],
    others: [400, 401, 403, 426],
  },

  // Discovery and version.
  ...["server-info", "deprecation", "attestation-keys"].map((record) => ({
    operation: `GET /.well-known/service/${record}`,
    success: [200],
    others: [],
    cannotFail: true as const,
  })),
  {
    operation: "GET /.well-known/service/revoked-jti",
    success: [200],
    others: [503],
    cannotFail: true,
  },
  {
    operation: "GET /v1/version",
    success: [200],
    others: [],
    cannotFail: true,
  },

  // Storage verification.
  {
    operation: "POST /v1/storage/verify",
    success: [200],
    others: [400, 401, 403, 415, 422, 426],
    never: { 403: "it is a read: a suspended account may" },
  },
  {
    operation: "GET /v1/assets/{asset_id}/receipts",
    success: [200],
    others: [400, 401, 403, 404],
  },

  // Federation.
  {
    operation: "POST /v1/federation/capabilities/refresh",
    success: [200],
    others: [400, 401, 403, 409, 426, 429],
  },
  {
    operation: "POST /v1/federation/reports",
    success: [202],
    others: [400, 401, 403, 415, 422, 426, 429],
  },

  // Moderation.
  {
    operation: "GET /v1/moderation/record",
    success: [200],
    others: [400, 401, 403],
    never: NEVER_FORBIDDEN,
  },
];
