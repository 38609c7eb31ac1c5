/**
 * The HTTP half of the client library: one method for each operation, every
 * answer checked by a schema. Nothing here encrypts; the other files of
 * `client/` make what is sent.
 *
 * @module
 */
import * as z from "zod/mini";
import type { BlobRole } from "../../crypto/receipt.ts";
import { ReceiptError } from "../../crypto/receipt.ts";
import { followSuccession } from "../../crypto/succession.ts";
import {
  parsePublishedKeys,
  type PublishedKeys,
} from "../../crypto/receipt_chain.ts";
import { type AccountCalls, accountCalls } from "./account_calls.ts";
import { type AlbumCalls, albumCalls } from "./album_calls.ts";
import {
  RefreshResponse,
  SecondFactorResponse,
  TokenResponse,
  type Tokens,
} from "../../wire/answers/sessions.ts";
import {
  FinalizeResponse,
  type Upload,
  UploadResponse,
} from "../../wire/answers/uploads.ts";
import type {
  LoginRequest,
  OidcCallbackRequest,
  PasswordChangeRequest,
  RedeemInvitationRequest,
  RefreshRequest,
  RegisterRequest,
  VerifyLoginRequest,
} from "../../wire/bodies/accounts.ts";
import type { UploadRequest as UploadBody } from "../../wire/bodies/uploads.ts";
import { text } from "../../wire/fields.ts";
import { open, type Sent } from "../../wire/open.ts";
import { askingOver } from "./asking.ts";
import {
  type AssetCalls,
  assetCalls,
  type ReadingCalls,
  readingCalls,
} from "./asset_calls.ts";
import { type LinkCalls, linkCalls, type ShareRequest } from "./link_calls.ts";
import { type ManifestEnvelope, mirrorFor } from "../documents/manifest.ts";
import { type PublicCalls, publicCalls } from "./public_calls.ts";
import {
  ApiProblem,
  type Call,
  type ClientOptions,
  ClientTooOld,
  ConnectionError,
  jsonOf,
  openTransport,
  type Transport,
  UnexpectedAnswer,
} from "./transport.ts";
import { type ShareCalls, shareCalls } from "./links.ts";
import type { UploadTarget } from "./send.ts";
import { uploadCalls } from "./upload_calls.ts";

export {
  ApiProblem,
  type ClientOptions,
  ClientTooOld,
  ConnectionError,
  type ShareRequest,
  UnexpectedAnswer,
};

/** A newer server may have other methods. */
const secondFactor = open(z.extend(SecondFactorResponse, {
  methods: z.array(text),
}));
/** The challenge that follows the password if a second factor is confirmed. */
export type SecondFactorChallenge = z.output<typeof secondFactor>;

/** The outcome of a sign-in. */
export type LoginOutcome =
  | { readonly kind: "signed_in"; readonly account: Account }
  | {
    readonly kind: "second_factor";
    readonly challenge: SecondFactorChallenge;
  };

/** One blob of an asset on its way to the server. */
export interface UploadRequest {
  readonly role: BlobRole;
  /** Content address of the blob; the session's mirror gets it too. */
  readonly hash: string;
  /** Bytes of the blob. */
  readonly size: number;
  /** The manifest's fields, as far as they are known. */
  readonly envelope: ManifestEnvelope;
  /** Upload id of a guest's contribution that becomes this blob. */
  readonly adopts?: string;
  /** An asset that has the same blob; then no bytes are sent. */
  readonly copies?: string;
  /** The caller's asset, of which the server lost this blob. */
  readonly heals?: string;
  /** With a manifest: derivatives that its asset lets go of. */
  readonly releases?: readonly string[];
}

/** The device that signs in, for the list of sessions. */
export interface SigningDevice {
  readonly device_id?: string;
  readonly cohort_hash?: string;
}

/** The calls of a capability's holder. */
export interface CapabilityCalls
  extends ReadingCalls, Pick<AlbumCalls, "roster"> {
  readonly lookUp: AccountCalls["lookUp"];
}

/** Operations that need no account. */
export interface Client extends ShareCalls, PublicCalls {
  /**
   * Makes an account and signs in, by an invitation if there is one. A server
   * without open registration requires one.
   */
  register(
    address: string,
    password: string,
    invitation?: string,
  ): Promise<Account>;
  login(
    address: string,
    password: string,
    device?: SigningDevice,
  ): Promise<LoginOutcome>;
  /** Completes a sign-in with a code of the second factor. */
  verifyLogin(
    challengeId: string,
    code: string,
    device?: SigningDevice,
  ): Promise<Account>;
  /** Completes a sign-in through the identity provider. */
  oidcCallback(
    state: string,
    code: string,
    device?: SigningDevice,
  ): Promise<LoginOutcome>;
  /** Resumes a session from tokens that were saved. */
  resume(tokens: Tokens): Account;
  /** The calls of a capability's holder. */
  reader(capability: string): CapabilityCalls;
  /**
   * The keys against which receipts are verified. With the id of a pinned key,
   * only that key and those it vouches for, each through the one before; throws
   * a `ReceiptError` if the pinned key is not published.
   */
  attestationKeys(pinned?: string): Promise<PublishedKeys>;
}

/** Operations of a session. An expired access token is renewed. */
export interface Account
  extends UploadTarget, AccountCalls, AlbumCalls, AssetCalls, LinkCalls {
  readonly userId: string;
  /** The present tokens, to be saved. */
  tokens(): Tokens;
  /** Renews the access token. */
  refresh(): Promise<void>;
  /** Sends a call with the account's token, for families of calls apart. */
  readonly send: Transport["send"];
  /**
   * Changes the password. Every other session ends, and this one gets new
   * tokens.
   */
  changePassword(current: string, next: string): Promise<void>;
  createUpload(request: UploadRequest): Promise<Upload>;
  /** The state of an upload session. */
  upload(uploadId: string): Promise<Upload>;
}

