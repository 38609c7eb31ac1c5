/**
 * Whether a telephone that used to send has fallen silent.
 *
 * @module
 */
import { DAY_MS, readTime } from "../../core/time.ts";
import type { OwnRequest } from "../sharing/upload_links.ts";

/** A telephone that sends nothing for longer is worth a word (ms). */
export const SILENT_AFTER_MS: number = 7 * DAY_MS;

/** What of an upload link tells whether its telephone is silent. */
type SendingLink = Pick<
  OwnRequest,
  "isMine" | "note" | "created_at" | "expires_at" | "last_received_at"
>;

/**
 * The person's own links by which files used to come, and none for a week.
 * Links that have ended are left out, and those that a newer one of the same
 * name has replaced.
 */
export function silentLinks<T extends SendingLink>(
  links: readonly T[],
  now: number,
): readonly T[] {
  const own = links.filter(({ isMine }) => isMine);
  return own.filter((link) => {
    const last = readTime(link.last_received_at ?? undefined);
    return last !== undefined && now - last > SILENT_AFTER_MS &&
      (readTime(link.expires_at) ?? 0) > now &&
      !own.some((other) =>
        other.note === link.note && other.created_at > link.created_at &&
        other.last_received_at
      );
  });
}
