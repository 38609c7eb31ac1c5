/**
 * The keys that this browser holds, and what opens the account without them.
 *
 * @module
 */
import {
  dropKeys,
  requireWayBack,
  type WaysBack,
  waysBack,
} from "../../../library/mod.ts";
import type { VaultContext } from "./context.ts";
import { lockMinutes } from "./lock_setting.ts";

/** Whether keys are here, and what else opens the account. */
export interface HeldKeys extends WaysBack {
  readonly has: boolean;
}

const NONE: HeldKeys = { has: false, boxes: [], devices: [] };

/** What deleting the keys here would leave; asks the server where it can. */
export async function keysHere(context: VaultContext): Promise<HeldKeys> {
  const { session, overtaken, library } = context;
  // The keys that this browser made have never been the account's.
  if (overtaken) return NONE;
  if (session === undefined) {
    const boxes = await context.credentials.boxes();
    return boxes === undefined ? NONE : { has: true, boxes, devices: [] };
  }
  if (session.masterKey() === undefined) return NONE;
  return { has: true, ...await waysBack(session, library?.vault) };
}

/** Signs out, and deletes the keys here. Throws NoWayBack. */
export async function dropHere(context: VaultContext): Promise<void> {
  const session = context.signedIn();
  if (context.overtaken) {
    await session.signOut().catch(() => session.forget());
  } else {
    const vault = context.library?.vault;
    await dropKeys(session, { vault, offline: true });
  }
}

/** Deletes the keys of a session that is not open. Throws NoWayBack. */
export async function forgetHere({ credentials }: VaultContext): Promise<void> {
  const boxes = await credentials.boxes();
  if (boxes !== undefined) requireWayBack({ boxes, devices: [] });
  await credentials.remove();
}

/**
 * Sets after how many minutes this browser locks: never, where that would lose
 * the only keys.
 */
export async function followLockSetting(context: VaultContext): Promise<void> {
  const minutes = await lockMinutes();
  const { onlyHere } = await context.sessionState();
  context.presence.minutes = onlyHere ? 0 : minutes;
}
