/**
 * Calls about passkeys (protocol/authentication.md#passkeys), fetched when they
 * are first needed.
 *
 * @module
 */
import {
  type Passkey,
  type PasskeyLoginOptions,
  PasskeyLoginOptionsResponse,
  type PasskeyOptions,
  PasskeyOptionsResponse,
  PasskeyResponse,
  PasskeysResponse,
} from "../wire/answers/passkeys.ts";
import type {
  AddPasskeyRequest,
  PasskeyLoginOptionsRequest,
  PasskeyLoginRequest,
  RenamePasskeyRequest,
} from "../wire/bodies/passkeys.ts";
import { open, type Sent } from "../wire/open.ts";
import type { Asking } from "./asking.ts";

export type {
  Passkey,
  PasskeyLoginOptions,
  PasskeyOptions,
} from "../wire/answers/passkeys.ts";

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
      post(`${PASSKEYS}/options`, undefined, open(PasskeyOptionsResponse)),
    add: (
      challengeId: string,
      name: string,
      { id, response }: MadePasskey,
    ): Promise<Passkey> =>
      post(
        PASSKEYS,
        {
          challenge_id: challengeId,
          name,
          credential: { id, response },
        } satisfies Sent<typeof AddPasskeyRequest>,
        open(PasskeyResponse),
      ),
    list: async (): Promise<readonly Passkey[]> =>
      (await get(PASSKEYS, open(PasskeysResponse))).passkeys,
    rename: (id: string, name: string): Promise<Passkey> =>
      call(
        {
          method: "PATCH",
          path: `${PASSKEYS}/${id}`,
          json: { name } satisfies Sent<typeof RenamePasskeyRequest>,
        },
        open(PasskeyResponse),
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
        (address === undefined ? {} : { address }) satisfies Sent<
          typeof PasskeyLoginOptionsRequest
        >,
        open(PasskeyLoginOptionsResponse),
      ),
    login: (challengeId, { id, response }, device) =>
      enter(
        "/v1/auth/login/passkey",
        {
          challenge_id: challengeId,
          credential: { id, response },
          ...device,
        } satisfies Sent<typeof PasskeyLoginRequest>,
      ),
  };
}
