/**
 * Calls about passkeys (protocol/authentication.md#passkeys), fetched when they
 * are first needed.
 *
 * @module
 */
import * as z from "zod/mini";
import type { Asking } from "./asking.ts";
import { count, instant, uuid } from "./fields.ts";

const passkeyResponse = z.object({
  passkey_id: uuid,
  name: z.string(),
  created_at: instant,
  last_used_at: z.nullish(instant),
  credential_id: z.string(),
  backed_up: z.boolean(),
});
const passkeysResponse = z.object({
  passkeys: z.array(passkeyResponse),
});
const passkeyOptionsResponse = z.object({
  challenge_id: uuid,
  expires_at: instant,
  options: z.object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({
      id: z.string(),
      name: z.string(),
      displayName: z.string(),
    }),
    pubKeyCredParams: z.array(
      z.object({ type: z.literal("public-key"), alg: z.int() }),
    ),
    timeout: count,
    excludeCredentials: z.array(
      z.object({ type: z.literal("public-key"), id: z.string() }),
    ),
  }),
});
const passkeyLoginOptionsResponse = z.object({
  challenge_id: uuid,
  expires_at: instant,
  options: z.object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: count,
  }),
});
/** A passkey of the account. */
export interface Passkey {
  readonly passkey_id: string;
  readonly name: string;
  readonly created_at: string;
  /** The id that its authenticator knows it by, base64url. */
  readonly credential_id: string;
  /** Whether its authenticator keeps a copy elsewhere. */
  readonly backed_up: boolean;
  readonly last_used_at?: string | null | undefined;
}
/** A challenge to add a passkey, with what a browser is to be asked. */
export interface PasskeyOptions {
  readonly challenge_id: string;
  readonly expires_at: string;
  readonly options: {
    challenge: string;
    rp: { id: string; name: string };
    user: { id: string; name: string; displayName: string };
    pubKeyCredParams: { type: "public-key"; alg: number }[];
    timeout: number;
    excludeCredentials: { type: "public-key"; id: string }[];
  };
}
/** A challenge to sign in with a passkey. */
export interface PasskeyLoginOptions {
  readonly challenge_id: string;
  readonly expires_at: string;
  readonly options: { challenge: string; rpId: string; timeout: number };
}
/** What an authenticator made, as WebAuthn has it in JSON. */
export interface MadePasskey {
  readonly id: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports?: readonly string[];
  };
}
/** What an authenticator signed, as WebAuthn has it in JSON. */
export interface SignedByPasskey {
  readonly id: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string;
  };
}
const PASSKEYS = "/v1/auth/passkeys";

/** What there is to ask about an account's own passkeys. */
export interface PasskeyCalls {
  options(): Promise<PasskeyOptions>;
  add(challengeId: string, name: string, made: MadePasskey): Promise<Passkey>;
  list(): Promise<readonly Passkey[]>;
  rename(id: string, name: string): Promise<Passkey>;
  remove(id: string): Promise<void>;
}

/** The calls about an account's own passkeys. */
export function passkeyCalls(
  { get, post, call, done }: Asking,
): PasskeyCalls {
  return {
    options: (): Promise<PasskeyOptions> =>
      post(`${PASSKEYS}/options`, undefined, passkeyOptionsResponse),
    add: (
      challengeId: string,
      name: string,
      { id, response }: MadePasskey,
    ): Promise<Passkey> =>
      post(PASSKEYS, {
        challenge_id: challengeId,
        name,
        credential: { id, response },
      }, passkeyResponse),
    list: async (): Promise<readonly Passkey[]> =>
      (await get(PASSKEYS, passkeysResponse)).passkeys,
    rename: (id: string, name: string): Promise<Passkey> =>
      call(
        { method: "PATCH", path: `${PASSKEYS}/${id}`, json: { name } },
        passkeyResponse,
      ),
    remove: (id: string): Promise<void> =>
      done({ method: "DELETE", path: `${PASSKEYS}/${id}` }),
  };
}

/** Signing in with a passkey; a session is an `A`. */
export interface PasskeySignIn<A> {
  /** A challenge, of one account with its address. */
  options(address?: string): Promise<PasskeyLoginOptions>;
  /** Signs in with what a passkey signed for a challenge. */
  login(
    challengeId: string,
    signed: SignedByPasskey,
    device?: { readonly device_id?: string; readonly cohort_hash?: string },
  ): Promise<A>;
}

/** The calls to sign in; `enter` opens a session with what is sent. */
export function passkeySignIn<A>(
  { post }: Asking,
  enter: (path: string, json: unknown) => Promise<A>,
): PasskeySignIn<A> {
  return {
    options: (address) =>
      post(
        "/v1/auth/login/passkey/options",
        address === undefined ? {} : { address },
        passkeyLoginOptionsResponse,
      ),
    login: (challengeId, { id, response }, device) =>
      enter("/v1/auth/login/passkey", {
        challenge_id: challengeId,
        credential: { id, response },
        ...device,
      }),
  };
}
