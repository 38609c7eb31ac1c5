/**
 * Signing in through an identity provider: authorization code with PKCE
 * (protocol/authentication.md#identity-provider).
 *
 * @module
 */
import { calculatePKCECodeChallenge } from "oauth4webapi";
import { toBase64Url } from "../../core/bytes.ts";
import { type UserId, uuidV4 } from "../../core/ids.ts";
import { toRfc3339 } from "../../core/time.ts";
import {
  type IdTokenClaims,
  IdTokenRefused,
  SigningKeyUnknown,
  verifyIdToken,
} from "../../crypto/id_token.ts";
import { transaction, type Tx } from "../../store/sqlite/database.ts";
import { address } from "../../wire/bodies/accounts.ts";
import { insertAccount } from "../accounts/store.ts";
import type { App } from "../app.ts";
import type { Spent } from "../budgets.ts";
import type { Call } from "../call.ts";
import { charge } from "../charge.ts";
import {
  type Advisory,
  issueTokens,
  newSession,
  tellOfSignIn,
} from "../sessions/sessions.ts";
import { insertSession } from "../sessions/store.ts";
import { challengeIfOwed } from "../totp/challenge.ts";
import { type Ceremony, CEREMONY_MS } from "./ceremonies.ts";
import type { RelyingParty } from "./oidc.ts";
import {
  ExchangeRefused,
  type ProviderMetadata,
  ProviderUnavailable,
} from "./provider.ts";
import { admitsRedirect, type OidcSettings } from "../../core/oidc_settings.ts";

const SECRET_BYTES = 32;
/** Of what anybody may send, the log takes this many UTF-16 units. */
const LOGGED_MAX = 500;
const STATE = /^[A-Za-z0-9_-]{43}$/;

/** Begins a ceremony; the redirect is checked before anything is charged. */
export async function authorize(
  call: Call<
    | "error.auth.oidc_not_configured"
    | "error.auth.oidc_redirect_invalid"
    | "error.auth.rate_limited"
    | "error.auth.oidc_at_capacity"
    | "error.auth.oidc_unavailable"
  >,
  redirectUri: string,
) {
  const { app, now, raise } = call;
  const party = app.oidc;
  if (party === undefined) throw raise("error.auth.oidc_not_configured");
  if (!admitsRedirect(party.settings, redirectUri)) {
    allow(call, charge(call, "oidc_authorize_refused", []));
    throw raise("error.auth.oidc_redirect_invalid", {
      cause: `expected ${JSON.stringify(party.settings.redirectUrl)}, ` +
        `received ${JSON.stringify(redirectUri.slice(0, LOGGED_MAX))}`,
    });
  }
  const host = new URL(redirectUri).hostname;
  allow(call, charge(call, "oidc_authorize", [host]));
  if (!party.ceremonies.hasRoom(now)) {
    throw raise("error.auth.oidc_at_capacity");
  }
  const metadata = await party.provider.metadata().catch((cause) => {
    throw raise("error.auth.oidc_unavailable", { cause });
  });
  const draw = () => toBase64Url(app.platform.random(SECRET_BYTES));
  const [state, nonce, codeVerifier] = [draw(), draw(), draw()];
  const ceremony = {
    nonce,
    codeVerifier,
    redirectUri,
    expiresAt: app.platform.now() + CEREMONY_MS,
  };
  if (!party.ceremonies.begin(state, ceremony, app.platform.now())) {
    throw raise("error.auth.oidc_at_capacity");
  }
  const url = await authorizationUrl(metadata, party.settings, state, ceremony);
  return {
    authorization_url: url,
    state,
    expires_at: toRfc3339(ceremony.expiresAt),
  };
}

function allow(
  { raise }: Call<"error.auth.rate_limited">,
  spent: Spent | undefined,
): void {
  if (spent !== undefined) throw raise("error.auth.rate_limited", spent);
}

async function authorizationUrl(
  metadata: ProviderMetadata,
  settings: OidcSettings,
  state: string,
  { nonce, codeVerifier, redirectUri }: Ceremony,
): Promise<string> {
  const url = new URL(metadata.authorization_endpoint);
  const parameters = {
    response_type: "code",
    client_id: settings.clientId,
    redirect_uri: redirectUri,
    scope: "openid email",
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) {
    url.searchParams.set(name, value);
  }
  return url.href;
}

type CallbackProblem =
  | "error.auth.oidc_state_invalid"
  | "error.auth.oidc_token_invalid"
  | "error.auth.oidc_exchange_failed"
  | "error.auth.oidc_unavailable"
  | "error.auth.oidc_address_taken"
  | "error.auth.unavailable";

