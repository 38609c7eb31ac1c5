/**
 * Requests that are refused before anything of them is looked at.
 *
 * @module
 */
import { SECOND_MS } from "../../core/time.ts";

/** Refuses one request too many, and tells when to try again. */
export function tooMany(ms: number): Response {
  const seconds = Math.max(1, Math.ceil(ms / SECOND_MS));
  return new Response("too many requests\n", {
    status: 429,
    headers: { "Retry-After": String(seconds) },
  });
}

/**
 * Whether a form on a page of another site sent a request (CSRF): a browser
 * adds the password that it knows. Other methods than POST need a preflight,
 * which nothing here grants. `address` is where telephones reach this program,
 * if a proxy makes that another one.
 */
export function isCrossSite(
  { method, headers, url }: Request,
  address: string | undefined,
): boolean {
  if (method !== "POST") return false;
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site !== "same-origin" && site !== "none";
  const origin = headers.get("origin");
  if (origin === null) return false;
  // A proxy in front may speak TLS, so the schemes may differ.
  const host = URL.parse(origin)?.host;
  const own = [url, address ?? url].map((one) => URL.parse(one)?.host);
  return host === undefined || host === "" || !own.includes(host);
}

/** Refuses such a request. */
export function crossSite(): Response {
  return new Response("a page of another site may send nothing here\n", {
    status: 403,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
