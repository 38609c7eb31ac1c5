/**
 * The claim of a data directory to a place in a bucket: an object there, which
 * says whose the place is. A second directory that used the same place would
 * take the first one's blobs for strays and remove them.
 *
 * A claim carries a term, which is a random number that the server draws
 * at each start. The database knows the terms that it wrote, so a server that
 * was killed starts again without ceremony. If a directory was copied and both
 * copies were started, the one that started first finds a term that it does not
 * know.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Platform } from "../../../core/platform.ts";
import { reasonOf } from "../../../core/reason.ts";
import { MINUTE_MS, SECOND_MS } from "../../../core/time.ts";
import type { Db } from "../../sqlite/database.ts";
import { StoreFault } from "../../failure.ts";
import { BlobsUnavailable, BucketNotHeld } from "../../blobs/unavailable.ts";
import {
  beginTerm,
  type ClaimRow,
  endClaim,
  endTerm,
  forgetQuarantine,
  readClaim,
} from "./claim_rows.ts";
import type { FoundObject, S3Objects } from "./objects.ts";

/** Where the claim lies, behind the prefix. */
const OWNER_KEY = "owner.json";
/** How long an answer to whose the place is counts (ms). */
const FRESH_MS = MINUTE_MS;
/** How long a start waits for that answer (ms). */
const START_MS = 5 * SECOND_MS;
/** How often a claim is written that is not found there afterwards. */
const WRITES = 3;
/** A longer object is no claim (bytes). */
const CLAIM_MAX_BYTES = 4_096;

const idSchema = z.string().regex(/^[0-9a-f]{32}$/);

const claimSchema = z.object({
  version: z.literal(1),
  /** The data directory. */
  directory: idSchema,
  term: idSchema,
  /** The server's origin, for people. */
  server: z.string().max(1_000),
  /** When the term began, by the server's clock. */
  since: z.iso.datetime(),
});

/** What lies in the bucket. */
type Claim = z.infer<typeof claimSchema>;

/** Whose the place is, as this data directory sees it. */
type Holder =
  /**
   * No claim lies there. The place is free if it holds no blobs, or if this
   * directory had it before.
   */
  | { readonly kind: "nobody"; readonly isFree: boolean }
  | { readonly kind: "this"; readonly claim: Claim }
  /** A copy of this directory has it, or this one before it was put back. */
  | { readonly kind: "copy"; readonly claim: Claim }
  | { readonly kind: "other"; readonly claim: Claim }
  /** Something lies there that is no claim. */
  | { readonly kind: "unreadable" };

export interface BucketClaimParts {
  readonly db: Db;
  readonly objects: S3Objects;
  /** Names the place, for people and for the database. */
  readonly name: string;
  readonly platform: Pick<
    Platform,
    "now" | "monotonic" | "random" | "sleep" | "log"
  >;
}

interface Looked {
  readonly holder: Holder;
  readonly row: ClaimRow | undefined;
  /** The object that lies there, if any. */
  readonly found: FoundObject | undefined;
}

export class BucketClaim {
  /** The origin of the server that this process is; a command has none. */
  #server: string | undefined;
  #isStarting = false;
  #hasStarted = false;
  #freshUntil = -Infinity;
  #looking: Promise<void> | undefined;
  #toldOf = "";

  constructor(private readonly parts: BucketClaimParts) {}

  /**
   * Claims the place for a server that starts. Throws a {@link StoreFault} if it
   * is another's. If the store does not answer, the server starts all the same,
   * and {@link hold} claims the place before anything is put there or removed.
   */
  async start(server: string): Promise<void> {
    const { name, platform: { log, sleep } } = this.parts;
    this.#server = server;
    const answered = new AbortController();
    try {
      this.#isStarting = true;
      await Promise.race([
        this.hold(),
        sleep(START_MS, answered.signal).then(() => {
          if (answered.signal.aborted) return;
          throw new BlobsUnavailable("it takes its time", 1);
        }),
      ]);
    } catch (cause) {
      if (cause instanceof BucketNotHeld) {
        throw new StoreFault(cause.message, { cause });
      }
      if (!(cause instanceof BlobsUnavailable)) throw cause;
      log.warn(
        "whose the bucket is cannot be asked: nothing is placed there, nor " +
          "removed, before it answers",
        { bucket: name, cause: reasonOf(cause) },
      );
    } finally {
      this.#isStarting = false;
      answered.abort();
    }
  }

