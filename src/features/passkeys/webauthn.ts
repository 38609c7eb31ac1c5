/**
 * Reading what authenticators answer (WebAuthn Level 3, sections 7.1 and 7.2).
 * The library is loaded at the first answer: most servers start without it.
 *
 * @module
 */
import { concatBytes, fromBase64Url, fromHex } from "../../core/bytes.ts";

/** Ed25519, ECDSA with P-256, RSA: what authenticators have. */
export const ALGORITHMS = [-8, -7, -257] as const;

/** Where passkeys of this server are good, and what they answered. */
interface Expected {
  /** Base64url. */
  readonly challenge: string;
  /** The canonical origin of the server. */
  readonly origin: string;
}

/** What an authenticator made. */
export interface NewCredential {
  readonly credentialId: string;
  /** As COSE has it. */
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly signCount: number;
  readonly backedUp: boolean;
}

/**
 * The library is not there: the program's files were replaced or removed since
 * it started. No answer of an authenticator is to blame for that.
 */
export class LibraryGone extends Error {
  override readonly name = "LibraryGone";
}

const library = () => there(import("@simplewebauthn/server"));

async function there<T>(loading: Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch (cause) {
    throw new LibraryGone(
      "a part of the program cannot be loaded: if its files were changed " +
        "since the server started, restart it",
      { cause },
    );
  }
}

/** The RP id of a server: the host of its base URL. */
export function rpIdOf(origin: string): string {
  return new URL(origin).hostname;
}

/**
 * Reads the answer to creation options. Throws where it is not good, and a
 * {@link LibraryGone} where it cannot be read.
 */
export async function readRegistration(
  credential: {
    readonly id: string;
    readonly response: {
      readonly clientDataJSON: string;
      readonly attestationObject: string;
    };
  },
  { challenge, origin }: Expected,
): Promise<NewCredential> {
  const { clientDataJSON, attestationObject } = credential.response;
  await requireNoMaker(attestationObject);
  const { verifyRegistrationResponse } = await library();
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      id: credential.id,
      rawId: credential.id,
      type: "public-key",
      response: { clientDataJSON, attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpIdOf(origin),
    requireUserVerification: true,
    supportedAlgorithmIDs: [...ALGORITHMS],
  });
  if (!verified) throw new Error("the attestation is not good");
  return {
    credentialId: registrationInfo.credential.id,
    publicKey: new Uint8Array(registrationInfo.credential.publicKey),
    signCount: registrationInfo.credential.counter,
    backedUp: registrationInfo.credentialBackedUp,
  };
}

/**
 * Refuses an attestation that says who made the authenticator. Nobody asked for
 * one, and the library would fetch the revocation lists that it names. A key
 * that vouches for itself comes also where none is asked for.
 */
async function requireNoMaker(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await there(
    import("@simplewebauthn/server/helpers"),
  );
  const encoded = fromBase64Url(attestationObject);
  if (encoded === undefined) throw new Error("no base64url");
  const decoded = decodeAttestationObject(encoded);
  const format = decoded.get("fmt");
  const isOwn = format === "packed" &&
    decoded.get("attStmt").get("x5c") === undefined;
  if (format !== "none" && !isOwn) throw new Error(`attestation ${format}`);
}

/**
 * Reads the answer to request options. Throws where it is not good, and a
 * {@link LibraryGone} where it cannot be read.
 */
export async function readAssertion(
  credential: {
    readonly id: string;
    readonly response: {
      readonly clientDataJSON: string;
      readonly authenticatorData: string;
      readonly signature: string;
    };
  },
  { publicKey, signCount }: {
    readonly publicKey: Uint8Array<ArrayBuffer>;
    readonly signCount: number;
  },
  { challenge, origin }: Expected,
): Promise<{ readonly signCount: number; readonly backedUp: boolean }> {
  const { verifyAuthenticationResponse } = await library();
  const { clientDataJSON, authenticatorData, signature } = credential.response;
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      id: credential.id,
      rawId: credential.id,
      type: "public-key",
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpIdOf(origin),
    requireUserVerification: true,
    credential: { id: credential.id, publicKey, counter: signCount },
  });
  if (!verified) throw new Error("the signature is not good");
  return {
    signCount: authenticationInfo.newCounter,
    backedUp: authenticationInfo.credentialBackedUp,
  };
}

/**
 * What an unknown credential is looked at with, so that it costs the same: the
 * base point of P-256 in COSE (EC2, ES256). Whether it fits tells nothing.
 */
export const UNKNOWN_KEY = concatBytes(
  Uint8Array.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20),
  bytes("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"),
  Uint8Array.of(0x22, 0x58, 0x20),
  bytes("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"),
);

function bytes(hex: string): Uint8Array {
  const read = fromHex(hex);
  if (read === undefined) throw new Error("no hex");
  return read;
}
