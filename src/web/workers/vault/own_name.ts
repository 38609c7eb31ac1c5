/**
 * The name under which the person stands in albums that they make.
 *
 * @module
 */
import type { VaultContext } from "./context.ts";

/** What the members of a new album call the person who makes it. */
export async function ownName(
  context: VaultContext,
): Promise<{ readonly names?: Readonly<Record<string, string>> }> {
  const { account, userId } = context.signedIn();
  const { display_name: called, address } = await account.profile();
  const name = called ?? address?.split("@")[0];
  return name === undefined ? {} : { names: { [userId]: name } };
}
