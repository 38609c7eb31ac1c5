/**
 * Talking to the identity provider: discovery, signing keys and the code
 * exchange (protocol/authentication.md#the-providers-answers). oauth4webapi
 * because forming these requests is a well-kept library's business.
 *
 * @module
 */
import type { JSONWebKeySet } from "jose";
import {
  allowInsecureRequests,
  type AuthorizationServer,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  type CustomFetchOptions,
  discoveryRequest,
  genericTokenEndpointRequest,
  None,
  processDiscoveryResponse,
} from "oauth4webapi";
import { z } from "zod";
import { reasonOf } from "../../core/reason.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../core/time.ts";
import type { Platform } from "../../core/platform.ts";
import { admitsEndpoint, type OidcSettings } from "../../core/oidc_settings.ts";

const METADATA_MS = DAY_MS;
const KEYS_MS = HOUR_MS;
/** Keys are fetched again for an unknown kid at most once in this time. */
const REFETCH_MS = MINUTE_MS;
const TIMEOUT_MS = 10 * SECOND_MS;
const ANSWER_MAX_BYTES = 1024 * 1024;
/** Of what a provider names its keys, the log takes this many UTF-16 units. */
const LOGGED_MAX = 100;

/** The provider cannot be used now; the message says why, for the log. */
export class ProviderUnavailable extends Error {
  override readonly name = "ProviderUnavailable";
}

/** The provider refused to exchange the code. */
export class ExchangeRefused extends Error {
  override readonly name = "ExchangeRefused";
}

/** Metadata with the three endpoints that a ceremony needs. */
export interface ProviderMetadata extends AuthorizationServer {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly jwks_uri: string;
}

const Key = z.looseObject({ kty: z.string() });
const Jwks = z.looseObject({ keys: z.array(z.unknown()) });

/** The endpoints of a ceremony: discovery has to name them. */
const REQUIRED = ["authorization_endpoint", "token_endpoint", "jwks_uri"];

const TokenAnswer = z.looseObject({ id_token: z.unknown().optional() });

interface Fetched<T> {
  readonly value: T;
  readonly at: number;
}

/** One provider with its caches. Nothing is fetched before it is needed. */
export class Provider {
  #metadata: Fetched<ProviderMetadata> | undefined;
  #fetchingMetadata: Promise<ProviderMetadata> | undefined;
  #keys: Fetched<JSONWebKeySet> | undefined;
  #fetchingKeys: Promise<JSONWebKeySet> | undefined;
  #refetchedAt: number | undefined;

  constructor(
    private readonly settings: OidcSettings,
    private readonly platform: Pick<Platform, "now" | "fetch" | "log">,
  ) {}

