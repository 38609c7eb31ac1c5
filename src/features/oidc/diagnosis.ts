/**
 * What an operator should know when signing in through the provider fails:
 * each finding says what is wrong and how to fix it.
 *
 * @module
 */
import type { Fault } from "../../core/operator.ts";
import { reasonOf } from "../../core/reason.ts";
import type { Provider } from "./provider.ts";

export type Finding =
  | { readonly ok: true; readonly what: string; readonly mend?: never }
  | { readonly ok: false } & Fault;

/** Asks the provider for its metadata and keys, as a sign-in would. */
export async function diagnoseProvider(
  provider: Provider,
  issuer: string,
): Promise<Finding[]> {
  try {
    const metadata = await provider.metadata();
    const found: Finding = { ok: true, what: `${issuer} answers discovery` };
    const scopes = metadata.scopes_supported;
    const email: Finding = (scopes ?? ["email"]).includes("email")
      ? { ok: true, what: "the provider supports the scope email" }
      : {
        ok: false,
        what: "the provider does not list the scope email",
        mend: "allow this client the scope email, or accounts have no address",
      };
    return [found, email, await diagnoseKeys(provider)];
  } catch (error) {
    return [{
      ok: false,
      what: reasonOf(error),
      mend: "OIDC_ISSUER must be exactly the issuer in the provider's " +
        ".well-known/openid-configuration (including a slash at the end), " +
        "and reachable from this machine; a private certificate authority " +
        "goes into OIDC_CA_BUNDLE",
    }];
  }
}

async function diagnoseKeys(provider: Provider): Promise<Finding> {
  try {
    const { keys } = await provider.keys();
    return keys.length > 0
      ? { ok: true, what: `${keys.length} signing keys` }
      : {
        ok: false,
        what: "the provider publishes no signing keys",
        mend: "give the provider an RS256, ES256 or EdDSA signing key",
      };
  } catch (error) {
    return {
      ok: false,
      what: reasonOf(error),
      mend: "the provider's jwks_uri must be reachable from this machine",
    };
  }
}
