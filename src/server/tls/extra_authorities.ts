/**
 * Certificate authorities that are trusted in addition to those of the system.
 *
 * @module
 */
import type { Platform } from "../../core/platform.ts";
import { reasonOf } from "../../core/reason.ts";
import { ConfigFault } from "../../core/settings.ts";

/**
 * A `fetch` that trusts the authorities of OIDC_CA_BUNDLE as well. Throws a
 * {@link ConfigFault} where that file cannot be used.
 */
export function trusting(
  bundle: string | undefined,
  fetch: Platform["fetch"],
): Platform["fetch"] {
  if (bundle === undefined) return fetch;
  let client: Deno.HttpClient;
  try {
    const pem = Deno.readTextFileSync(bundle);
    const caCerts = pem.match(
      /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g,
    );
    if (caCerts === null) throw new Error("no certificate in it");
    client = Deno.createHttpClient({ caCerts });
  } catch (error) {
    const reason = reasonOf(error);
    throw new ConfigFault([`OIDC_CA_BUNDLE: ${bundle}: ${reason}`]);
  }
  const init = { client };
  return (input, given) => fetch(input, { ...given, ...init });
}
