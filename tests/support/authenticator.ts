/**
 * An authenticator of software (WebAuthn Level 3): it makes passkeys and signs
 * with them as a browser would have it do, and lies where a test wants it to.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  asBufferSource,
  concatBytes,
  fromBase64Url,
  toBase64Url,
  utf8,
} from "../../src/core/bytes.ts";
import { encodeCanonical } from "../../src/core/cbor.ts";
import { ORIGIN, type Sender } from "./app.ts";
import { expectJson, type Json } from "./expect.ts";
import type { Person } from "./people.ts";

/** User present, user verified. */
const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** What is not as it ought to be. */
export interface Lies {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly isUnverified?: boolean;
  readonly signCount?: number;
  readonly userHandle?: string | null;
  readonly format?: string;
}

/** One passkey, and what signs with it. */
export class Authenticator {
  #userHandle = "";
  #signCount = 0;
  private constructor(
    readonly credentialId: string,
    private readonly keys: CryptoKeyPair,
    private readonly coseKey: Uint8Array,
  ) {}

  /** Draws a key of ECDSA with P-256. */
  static async open(): Promise<Authenticator> {
    const keys = await crypto.subtle.generateKey(
      { name: "ECDSA", namedCurve: "P-256" },
      true,
      ["sign", "verify"],
    );
    const point = new Uint8Array(
      await crypto.subtle.exportKey("raw", keys.publicKey),
    );
    const cose = concatBytes(
      Uint8Array.of(0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 0x20),
      point.subarray(1, 33),
      Uint8Array.of(0x22, 0x58, 0x20),
      point.subarray(33),
    );
    const id = crypto.getRandomValues(new Uint8Array(32));
    return new Authenticator(toBase64Url(id), keys, cose);
  }

  /** Answers creation options. */
  make(options: Json, lies: Lies = {}): Json {
    this.#userHandle = options.user.id;
    const id = fromBase64Url(this.credentialId);
    assert(id !== undefined);
    const authData = concatBytes(
      this.#head(lies.rpId ?? options.rp.id, lies, HAS_CREDENTIAL),
      new Uint8Array(16),
      Uint8Array.of(id.length >> 8, id.length & 0xff),
      id,
      this.coseKey,
    );
    return {
      id: this.credentialId,
      rawId: this.credentialId,
      type: "public-key",
      response: {
        clientDataJSON: clientData("webauthn.create", options.challenge, lies),
        attestationObject: toBase64Url(
          encodeCanonical({
            fmt: lies.format ?? "none",
            attStmt: {},
            authData,
          }),
        ),
        transports: ["internal", "hybrid"],
      },
    };
  }

  /** Answers request options. */
  async sign(options: Json, lies: Lies = {}): Promise<Json> {
    const authenticatorData = this.#head(lies.rpId ?? options.rpId, lies, 0);
    const clientDataJSON = clientData("webauthn.get", options.challenge, lies);
    const signed = concatBytes(
      authenticatorData,
      createHash("sha256").update(fromBase64Url(clientDataJSON) ?? "").digest(),
    );
    const signature = new Uint8Array(
      await crypto.subtle.sign(
        { name: "ECDSA", hash: "SHA-256" },
        this.keys.privateKey,
        asBufferSource(signed),
      ),
    );
    return {
      id: this.credentialId,
      rawId: this.credentialId,
      type: "public-key",
      response: {
        clientDataJSON,
        authenticatorData: toBase64Url(authenticatorData),
        signature: toBase64Url(asDer(signature)),
        userHandle: lies.userHandle === undefined
          ? this.#userHandle
          : lies.userHandle,
      },
    };
  }

  #head(rpId: string, lies: Lies, flags: number): Uint8Array {
    this.#signCount = lies.signCount ?? this.#signCount;
    const count = new Uint8Array(4);
    new DataView(count.buffer).setUint32(0, this.#signCount);
    return concatBytes(
      createHash("sha256").update(rpId).digest(),
      Uint8Array.of(PRESENT | (lies.isUnverified ? 0 : VERIFIED) | flags),
      count,
    );
  }
}

function clientData(type: string, challenge: string, lies: Lies): string {
  return toBase64Url(utf8(JSON.stringify({
    type: lies.type ?? type,
    challenge: lies.challenge ?? challenge,
    origin: lies.origin ?? ORIGIN,
    crossOrigin: false,
  })));
}

/** A signature as authenticators give it: DER instead of r and s alone. */
function asDer(signature: Uint8Array): Uint8Array {
  const integer = (bytes: Uint8Array) => {
    let from = 0;
    while (from < bytes.length - 1 && bytes[from] === 0) from++;
    const short = bytes.subarray(from);
    const body = (short[0] ?? 0) > 0x7f
      ? concatBytes(Uint8Array.of(0), short)
      : short;
    return concatBytes(Uint8Array.of(2, body.length), body);
  };
  const body = concatBytes(
    integer(signature.subarray(0, 32)),
    integer(signature.subarray(32)),
  );
  return concatBytes(Uint8Array.of(0x30, body.length), body);
}

/** Options to add a passkey with. */
export async function passkeyOptions(app: Sender, person: Person) {
  return await expectJson(
    await app.send("POST", "/v1/auth/passkeys/options", {
      token: person.token,
    }),
    200,
  );
}

/** Sends what an authenticator made. */
export function sendPasskey(
  app: Sender,
  person: Person,
  challengeId: string,
  credential: Json,
  name = "Telephone",
): Promise<Response> {
  return app.send("POST", "/v1/auth/passkeys", {
    token: person.token,
    json: { challenge_id: challengeId, name, credential },
  });
}

/** Adds a passkey to an account. */
export async function addPasskey(
  app: Sender,
  person: Person,
  name?: string,
): Promise<{ readonly authenticator: Authenticator; readonly passkey: Json }> {
  const authenticator = await Authenticator.open();
  const { challenge_id, options } = await passkeyOptions(app, person);
  const made = authenticator.make(options);
  const passkey = await expectJson(
    await sendPasskey(app, person, challenge_id, made, name),
    201,
  );
  return { authenticator, passkey };
}

/** A challenge to sign in with, for somebody or for whoever it is. */
export async function loginOptions(
  app: Sender,
  address?: string,
  from?: string,
) {
  return await expectJson(
    await app.send("POST", "/v1/auth/login/passkey/options", {
      json: address === undefined ? {} : { address },
      ...(from === undefined ? {} : { from }),
    }),
    200,
  );
}

/** Presents what an authenticator signed. */
export function presentPasskey(
  app: Sender,
  challengeId: string,
  credential: Json,
  more: Json = {},
  from?: string,
): Promise<Response> {
  return app.send("POST", "/v1/auth/login/passkey", {
    json: { challenge_id: challengeId, credential, ...more },
    ...(from === undefined ? {} : { from }),
  });
}

/** Signs in with a passkey, or tries to. */
export async function signInWith(
  app: Sender,
  authenticator: Authenticator,
  { address, lies, from }: {
    readonly address?: string;
    readonly lies?: Lies;
    readonly from?: string;
  } = {},
): Promise<Response> {
  const { challenge_id, options } = await loginOptions(app, address, from);
  const signed = await authenticator.sign(options, lies);
  return await presentPasskey(app, challenge_id, signed, {}, from);
}
