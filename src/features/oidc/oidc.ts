/**
 * What signing in through an identity provider keeps outside the database.
 *
 * @module
 */
import type { Ceremonies } from "./ceremonies.ts";
import type { Provider } from "./provider.ts";
import type { OidcSettings } from "../../core/oidc_settings.ts";

/** The configured relying party with what it keeps in memory. */
export interface RelyingParty {
  readonly settings: OidcSettings;
  readonly provider: Provider;
  readonly ceremonies: Ceremonies;
}
