/**
 * Tokens that the server did not issue, signed as it would sign them.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { importPKCS8, SignJWT } from "jose";
import {
  fromBase64,
  fromBase64Url,
  toBase64,
  toBase64Url,
  utf8,
} from "../../src/core/bytes.ts";
import type { TestApp } from "./app.ts";
import { expectJson, type Json } from "./expect.ts";

/** The header, the claims and the signature of a token. */
export function partsOf(token: string): [Json, Json, string] {
  const [head = "", body = "", signature = ""] = token.split(".");
  const read = (part: string) =>
    JSON.parse(
      new TextDecoder().decode(fromBase64Url(part) ?? new Uint8Array()),
    );
  return [read(head), read(body), signature];
}

/** One part of a token: JSON in base64url. */
export function part(value: Json): string {
  return toBase64Url(utf8(JSON.stringify(value)));
}

/** The server's own access key, as a thief of the data directory has it. */
async function serverKey(app: TestApp): Promise<CryptoKey> {
  const ring = JSON.parse(
    await Deno.readTextFile(`${app.dataDir}/keys/access.json`),
  );
  const seed = fromBase64(ring.keys[0].seed);
  assert(seed !== undefined);
  const pkcs8 = toBase64(
    new Uint8Array([
      ...Uint8Array.fromHex("302e020100300506032b657004220420"),
      ...seed,
    ]),
  );
  return await importPKCS8(
    `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----`,
    "EdDSA",
  );
}

/** Signs any header and any claims; with the server's key, if not said. */
export async function forge(
  app: TestApp,
  header: Json,
  claims: Json,
  key?: CryptoKey,
): Promise<string> {
  return await new SignJWT(claims).setProtectedHeader(header).sign(
    key ?? await serverKey(app),
    { crit: { x: true } },
  );
}

/** Signs the very text of claims, which need not be sound JSON. */
export async function forgeText(
  app: TestApp,
  header: Json,
  claims: string,
): Promise<string> {
  const input = `${part(header)}.${toBase64Url(utf8(claims))}`;
  const signature = await crypto.subtle.sign(
    "Ed25519",
    await serverKey(app),
    utf8(input),
  );
  return `${input}.${toBase64Url(new Uint8Array(signature))}`;
}

/**
 * What can be done to a token without the server's key, by what was done; the
 * typ is left alone.
 */
export async function tamperedTokens(
  app: TestApp,
  token: string,
): Promise<Record<string, string>> {
  const [header, claims, signature] = partsOf(token);
  const [head, body] = token.split(".");
  const info = await expectJson(
    await app.send("GET", "/.well-known/service/server-info"),
    200,
  );
  const hmacHead = part({ ...header, alg: "HS256" });
  const hmac = createHmac(
    "sha256",
    fromBase64(info.signing_key) ?? new Uint8Array(),
  ).update(`${hmacHead}.${body}`).digest("base64url");
  const flipped = (signature.startsWith("A") ? "B" : "A") + signature.slice(1);
  const none = part({ ...header, alg: "none" });
  const { kid: _kid, ...withoutKid } = header;
  return {
    "alg none": `${part({ ...withoutKid, alg: "none" })}.${body}.`,
    "alg none with kid": `${none}.${body}.`,
    "alg none, signed": `${none}.${body}.${signature}`,
    "alg NONE": `${part({ ...header, alg: "NONE" })}.${body}.`,
    "HMAC under the public key": `${hmacHead}.${body}.${hmac}`,
    "another kid": `${
      part({ ...header, kid: "0".repeat(64) })
    }.${body}.${signature}`,
    "signature flipped": `${head}.${body}.${flipped}`,
    "signature empty": `${head}.${body}.`,
    "signature cut": `${head}.${body}.${signature.slice(0, -4)}`,
    "signature twice": `${head}.${body}.${signature}${signature}`,
    "claims changed": `${head}.${part({ ...claims, sub: "eve" })}.${signature}`,
    "life prolonged": `${head}.${
      part({ ...claims, exp: claims.exp + 9_999 })
    }.${signature}`,
    "claims not JSON": `${head}.${toBase64Url(utf8("{"))}.${signature}`,
    "two parts": `${head}.${body}`,
    "four parts": `${token}.${signature}`,
    "five parts": `${head}.${body}.${body}.${body}.${signature}`,
    "claims huge": `${head}.${"A".repeat(100_000)}.${signature}`,
    "signature huge": `${head}.${body}.${"A".repeat(100_000)}`,
    "header huge": `${
      part({ ...header, x: "A".repeat(100_000) })
    }.${body}.${signature}`,
  };
}

/** Tokens whose header says nothing that can be read, by what is wrong. */
export function headlessTokens(token: string): Record<string, string> {
  const [header] = partsOf(token);
  const [, body, signature] = token.split(".");
  return {
    "header not JSON": `${toBase64Url(utf8("{"))}.${body}.${signature}`,
    "header null": `${part(null)}.${body}.${signature}`,
    "header array": `${part([header])}.${body}.${signature}`,
    "header nested deep": `${
      toBase64Url(utf8("[".repeat(20_000)))
    }.${body}.${signature}`,
    "header not base64url": `~.${body}.${signature}`,
    "header not UTF-8": `${
      toBase64Url(new Uint8Array([0xff]))
    }.${body}.${signature}`,
    "no header": `.${body}.${signature}`,
    "no parts": "....",
    "no dots": "a".repeat(100_000),
  };
}
