/**
 * Asking an authenticator (WebAuthn), which only a page may. What its PRF gives
 * is a key: it goes to the vault, and never to the server.
 *
 * @module
 */
import {
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";
import type {
  MadePasskey,
  PasskeyLoginOptions,
  PasskeyOptions,
  SignedByPasskey,
} from "../../client/passkey_calls.ts";
import type { Asked } from "../../client/library/mod.ts";
import { toBase64Url } from "../../core/bytes.ts";
import { ThreadError } from "../../client/threads/thread_messages.ts";
import { randomBytes } from "../browser.ts";
import { sessionState, vault } from "./vault.ts";
import { messages } from "./messages.ts";

const CHALLENGE_BYTES = 32;

/** Extensions that ask for the output of the PRF. */
function prfOn(input: Uint8Array<ArrayBuffer>) {
  const prf = { eval: { first: input } };
  return { extensions: { prf } as AuthenticationExtensionsClientInputs };
}

/** What the PRF gave; undefined where the authenticator has none. */
function prfOf(results: {
  readonly prf?: {
    readonly results?: { readonly first?: unknown } | undefined;
  } | undefined;
}): Uint8Array | undefined {
  const first = results.prf?.results?.first;
  if (first instanceof ArrayBuffer) return new Uint8Array(first);
  if (!ArrayBuffer.isView(first)) return undefined;
  return new Uint8Array(first.buffer, first.byteOffset, first.byteLength);
}

/** A passkey that was made, and the output of its PRF. */
export interface Made {
  readonly made: MadePasskey;
  readonly prf?: Uint8Array | undefined;
}

/**
 * Makes a passkey. Some authenticators evaluate their PRF only when they sign:
 * `onceMore` is called before the person is asked a second time.
 */
export async function makePasskey(
  { options, prfInput }: Asked<PasskeyOptions>,
  onceMore: () => void,
): Promise<Made> {
  const { id, response, clientExtensionResults } = await startRegistration({
    optionsJSON: {
      ...options,
      pubKeyCredParams: [...options.pubKeyCredParams],
      excludeCredentials: options.excludeCredentials.map(({ type, id }) => ({
        type,
        id,
      })),
      attestation: "none",
      authenticatorSelection: {
        residentKey: "required",
        requireResidentKey: true,
        userVerification: "required",
      },
      ...prfOn(prfInput),
    },
  });
  const { clientDataJSON, attestationObject, transports = [] } = response;
  const made = {
    id,
    response: { clientDataJSON, attestationObject, transports },
  };
  const prf = prfOf(clientExtensionResults);
  if (prf !== undefined || clientExtensionResults.prf?.enabled !== true) {
    return { made, prf };
  }
  onceMore();
  return { made, prf: await evaluatePrf([id], options.rp.id, prfInput) };
}

/** Has a passkey sign in. */
async function signWithPasskey(
  { options, prfInput }: Asked<PasskeyLoginOptions>,
): Promise<
  { readonly signed: SignedByPasskey; readonly prf: Uint8Array | undefined }
> {
  const { id, response, clientExtensionResults } = await startAuthentication({
    optionsJSON: {
      ...options,
      userVerification: "required",
      ...prfOn(prfInput),
    },
  });
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return {
    signed: {
      id,
      response: {
        clientDataJSON,
        authenticatorData,
        signature,
        ...(userHandle === undefined ? {} : { userHandle }),
      },
    },
    prf: prfOf(clientExtensionResults),
  };
}

/**
 * Signs in with a passkey, of the account with an address if one is given.
 * Resolves to what is said where that was refused.
 */
export async function enterWithPasskey(
  address: string,
  browser: string,
): Promise<string | undefined> {
  const { entry } = messages.value;
  const whose = address === "" ? {} : { address };
  const asked = await vault().session.askPasskey(whose.address);
  try {
    sessionState.value = await vault().session.signInWithPasskey({
      challengeId: asked.challenge_id,
      presented: await signWithPasskey(asked),
      ...whose,
      browser,
    });
    return undefined;
  } catch (error) {
    if (isCancelled(error)) return entry.passkeyCancelled;
    const isRefused = error instanceof ThreadError &&
      error.fault.code === "error.auth.credentials_invalid";
    if (!isRefused) throw error;
    return entry.passkeyRefused;
  }
}

/**
 * Opens hidden photos with a passkey. Resolves to what is said where that was
 * refused.
 */
export async function openHiddenWithPasskey(): Promise<string | undefined> {
  const { albums } = messages.value;
  const asked = await vault().session.askPasskey(sessionState.value?.address);
  try {
    const { signed, prf } = await signWithPasskey(asked);
    const isOpen = prf !== undefined &&
      await vault().settings.openHiddenWithPasskey(signed.id, prf);
    return isOpen ? undefined : albums.passkeyOpensNothing;
  } catch (error) {
    if (isCancelled(error)) return albums.noPasskey;
    throw error;
  }
}

/**
 * What the PRF of one of these passkeys gives; undefined where the person
 * cancels, who then has a passkey that opens no keys.
 */
async function evaluatePrf(
  ids: readonly string[],
  rpId: string,
  prfInput: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array | undefined> {
  try {
    const { clientExtensionResults } = await startAuthentication({
      optionsJSON: {
        // Nobody looks at the signature.
        challenge: toBase64Url(randomBytes(CHALLENGE_BYTES)),
        rpId,
        userVerification: "required",
        allowCredentials: ids.map((id) => ({ type: "public-key", id })),
        ...prfOn(prfInput),
      },
    });
    return prfOf(clientExtensionResults);
  } catch (error) {
    if (isCancelled(error)) return undefined;
    throw error;
  }
}

/** Whether the person cancelled, or had no passkey to choose. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Error &&
    (error.name === "NotAllowedError" || error.name === "AbortError");
}

/** Whether this authenticator has a passkey of the account already. */
export function isKnown(error: unknown): boolean {
  return error instanceof Error && error.name === "InvalidStateError";
}
