/**
 * Calls about an account and its devices: profile, second factor, sessions, the
 * directory, enrollment and escrow (protocol/authentication.md,
 * protocol/devices.md).
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, fromBase64, toBase64 } from "../../core/bytes.ts";
import {
  LookupResponse,
  ModerationEvent,
  ModerationRecordResponse,
  type Profile,
  ProfileResponse,
  PublicRecordResponse,
  ReauthenticateResponse,
  TotpResponse,
  type User,
} from "../../wire/answers/accounts.ts";
import {
  type DirectoryResponse,
  EnrollmentCodeResponse,
  type EnrollmentState,
  EnrollmentStateResponse,
  PublishDirectoryResponse,
  StoreEscrowResponse,
} from "../../wire/answers/devices.ts";
import {
  type Challenge,
  ChallengeResponse,
  DevicesResponse,
  type Sessions,
} from "../../wire/answers/sessions.ts";
import type {
  CodeRequest,
  LookupRequest,
  ProfileUpdateRequest,
  ProofRequest,
  PublicRecordRequest,
  ReauthenticateRequest,
} from "../../wire/bodies/accounts.ts";
import { text } from "../../wire/fields.ts";
import { open, type Sent } from "../../wire/open.ts";
import { type Asking, askingOver } from "./asking.ts";
import { ENROLLMENT_CODE } from "../enrollment/enrollment_link.ts";
import type { Transport } from "./transport.ts";
import { bytesOf, etagOf, UnexpectedAnswer } from "./transport.ts";

/** Most bytes of a signed device directory, and of an escrow blob. */
const DIRECTORY_MAX_BYTES = 1024 * 1024;
const ESCROW_MAX_BYTES = 1024 * 1024;

/** A newer server may have more words for what its operator does. */
const moderationRecord = open(z.extend(ModerationRecordResponse, {
  standing: text,
  events: z.array(z.extend(ModerationEvent, { action: text })),
}));
/** The operator's actions on an account. */
export type ModerationRecord = z.output<typeof moderationRecord>;

/** A link is made of it, from which nothing else may be read. */
const enrollmentCode = open(z.extend(EnrollmentCodeResponse, {
  code: text.check(z.regex(ENROLLMENT_CODE)),
}));

/** The person to look for, by one of the three. */
export type Sought =
  | { readonly address: string }
  | { readonly handle: string }
  /** Someone who shares an album with the caller. */
  | { readonly user_id: string };

/** A directory as it was fetched. The caller has to verify its signature. */
export interface FetchedDirectory {
  readonly bytes: Bytes;
  /** The account's identity anchor according to this server, 1,984 bytes. */
  readonly identityKey: Bytes | undefined;
}

/** The calls about the own account. */
export interface AccountCalls {
  profile(): Promise<Profile>;
  /** Null removes the name. */
  rename(displayName: string | null): Promise<Profile>;
  publishRecord(handle: string): Promise<void>;
  withdrawRecord(): Promise<void>;
  sessions(): Promise<Sessions>;
  revokeSession(sessionId: string): Promise<void>;
  logout(): Promise<void>;
  /** A challenge for the global sign-out, and for deleting the account. */
  challengeProof(): Promise<Challenge>;
  /**
   * Deletes the account for ever. The proof has the domain
   * `service-account-delete/v1`.
   */
  deleteAccount(challengeId: string, proof: Uint8Array): Promise<void>;
  /**
   * Presents the password again. Some operations require that within the last
   * five minutes, and otherwise answer `error.auth.reauthentication_required`.
   */
  reauthenticate(password: string): Promise<void>;
  enrollTotp(): Promise<
    { readonly secret: string; readonly otpauth_uri: string }
  >;
  confirmTotp(code: string): Promise<void>;
  disableTotp(code: string): Promise<void>;
  moderationRecord(): Promise<ModerationRecord>;
  lookUp(sought: Sought): Promise<User>;
  /** `identityKey` is the anchor, 1,984 bytes, or null to leave it as it is. */
  publishDirectory(
    directory: Bytes,
    identityKey: Uint8Array | null,
  ): Promise<DirectoryResponse>;
  directory(userId: string): Promise<FetchedDirectory>;
  issueEnrollmentCode(): Promise<
    { readonly code: string; readonly expires_at: string }
  >;
  enrollment(): Promise<EnrollmentState>;
  closeChannel(channelId: string): Promise<void>;
  /** The wrapped master key, verbatim. */
  escrow(): Promise<Bytes>;
  /** The escrow with its ETag, to pass when replacing it. */
  taggedEscrow(): Promise<{ readonly bytes: Bytes; readonly etag: string }>;
  /**
   * Replaces the escrow that has the ETag `over`; null writes the first one;
   * undefined replaces whatever there is.
   */
  storeEscrow(
    escrow: Bytes,
    over?: string | null,
  ): Promise<{ readonly replaced: boolean }>;
}

