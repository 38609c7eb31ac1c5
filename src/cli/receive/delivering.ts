/**
 * Handing sealed files to the server, for as long as it takes: whatever the
 * telephone was told is there survives a server that is away.
 *
 * @module
 */
import { type Bytes, toHex } from "../../core/bytes.ts";
import { MINUTE_MS, readTime, SECOND_MS } from "../../core/time.ts";
import { nativePrimitives } from "../../client/keys/native.ts";
import { ApiProblem } from "../../client/api/api.ts";
import { deliverSealed } from "../../library/sharing/guest_delivery.ts";
import {
  clientOptions,
  type LibraryPlatform,
} from "../../library/base/platform.ts";
import { createGuest } from "../../client/api/links.ts";
import { reasonOf } from "../../core/reason.ts";
import { counted } from "../../core/sizes.ts";
import { isDiskFull } from "../person/faults.ts";
import type { Spool } from "./spool.ts";
import type { Outgoing } from "./spool_schema.ts";

/** Files that are sent at a time. */
const AT_ONCE = 2;
/** Bytes of a file that are in memory while they are sent. */
const PIECE_BYTES = 1024 * 1024;
/** Files that are looked at, to find some that may go. */
const LOOKED_AT = 1_200;
const FIRST_PAUSE_MS = 5 * SECOND_MS;
const LONGEST_PAUSE_MS = 10 * MINUTE_MS;

/** What became of a round. */
export interface Round {
  readonly sent: number;
  /** Why nothing goes just now; the same as `receive status` says. */
  readonly fault?: string;
}

/** What delivers; see {@link deliverWaiting}. */
interface Delivering {
  readonly spool: Spool;
  readonly platform: LibraryPlatform;
  /** Whether the name of a file may still change. */
  readonly isHeld: (id: string) => boolean;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  readonly warn: (line: string) => void;
}

/** Sends everything that may go, once. */
export async function deliverWaiting(
  delivering: Omit<Delivering, "say" | "warn">,
): Promise<Round> {
  const { spool, isHeld, signal } = delivering;
  let sent = 0;
  /** Links that take nothing now, and why. */
  const refused = new Map<string, string>();
  while (!signal.aborted) {
    const due = spool.outgoing(LOOKED_AT).filter(({ id, origin, opaque_id }) =>
      !isHeld(id) && !refused.has(`${origin}/${opaque_id}`)
    ).slice(0, AT_ONCE);
    if (due.length === 0) break;
    await Promise.all(due.map(async (file) => {
      const link = `${file.origin}/${file.opaque_id}`;
      try {
        await deliverOne(delivering, file);
        sent += 1;
        spool.noteEnded(file, false);
      } catch (error) {
        if (signal.aborted) return;
        if (isDamaged(error)) return spool.strand(file.id, DAMAGED);
        const isGone = isEnded(error) && await isLinkGone(delivering, file);
        spool.noteEnded(file, isGone);
        // A link of a suspended account comes back; one whose time is over
        // does not.
        const isOver = (readTime(file.expires_at) ?? 0) <=
          delivering.platform.now();
        if (isGone && isOver) return spool.strand(file.id, ENDED);
        refused.set(link, isGone ? ENDED : whyNot(error));
      }
    }));
  }
  const [fault] = refused.values();
  if (signal.aborted) return { sent };
  spool.noteFact("delivery", fault ?? "");
  return { sent, ...(fault !== undefined && { fault }) };
}

/** Delivers until it is told to stop; `wake` resolves when something came. */
export async function keepDelivering(
  delivering: Delivering,
  wake: () => Promise<void>,
): Promise<void> {
  const { signal, platform, say, warn } = delivering;
  let pauseMs = FIRST_PAUSE_MS;
  let told: string | undefined;
  while (!signal.aborted) {
    const { sent, fault } = await deliverWaiting(delivering);
    if (sent > 0) say(`delivered ${counted(sent, "file")}`);
    if (signal.aborted) return;
    if (fault !== told) {
      warn(fault ?? "the server accepts files again");
      told = fault;
    }
    if (fault === undefined) {
      pauseMs = FIRST_PAUSE_MS;
      await wake();
    } else {
      if (sent > 0) pauseMs = FIRST_PAUSE_MS;
      await platform.wait(pauseMs).catch(() => {});
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
  }
}

const ENDED = "the upload link has ended: make a new one, and run " +
  "`strongroom receive link`";
const DAMAGED = "it was changed on the disk";

async function deliverOne(
  { spool, platform, signal }: Omit<Delivering, "say" | "warn">,
  file: Outgoing,
): Promise<void> {
  using opened = await Deno.open(spool.sealedPath(file.id), { read: true });
  // Seeking and reading are two steps: one reader at a time.
  const read = async (offset: number, length: number): Promise<Bytes> => {
    signal.throwIfAborted();
    await opened.seek(offset, Deno.SeekMode.Start);
    const bytes = new Uint8Array(length);
    let at = 0;
    while (at < length) {
      const count = await opened.read(bytes.subarray(at));
      if (count === null) throw new Damaged(DAMAGED);
      at += count;
    }
    return bytes;
  };
  const link = { origin: file.origin, opaqueId: file.opaque_id };
  try {
    await deliverSealed(
      platform,
      link,
      {
        hash: file.hash,
        size: file.size,
        sealedMetadata: file.sealed,
        read,
        isFresh: true,
      },
      {
        pieceBytes: PIECE_BYTES,
        ...(file.upload === null ? {} : { upload: file.upload }),
        onUpload: (upload) => spool.noteUpload(file.id, upload),
      },
    );
  } catch (error) {
    const isOtherHash = error instanceof ApiProblem &&
      error.code === "error.upload.hash_mismatch";
    if (!isOtherHash) throw error;
    // The network or the disk changed it; only the disk cannot be repaired.
    if (await hashOf(read, file.size) !== file.hash) throw new Damaged(DAMAGED);
    throw error;
  }
  await spool.delivered(file, platform.now());
}

class Damaged extends Error {}

function isDamaged(error: unknown): boolean {
  return error instanceof Damaged || error instanceof Deno.errors.NotFound;
}

const HASHED_BYTES = 1024 * 1024;

async function hashOf(
  read: (offset: number, length: number) => Promise<Bytes>,
  size: number,
): Promise<string> {
  const hash = nativePrimitives.sha256();
  for (let at = 0; at < size; at += HASHED_BYTES) {
    hash.update(await read(at, Math.min(HASHED_BYTES, size - at)));
  }
  return toHex(hash.digest());
}

/** Whether it is the link that is not there, and not one of its sessions. */
async function isLinkGone(
  { platform }: Pick<Delivering, "platform">,
  { origin, opaque_id: opaqueId }: Outgoing,
): Promise<boolean> {
  try {
    await createGuest(clientOptions(platform, origin), opaqueId).viewLink();
    return false;
  } catch (error) {
    return isEnded(error);
  }
}

function isEnded(error: unknown): boolean {
  return error instanceof ApiProblem &&
    error.code === "error.upload_link.not_found";
}

function whyNot(error: unknown): string {
  if (error instanceof ApiProblem) {
    switch (error.code) {
      case "error.upload_link.exhausted":
        return "the upload link is full: make a new one, and run " +
          "`strongroom receive link`";
      case "error.storage.full":
        return "the server's disk is full";
      case "error.storage.quota_exceeded":
        return "the owner's account is full";
      default:
        return `the server refuses (${error.code})`;
    }
  }
  if (isDiskFull(error)) return "the disk is full here";
  return `the server cannot be reached (${reasonOf(error)})`;
}