  /**
   * Returns if the place is this directory's, by an answer that is a minute old
   * at most. Throws a {@link BucketNotHeld} if it is another's, and a
   * `BlobsUnavailable` if that cannot be found out.
   */
  async hold(): Promise<void> {
    if (this.parts.platform.monotonic() < this.#freshUntil) return;
    await (this.#looking ??= this.#holdNow().finally(() => {
      this.#looking = undefined;
    }));
  }

  async #holdNow(): Promise<void> {
    const { log, monotonic } = this.parts.platform;
    const began = monotonic();
    const looked = await this.#look();
    const { holder } = looked;
    const mayWrite = this.#server !== undefined &&
      (holder.kind === "nobody" || !this.#hasStarted);
    const refusal = this.#refusalOf(looked) ??
      (mayWrite
        ? await this.#write(looked)
        : holder.kind === "nobody"
        ? `${this.parts.name} is not claimed: start the server first`
        : undefined);
    if (refusal !== undefined) {
      if (!this.#isStarting && this.#toldOf !== refusal) log.error(refusal);
      this.#toldOf = refusal;
      throw new BucketNotHeld(refusal);
    }
    this.#toldOf = "";
    this.#hasStarted = true;
    this.#freshUntil = began + FRESH_MS;
  }

  /** Whose the place is. */
  async holder(): Promise<Holder> {
    return (await this.#look()).holder;
  }

  /** Takes the place from its holder, as the operator said to do. */
  async take(server: string): Promise<void> {
    this.#server = server;
    const refusal = await this.#write(await this.#look());
    if (refusal !== undefined) throw new BucketNotHeld(refusal);
    await forgetQuarantine(this.parts.db);
  }

  /** Gives the place up, if it is this directory's. */
  async release(): Promise<void> {
    const { db, name, objects } = this.parts;
    const { holder } = await this.#look();
    if (holder.kind === "this") await objects.remove(OWNER_KEY);
    await endClaim(db, name);
    this.#freshUntil = -Infinity;
  }

  /** Why this directory may not use the place; undefined if it may. */
  refusalOf(holder: Holder): string | undefined {
    return refusalOf(this.parts.name, holder);
  }

  #refusalOf({ holder, row }: Looked): string | undefined {
    // An unreadable claim may be this directory's own, damaged on its way.
    if (holder.kind === "unreadable" && row?.next_term) return undefined;
    return this.refusalOf(holder);
  }

  async #look(): Promise<Looked> {
    const { db, name, objects } = this.parts;
    const found = await objects.find(OWNER_KEY, CLAIM_MAX_BYTES);
    const row = await readClaim(db, name);
    if (found === undefined) {
      const isFree = row !== undefined || await this.#isEmpty();
      return { holder: { kind: "nobody", isFree }, row, found };
    }
    const claim = readOwner(found.text);
    return { holder: holderOf(claim, row), row, found };
  }

  async #isEmpty(): Promise<boolean> {
    for await (const found of this.parts.objects.list("blobs/")) {
      return found.length === 0;
    }
    return true;
  }

  /** Writes the next term. Returns why it could not, if another was quicker. */
  async #write({ row, found }: Looked): Promise<string | undefined> {
    const { db, name, objects, platform } = this.parts;
    const draw = () => platform.random(16).toHex();
    const directory = row?.directory ?? draw();
    // A claim that was sent before may still arrive: it is sent again as it was.
    const term = row?.next_term ?? draw();
    await beginTerm(db, { name, directory, next_term: term });
    const bytes = new TextEncoder().encode(JSON.stringify({
      version: 1,
      directory,
      term,
      server: this.#server ?? "",
      since: new Date(platform.now()).toISOString(),
    }));
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    let over = found;
    for (let attempt = 1; attempt <= WRITES; attempt++) {
      await objects.putOver(OWNER_KEY, bytes, sha256, over?.tag);
      // What lies there decides, whatever the answer was.
      const after = await this.#look();
      const { holder } = after;
      if (holder.kind === "this" && holder.claim.term === term) {
        await endTerm(db, name);
        return undefined;
      }
      if (holder.kind === "other" || holder.kind === "copy") {
        if (after.found?.text !== found?.text) return this.refusalOf(holder);
      }
      over = after.found;
    }
    throw new BlobsUnavailable("it does not keep what it is given", 60);
  }
}

/** Why this directory may not use a place; undefined if it may. */
function refusalOf(name: string, holder: Holder): string | undefined {
  const rather = "choose another bucket or STRONGROOM_S3_PREFIX; or, where " +
    "this one takes its place for good, run strongroom blobs claim --take";
  switch (holder.kind) {
    case "this":
      return undefined;
    case "nobody":
      return holder.isFree
        ? undefined
        : `${name} contains files, and no server claims it: ${rather}`;
    case "unreadable":
      return `what lies in ${name} as ${OWNER_KEY} is no claim: ${rather}`;
    case "copy":
      return `a copy of this data directory, or this one before it was put ` +
        `back, has ${name} since ${holder.claim.since}, as ` +
        `${serverOf(holder.claim)}: ${rather}`;
    case "other":
      return `another data directory has ${name} since ` +
        `${holder.claim.since}, as ${serverOf(holder.claim)}: ${rather}`;
  }
}

/** The claim's origin, on one line, even if it was forged. */
export function serverOf({ server }: Claim): string {
  return server.replaceAll(/[^\x21-\x7e]/g, "?");
}

function holderOf(
  claim: Claim | undefined,
  row: ClaimRow | undefined,
): Holder {
  if (claim === undefined) return { kind: "unreadable" };
  if (row?.directory !== claim.directory) return { kind: "other", claim };
  const terms = [row.term, row.next_term, row.last_term];
  return { kind: terms.includes(claim.term) ? "this" : "copy", claim };
}

function readOwner(text: string): Claim | undefined {
  try {
    return claimSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