/** Ends a ceremony: a session, or the challenge of a second factor. */
export async function callback(
  call: Call<CallbackProblem>,
  given: {
    readonly state: string;
    readonly code: string;
    readonly advisory: Advisory;
    readonly clientAddress: string;
  },
) {
  const { app, raise } = call;
  const party = app.oidc;
  // Burned first: every outcome spends the state
  // (protocol/authentication.md#the-ceremony).
  const ceremony = party !== undefined && STATE.test(given.state)
    ? party.ceremonies.burn(given.state, call.now)
    : undefined;
  if (party === undefined || ceremony === undefined) {
    throw raise("error.auth.oidc_state_invalid");
  }
  const claims = await claimsOf(call, party, ceremony, given.code);
  const { issuer } = party.settings;
  const userId = await accountOf(call, issuer, claims);
  const { clientAddress } = given;
  const from = { door: "oidc", clientAddress } as const;
  const challenge = await challengeIfOwed(call, userId, from);
  if (challenge !== undefined) return { challenge };
  const opened = newSession(app, userId, given.advisory);
  await transaction(app.db, async (tx) => {
    // The account was deleted meanwhile: this sign-in was the last one to it.
    if (await findIdentity(tx, issuer, claims.subject) !== userId) {
      throw raise("error.auth.oidc_token_invalid", { cause: "deleted" });
    }
    await insertSession(tx, opened.row);
  });
  await tellOfSignIn(app, userId);
  return { tokens: await issueTokens(app, opened, given.advisory) };
}

/** Exchanges the code and verifies the ID token that comes for it. */
async function claimsOf(
  { app, raise }: Call<CallbackProblem>,
  party: RelyingParty,
  ceremony: Ceremony,
  code: string,
): Promise<IdTokenClaims> {
  try {
    const token = await party.provider.exchange({ ...ceremony, code });
    if (typeof token !== "string") throw new IdTokenRefused("no id_token");
    return await verifyWithKeys(app, party, ceremony, token);
  } catch (cause) {
    if (cause instanceof ProviderUnavailable) {
      throw raise("error.auth.oidc_unavailable", { cause });
    }
    if (cause instanceof ExchangeRefused) {
      throw raise("error.auth.oidc_exchange_failed", {
        cause: `${cause.message} (redirect_uri ${ceremony.redirectUri})`,
      });
    }
    if (cause instanceof IdTokenRefused || cause instanceof SigningKeyUnknown) {
      throw raise("error.auth.oidc_token_invalid", { cause });
    }
    throw cause;
  }
}

/** Verifies with the keys at hand, and once more with newer ones. */
async function verifyWithKeys(
  app: App,
  { provider, settings }: RelyingParty,
  { nonce }: Ceremony,
  token: string,
): Promise<IdTokenClaims> {
  const { issuer, clientId } = settings;
  const expected = { issuer, clientId, nonce };
  const now = app.platform.now();
  const keys = await provider.keys();
  try {
    return await verifyIdToken(token, keys, expected, now);
  } catch (error) {
    if (!(error instanceof SigningKeyUnknown)) throw error;
    const newer = await provider.newerKeys(keys);
    if (newer === undefined) throw error;
    return await verifyIdToken(token, newer, expected, now);
  }
}

/** The account of an identity; the first sight of one makes it. */
async function accountOf(
  { app, raise }: Call<"error.auth.oidc_address_taken">,
  issuer: string,
  { subject, verifiedEmail }: IdTokenClaims,
): Promise<UserId> {
  // An address that could not be registered reserves nothing.
  const parsed = address.safeParse(verifiedEmail);
  return await transaction(app.db, async (tx) => {
    const known = await findIdentity(tx, issuer, subject);
    if (known !== undefined) return known;
    const userId = uuidV4<UserId>(app.platform.random);
    const inserted = await insertAccount(tx, {
      userId,
      address: parsed.success ? parsed.data : null,
      passwordHash: null,
      createdAt: app.platform.now(),
    });
    // Accounts are never linked by address
    // (protocol/authentication.md#accounts-of-a-provider).
    if (!inserted) throw raise("error.auth.oidc_address_taken");
    await insertIdentity(tx, { issuer, subject, userId });
    return userId;
  });
}

async function findIdentity(
  tx: Tx,
  issuer: string,
  subject: string,
): Promise<UserId | undefined> {
  const row = await tx.selectFrom("oidc_identity")
    .select("user_id")
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return row?.user_id;
}

async function insertIdentity(
  tx: Tx,
  identity: {
    readonly issuer: string;
    readonly subject: string;
    readonly userId: UserId;
  },
): Promise<void> {
  await tx.insertInto("oidc_identity")
    .values({
      issuer: identity.issuer,
      subject: identity.subject,
      user_id: identity.userId,
    })
    .execute();
}
