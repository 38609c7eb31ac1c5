/**
 * The catalogue of problems: the one table where a code gets its status, its
 * English text and its extension fields (protocol/transport.md#problems).
 *
 * @module
 */
import * as z from "zod";
import type { ProblemCode } from "./problem_codes.ts";

export interface ProblemKind {
  readonly status: number;
  /** English text for people; clients switch on the code. */
  readonly detail: string;
  /** Extension fields in addition to those of RFC 9457, each required. */
  readonly extra?: z.ZodRawShape;
  /** Whether a refusal must say for how long (every 429 and 423). */
  readonly retry?: true | "sometimes";
  /** The seconds of its `Retry-After` where the refusal names none. */
  readonly retryAfterSeconds?: number;
}

/** One broken rule of a request: `path` is a JSON Pointer (RFC 6901). */
export const FieldError = z.strictObject({
  path: z.string(),
  message: z.string(),
}).meta({ id: "FieldError" });
export type FieldError = z.output<typeof FieldError>;

const errors = z.array(FieldError);
const offset = z.int().nonnegative();
const count = z.int().nonnegative();
/** Unix seconds when the caller may try again. */
const retry_after = z.int().nonnegative();

/** Every code with its status, its text and its extension fields. */
export const PROBLEMS = {
  "error.request.malformed": {
    status: 400,
    detail: "The request is malformed.",
  },
  "error.request.host": {
    status: 400,
    detail: "The request's Host is not this server's.",
  },
  "error.request.route_unknown": {
    status: 404,
    detail: "This path does not exist.",
  },
  "error.request.method_not_allowed": {
    status: 405,
    detail: "This path does not support that method; see Allow.",
  },
  // The answer has an empty body (protocol/transport.md#bodies), so only the
  // log ever shows this code.
  "error.request.too_large": {
    status: 413,
    detail: "The body is too large for this operation.",
  },
  "error.request.media_type": {
    status: 415,
    detail: "This operation does not accept the body's Content-Type.",
  },
  "error.request.invalid": {
    status: 422,
    detail: "The body failed validation; see errors.",
    extra: { errors },
  },
  "error.handshake.protocol_missing": {
    status: 400,
    detail: "X-Service-Protocol is required.",
  },
  "error.handshake.protocol_malformed": {
    status: 400,
    detail: "X-Service-Protocol is not a calendar date (YYYY-MM-DD).",
  },
  "error.handshake.protocol_unsupported": {
    status: 426,
    detail: "This protocol date is outside the accepted range.",
    extra: { protocol_min: z.iso.date(), protocol_max: z.iso.date() },
  },
  "error.handshake.crypto_suite_unsupported": {
    status: 400,
    detail: "This server does not know the suite in X-Service-Crypto-Suite.",
  },
  "error.handshake.sidecar_schema_unsupported": {
    status: 400,
    detail: "X-Service-Sidecar-Schema is newer than this server indexes.",
  },
  "error.auth.token_missing": {
    status: 401,
    detail: "A bearer access token is required.",
  },
  "error.auth.token_invalid": {
    status: 401,
    detail: "The access token is not valid, or its session has ended.",
  },
  "error.auth.session_token_invalid": {
    status: 401,
    detail: "The session token is not valid, or its session has ended.",
  },
  "error.auth.credentials_invalid": {
    status: 401,
    detail: "The address or the password is wrong.",
  },
  "error.auth.account_locked": {
    status: 423,
    detail: "Too many wrong passwords; wait, then try again.",
    retry: true,
  },
  "error.auth.registration_closed": {
    status: 403,
    detail: "This server accepts no registration for that address.",
  },
  "error.invitation.not_found": {
    status: 404,
    detail: "The invitation is unknown, used or expired.",
  },
  "error.auth.user_already_exists": {
    status: 409,
    detail: "An account with this address already exists.",
  },
  "error.auth.session_not_found": {
    status: 404,
    detail: "There is no such session.",
  },
  "error.auth.proof_required": {
    status: 401,
    detail: "A valid proof over a live challenge is required.",
  },
  "error.auth.password_incorrect": {
    status: 403,
    detail: "The password is wrong.",
  },
  "error.auth.challenge_expired": {
    status: 401,
    detail: "The challenge is unknown, used or expired; sign in again.",
  },
  "error.auth.second_factor_invalid": {
    status: 401,
    detail: "The code is wrong, or was used before: wait for the next one.",
  },
  "error.auth.second_factor_attempts_exhausted": {
    status: 429,
    detail: "Too many wrong codes; wait, then try again.",
    retry: true,
  },
  "error.auth.second_factor_confirmed": {
    status: 409,
    detail: "A second factor is already confirmed; disable it first.",
  },
  "error.auth.second_factor_not_pending": {
    status: 409,
    detail: "There is no second factor to confirm; enroll one first.",
  },
  "error.auth.second_factor_not_confirmed": {
    status: 409,
    detail: "No second factor is confirmed.",
  },
  "error.auth.second_factor_code_refused": {
    status: 422,
    detail: "The code is wrong, or was used before: wait for the next one.",
  },
  "error.auth.oidc_not_configured": {
    status: 404,
    detail: "This server has no identity provider.",
  },
  "error.auth.oidc_redirect_invalid": {
    status: 400,
    detail: "This redirect_uri is not allowed.",
  },
  "error.auth.rate_limited": {
    status: 429,
    detail: "Too many sign-ins were started; wait, then try again.",
    retry: true,
  },
  "error.auth.oidc_at_capacity": {
    status: 503,
    detail: "Too many sign-ins are pending; try again.",
  },
  "error.auth.oidc_state_invalid": {
    status: 401,
    detail: "The sign-in is unknown, used or expired; start another.",
  },
  "error.auth.oidc_token_invalid": {
    status: 401,
    detail: "The identity provider's token was refused.",
  },
  "error.auth.oidc_exchange_failed": {
    status: 401,
    detail: "The identity provider refused the code.",
  },
  "error.auth.oidc_unavailable": {
    status: 500,
    detail: "The identity provider is unavailable; try again.",
  },
  "error.auth.oidc_address_taken": {
    status: 409,
    detail: "An account with the provider's address already exists.",
  },
  "error.user.not_found": {
    status: 404,
    detail: "There is no such user.",
  },
  "error.user.rate_limited": {
    status: 429,
    detail: "Too many lookups; wait, then try again.",
    retry: true,
  },
  "error.user.handle_taken": {
    status: 409,
    detail: "This handle is taken.",
  },
  "error.auth.unavailable": {
    status: 500,
    detail: "Sign-in is unavailable at the moment; try again.",
    retryAfterSeconds: 5,
  },
  "error.account.rate_limited": {
    status: 429,
    detail: "Too many requests from this account; wait, then try again.",
    retry: true,
  },
  "error.account.limit_reached": {
    status: 422,
    detail: "The account has reached its limit of these; see limit.",
    extra: {
      // A number of things, or the name of a limit of another kind.
      limit: z.union([count, z.enum(["quota", "share_hashes"])]),
      retry_after: retry_after.optional(),
    },
    retry: "sometimes",
  },
  "error.account.suspended": {
    status: 403,
    detail: "The account is suspended: it can only read and delete.",
  },
  "error.auth.reauthentication_required": {
    status: 403,
    detail: "Present your password again, then repeat the request.",
  },
  "error.directory.required": {
    status: 403,
    detail: "Publish a device directory before writing.",
  },
  "error.directory.identity_mismatch": {
    status: 403,
    detail: "This is not the identity key that the account is anchored to.",
  },
  "error.directory.malformed": {
    status: 400,
    detail: "The device directory cannot be read.",
  },
  "error.directory.version_conflict": {
    status: 409,
    detail: "The directory version is not above the stored one.",
    extra: { current_version: count },
  },
  "error.directory.not_found": {
    status: 404,
    detail: "There is no such device directory.",
  },
  "error.enrollment.code_refused": {
    status: 404,
    detail: "The code is wrong, used or expired; ask for a new one.",
  },
  "error.enrollment.rate_limited": {
    status: 429,
    detail: "Too many codes were tried; wait, then try again.",
    extra: { retry_after },
    retry: true,
  },
  "error.enrollment.channel_not_found": {
    status: 404,
    detail: "There is no such channel.",
  },
  "error.enrollment.mailbox_full": {
    status: 422,
    detail: "The mailbox is full; the other side must read it first.",
  },
  "error.escrow.not_found": {
    status: 404,
    detail: "No wrapped master key is stored.",
  },
  "error.escrow.version_conflict": {
    status: 400,
    detail: "The stored wrapped master key is not the expected one.",
  },
  "error.album.not_found": {
    status: 404,
    detail: "There is no such album.",
  },
  "error.album.not_owner": {
    status: 403,
    detail: "This album id belongs to another account.",
  },
  "error.album.tombstoned": {
    status: 403,
    detail: "The album was moved to a newer protocol and takes no writes.",
  },
  "error.album.role_forbidden": {
    status: 403,
    detail: "Your role in this album does not allow that.",
  },
  "error.album.roster_stale": {
    status: 409,
    detail: "The roster version is not above the stored one.",
    extra: { current_version: count },
  },
  "error.album.roster_version_leap": {
    status: 400,
    detail: "The roster version is too far above the stored one.",
    extra: { current_version: count, max_version: count },
  },
  "error.album.member_not_on_roster": {
    status: 409,
    detail: "The album's roster does not name this member.",
  },
  "error.album.intent_invalid": {
    status: 400,
    detail: "The upgrade intent cannot be read, or is not signed for this.",
  },
  "error.album.not_empty": {
    status: 409,
    detail: "The album has assets, or assets are being added to it.",
  },
  "error.album.upgrade_in_flight": {
    status: 409,
    detail: "The album is being upgraded; wait until that is over.",
  },
  "error.album.upgrade_not_in_flight": {
    status: 409,
    detail: "The album is not being upgraded under this intent.",
  },
  "error.album.upgrade_intent_spent": {
    status: 409,
    detail: "This intent was used before, or its successor id is taken.",
  },
  "error.roster.invalid": {
    status: 422,
    detail: "The roster cannot be read, or is not signed for this album.",
  },
  "error.roster.not_found": {
    status: 404,
    detail: "The album has no roster yet.",
  },
  "error.federation.disabled": {
    status: 403,
    detail: "This server does not federate.",
  },
  "error.federation.capability_invalid": {
    status: 401,
    detail: "The capability is not valid, or its grant has ended.",
  },
  "error.federation.capability_scope": {
    status: 403,
    detail: "The capability does not allow that.",
  },
  "error.federation.capability_not_renewable": {
    status: 403,
    detail: "The capability's grant cannot be refreshed.",
  },
  "error.federation.rate_limited": {
    status: 429,
    detail: "Too many requests; wait, then try again.",
    retry: true,
  },
  "error.federation.peer_unknown": {
    status: 403,
    detail: "This server does not know that peer.",
  },
  "error.federation.report_unsigned": {
    status: 401,
    detail: "The report is not signed by its peer.",
  },
  "error.federation.revocations_unavailable": {
    status: 503,
    detail: "The revocation list cannot be read at the moment; try again.",
  },
  "error.witness.log_unknown": {
    status: 404,
    detail: "This witness does not know that log.",
  },
  "error.witness.signature_refused": {
    status: 403,
    detail: "No key that this witness has for the log signed the checkpoint.",
  },
  "error.witness.proof_refused": {
    status: 422,
    detail: "The proof does not lead from the old size to the checkpoint.",
  },
  "error.witness.rate_limited": {
    status: 429,
    detail: "Too many checkpoints of this log; wait, then try again.",
    retry: true,
  },
  "error.sync.epoch_changed": {
    status: 410,
    detail: "The feed was restored to an earlier state; read it again.",
  },
  "error.asset.not_found": {
    status: 404,
    detail: "There is no such asset.",
  },
  "error.asset.not_deleted": {
    status: 409,
    detail: "The asset is not in the trash; delete it first.",
  },
  "error.asset.retained": {
    status: 409,
    detail: "The asset's retention floor has not passed.",
  },
  "error.asset.held": {
    status: 409,
    detail: "The asset is under legal hold.",
  },
  "error.asset.stale_revival": {
    status: 409,
    detail: "The manifest does not continue the stored chain.",
    extra: { chain_head: z.string().nullish() },
  },
  "error.manifest.mismatch": {
    status: 422,
    detail: "The manifest envelope contradicts the request; see errors.",
    extra: { errors },
  },
  "error.manifest.blob_missing": {
    status: 422,
    detail: "The manifest names blobs that were not uploaded; see missing.",
    extra: { missing: z.array(z.string()) },
  },
  "error.upload.not_found": {
    status: 404,
    detail: "There is no such upload session.",
  },
  "error.upload.offset_conflict": {
    status: 409,
    detail: "Upload-Offset is not the current offset of this upload.",
    extra: { offset },
  },
  "error.upload.tus_unsupported": {
    status: 412,
    detail: "Tus-Resumable is not one of the versions in Tus-Version.",
  },
  "error.upload.checksum_mismatch": {
    status: 460,
    detail: "The bytes do not match Upload-Checksum; they were dropped.",
  },
  "error.upload.incomplete": {
    status: 409,
    detail: "The upload does not have all its bytes yet.",
    extra: { offset },
  },
  "error.upload.hash_mismatch": {
    status: 422,
    detail: "The bytes do not have the declared hash; they were dropped.",
  },
  "error.upload.finalized": {
    status: 409,
    detail: "The upload is already finalized.",
  },
  "error.upload.too_many_open": {
    status: 429,
    detail: "Too many open uploads; finalize or cancel some.",
    retry: true,
  },
  "error.upload.not_needed": {
    status: 409,
    detail: "No such blob of this asset is missing or damaged.",
  },
  "error.storage.quota_exceeded": {
    status: 507,
    detail: "The account's storage quota does not allow this.",
  },
  "error.storage.full": {
    status: 500,
    detail: "The server has too little free disk space for this.",
    retryAfterSeconds: 60,
  },
  "error.state.not_found": {
    status: 404,
    detail: "The slot is empty.",
  },
  "error.state.precondition_required": {
    status: 428,
    detail: "Send If-Match with the slot's ETag, or If-None-Match: *.",
  },
  "error.state.version_conflict": {
    status: 409,
    detail: "The slot has other content; fetch it and merge.",
  },
  "error.storage.unavailable": {
    status: 500,
    detail: "Storage is unavailable at the moment; wait, then try again.",
    retryAfterSeconds: 5,
  },
  "error.share.not_found": {
    status: 404,
    detail: "There is no such share link.",
  },
  "error.share.opaque_id_unavailable": {
    status: 422,
    detail: "This opaque_id cannot be used; choose another.",
  },
  "error.share.rate_limited": {
    status: 429,
    detail: "Too many requests for this link; wait, then try again.",
    extra: { retry_after },
    retry: true,
  },
  "error.upload_link.not_found": {
    status: 404,
    detail: "There is no such upload link or session.",
  },
  "error.upload_link.exhausted": {
    status: 422,
    detail: "The upload link is used up.",
  },
  "error.upload_link.opaque_id_unavailable": {
    status: 422,
    detail: "This opaque_id cannot be used; choose another.",
  },
  "error.upload_link.rate_limited": {
    status: 429,
    detail: "Too many requests for this link; wait, then try again.",
    retry: true,
  },
  "error.internal": {
    status: 500,
    detail: "Something went wrong on the server.",
  },
} as const satisfies Record<ProblemCode, ProblemKind>;
