/**
 * A tiny identity provider that behaves well except where a test says so, and
 * that keeps a record of what it was asked.
 *
 * @module
 */
import { createHash } from "node:crypto";
import {
  CompactSign,
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
} from "jose";
import { type TestApp, withTestApp } from "./app.ts";
import { begin, callback } from "./ceremony.ts";
import type { Json } from "./expect.ts";
import { CLIENT_ID, CLIENT_SECRET, REDIRECT_URL } from "./provider.ts";

/** A key that signs ID tokens. */
export interface SigningKey {
  readonly header: { readonly alg: string; readonly kid?: string };
  readonly privateKey: CryptoKey;
  readonly published: JWK;
}

/** A request that the provider has seen. */
interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

type Answer = (seen: Seen, signal: AbortSignal) => Response | Promise<Response>;
type Claims = Record<string, unknown>;

interface MaliciousProvider {
  readonly issuer: string;
  readonly origin: string;
  readonly settings: Record<string, string>;
  readonly seen: Seen[];
  /** How often an endpoint was asked. */
  readonly count: (endpoint: Endpoint) => number;
  /** The discovery document; a test may change it. */
  metadata: Record<string, unknown>;
  /** The keys that are published, and the one that signs. */
  keys: SigningKey[];
  signer: SigningKey;
  /** What an endpoint answers in place of the honest answer. */
  readonly answers: Map<Endpoint, Answer>;
  /** Makes the `id_token` out of honest claims; by default, signs them. */
  idToken: (claims: Claims) => unknown;
  /** What time it is there (ms). */
  now: () => number;
  /**
   * Approves an authorization as a person would; returns what the provider
   * sends the person back with. `claims` is what the token will assert.
   */
  readonly approve: (
    authorizationUrl: string,
    claims?: Claims,
  ) => { readonly state: string; readonly code: string };
}

const PATHS = {
  discovery: "/.well-known/openid-configuration",
  keys: "/keys",
  token: "/token",
} as const;

export type Endpoint = keyof typeof PATHS;

/** Makes a key; without a `kid` neither it nor its tokens carry one. */
export async function makeKey(
  kid: string | undefined,
  alg = "ES256",
): Promise<SigningKey> {
  const pair = await generateKeyPair(alg, { extractable: true });
  const named = kid === undefined ? {} : { kid };
  return {
    header: { alg, ...named },
    privateKey: pair.privateKey,
    published: { ...await exportJWK(pair.publicKey), ...named, use: "sig" },
  };
}

/** Signs any claims, well-formed or not, under any header. */
export async function signed(
  key: SigningKey,
  claims: unknown,
  header: Record<string, unknown> = {},
): Promise<string> {
  return await new CompactSign(
    new TextEncoder().encode(JSON.stringify(claims)),
  ).setProtectedHeader({ ...key.header, ...header })
    // An extension may be called critical, whatever it is.
    .sign(key.privateKey, { crit: { extension: true } });
}

interface Grant {
  readonly claims: Claims;
  readonly redirectUri: string | null;
  readonly challenge: string | null;
}

