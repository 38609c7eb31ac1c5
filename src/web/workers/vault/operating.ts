/**
 * The vault's calls of the operator's page.
 *
 * @module
 */
import { operatorCalls } from "../../../client/api/operator_calls.ts";
import type { VaultContext } from "./context.ts";

/** The calls of the group `operator`. */
export function operating(context: VaultContext) {
  const calls = operatorCalls(async (call) => {
    const { account } = context.signedIn();
    // An expired token would be no one's, whose paths are unknown: the profile
    // is asked first, which renews it.
    await account.profile();
    return await account.send(call);
  });
  return {
    present: calls.presentAsOperator,
    overview: calls.operatorOverview,
    people: calls.operatorPeople,
    invitations: calls.operatorInvitations,
    invite: calls.operatorInvite,
    uninvite: calls.operatorUninvite,
    quota: calls.operatorQuota,
    suspension: calls.operatorSuspension,
    signOut: calls.operatorSignOut,
  };
}
