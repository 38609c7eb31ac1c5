/**
 * `strongroom account show`.
 *
 * @module
 */
import { limitsOf } from "../app.ts";
import type { Config } from "../config.ts";
import type { Platform } from "../core/platform.ts";
import { bytesInWords, counted } from "../core/sizes.ts";
import { toRfc3339 } from "../core/time.ts";
import { readAccount } from "../features/accounts/operator.ts";
import { readRecord } from "../features/moderation/store.ts";
import { derivativeBytes, usageOf } from "../features/verification/usage.ts";
import type { Db } from "../store/database.ts";
import { accountLine, accountToJson, instantAs } from "./account_words.ts";
import { quoted } from "./words.ts";

/** Everything that the operator sees of an account, and its lines. */
export async function describeAccount(
  db: Db,
  config: Config,
  platform: Platform,
  user: string,
) {
  const limits = limitsOf(config);
  const now = platform.now();
  const read = await readAccount(db, user, { now, ...limits });
  const { row, albums } = read;
  const parts = { db, platform, limits };
  const counters = await usageOf(parts, row.user_id);
  const derivative_bytes = await derivativeBytes(parts, row.user_id);
  const events = await eventsOf(db, row.user_id);
  const json = {
    ...accountToJson(row, limits.accountQuotaBytes),
    // The trash as it is now, whether or not it was emptied.
    ...counters,
    derivative_bytes,
    sessions: read.sessions,
    has_password: read.hasPassword,
    second_factor: read.secondFactor,
    ...(read.directoryVersion === null
      ? {}
      : { directory_version: read.directoryVersion }),
    ...(read.handle === null ? {} : { handle: read.handle }),
    identities: read.identities,
    albums: { own: albums.own, shared_with_it: albums.shared },
    password_locks: read.locks.map(({ client_address, locked_until }) => ({
      // Without an address it is locked for all of them.
      ...(client_address === "" ? {} : { client_address }),
      locked_until: toRfc3339(locked_until),
    })),
    ...instantAs("second_factor_locked_until", read.secondFactorLockedUntil),
    events,
  };
  return {
    json,
    lines: [
      accountLine(row, limits.accountQuotaBytes),
      `  stores ${counted(json.assets, "asset")} in ${
        counted(json.blobs, "blob")
      }: ${bytesInWords(json.used_bytes)}, ${
        bytesInWords(json.trash_bytes)
      } in the trash, ${bytesInWords(json.reserved_bytes)} being uploaded; ${
        bytesInWords(derivative_bytes)
      } of it derivatives`,
      `  ${counted(albums.own, "album")} of its own, ${albums.shared} shared ` +
      "with it",
      `  ${
        counted(read.sessions, "session")
      }, second factor ${read.secondFactor}, ${
        read.hasPassword ? "a password" : "no password"
      }`,
      ...read.identities.map(({ issuer, subject }) =>
        `  signs in through ${issuer} as ${quoted(subject)}`
      ),
      ...(read.handle === null ? [] : [`  public handle ${read.handle}`]),
      ...json.password_locks.map(({ client_address, locked_until }) =>
        `  password locked for ${
          client_address ?? "all addresses"
        } until ${locked_until}`
      ),
      ...(read.secondFactorLockedUntil === null ? [] : [
        `  second factor locked until ${
          toRfc3339(read.secondFactorLockedUntil)
        }`,
      ]),
      ...events.map(eventLine),
    ],
  };
}

/** What the account reads in its moderation record, oldest first. */
async function eventsOf(db: Db, userId: Parameters<typeof readRecord>[1]) {
  const rows = await readRecord(db, userId);
  return rows.flatMap(({ action, asset_id, at, reason }) =>
    action === null || at === null ? [] : [{
      action,
      ...(asset_id === null ? {} : { asset_id }),
      at: toRfc3339(at),
      ...(reason === null ? {} : { reason }),
    }]
  );
}

/** An event of a moderation record on one line. */
export function eventLine(event: {
  readonly at: string;
  readonly action: string;
  readonly asset_id?: string;
  readonly reason?: string;
}): string {
  return [
    `  ${event.at}  ${event.action}`,
    ...event.asset_id === undefined ? [] : [`asset ${event.asset_id}`],
    ...event.reason === undefined ? [] : [quoted(event.reason)],
  ].join("  ");
}