/** Starts the provider on a free port for a test and stops it afterwards. */
async function withMaliciousProvider(
  test: (provider: MaliciousProvider) => Promise<void>,
  { path = "" }: { readonly path?: string } = {},
): Promise<void> {
  const stop = new AbortController();
  const grants = new Map<string, Grant>();
  const key = await makeKey("the first key");
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    signal: stop.signal,
    onListen: () => {},
  }, (request) => answer(request));
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const issuer = `${origin}${path}`;
  const discoveryPath = path.replace(/\/$/, "") + PATHS.discovery;
  const provider: MaliciousProvider = {
    issuer,
    origin,
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_REDIRECT_URL: REDIRECT_URL,
      // Budgets are one test's subject, and in the way of the others.
      STRONGROOM_LIMIT_OIDC_AUTHORIZE: "100000",
    },
    seen: [],
    count: (endpoint) =>
      provider.seen.filter((one) => endpointOf(one.path) === endpoint).length,
    metadata: {
      issuer,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}${PATHS.token}`,
      jwks_uri: `${origin}${PATHS.keys}`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256", "ES256", "EdDSA"],
    },
    keys: [key],
    signer: key,
    answers: new Map(),
    idToken: (claims) => signed(provider.signer, claims),
    now: () => Date.now(),
    approve: (authorizationUrl, claims = {}) => {
      const asked = new URL(authorizationUrl).searchParams;
      const seconds = Math.floor(provider.now() / 1_000);
      const code = crypto.randomUUID();
      grants.set(code, {
        claims: {
          iss: issuer,
          aud: asked.get("client_id"),
          sub: "1001",
          nonce: asked.get("nonce"),
          iat: seconds,
          exp: seconds + 300,
          ...claims,
        },
        redirectUri: asked.get("redirect_uri"),
        challenge: asked.get("code_challenge"),
      });
      return { state: asked.get("state") ?? "", code };
    },
  };

  function endpointOf(asked: string): Endpoint | undefined {
    if (asked === discoveryPath) return "discovery";
    if (asked === PATHS.keys) return "keys";
    return asked === PATHS.token ? "token" : undefined;
  }

  async function answer(request: Request): Promise<Response> {
    const seen = {
      method: request.method,
      path: new URL(request.url).pathname,
      headers: request.headers,
      body: await request.text(),
    };
    provider.seen.push(seen);
    const endpoint = endpointOf(seen.path);
    if (endpoint === undefined) return new Response("lost", { status: 404 });
    const dishonest = provider.answers.get(endpoint);
    if (dishonest !== undefined) return await dishonest(seen, stop.signal);
    if (endpoint === "discovery") return Response.json(provider.metadata);
    if (endpoint === "token") return await exchanged(provider, grants, seen);
    return Response.json({ keys: provider.keys.map((one) => one.published) });
  }

  try {
    await test(provider);
  } finally {
    stop.abort();
    await server.finished;
  }
}

/** The token endpoint of an honest provider (RFC 6749 4.1.3, RFC 7636 4.6). */
async function exchanged(
  provider: MaliciousProvider,
  grants: Map<string, Grant>,
  { body }: Seen,
): Promise<Response> {
  const form = new URLSearchParams(body);
  const code = form.get("code") ?? "";
  const grant = grants.get(code);
  grants.delete(code);
  const verifier = form.get("code_verifier") ?? "";
  if (
    grant === undefined ||
    form.get("grant_type") !== "authorization_code" ||
    form.get("redirect_uri") !== grant.redirectUri ||
    challengeOf(verifier) !== grant.challenge
  ) {
    return Response.json({ error: "invalid_grant" }, { status: 400 });
  }
  return Response.json({
    access_token: "not looked at",
    token_type: "Bearer",
    id_token: await provider.idToken(grant.claims),
  });
}

/** The S256 challenge of a PKCE verifier. */
export function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

/** What a test of the relying party works with. */
export interface Party {
  readonly app: TestApp;
  readonly provider: MaliciousProvider;
  /** A ceremony from its beginning to the callback's answer. */
  readonly signIn: (claims?: Claims) => Promise<Response>;
  /** A ceremony up to where the provider sends the person back. */
  readonly sentBack: (claims?: Claims) => Promise<{
    readonly state: string;
    readonly code: string;
  }>;
}

/** A malicious provider, and an application that signs in through it. */
export async function withParty(
  test: (party: Party) => Promise<void>,
  { settings = {}, ...options }: {
    readonly path?: string;
    /** Over the provider's own; an empty one counts as absent. */
    readonly settings?: Record<string, string>;
  } = {},
): Promise<void> {
  await withMaliciousProvider(async (provider) => {
    await withTestApp(async (app) => {
      provider.now = () => app.clock.now;
      const sentBack = async (claims: Claims = {}) => {
        const begun: Json = await begin(app);
        return provider.approve(begun.authorization_url, claims);
      };
      const signIn = async (claims: Claims = {}) =>
        await callback(app, await sentBack(claims));
      await test({ app, provider, signIn, sentBack });
    }, { settings: { ...provider.settings, ...settings }, fetch });
  }, options);
}
