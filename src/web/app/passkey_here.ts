/**
 * Whether passkeys work at this address: browsers offer them over https, and on
 * localhost, and nowhere under a bare IP address. A file of its own, so that the
 * page of sign-in needs nothing else of them.
 *
 * @module
 */

/** Whether this page may ask an authenticator. */
export function passkeysWork(): boolean {
  const { hostname } = location;
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.startsWith("[");
  return isSecureContext && !isAddress && "PublicKeyCredential" in globalThis;
}
