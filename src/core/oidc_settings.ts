/**
 * The relying party's settings and the rules for addresses of redirects and
 * endpoints (protocol/authentication.md#redirects,
 * protocol/authentication.md#the-providers-answers). Hosts are compared as raw
 * text, so `127.1` and `localhost` are not loopback literals.
 *
 * @module
 */

/** A configured relying party. */
export interface OidcSettings {
  /** The configured text, unchanged: the `iss` of an ID token must equal it. */
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for a public client, which has PKCE only. */
  readonly clientSecret: string | undefined;
  readonly redirectUrl: string | undefined;
  readonly allowLoopbackRedirect: boolean;
}

const LOOPBACK_HTTP =
  /^http:\/\/(127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?(?:[/?][\x21-\x22\x24-\x7e]*)?$/;

/**
 * Whether a URL is plain http to a loopback literal, without a fragment or user
 * information.
 */
function isLoopbackHttp(url: string): boolean {
  const match = LOOPBACK_HTTP.exec(url);
  return match !== null && Number(match[2] ?? 80) <= 65_535;
}

/** Whether a URL is https without a fragment or user information. */
function isPlainHttps(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.protocol === "https:" && !text.includes("#") &&
    url.username === "" && url.password === "";
}

/** The issuer's rule: https, or http on a loopback literal. */
export function isSecureOrLoopback(text: string): boolean {
  return isPlainHttps(text) || isLoopbackHttp(text);
}

/** Whether a client may be sent back to this address. */
export function admitsRedirect(
  settings: OidcSettings,
  redirectUri: string,
): boolean {
  return redirectUri === settings.redirectUrl ||
    (settings.allowLoopbackRedirect && isLoopbackHttp(redirectUri));
}

/**
 * Whether a provider's endpoint may be talked to: https, except that an
 * issuer on a loopback literal may have plain endpoints on loopback literals.
 */
export function admitsEndpoint(issuer: string, endpoint: unknown): boolean {
  if (typeof endpoint !== "string") return false;
  return isPlainHttps(endpoint) ||
    (isLoopbackHttp(issuer) && isLoopbackHttp(endpoint));
}
