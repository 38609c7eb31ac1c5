/**
 * Counts assets and blobs again, in SQL: for rows that were written past the
 * program.
 */
export const COUNT_LIBRARIES = `update usage set
  live_assets = (select count(*) from asset
    where owner_id = usage.user_id and state = 'live'),
  held_blobs = (select count(distinct hash) from holding
    where owner_id = usage.user_id),
  pending_blobs = (select count(*) from holding
    where owner_id = usage.user_id and applied = 0)`;