/** Makes a client of one server. Throws a TypeError for a malformed URL. */
export function createClient(options: ClientOptions): Client {
  const transport = openTransport(options);
  const { send } = transport;
  const { get } = askingOver(send);
  const enter = (path: string, json: unknown) =>
    send({ method: "POST", path, json });
  const signedIn = async (response: Response) => {
    const tokens = await jsonOf(response, open(TokenResponse));
    return openAccount(transport, tokens, options);
  };
  const outcomeOf = async (response: Response): Promise<LoginOutcome> => {
    if (response.status === 202) {
      const challenge = await jsonOf(response, secondFactor);
      return { kind: "second_factor", challenge };
    }
    return { kind: "signed_in", account: await signedIn(response) };
  };
  return {
    ...publicCalls(send),
    ...shareCalls(send),
    async register(address, password, invitation) {
      const body = { address, password } satisfies Sent<typeof RegisterRequest>;
      if (invitation === undefined) {
        return await signedIn(await enter("/v1/auth/register", body));
      }
      const invited = { code: invitation, ...body } satisfies Sent<
        typeof RedeemInvitationRequest
      >;
      return await signedIn(await enter("/v1/invitations/redeem", invited));
    },
    async login(address, password, device) {
      const body = { address, password, ...device } satisfies Sent<
        typeof LoginRequest
      >;
      return await outcomeOf(await enter("/v1/auth/login", body));
    },
    async verifyLogin(challengeId, code, device) {
      const body = {
        challenge_id: challengeId,
        code,
        ...device,
      } satisfies Sent<typeof VerifyLoginRequest>;
      return await signedIn(await enter("/v1/auth/login/verify-totp", body));
    },
    async oidcCallback(state, code, device) {
      const body = { state, code, ...device } satisfies Sent<
        typeof OidcCallbackRequest
      >;
      return await outcomeOf(await enter("/v1/auth/oidc/callback", body));
    },
    resume: (tokens) => openAccount(transport, tokens, options),
    reader(capability) {
      const reading = (call: Call) => send({ ...call, token: capability });
      const { roster } = albumCalls(reading);
      const { lookUp } = accountCalls(reading);
      return { ...readingCalls(reading), roster, lookUp };
    },
    async attestationKeys(pinned) {
      const path = "/.well-known/service/attestation-keys";
      const all = parsePublishedKeys(await get(path, open(z.unknown())));
      if (pinned === undefined) return all;
      const followed = await followSuccession(all, pinned);
      if (followed !== undefined) return followed.published;
      throw new ReceiptError(`the pinned key ${pinned} is not published`);
    },
  };
}

function openAccount(
  transport: Transport,
  given: Tokens,
  { onTokens }: ClientOptions,
): Account {
  let tokens = given;
  let renewing: Promise<void> | undefined;
  const hold = (next: Tokens) => {
    tokens = next;
    onTokens?.(next);
  };
  const renew = async () => {
    const response = await transport.send({
      method: "POST",
      path: "/v1/auth/refresh",
      json: { session_token: tokens.session_token } satisfies Sent<
        typeof RefreshRequest
      >,
    });
    hold({ ...tokens, ...await jsonOf(response, open(RefreshResponse)) });
  };
  // Calls that run at the same time share one renewal.
  const refresh = () =>
    renewing ??= renew().finally(() => {
      renewing = undefined;
    });
  const send = async (call: Call): Promise<Response> => {
    // A program that was cut off while it saved them may have kept none.
    if (tokens.access_token === "") await refresh();
    const token = tokens.access_token;
    try {
      return await transport.send({ ...call, token });
    } catch (error) {
      if (!isTokenRefused(error)) throw error;
    }
    if (tokens.access_token === token) await refresh();
    return await transport.send({ ...call, token: tokens.access_token });
  };
  const { get, post } = askingOver(send);
  return {
    userId: given.user_id,
    tokens: () => tokens,
    refresh,
    pause: transport.pause,
    send,
    ...accountCalls(send),
    ...albumCalls(send),
    ...assetCalls(send),
    ...linkCalls(send),
    ...uploadCalls(send, "/v1/upload", open(FinalizeResponse)),
    async changePassword(current, next) {
      const body = {
        current_password: current,
        new_password: next,
      } satisfies Sent<typeof PasswordChangeRequest>;
      hold(await post("/v1/auth/password", body, open(TokenResponse)));
    },
    createUpload: (request) =>
      post("/v1/upload", uploadBody(request), open(UploadResponse)),
    upload: (uploadId) => get(`/v1/upload/${uploadId}`, open(UploadResponse)),
  };
}

/** Whether a fresh access token could change the answer. */
function isTokenRefused(error: unknown): boolean {
  return error instanceof ApiProblem &&
    error.code === "error.auth.token_invalid";
}

function uploadBody(request: UploadRequest) {
  const { role, hash, size, envelope, adopts, copies, heals, releases } =
    request;
  return {
    ...(envelope.album_id === undefined ? {} : { album_id: envelope.album_id }),
    crypto_suite_id: envelope.crypto_suite_id,
    blob_role: role,
    ciphertext_hash: hash,
    size,
    manifest_envelope: mirrorFor(envelope, hash),
    ...(adopts === undefined ? {} : { adopts }),
    ...(copies === undefined ? {} : { copies }),
    ...(heals === undefined ? {} : { heals }),
    ...(releases === undefined ? {} : { releases: [...releases] }),
  } satisfies Sent<typeof UploadBody>;
}