  /** The provider's metadata, a day old at most; failures are not cached. */
  async metadata(): Promise<ProviderMetadata> {
    const held = this.#metadata;
    if (held !== undefined && this.#isFresh(held, METADATA_MS)) {
      return held.value;
    }
    // Several at once wait for the one request.
    this.#fetchingMetadata ??= this.#discover().finally(() => {
      this.#fetchingMetadata = undefined;
    });
    return await this.#fetchingMetadata;
  }

  /** The provider's signing keys, an hour old at most. */
  async keys(): Promise<JSONWebKeySet> {
    const held = this.#keys;
    if (held !== undefined && this.#isFresh(held, KEYS_MS)) return held.value;
    return await this.#fetchKeys();
  }

  /**
   * Newer keys than those that did not fit a token; undefined while the last
   * fetch for such a token is less than a minute ago.
   */
  async newerKeys(than: JSONWebKeySet): Promise<JSONWebKeySet | undefined> {
    // Another sign-in may be fetching them, or have fetched them meanwhile.
    if (this.#fetchingKeys !== undefined) return await this.#fetchingKeys;
    const held = this.#keys?.value;
    if (held !== undefined && held !== than) return held;
    const now = this.platform.now();
    if (
      this.#refetchedAt !== undefined &&
      now >= this.#refetchedAt && now - this.#refetchedAt < REFETCH_MS
    ) return undefined;
    this.#refetchedAt = now;
    try {
      return await this.#fetchKeys();
    } catch (error) {
      // Failures are not cached: the next sign-in asks again.
      this.#refetchedAt = undefined;
      throw error;
    }
  }

  /** Exchanges a code for the ID token; unknown where there is none. */
  async exchange(given: {
    readonly code: string;
    readonly redirectUri: string;
    readonly codeVerifier: string;
  }): Promise<unknown> {
    const metadata = await this.metadata();
    const response = await genericTokenEndpointRequest(
      metadata,
      { client_id: this.settings.clientId },
      this.#clientAuthentication(metadata),
      "authorization_code",
      {
        code: given.code,
        redirect_uri: given.redirectUri,
        code_verifier: given.codeVerifier,
      },
      this.#requestOptions(),
    ).catch(unavailable);
    const text = await response.text();
    if (response.status !== 200) {
      // Only a refusal says why; another success may hold tokens.
      const why = response.status >= 400 ? ` ${text.slice(0, 500)}` : "";
      throw new ExchangeRefused(`${response.status}${why}`);
    }
    return parse(TokenAnswer, text, "token endpoint").id_token;
  }

  #clientAuthentication(metadata: ProviderMetadata): ClientAuth {
    const { clientSecret } = this.settings;
    if (clientSecret === undefined) return None();
    // Basic is what a provider that names nothing takes (OIDC Discovery 3).
    const offered = metadata.token_endpoint_auth_methods_supported ??
      ["client_secret_basic"];
    return offered.includes("client_secret_basic") ||
        !offered.includes("client_secret_post")
      ? ClientSecretBasic(clientSecret)
      : ClientSecretPost(clientSecret);
  }

  async #discover(): Promise<ProviderMetadata> {
    const issuer = new URL(this.settings.issuer);
    const response = await discoveryRequest(issuer, this.#requestOptions())
      .catch(unavailable);
    const metadata = await processDiscoveryResponse(issuer, response)
      .catch(unavailable);
    const value = this.#checked(metadata);
    this.#metadata = { value, at: this.platform.now() };
    return value;
  }

  /** Metadata that names this issuer exactly, and only endpoints we may use. */
  #checked(metadata: AuthorizationServer): ProviderMetadata {
    const { issuer } = this.settings;
    if (metadata.issuer !== issuer) {
      throw new ProviderUnavailable(
        `discovery names another issuer: expected ${issuer}, ` +
          `received ${metadata.issuer}`,
      );
    }
    for (const [name, value] of Object.entries(metadata)) {
      const isEndpoint = name.endsWith("_endpoint") || name === "jwks_uri";
      if (!isEndpoint) continue;
      if (!REQUIRED.includes(name) && !isAbsolute(value)) {
        // Nothing here asks the optional ones.
        this.platform.log.info(
          "a field of the provider's discovery is ignored",
          {
            field: name,
            reason: "it is no absolute URL",
          },
        );
      } else if (!admitsEndpoint(issuer, value)) {
        throw new ProviderUnavailable(
          `discovery names a ${name} that is neither https nor, ` +
            `with a loopback issuer, on loopback: ${JSON.stringify(value)}`,
        );
      }
    }
    const methods: unknown = metadata.token_endpoint_auth_methods_supported ??
      [];
    if (!Array.isArray(methods)) {
      throw new ProviderUnavailable(
        "discovery: token_endpoint_auth_methods_supported is no list",
      );
    }
    const { authorization_endpoint, token_endpoint, jwks_uri } = metadata;
    if (
      authorization_endpoint === undefined || token_endpoint === undefined ||
      jwks_uri === undefined
    ) {
      const missing = REQUIRED.filter((name) => metadata[name] === undefined);
      throw new ProviderUnavailable(`discovery lacks ${missing.join(", ")}`);
    }
    return { ...metadata, authorization_endpoint, token_endpoint, jwks_uri };
  }

  async #fetchKeys(): Promise<JSONWebKeySet> {
    this.#fetchingKeys ??= this.#requestKeys().finally(() => {
      this.#fetchingKeys = undefined;
    });
    return await this.#fetchingKeys;
  }

  async #requestKeys(): Promise<JSONWebKeySet> {
    const { jwks_uri } = await this.metadata();
    const response = await this.#request(jwks_uri, {
      headers: { accept: "application/json" },
    });
    const text = await response.text();
    if (response.status !== 200) {
      throw new ProviderUnavailable(`keys: ${response.status}`);
    }
    const value = this.#usable(parse(Jwks, text, "keys").keys);
    this.#keys = { value, at: this.platform.now() };
    return value;
  }

  /** The keys of a set that are keys; the others are ignored (RFC 7517 5). */
  #usable(published: readonly unknown[]): JSONWebKeySet {
    const keys = [];
    for (const [place, one] of published.entries()) {
      const key = Key.safeParse(one);
      if (key.success) {
        keys.push(key.data);
        continue;
      }
      const kid = (one as { kid?: unknown } | null)?.kid;
      this.platform.log.warn("a key of the provider's set is ignored", {
        place,
        ...(typeof kid === "string" ? { kid: kid.slice(0, LOGGED_MAX) } : {}),
        reason: "it is no object with a kty",
      });
    }
    if (keys.length === 0 && published.length > 0) {
      throw new ProviderUnavailable("keys: none of them has a kty");
    }
    return { keys };
  }

  #isFresh(fetched: Fetched<unknown>, lifetimeMs: number): boolean {
    const age = this.platform.now() - fetched.at;
    return age >= 0 && age < lifetimeMs;
  }

  #requestOptions() {
    return {
      // Which endpoints may be plain is settled by the settings' own rules.
      [allowInsecureRequests]: true,
      [customFetch]: (
        url: string,
        { method, headers, body }: CustomFetchOptions<
          "GET" | "POST",
          URLSearchParams | undefined
        >,
      ) => this.#request(url, { method, headers, body: body ?? null }),
    };
  }

  /** A whole answer in ten seconds and one MiB, redirects never followed. */
  async #request(url: string, init: RequestInit): Promise<Response> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await this.platform.fetch(url, {
        ...init,
        redirect: "manual",
        signal,
      });
      const body = await readLimited(response);
      if (response.status >= 500 || isRedirect(response.status)) {
        throw new ProviderUnavailable(`${url} answered ${response.status}`);
      }
      return new Response(body, {
        status: response.status,
        headers: { "content-type": "application/json" },
      });
    } catch (error) {
      return unavailable(error);
    }
  }
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

async function readLimited(
  response: Response,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body ?? []) {
    length += piece.length;
    if (length > ANSWER_MAX_BYTES) {
      throw new ProviderUnavailable("the answer is over 1 MiB");
    }
    pieces.push(piece);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function isAbsolute(value: unknown): boolean {
  return typeof value === "string" && URL.canParse(value);
}

function parse<T>(schema: z.ZodType<T>, text: string, what: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new ProviderUnavailable(`${what}: malformed answer`, { cause });
  }
}

function unavailable(cause: unknown): never {
  if (cause instanceof ProviderUnavailable) throw cause;
  const message = reasonOf(cause);
  throw new ProviderUnavailable(message, { cause });
}
