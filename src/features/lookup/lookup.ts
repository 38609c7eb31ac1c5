/**
 * Looking a user up by address, handle or id, as an account of this server or as
 * the bearer of a capability (protocol/discovery.md#people).
 *
 * @module
 */
import type { z } from "zod";
import { toBase64 } from "../../core/bytes.ts";
import type { Callers } from "../../core/caller.ts";
import type { LookupResponse } from "../../wire/answers/accounts.ts";
import type { Wanted } from "../../wire/bodies/accounts.ts";
import type { CallBy } from "../call.ts";
import { charge } from "../charge.ts";
import {
  findAcquainted,
  findByAddress,
  findByHandle,
  findInAlbum,
} from "./store.ts";

/** Charges the looker's budget, then answers with who was asked for. */
export async function lookUp(
  call: CallBy<"reader", "error.user.not_found" | "error.user.rate_limited">,
  wanted: Wanted,
): Promise<z.input<typeof LookupResponse>> {
  const { raise } = call;
  const spent = charge(call, "lookup", [lookerOf(call.caller)]);
  if (spent !== undefined) throw raise("error.user.rate_limited", spent);
  const user = await find(call, wanted);
  if (user === undefined) throw raise("error.user.not_found");
  return {
    user_id: user.user_id,
    ...(user.display_name === null ? {} : { display_name: user.display_name }),
    ...(user.handle === null ? {} : { handle: user.handle }),
    ...(user.directory_version === null
      ? {}
      : { directory_version: user.directory_version }),
    ...(user.identity_key === null
      ? {}
      : { identity_key: toBase64(user.identity_key) }),
  };
}

/** An id finds the caller, and people who share an album with the caller. */
function find({ app, caller }: CallBy<"reader", never>, wanted: Wanted) {
  switch (wanted.by) {
    case "address":
      return findByAddress(app.db, wanted.address);
    case "handle":
      return findByHandle(app.db, wanted.handle);
    case "id":
      return caller.kind === "session"
        ? findAcquainted(app.db, wanted.userId, caller.userId)
        : findInAlbum(app.db, wanted.userId, caller.albumId);
  }
}

/** Whose budget it is: all capabilities of a peer share one. */
function lookerOf(caller: Callers["reader"]): string {
  return caller.kind === "session"
    ? `account ${caller.userId}`
    : `peer ${caller.peer}`;
}
