/**
 * Every operation of the route table that the library calls is lied about in
 * every way. Which they are is found by trying, so an operation that is added is
 * attacked without a line here.
 *
 * @module
 */
import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import { modelRuns } from "../support/models.ts";
import { COMMON_LIES } from "./adversary.ts";
import { OPERATIONS } from "./answers.ts";
import { type Deed, DEEDS, Family } from "./family.ts";
import { expectHealed, expectPromisesKept } from "./promises.ts";

/** Operations that no deed calls, with the reason. */
const NOT_CALLED: Readonly<Record<string, string>> = {
  ...because("only a name or a state is shown, and nothing rests on it", [
    "version",
    "deprecations",
    "openApi",
    "pageConfig",
    "health",
    "readProfile",
    "updateProfile",
    "publishRecord",
    "withdrawRecord",
    "readRecord",
    "listSessions",
    "readModerationRecord",
    "readUsage",
    "listUploads",
    "listTrash",
    "readAsset",
    "uploadOptions",
  ]),
  ...because("it ends or opens a session, and carries no key", [
    "register",
    "redeemInvitation",
    "reauthenticate",
    "changePassword",
    "logout",
    "revokeSession",
    "challengeRevokeAll",
    "revokeAll",
    "deleteAccount",
    "verifyLogin",
    "enrollTotp",
    "confirmTotp",
    "disableTotp",
    "oidcAuthorize",
    "oidcCallback",
  ]),
  ...because("the library does not call it", [
    "mintCapability",
    "revokeCapability",
    "refreshCapability",
    "setCapabilityRenewal",
    "renewCapability",
    "revokedJti",
    "readUpgradePhase",
    "beginUpgrade",
    "abortUpgrade",
    "commitUpgrade",
    "reportFromPeer",
    "clearState",
    "addCheckpoint",
    "presentAsOperator",
    "operatorOverview",
    "operatorPeople",
    "operatorInvitations",
    "operatorInvite",
    "operatorUninvite",
    "operatorQuota",
    "operatorSuspension",
    "operatorSignOut",
  ]),
  ...because("only after a connection broke, which other lies bring about", [
    "readUpload",
    "patchUpload",
    "finalizeUpload",
    "cancelUpload",
    "readGuestUpload",
    "patchGuestUpload",
    "cancelGuestUpload",
    "finalizeGuestUpload",
    "closeChannel",
  ]),
  ...because("a passphrase is asked for, and the secret opens with it alone", [
    "viewShareSecret",
    "viewUploadLinkSecret",
  ]),
  ...because("the household would have no album left to look at", [
    "leaveAlbum",
  ]),
};

const WAYS = Math.min(COMMON_LIES.length, modelRuns(4));
const DEVICES = [0, 2];
/** Operations for each household: one by night. */
const TOGETHER = modelRuns(1) > 1 ? 1 : 4;

function because(reason: string, operations: readonly string[]) {
  return Object.fromEntries(operations.map((one) => [one, reason]));
}

/** Which deed of which device calls an operation, found by doing all of them. */
async function callers(): Promise<Map<string, readonly [Deed, number]>> {
  const found = new Map<string, readonly [Deed, number]>();
  await withTestApp(async (app) => {
    const family = await Family.settle(app);
    for (const deed of DEEDS) {
      for (const at of DEVICES) {
        family.adversary.asked.clear();
        await family.perform({ deed, at, pick: 0, lie: undefined });
        for (const operation of family.adversary.asked) {
          if (!found.has(operation)) found.set(operation, [deed, at]);
        }
      }
    }
  });
  return found;
}

const found = await callers();

Deno.test("every operation is called by a deed, or it is said why not", () => {
  const missing = OPERATIONS.filter((one) =>
    !found.has(one) && NOT_CALLED[one] === undefined
  );
  assert.deepEqual(missing, []);
});

/** An operation, its number, and the deed of a device that calls it. */
interface Called {
  readonly number: number;
  readonly operation: string;
  readonly deed: Deed;
  readonly at: number;
}

const called: readonly Called[] = [...found].map((
  [operation, [deed, at]],
  number,
) => ({ number, operation, deed, at }));

/** To settle a household takes longer than what it lives through. */
const HOUSEHOLDS = Math.ceil(called.length / TOGETHER);

for (let first = 0; first < HOUSEHOLDS; first++) {
  const own = called.filter(({ number }) => number % HOUSEHOLDS === first);
  const names = own.map(({ operation }) => operation).join(", ");
  Deno.test(`lies about ${names} give nothing away and hide nothing`, async () => {
    let rest: readonly Called[] = own;
    while (rest.length > 0) rest = await liveThrough(rest);
  });
}

/**
 * Has a household live through lies about operations. Resolves to those that
 * need another household: after the lies before, the deed no longer called them.
 */
async function liveThrough(
  operations: readonly Called[],
): Promise<readonly Called[]> {
  let rest = operations;
  await withTestApp(async (app) => {
    const family = await Family.settle(app);
    const { asked } = family.adversary;
    for (const { number, operation, deed, at } of operations) {
      for (let way = 0; way < WAYS; way++) {
        const kind = COMMON_LIES[(number * 5 + way) % COMMON_LIES.length];
        assert.ok(kind !== undefined);
        const lie = { kind, operation, pick: number * 31 + way, times: 1_000 };
        asked.clear();
        const outcome = await family.perform({ deed, at, pick: way, lie });
        if (way === 0 && rest !== operations && !asked.has(operation)) {
          return await expectHealed(family);
        }
        await expectPromisesKept(
          family,
          `${kind} about ${operation} at ${deed} (${outcome})`,
        );
      }
      rest = rest.slice(1);
    }
    await expectHealed(family);
  });
  return rest;
}
