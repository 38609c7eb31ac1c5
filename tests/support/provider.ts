/**
 * A real identity provider (oidc-provider from npm) on loopback, and a person
 * who signs in at it without a browser.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import { exportJWK, generateKeyPair } from "jose";

export const CLIENT_ID = "strongroom";
/** Has what form-encoding must change on its way into Basic (RFC 6749 2.3.1). */
export const CLIENT_SECRET = "s3cret: with/unusual+signs%&=~";
export const REDIRECT_URL = "https://photos.example.org/signed-in";

/** What the provider asserts of a person in addition to the subject. */
interface Asserted {
  readonly email?: string;
  readonly email_verified?: boolean | string;
}

interface ProviderOptions {
  /** How ID tokens are signed; RS256 if not said. */
  readonly algorithm?: "RS256" | "ES256" | "EdDSA";
  /** The only way in which the client may authenticate; Basic if not said. */
  readonly clientAuthentication?:
    | "client_secret_basic"
    | "client_secret_post"
    | "none";
  /** Where the provider sends people back; {@link REDIRECT_URL} if not said. */
  readonly redirectUri?: string;
  /** Serves https with this certificate and key (PEM). */
  readonly tls?: { readonly cert: string; readonly key: string };
}

export interface RunningProvider {
  readonly issuer: string;
  /** The settings with which strongroom signs in through it. */
  readonly settings: Record<string, string>;
  /** What is asserted of whom; a test may add people at any time. */
  readonly people: Map<string, Asserted>;
  /** Every path that was requested, in order. */
  readonly requested: string[];
}

/** Starts a provider on a free port for a test and stops it afterwards. */
export async function withProvider(
  test: (provider: RunningProvider) => Promise<void>,
  options: ProviderOptions = {},
): Promise<void> {
  const { clientAuthentication = "client_secret_basic", tls } = options;
  const requested: string[] = [];
  let answer = (_: IncomingMessage, response: ServerResponse) => {
    response.end();
  };
  // The issuer's name holds the port, so the port comes first.
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    requested.push(new URL(request.url ?? "/", "http://127.0.0.1").pathname);
    answer(request, response);
  };
  const server = tls === undefined
    ? createServer(listener)
    : createTlsServer({ ...tls }, listener);
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", () => listening.resolve());
  await listening.promise;
  const place = server.address();
  assert(place !== null && typeof place === "object");
  const issuer = `${tls === undefined ? "http" : "https"}://127.0.0.1:` +
    place.port;
  const people = new Map<string, Asserted>();
  try {
    answer = await quietly(() => makeProvider(issuer, people, options));
    await test({
      issuer,
      people,
      requested,
      settings: {
        OIDC_ISSUER: issuer,
        OIDC_CLIENT_ID: CLIENT_ID,
        OIDC_REDIRECT_URL: REDIRECT_URL,
        ...(clientAuthentication === "none"
          ? {}
          : { OIDC_CLIENT_SECRET: CLIENT_SECRET }),
      },
    });
  } finally {
    const closed = Promise.withResolvers<void>();
    server.close(() => closed.resolve());
    server.closeAllConnections();
    await closed.promise;
  }
}

async function makeProvider(
  issuer: string,
  people: ReadonlyMap<string, Asserted>,
  {
    algorithm = "RS256",
    clientAuthentication = "client_secret_basic",
    redirectUri = REDIRECT_URL,
  }: ProviderOptions,
): Promise<(request: IncomingMessage, response: ServerResponse) => void> {
  const { privateKey } = await generateKeyPair(algorithm, {
    extractable: true,
  });
  const key = {
    ...await exportJWK(privateKey),
    kid: "key of the test",
    use: "sig",
    alg: algorithm,
  };
  // Loaded here, and not by every test that only takes a constant from above.
  const { default: OidcProvider } = await import("oidc-provider");
  const provider = new OidcProvider(issuer, {
    clients: [{
      client_id: CLIENT_ID,
      ...(clientAuthentication === "none"
        ? {}
        : { client_secret: CLIENT_SECRET }),
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code"],
      response_types: ["code"],
      // A native client may come back to loopback on any port (RFC 8252).
      application_type: redirectUri.startsWith("http:") ? "native" : "web",
      id_token_signed_response_alg: algorithm,
      token_endpoint_auth_method: clientAuthentication,
    }],
    clientAuthMethods: [clientAuthentication],
    enabledJWA: { idTokenSigningAlgValues: [algorithm] },
    jwks: { keys: [key] },
    cookies: { keys: ["not a secret"] },
    features: { devInteractions: { enabled: true } },
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    // The address is read from the ID token only.
    conformIdTokenClaims: false,
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...people.get(id) }),
    }),
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
  });
  return provider.callback();
}

/** Hides the provider's warnings about settings that suit only a test. */
async function quietly<T>(make: () => Promise<T>): Promise<T> {
  const { info, warn } = globalThis.console;
  Object.assign(globalThis.console, { info: () => {}, warn: () => {} });
  try {
    return await make();
  } finally {
    Object.assign(globalThis.console, { info, warn });
  }
}

/** Where the provider sent a person back, and with what. */
export interface SentBack {
  /** The redirect URI without what the provider added. */
  readonly to: string;
  readonly code: string;
  readonly state: string;
}

const STEPS_MAX = 12;

/**
 * Signs a person in at the provider: follows its redirects, fills in its forms
 * for login and consent, and stops where it sends the person back to.
 */
export async function walkThrough(
  authorizationUrl: string,
  login: string,
  browse: typeof fetch = fetch,
): Promise<SentBack> {
  const provider = new URL(authorizationUrl).origin;
  const cookies = new Map<string, string>();
  let url = authorizationUrl;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < STEPS_MAX; step++) {
    const response = await browse(url, {
      method: form === undefined ? "GET" : "POST",
      body: form ?? null,
      redirect: "manual",
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`)
          .join("; "),
      },
    });
    keepCookies(cookies, response.headers);
    const page = await response.text();
    const location = response.headers.get("location");
    if (location === null) {
      assert.equal(response.status, 200, page);
      [url, form] = filledIn(page, login, url);
      continue;
    }
    const next = new URL(location, url);
    if (next.origin !== provider || next.searchParams.has("code")) {
      return sentBack(next);
    }
    [url, form] = [next.href, undefined];
  }
  throw new Error(`the provider leads nowhere: ${url}`);
}

function keepCookies(jar: Map<string, string>, headers: Headers): void {
  for (const line of headers.getSetCookie()) {
    const match = /^([^=;]+)=([^;]*)/.exec(line);
    const [, name = "", value = ""] = match ?? [];
    if (value === "") jar.delete(name);
    else jar.set(name, value);
  }
}

/** The form of a page as a person submits it. */
function filledIn(
  page: string,
  login: string,
  base: string,
): [url: string, form: URLSearchParams] {
  const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
  const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
  assert(action !== undefined && prompt !== undefined, page);
  const form = new URLSearchParams({ prompt });
  if (prompt === "login") {
    form.set("login", login);
    form.set("password", "any");
  }
  return [new URL(action, base).href, form];
}

function sentBack(url: URL): SentBack {
  const { searchParams } = url;
  const [code, state] = [searchParams.get("code"), searchParams.get("state")];
  assert(code !== null && state !== null, `sent back to ${url}`);
  for (const name of ["code", "state", "iss"]) searchParams.delete(name);
  return { to: url.href, code, state };
}
