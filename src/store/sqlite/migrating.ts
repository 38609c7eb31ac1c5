/**
 * What a server says of a migration: what comes, whether there is room for it,
 * how far it is, and that it is done.
 *
 * @module
 */
import type { Log, Platform } from "../../core/platform.ts";
import { bytesInWords } from "../../core/sizes.ts";
import { SECOND_MS } from "../../core/time.ts";
import type { Migrated, Migrating, Opening } from "./database.ts";
import { StoreFault } from "../failure.ts";
import type { Files } from "../files/files.ts";

/** Long work says so often how far it is. */
const TELL_EVERY_MS = 10 * SECOND_MS;

/** How far a migration is. */
export interface MigrationState {
  readonly from: number;
  readonly to: number;
  readonly doing: "copying" | "changing";
  /** How much of the copy is made. */
  readonly percent?: number;
  /** Which of the changes is under way, from 1, and of how many. */
  readonly step?: number;
  readonly steps?: number;
  /** Seconds since it began. */
  readonly seconds: number;
}

/**
 * Is told that a migration begins, and asks how far it is; what it returns is
 * called when the migration has ended, well or not.
 */
export type MigrationWatch = (
  state: () => MigrationState,
) => Promise<() => Promise<void>>;

/** Tells of the migration of a data directory, in the log and to `watch`. */
export class TellingMigration implements
  Pick<
    Opening,
    "beforeMigration" | "onCopying" | "onChanging" | "onMigrated"
  > {
  #state: Omit<MigrationState, "seconds"> | undefined;
  #beganAt = 0;
  #toldAt = 0;
  #telling: AbortController | undefined;
  #unwatch: (() => Promise<void>) | undefined;

  constructor(
    readonly root: string,
    readonly files: Files,
    readonly platform: Pick<Platform, "log" | "monotonic" | "sleep">,
    readonly watch: MigrationWatch | undefined,
  ) {}

  readonly beforeMigration = async (coming: Migrating): Promise<void> => {
    await announce(this.root, coming, this.files, this.platform);
    const { from, to } = coming;
    this.#state = { from, to, doing: "copying", percent: 0 };
    this.#beganAt = this.#toldAt = this.platform.monotonic();
    this.#unwatch = await this.watch?.(() => this.#told({ from, to }));
  };

  readonly onCopying = (done: number, total: number): void => {
    const at = this.platform.monotonic();
    const percent = Math.floor(100 * done / total);
    if (this.#state !== undefined) this.#state = { ...this.#state, percent };
    if (at - this.#toldAt < TELL_EVERY_MS || done === 0) return;
    this.#toldAt = at;
    const leftMs = (at - this.#beganAt) * (total - done) / done;
    this.platform.log.info("copying the database", {
      percent,
      seconds_left: Math.ceil(leftMs / SECOND_MS),
    });
  };

  readonly onChanging = (step: number, steps: number): void => {
    if (this.#state === undefined) return;
    const { from, to } = this.#state;
    this.#state = { from, to, doing: "changing", step, steps };
    this.#telling?.abort();
    this.#telling = new AbortController();
    this.#tellChanging({ from, to, step, steps }, this.#telling.signal);
  };

  /** The duration of a change is unknown, so its progress is reported. */
  async #tellChanging(
    { step, steps, ...coming }: Record<
      "from" | "to" | "step" | "steps",
      number
    >,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      const { seconds } = this.#told(coming);
      this.platform.log.info("changing the database", { step, steps, seconds });
      await this.platform.sleep(TELL_EVERY_MS, signal);
    }
  }

  readonly onMigrated = (done: Migrated): void =>
    tellMigrated(done, this.platform.log);

  /** Ends what was begun for the migration, if there was one. */
  async end(): Promise<void> {
    this.#telling?.abort();
    await this.#unwatch?.();
    this.#unwatch = undefined;
  }

  #told(coming: Pick<MigrationState, "from" | "to">): MigrationState {
    const passedMs = this.platform.monotonic() - this.#beganAt;
    const seconds = Math.floor(passedMs / SECOND_MS);
    return { ...coming, doing: "copying", ...this.#state, seconds };
  }
}

/** Says what comes, and refuses it where there is too little room for it. */
async function announce(
  root: string,
  { from, to, bytes }: Migrating,
  files: Files,
  { log }: Pick<Platform, "log">,
): Promise<void> {
  // The copy, and what the change itself writes before it is committed.
  const needs = 2 * bytes;
  const free = await files.freeBytes(root);
  if (free < needs) {
    throw new StoreFault(
      `bringing the database from schema ${from} to ${to} needs ` +
        `${bytesInWords(needs)} in ${root}, and ${bytesInWords(free)} are ` +
        "free: make room and start again; nothing was changed",
    );
  }
  log.info(
    "the database is brought to a newer schema: a copy of it is made first, " +
      "then it is changed; nothing is served until then",
    { from, to, bytes, needs, free },
  );
}

function tellMigrated(migrated: Migrated, log: Log): void {
  log.info(
    "the database was brought to a newer schema; the copy is what it was " +
      "before: it is for going back to the program of before (strongroom " +
      "rollback), without what is written from now on, and can be removed " +
      "once this one has proved itself",
    { ...migrated },
  );
}
