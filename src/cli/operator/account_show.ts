/**
 * `strongroom account show`.
 *
 * @module
 */
import { bytesInWords, counted } from "../../core/sizes.ts";
import { toRfc3339 } from "../../core/time.ts";
import { readAccount } from "../../features/accounts/operator.ts";
import { recordOf } from "../../features/moderation/record.ts";
import { derivativeBytes, usageOf } from "../../features/verification/usage.ts";
import { accountLine, accountToJson, instantAs } from "./account_messages.ts";
import type { DatabaseCall, Said } from "../verb.ts";
import { quoted } from "../phrasing.ts";

/** Everything that the operator sees of an account, and its lines. */
export async function describeAccount(
  call: DatabaseCall,
  user: string,
): Promise<Said> {
  const { limits } = call;
  const read = await readAccount(call, user);
  const { row, albums } = read;
  const counters = await usageOf(call, row.user_id);
  const derivative_bytes = await derivativeBytes(call, row.user_id);
  const { events } = await recordOf(call, row.user_id);
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
    password_locks: read.locks.map(({ client, locked_until }) => ({
      for: client === "" ? "all_addresses" : "one_address",
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
      ...json.password_locks.map((lock) =>
        `  password locked for ${
          lock.for === "one_address" ? "one client address" : "all addresses"
        } until ${lock.locked_until}`
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

/** An event of a moderation record on one line. */
export function eventLine(event: {
  readonly at: string;
  readonly action: string;
  readonly asset_id?: string | undefined;
  readonly reason?: string | undefined;
}): string {
  return [
    `  ${event.at}  ${event.action}`,
    ...event.asset_id === undefined ? [] : [`asset ${event.asset_id}`],
    ...event.reason === undefined ? [] : [quoted(event.reason)],
  ].join("  ");
}
