/**
 * Counting what an account holds: each blob once, however many of its assets
 * hold it. A holding is in use unless its asset is in the trash; a blob is in
 * use as long as one of the account's holdings of it is. Triggers keep both and
 * the counters, in the transaction of whatever changes a holding or an asset.
 * An index finds another holding of a blob, so a change costs the same however
 * many there are: a member with a million copies in the trash slows no one
 * down.
 *
 * @module
 */

/** The value of a counter that has left its range (`features/usage.ts`). */
const UNKNOWN = Number.MAX_SAFE_INTEGER;

/** What a counter becomes; it is not known any more where it leaves its range. */
function moved(counter: string, by: string): string {
  return `${counter} = iif(${counter} between 0 and ${UNKNOWN} - 1
    and ${counter} + ${by} between 0 and ${UNKNOWN},
    ${counter} + ${by}, ${UNKNOWN})`;
}

/** Whether a row of `holding` is in use, as the tables of assets say. */
const IS_USED = `(holding.applied = 0 or not exists (select 1 from asset
  where asset.asset_id = holding.asset_id
    and asset.owner_id = holding.owner_id and asset.state = 'deleted'))`;

/** Holdings of an account that are marked as in use, or not, and wrongly. */
export const MISMARKED_HOLDINGS = `(select count(*) from holding
  where holding.owner_id = usage.user_id and in_use <> ${IS_USED})`;

/** Marks holdings as the tables of assets say; ends in a condition on them. */
export function markHoldings(condition: string): string {
  return `update holding set in_use = ${IS_USED}
    where in_use <> ${IS_USED} and ${condition}`;
}

/** Whether the owner of a row holds its blob elsewhere, on a condition. */
function elsewhere(row: "new" | "old", condition = ""): string {
  return `exists (select 1 from holding as other indexed by holding_by_hash
    where other.hash = ${row}.hash
      and other.owner_id = ${row}.owner_id ${condition}
      and not (other.asset_id = ${row}.asset_id and other.role = ${row}.role))`;
}

function usedElsewhere(row: "new" | "old"): string {
  return elsewhere(row, "and other.in_use = 1");
}

/** Moves the counters of an owner by what is computed once. */
function moving(
  owner: string,
  { used, trashed, blobs = "0" }: {
    readonly used: string;
    readonly trashed: string;
    readonly blobs?: string;
  },
): string {
  // Nothing is decided by the count of blobs: it may be wrong, and is found so.
  return `update usage set ${moved("used_bytes", "change.used")},
    ${moved("trash_bytes", "change.trashed")},
    held_blobs = max(held_blobs + change.blobs, 0)
    from (select ${used} as used, ${trashed} as trashed,
      ${blobs} as blobs) as change
    where user_id = ${owner};`;
}

/** Counts a row of `holding` that came, or one that went. */
function counted(row: "new" | "old", sign: "" | "-"): string {
  const size = `${sign}${row}.size`;
  return moving(`${row}.owner_id`, {
    used: `iif(${row}.in_use and not ${usedElsewhere(row)}, ${size}, 0)`,
    trashed: `iif(${usedElsewhere(row)}, 0,
      ${size} * ((not ${row}.in_use) - ${elsewhere(row)}))`,
    blobs: `iif(${elsewhere(row)}, 0, ${sign}1)`,
  });
}

/** What becomes used where a holding comes into use, or goes out of it. */
const USED_NOW = `iif(${usedElsewhere("new")}, 0,
  new.size * (new.in_use - old.in_use))`;

/** Marks one holding. */
const MARK_HOLDING = `${
  markHoldings(`owner_id = new.owner_id and asset_id = new.asset_id
    and role = new.role and hash = new.hash`)
};`;

/** Marks what an asset holds. */
function markAsset(row: "new" | "old"): string {
  return `${
    markHoldings(`owner_id = ${row}.owner_id and asset_id = ${row}.asset_id`)
  };`;
}

/** What an account's row of `usage` has of its holdings. */
const HELD = `from holding left join asset using (owner_id, asset_id)
  where holding.owner_id = usage.user_id group by holding.hash
  having max(holding.applied = 0 or asset.state is not 'deleted')`;

/** Bytes of holdings that are in use, and of those that are in the trash. */
export const USED_HOLDINGS =
  `(select coalesce(sum(size), 0) from (select max(size) as size ${HELD} = 1))`;
export const TRASHED_HOLDINGS =
  `(select coalesce(sum(size), 0) from (select max(size) as size ${HELD} = 0))`;
export const HELD_BLOBS = `(select count(distinct hash) from holding
  where holding.owner_id = usage.user_id)`;

/** From the schema before: the marks, the triggers, and all counters counted again. */
export const COUNT_ONCE = `
-- 0 while a manifest holds it and its asset is in the trash. Triggers keep it.
alter table holding
  add column in_use integer not null default 1 check (in_use in (0, 1));
${markHoldings("true")};
drop index holding_by_hash;
create index holding_by_hash on holding (hash, owner_id, in_use);
create trigger holding_counted after insert on holding begin
  ${counted("new", "")}
  ${MARK_HOLDING}
end;
create trigger holding_uncounted after delete on holding begin
  ${counted("old", "-")}
end;
create trigger holding_recounted after update of in_use on holding
when new.in_use <> old.in_use begin
  ${moving("new.owner_id", { used: USED_NOW, trashed: `-${USED_NOW}` })}
end;
create trigger holding_reapplied after update of applied on holding
when new.applied <> old.applied begin
  ${MARK_HOLDING}
end;
create trigger asset_begun after insert on asset
when new.state = 'deleted' begin
  ${markAsset("new")}
end;
create trigger asset_moved after update of state on asset
when new.state <> old.state begin
  ${markAsset("new")}
end;
create trigger asset_gone after delete on asset
when old.state = 'deleted' begin
  ${markAsset("old")}
end;
update usage set
  used_bytes = ${USED_HOLDINGS}
    + (select coalesce(sum(size), 0) from guest_upload
      where guest_upload.owner_id = usage.user_id and state = 'finalized')
    + (select coalesce(sum(size), 0) from state_slot
      where state_slot.user_id = usage.user_id),
  trash_bytes = ${TRASHED_HOLDINGS},
  held_blobs = ${HELD_BLOBS};
`;
