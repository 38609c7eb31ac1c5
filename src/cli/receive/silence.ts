/**
 * Telling of a telephone that used to send and has fallen silent: `receive`
 * says so in its status, and by a notice (notices.md#events).
 *
 * The program may run where no server and no database is, so it keeps in its
 * own spool what each target was told.
 *
 * @module
 */
import { createHash } from "node:crypto";
import * as z from "zod";
import type { NotifyTarget } from "../../core/notify_settings.ts";
import { reasonOf } from "../../core/reason.ts";
import { DAY_MS, HOUR_MS } from "../../core/time.ts";
import { SILENT_AFTER_MS } from "../../library/care/silent_phone.ts";
import type { EventState } from "../../features/notices/events.ts";
import { type Deliver, messageOf } from "../../features/notices/notices.ts";
import type { Spool } from "./spool.ts";
import type { Device } from "./spool_schema.ts";

/** One message a day, whose hour may drift a little. */
const REPEAT_MS = 23 * HOUR_MS;

/** What a target was told; instants in ms. */
const toldSchema = z.object({
  since: z.number(),
  at: z.number(),
  isOver: z.boolean(),
});
type Told = z.output<typeof toldSchema>;

/** Telephones that sent before, and nothing for more than a week. */
export function silentDevices<T extends Pick<Device, "received_at">>(
  devices: readonly T[],
  now: number,
): readonly (T & { readonly received_at: number })[] {
  return devices.flatMap((device) => {
    const { received_at } = device;
    if (received_at === null || now - received_at <= SILENT_AFTER_MS) return [];
    return [{ ...device, received_at }];
  });
}

/** Whole days since a telephone sent something. */
export function silentDays(
  { received_at: last }: { readonly received_at: number },
  now: number,
): number {
  return Math.floor((now - last) / DAY_MS);
}

/** What tells of silence. */
export interface TellingSilence {
  readonly spool: Spool;
  readonly targets: readonly NotifyTarget[];
  readonly deliver: Deliver;
  readonly warn: (line: string) => void;
}

/**
 * Tells each target once that a telephone is silent, once a day while it
 * lasts, and once that it ended. A target that fails is tried again the next
 * time.
 */
export async function tellSilence(
  { spool, targets, deliver, warn }: TellingSilence,
  now: number,
): Promise<void> {
  const devices = spool.devices();
  const silent = silentDevices(devices, now)
    .toSorted((a, b) => a.received_at - b.received_at);
  const [first] = silent;
  await Promise.all(targets.map(async (target) => {
    const fact = `told ${hashOf(target.text)}`;
    const told = toldOf(spool.fact(fact));
    const lasts = told !== undefined && !told.isOver;
    const state = stateOf(first !== undefined, told, now);
    if (state === undefined) return;
    const since = lasts ? told.since : now;
    const facts = first === undefined
      ? {}
      : { phones: silent.length, days: silentDays(first, now) };
    const origin = (first ?? devices[0])?.origin ?? "http://localhost";
    try {
      await deliver(
        target,
        messageOf(
          { event: "phone_silent", state, since, at: now, facts },
          origin,
        ),
      );
    } catch (error) {
      warn(`${target.name} was not told: ${reasonOf(error)}`);
      return;
    }
    const next: Told = { since, at: now, isOver: state === "ended" };
    spool.noteFact(fact, JSON.stringify(next));
  }));
}

/** What there is to tell; undefined: nothing now. */
function stateOf(
  isSilent: boolean,
  told: Told | undefined,
  now: number,
): EventState | undefined {
  const lasts = told !== undefined && !told.isOver;
  if (!isSilent) return lasts ? "ended" : undefined;
  // A clock that was ahead when it was told holds nothing up.
  const isDue = told === undefined || now - told.at >= REPEAT_MS ||
    told.at > now;
  if (!isDue) return undefined;
  return lasts ? "goes_on" : "began";
}

function toldOf(text: string | undefined): Told | undefined {
  if (text === undefined || text === "") return undefined;
  const read = toldSchema.safeParse(JSON.parse(text));
  return read.success ? read.data : undefined;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
