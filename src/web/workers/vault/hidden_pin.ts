/**
 * The PIN of hidden photos: setting it, opening with it, and the way back for
 * who forgot it. Wrong ones are counted in this browser, beyond the page, and
 * have to wait ever longer.
 *
 * @module
 */
import {
  isHiddenPin,
  sealHiddenPin,
  withHiddenPin,
} from "../../../library/showing/hidden_pin.ts";
import { opensAccount } from "../../../library/mod.ts";
import { Closed } from "../../../client/stream/threads/thread_messages.ts";
import { now } from "../../browser.ts";
import type { VaultContext } from "./context.ts";
import { putRecord, record, removeRecord } from "./credential_store.ts";

/** Wrong PINs that have to wait for nothing. */
const FREE_TRIES = 5;
/** After the first one that has to wait, and twice as long each time (ms). */
const WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 3_600_000;

/** Wrong PINs so far, and when the next one is looked at (ms). */
interface Tries {
  readonly wrong: number;
  readonly until: number;
}

/** Too many wrong PINs; `retry_after` is an instant in seconds. */
class TooManyTries extends Error {
  override readonly name = "TooManyTries";
  readonly status = 429;
  readonly body: { readonly retry_after: number };
  constructor(until: number) {
    super("too many wrong PINs");
    this.body = { retry_after: until / 1_000 };
  }
}

/** One try at a time, so that none goes uncounted. */
let trying: Promise<unknown> = Promise.resolve();

/** Opens hidden photos for a while; false if the PIN is wrong. */
export function openHidden(
  context: VaultContext,
  typed: string,
): Promise<boolean> {
  const tried = trying.then(() => tryPin(context, typed));
  trying = tried.catch(() => {});
  return tried;
}

async function tryPin(context: VaultContext, typed: string): Promise<boolean> {
  const name = triesOf(context);
  const { wrong, until } = await record<Tries>(name) ?? { wrong: 0, until: 0 };
  if (now() < until) throw new TooManyTries(until);
  const { settings } = context.opened().state.held;
  // Counted first: a page that is closed meanwhile had its try.
  await putRecord(name, {
    wrong: wrong + 1,
    until: wrong + 1 < FREE_TRIES ? 0 : now() +
      Math.min(WAIT_MS * 2 ** (wrong + 1 - FREE_TRIES), LONGEST_WAIT_MS),
  });
  if (!await isHiddenPin(context.platform, settings, typed)) return false;
  await removeRecord(name);
  context.hidden?.lock.open();
  return true;
}

/** Sets the PIN, or another one; with undefined there is none any more. */
export async function setHiddenPin(
  context: VaultContext,
  pin: string | undefined,
): Promise<void> {
  // Otherwise whoever sits there could take the lock off.
  if (context.hidden?.lock.isOpen !== true) {
    throw new Closed("hidden photos are locked");
  }
  await keepPin(context, pin);
}

/**
 * Removes a PIN that was forgotten. Without a password, 24 words are asked for.
 * False if these are others; throws the server's refusal of a password.
 */
export async function forgetHiddenPin(
  context: VaultContext,
  proof: string,
): Promise<boolean> {
  const session = context.signedIn();
  const { has_password } = await session.account.profile();
  if (has_password) await session.account.reauthenticate(proof);
  else if (!await opensAccount(session, proof)) return false;
  await keepPin(context, undefined);
  await removeRecord(triesOf(context));
  return true;
}

async function keepPin(
  context: VaultContext,
  pin: string | undefined,
): Promise<void> {
  const { platform } = context;
  const box = pin === undefined ? undefined : await sealHiddenPin(
    platform,
    pin,
  );
  await context.opened().state.change((held) => ({
    ...held,
    settings: withHiddenPin(held.settings, box, now()),
  }));
  // A new PIN is asked for at once.
  context.hidden?.lock.close();
  context.changed();
}

function triesOf(context: VaultContext): string {
  return `hidden-pin-tries-${context.signedIn().userId}`;
}
