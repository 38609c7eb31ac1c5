/**
 * What the server showed of other people, against the newest that the keys log
 * has of them: lists of devices and of albums' members.
 *
 * @module
 */
import { parseRfc3339 } from "../../core/time.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import { directoryVersion } from "../../client/documents/directory.ts";
import { persist } from "../../client/api/send.ts";
import { albumSubject, userSubject } from "./log_entries.ts";
import { LOGGED_WITHIN_MS } from "./log_receipts.ts";
import { entryOf } from "../base/merging.ts";
import type { ShownDirectory } from "../trust/log_shown.ts";
import type { TrustedAlbum } from "../trust/trust_record.ts";
import { claimInForce, isAccepted } from "../trust/trust_rules.ts";
import type { LogCheck } from "./log_check.ts";

/** Compares the documents that the server showed with the log's newest. */
export async function checkPeople(check: LogCheck): Promise<void> {
  for (const [userId, held] of Object.entries(check.context.shown.held)) {
    await checkDirectory(check, userId, held);
  }
  for (const [id, album] of Object.entries(check.trusted.albums)) {
    checkRoster(check, id, album);
  }
}

/** A directory that is not the log's newest is frozen: nothing is shared. */
async function checkDirectory(
  check: LogCheck,
  userId: string,
  before: ShownDirectory,
): Promise<void> {
  const { shown, vault: { session } } = check.context;
  let now = before;
  const newest = entryOf(check.state.keys?.newest ?? {}, userSubject(userId));
  if (newest !== undefined && newest.version > before.version) {
    // They published another one since.
    const { bytes } = await persist(
      session.account,
      () => session.account.directory(userId),
      {},
    );
    const version = directoryVersion(bytes) ?? before.version;
    now = { version, sha256: sha256Hex(bytes), at: check.now };
  }
  const isLate = session.platform.now() -
      (parseRfc3339(now.at) ?? 0) > LOGGED_WITHIN_MS;
  const why = newest?.is_split === true
    ? "is one of two identities that the log names for them"
    : newest === undefined || newest.version < now.version
    ? isLate ? "is not in the log" : undefined
    : newest.version > now.version
    ? "is older than the newest in the log"
    : newest.sha256 !== now.sha256
    ? "is not the one in the log"
    : undefined;
  const { frozen: _frozen, ...plain } = now;
  await shown.put(
    userId,
    why === undefined ? { ...plain, checked: true } : {
      ...plain,
      checked: true,
      frozen: true,
    },
  );
  if (why === undefined) return;
  check.tell(
    "other_directory",
    `${userId} ${now.sha256}`,
    `the devices that the server shows for ${userId}: its list ${why}. ` +
      "Nothing is shared with them until that is clear",
  );
}

function checkRoster(check: LogCheck, id: string, album: TrustedAlbum): void {
  const claim = claimInForce(album);
  const newest = entryOf(check.state.keys?.newest ?? {}, albumSubject(id));
  const isOther = isAccepted(album) && claim?.own !== true &&
    newest?.version === claim?.roster_version &&
    claim?.roster !== undefined && newest?.sha256 !== claim.roster;
  if (!isOther) return;
  check.tell(
    "other_roster",
    `${id} ${claim.roster}`,
    `the list of members that the server shows for the album ${id} is ` +
      "not the one in the log",
  );
}
