/**
 * Members of other servers, as rosters name them: `<user_id>@<server_id>`.
 *
 * @module
 */
import type { AbroadSlot, Given } from "./abroad_state.ts";
import type { Vault } from "../vault/vault.ts";

/** Whether a member is on another server, by the name in the roster. */
export function isAbroad(member: string): boolean {
  return member.includes("@");
}

/** The id of a grant in the account's state. */
export function givenId(albumId: string, member: string): string {
  return `${albumId}/${member}`;
}

/** The album and the member of a grant, by its id in the account's state. */
export function ofGiven(id: string) {
  const at = id.indexOf("/");
  return { albumId: id.slice(0, at), member: id.slice(at + 1) };
}

/**
 * Revokes the grants of members of other servers for an album: a token that was
 * not revoked would read again when its member is put back. Throws the errors of
 * the calls.
 */
export async function revokeGrants(
  { session: { account } }: Vault,
  abroad: () => Promise<AbroadSlot>,
  albumId: string,
  members: readonly string[],
): Promise<void> {
  if (!members.some(isAbroad)) return;
  const { given, read } = await abroad();
  await read({ again: true });
  for (const member of members.filter(isAbroad)) {
    const id = givenId(albumId, member);
    const held = given.get(id);
    if (held === undefined || held.ended) continue;
    // Whoever is cut off goes on with it. Another device may have minted since.
    await given.change(
      id,
      (present = held) =>
        present.ended ? present : { ...present, journal: { what: "removing" } },
    );
    await revokeAll(account, albumId, given.get(id) ?? held);
  }
}

/** Revokes a grant, and those of before that may not be revoked yet. */
export async function revokeAll(
  account: Vault["session"]["account"],
  albumId: string,
  { jti, former = [] }: Pick<Given, "jti" | "former">,
): Promise<void> {
  for (const one of [jti, ...former]) {
    await account.revokeCapability(albumId, one);
  }
}
