/**
 * Accounts as the operator's commands show them.
 *
 * @module
 */
import { bytesInWords } from "../../core/sizes.ts";
import { toRfc3339 } from "../../core/time.ts";
import type { AccountRow } from "../../features/accounts/operator.ts";
import { quotaOf } from "../../features/quota.ts";
import { printable, quoted } from "../phrasing.ts";

/** An instant under its name, if it is one. */
export function instantAs(name: string, at: number | null) {
  return at === null ? {} : { [name]: toRfc3339(at) };
}

/** The parts of a row that `account list` and `account show` give. */
export function accountToJson(
  row: AccountRow,
  configuredQuota: number | undefined,
) {
  const quota = quotaOf(row.quota_bytes, configuredQuota);
  return {
    user_id: row.user_id,
    ...(row.address === null ? {} : { address: row.address }),
    ...(row.display_name === null ? {} : { display_name: row.display_name }),
    created_at: toRfc3339(row.created_at),
    ...instantAs("last_used_at", row.last_used_at),
    standing: statusOf(row),
    ...instantAs("suspended_since", row.suspended_at),
    ...instantAs("operator_since", row.operator_since),
    used_bytes: row.used_bytes,
    reserved_bytes: row.reserved_bytes,
    trash_bytes: row.trash_bytes,
    ...(quota === undefined ? {} : { quota_bytes: quota }),
  };
}

function statusOf(
  { suspended_at, deleting_at }: AccountRow,
): "active" | "suspended" | "deleting" {
  if (deleting_at !== null) return "deleting";
  return suspended_at === null ? "active" : "suspended";
}

/** An account on one line. */
export function accountLine(
  row: AccountRow,
  configuredQuota: number | undefined,
): string {
  const { used_bytes, reserved_bytes, trash_bytes } = row;
  const quota = quotaOf(row.quota_bytes, configuredQuota);
  return [
    row.user_id,
    printable(row.address ?? "(no address)"),
    statusOf(row),
    ...row.operator_since === null ? [] : ["operator"],
    `created ${toRfc3339(row.created_at)}`,
    row.last_used_at === null
      ? "never used"
      : `used ${toRfc3339(row.last_used_at)}`,
    `${bytesInWords(used_bytes + reserved_bytes + trash_bytes)}${
      quota === undefined ? ", no quota" : ` of ${bytesInWords(quota)}`
    }`,
    ...row.display_name === null ? [] : [quoted(row.display_name)],
  ].join("  ");
}
