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
import {
  escrowLabelsOf,
  opensAccount,
  WORDS_LABEL,
} from "../../../library/mod.ts";
import { Closed } from "../../../client/stream/threads/thread_messages.ts";
import { now } from "../../browser.ts";
import type { VaultContext } from "./context.ts";
import { changeRecord, removeRecord } from "./credential_store.ts";

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

/** Without a password, only words remove a PIN that was forgotten. */
class PinNeedsWords extends Error {
  override readonly name = "PinNeedsWords";
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
  const { settings } = context.opened().state.held;
  // Counted first: a page that is closed meanwhile had its try. In one step,
  // because each tab of some browsers has a thread of its own.
  let waits: number | undefined;
  await changeRecord<Tries>(name, (held = { wrong: 0, until: 0 }) => {
    const at = now();
    // A clock that was set back is waited for no longer than for anything.
    const until = Math.min(held.until, at + LONGEST_WAIT_MS);
    if (at < until) {
      waits = until;
      return { ...held, until };
    }
    const wrong = held.wrong + 1;
    const wait = Math.min(WAIT_MS * 2 ** (wrong - FREE_TRIES), LONGEST_WAIT_MS);
    return { wrong, until: wrong < FREE_TRIES ? 0 : at + wait };
  });
  if (waits !== undefined) throw new TooManyTries(waits);
  if (!await isHiddenPin(context.platform, settings, typed)) return false;
  await removeRecord(name);
  context.hidden?.lock.open();
  return true;
}

/**
 * Sets or replaces the PIN; undefined removes it. Throws PinNeedsWords for an
 * account with neither a password nor words.
 */
export async function setHiddenPin(
  context: VaultContext,
  pin: string | undefined,
): Promise<void> {
  // Otherwise whoever sits there could take the lock off.
  if (context.hidden?.lock.isOpen !== true) {
    throw new Closed("hidden photos are locked");
  }
  // Otherwise words could be made here, and remove it: the server asks for a
  // fresh sign-in only where there are some already.
  const session = context.signedIn();
  if (
    pin !== undefined && !(await session.account.profile()).has_password &&
    !(await escrowLabelsOf(session)).includes(WORDS_LABEL)
  ) throw new PinNeedsWords("there are no words that would remove it");
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
  context.closeHidden();
  context.changed();
}

function triesOf(context: VaultContext): string {
  return `hidden-pin-tries-${context.signedIn().userId}`;
}
