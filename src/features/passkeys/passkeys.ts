/**
 * The passkeys of an account (protocol/authentication.md#passkeys).
 *
 * @module
 */
import { toBase64Url, utf8 } from "../../core/bytes.ts";
import { type ChallengeId, parseUuid, type PasskeyId } from "../../core/ids.ts";
import type { UserId } from "../../core/ids.ts";
import { toRfc3339 } from "../../core/time.ts";
import { transaction } from "../../store/database.ts";
import type { App } from "../app.ts";
import type { CallBy } from "../call.ts";
import { assertWithin } from "../row_limits.ts";
import { requireRecent } from "../sessions/recent.ts";
import { CHALLENGE_MS } from "./ceremonies.ts";
import {
  countPasskeys,
  deletePasskey,
  findNames,
  insertPasskey,
  listPasskeys,
  renamePasskey,
} from "./store.ts";
import {
  ALGORITHMS,
  LibraryGone,
  type NewCredential,
  readRegistration,
  rpIdOf,
} from "./webauthn.ts";

const CHALLENGE_BYTES = 32;

/** A challenge in the form in which clients return it. */
export function newChallenge(app: App): string {
  return toBase64Url(app.platform.random(CHALLENGE_BYTES));
}

/** Options to make a passkey with; the caller has presented themselves. */
export async function beginPasskey(
  call: CallBy<
    "session",
    | "error.auth.reauthentication_required"
    | "error.account.limit_reached"
    | "error.auth.rate_limited"
  >,
) {
  const { app, caller: { userId, sessionId }, now, raise } = call;
  await requireRecent(call, app.db);
  const held = await listPasskeys(app.db, userId);
  assertWithin(call, "passkeys", held.length + 1);
  const names = await findNames(app.db, userId);
  const name = names?.address ?? userId;
  const challengeId = app.newId<ChallengeId>();
  const challenge = newChallenge(app);
  const expiresAt = now + CHALLENGE_MS;
  const begun = app.passkeys.adding.begin(
    challengeId,
    { challenge, expiresAt, who: { userId, sessionId } },
    now,
    (who) => who.userId === userId,
  );
  if (!begun) throw raise("error.auth.rate_limited", busyFor());
  return {
    challenge_id: challengeId,
    expires_at: toRfc3339(expiresAt),
    options: {
      challenge,
      rp: { id: rpIdOf(app.server.serverId), name: app.server.name },
      user: {
        // Only this server can tell whose it is.
        id: toBase64Url(utf8(userId)),
        name,
        displayName: names?.display_name ?? name,
      },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({
        type: "public-key" as const,
        alg,
      })),
      timeout: CHALLENGE_MS,
      attestation: "none" as const,
      authenticatorSelection: {
        residentKey: "required" as const,
        requireResidentKey: true as const,
        userVerification: "required" as const,
      },
      excludeCredentials: held.map(({ credential_id, transports }) => ({
        type: "public-key" as const,
        id: credential_id,
        transports: readTransports(transports),
      })),
    },
  };
}

/** When to come again where all challenges are taken. */
export function busyFor() {
  return { retryAfterSeconds: CHALLENGE_MS / 1_000 };
}

/** Keeps a passkey that an authenticator made for a challenge. */
export async function addPasskey(
  call: CallBy<
    "session",
    | "error.auth.credentials_invalid"
    | "error.auth.reauthentication_required"
    | "error.auth.unavailable"
    | "error.account.limit_reached"
  >,
  given: {
    readonly challengeId: string;
    readonly name: string;
    readonly credential: Parameters<typeof readRegistration>[0] & {
      readonly response: { readonly transports?: string[] | undefined };
    };
  },
) {
  const { app, caller: { userId }, now, raise } = call;
  // Refused for that, the challenge may be answered again.
  await requireRecent(call, app.db);
  const made = await readMade(call, given);
  const row = {
    passkey_id: app.newId<PasskeyId>(),
    user_id: userId,
    credential_id: made.credentialId,
    public_key: made.publicKey,
    sign_count: made.signCount,
    transports: JSON.stringify(given.credential.response.transports ?? []),
    backed_up: made.backedUp ? 1 as const : 0 as const,
    name: given.name,
    created_at: now,
    last_used_at: null,
  };
  await transaction(app.db, async (tx) => {
    assertWithin(call, "passkeys", await countPasskeys(tx, userId) + 1);
    if (await insertPasskey(tx, row)) return;
    throw raise("error.auth.credentials_invalid", { cause: "known already" });
  });
  return toWire(row);
}

/** What the authenticator made; the challenge is spent first. */
async function readMade(
  { app, caller, now, raise }: CallBy<
    "session",
    "error.auth.credentials_invalid" | "error.auth.unavailable"
  >,
  { challengeId, credential }: Parameters<typeof addPasskey>[1],
): Promise<NewCredential> {
  const id = parseUuid<ChallengeId>(challengeId);
  const ceremony = id === undefined
    ? undefined
    : app.passkeys.adding.burn(id, now);
  if (
    ceremony === undefined || ceremony.who.userId !== caller.userId ||
    ceremony.who.sessionId !== caller.sessionId
  ) {
    throw raise("error.auth.credentials_invalid", {
      cause: "no live challenge",
    });
  }
  try {
    return await readRegistration(credential, {
      challenge: ceremony.challenge,
      origin: app.server.serverId,
    });
  } catch (cause) {
    throw raise(
      cause instanceof LibraryGone
        ? "error.auth.unavailable"
        : "error.auth.credentials_invalid",
      { cause },
    );
  }
}

/** The caller's passkeys, the oldest first. */
export async function readPasskeys(app: App, userId: UserId) {
  const rows = await listPasskeys(app.db, userId);
  return { passkeys: rows.map(toWire) };
}

/** Gives a passkey another name. */
export async function changePasskey(
  { app, caller, raise }: CallBy<"session", "error.auth.passkey_not_found">,
  passkeyId: PasskeyId,
  name: string,
) {
  const row = await renamePasskey(app.db, caller.userId, passkeyId, name);
  if (row === undefined) throw raise("error.auth.passkey_not_found");
  return toWire(row);
}

/** Removes a passkey: nothing signs in with it from now on. */
export async function removePasskey(
  call: CallBy<
    "session",
    | "error.auth.passkey_not_found"
    | "error.auth.reauthentication_required"
  >,
  passkeyId: PasskeyId,
): Promise<void> {
  const { app, caller: { userId }, raise } = call;
  await requireRecent(call, app.db);
  if (await deletePasskey(app.db, userId, passkeyId)) return;
  throw raise("error.auth.passkey_not_found");
}

function toWire(row: {
  readonly passkey_id: PasskeyId;
  readonly credential_id: string;
  readonly name: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly backed_up: 0 | 1;
}) {
  return {
    passkey_id: row.passkey_id,
    name: row.name,
    created_at: toRfc3339(row.created_at),
    ...(row.last_used_at === null
      ? {}
      : { last_used_at: toRfc3339(row.last_used_at) }),
    credential_id: row.credential_id,
    backed_up: row.backed_up === 1,
  };
}

function readTransports(json: string): string[] {
  const read: unknown = JSON.parse(json);
  return Array.isArray(read)
    ? read.filter((one): one is string => typeof one === "string")
    : [];
}