/** Makes the calls, which `send` sends with the account's token. */
export function accountCalls(send: Transport["send"]): AccountCalls {
  const asking = askingOver(send);
  const { get, post, call, done, bytes } = asking;
  return {
    profile: () => get("/v1/auth/profile", open(ProfileResponse)),
    rename: (displayName) =>
      call({
        method: "PATCH",
        path: "/v1/auth/profile",
        json: { display_name: displayName } satisfies Sent<
          typeof ProfileUpdateRequest
        >,
      }, open(ProfileResponse)),
    async publishRecord(handle) {
      await call({
        method: "PUT",
        path: "/v1/auth/profile/public-record",
        json: { handle } satisfies Sent<typeof PublicRecordRequest>,
      }, open(PublicRecordResponse));
    },
    withdrawRecord: () =>
      done({ method: "DELETE", path: "/v1/auth/profile/public-record" }),
    sessions: () => get("/v1/auth/sessions", open(DevicesResponse)),
    revokeSession: (id) =>
      done({ method: "DELETE", path: `/v1/auth/sessions/${id}` }),
    logout: () => done({ method: "POST", path: "/v1/auth/logout" }),
    challengeProof: () =>
      post("/v1/auth/logout/all/challenge", undefined, open(ChallengeResponse)),
    deleteAccount: (challengeId, proof) =>
      done({
        method: "POST",
        path: "/v1/auth/account/delete",
        json: {
          challenge_id: challengeId,
          proof: toBase64(proof),
        } satisfies Sent<typeof ProofRequest>,
      }),
    async reauthenticate(password) {
      const path = "/v1/auth/reauthenticate";
      const body = { password } satisfies Sent<typeof ReauthenticateRequest>;
      await post(path, body, open(ReauthenticateResponse));
    },
    enrollTotp: () =>
      post("/v1/auth/totp/enroll", undefined, open(TotpResponse)),
    confirmTotp: (code) =>
      done({
        method: "POST",
        path: "/v1/auth/totp/verify-enrollment",
        json: { code } satisfies Sent<typeof CodeRequest>,
      }),
    disableTotp: (code) =>
      done({
        method: "POST",
        path: "/v1/auth/totp/disable",
        json: { code } satisfies Sent<typeof CodeRequest>,
      }),
    moderationRecord: () => get("/v1/moderation/record", moderationRecord),
    lookUp: (sought) =>
      post(
        "/v1/users/lookup",
        sought satisfies Sent<typeof LookupRequest>,
        open(LookupResponse),
      ),
    ...directoryCalls(send, asking),
    issueEnrollmentCode: () =>
      post(
        "/v1/auth/devices/enroll/code",
        undefined,
        enrollmentCode,
      ),
    enrollment: () =>
      get("/v1/auth/devices/enroll/code", open(EnrollmentStateResponse)),
    closeChannel: (id) =>
      done({ method: "DELETE", path: `/v1/auth/devices/enroll/channel/${id}` }),
    escrow: () => bytes("/v1/auth/escrow", ESCROW_MAX_BYTES),
    async taggedEscrow() {
      const response = await send({ method: "GET", path: "/v1/auth/escrow" });
      const escrow = await bytesOf(response, ESCROW_MAX_BYTES);
      return { bytes: escrow, etag: etagOf(response) };
    },
    storeEscrow: (escrow, over) =>
      call({
        method: "PUT",
        path: "/v1/auth/escrow",
        ...(over === undefined ? {} : {
          headers: over === null
            ? { "If-None-Match": "*" }
            : { "If-Match": over },
        }),
        bytes: { mediaType: "application/octet-stream", body: escrow },
      }, open(StoreEscrowResponse)),
  };
}

function directoryCalls(
  send: Transport["send"],
  { call }: Asking,
): Pick<AccountCalls, "publishDirectory" | "directory"> {
  return {
    publishDirectory: (directory, identityKey) =>
      call({
        method: "PUT",
        path: "/v1/auth/devices/directory",
        headers: {
          "X-Service-Identity-Key": identityKey === null
            ? "null"
            : toBase64(identityKey),
        },
        bytes: { mediaType: "application/cbor", body: directory },
      }, open(PublishDirectoryResponse)),
    async directory(userId) {
      const path = `/v1/users/${userId}/directory`;
      const response = await send({ method: "GET", path });
      const bytes = await bytesOf(response, DIRECTORY_MAX_BYTES);
      const shown = response.headers.get("X-Service-Identity-Key") ?? "null";
      if (shown === "null") return { bytes, identityKey: undefined };
      const identityKey = fromBase64(shown);
      if (identityKey !== undefined) return { bytes, identityKey };
      throw new UnexpectedAnswer(response.status, "no identity key");
    },
  };
}
