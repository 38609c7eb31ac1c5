/**
 * Checking the server's public logs: that each goes on from what this account
 * has seen of it, that witnesses whom the person believes saw the same, and
 * that what it says of this account is what its devices did
 * (protocol/logs.md#what-a-client-checks).
 *
 * @module
 */
import { equalBytes, fromHex, toHex } from "../../core/bytes.ts";
import { DAY_MS, parseRfc3339, toRfc3339 } from "../../core/time.ts";
import {
  formatLogEvidence,
  verifyLogEvidence,
} from "../../crypto/log_evidence.ts";
import {
  judgeNote,
  LogPolicyError,
  parseLogPolicy,
} from "../../crypto/log_policy.ts";
import { LogRange } from "../../crypto/log_range.ts";
import type { PublishedKeys } from "../../crypto/receipt_chain.ts";
import { parseNote } from "../../crypto/signed_note.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import {
  directoryVersion,
  verifyDirectory,
} from "../../client/documents/directory.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { verifyRoster } from "../../client/documents/roster.ts";
import { persist } from "../../client/api/send.ts";
import { ApiProblem } from "../../client/api/transport.ts";
import type { Custody } from "../trust/custody.ts";
import { isOfEverything } from "../base/faults.ts";
import { lookAtApp } from "./log_app.ts";
import { albumSubject, readEntry, userSubject } from "./log_entries.ts";
import {
  entriesFrom,
  fetchNote,
  type LogName,
  LogTiles,
  openHead,
  type SignedHead,
  WrongTiles,
} from "./log_reading.ts";
import type {
  LogFault,
  LogFinding,
  LogsRecord,
  SeenCheckpoint,
} from "../trust/log_record.ts";
import {
  type LogState,
  type NewestEntry,
  type OwnEntry,
  type ReadKeysLog,
  readLogState,
  writeLogState,
} from "./log_state.ts";
import {
  LOGGED_WITHIN_MS,
  type LogReceipts,
  lookUpReceipts,
} from "./log_receipts.ts";
import type { ShownDirectories } from "../trust/log_shown.ts";
import { entryOf } from "../base/merging.ts";
import { directoryOf } from "../vault/naming.ts";
import {
  changePublished,
  type Published,
  type PublishedDocument,
  readPublished,
  withDocuments,
} from "../vault/published.ts";
import type { Session } from "../vault/session.ts";
import type { Store } from "../base/store.ts";
import type { Trust } from "../trust/trust.ts";
import type { TrustRecord } from "../trust/trust_record.ts";
import { claimInForce, isAccepted, withLogs } from "../trust/trust_rules.ts";
import type { Vault } from "../vault/vault.ts";

/** What checking works with. */
export interface LogContext {
  readonly vault: Vault;
  readonly store: Store;
  readonly trust: Trust;
  readonly custody: Custody;
  readonly shown: ShownDirectories;
}

/** One of the account's entries in the keys log. */
export interface OwnPublication extends OwnEntry {
  /** The device and the time, as that device noted them. */
  readonly by: string | undefined;
  readonly at: string | undefined;
  /** Whether a device of this account published it. */
  readonly isOurs: boolean;
}

/** What a check found. */
export interface LogsReport {
  readonly at: string;
  /** `off`: the server has no logs, and never showed any. */
  readonly state: "checked" | "off";
  readonly logs: readonly {
    readonly name: LogName;
    readonly origin: string;
    readonly size: number;
    readonly isWitnessed: boolean;
    readonly witnesses: readonly {
      readonly name: string;
      readonly at: string;
    }[];
  }[];
  /**
   * Whether enough witnesses saw every log that this server ever showed, as it
   * is shown now.
   */
  readonly isWitnessed: boolean;
  /** The account's own entries, oldest first. */
  readonly own: readonly OwnPublication[];
  /** SHA-256 of the web app that the log names last. */
  readonly app: string | undefined;
  /** Files of the web app here that are those of the log; 0 outside browsers. */
  readonly appFiles: number;
  /** Receipts that were found in the log. */
  readonly receipts: number;
  /** The logs began anew after a restore, and said so. */
  readonly restarted: readonly string[];
  /** What is wrong. */
  readonly findings: readonly (LogFinding & { readonly id: string })[];
}

/** Files that a finding names. */
const MOST_NAMED = 5;

/** Checks both logs. Throws what is about the connection or the session. */
export async function checkLogs(
  context: LogContext,
  { receipts = "sample" }: { readonly receipts?: LogReceipts } = {},
): Promise<LogsReport> {
  const { trust } = context;
  if (!trust.fresh) await trust.read();
  const check = new LogCheck(context, await readLogState(context.store));
  return await check.run(receipts);
}

class LogCheck {
  #found: Record<string, LogFinding> = {};
  #restarted: string[] = [];
  #now: string;

  constructor(
    private readonly context: LogContext,
    private state: LogState,
  ) {
    this.#now = toRfc3339(context.vault.session.platform.now());
  }

  get #trusted(): TrustRecord {
    return this.context.trust.record;
  }

  get #record(): LogsRecord {
    return this.#trusted.logs ?? { seen: {}, evidence: {} };
  }

  async run(receipts: LogReceipts): Promise<LogsReport> {
    const { trust, store, vault: { session } } = this.context;
    const keys = await this.#attempt("keys", () => this.#log("keys"));
    const custody = await this.#attempt(
      "custody",
      () => this.#log("custody"),
    );
    const heads = [keys, custody].filter((one) => one !== undefined);
    let own: readonly OwnPublication[] = [];
    if (keys !== undefined) {
      own = await this.#attempt("own", () => this.#ownEntries()) ?? [];
      await this.#attempt("people", () => this.#people());
    }
    const appFiles = keys === undefined
      ? 0
      : await this.#attempt("app", () => this.#app()) ?? 0;
    let looked = 0;
    if (custody !== undefined && receipts !== "none") {
      looked = await this.#attempt(
        "receipts",
        () =>
          lookUpReceipts(
            { custody: this.context.custody, session },
            custody,
            receipts,
            (seq) =>
              this.#tell(
                "receipt_missing",
                `${custody.origin} ${seq}`,
                `receipt ${seq}, which the server signed, is not in ` +
                  custody.origin,
              ),
          ),
      ) ?? 0;
    }
    const logs = [];
    for (const head of heads) logs.push(await this.#witnessed(head));
    this.state = { ...this.state, checked_at: this.#now };
    await this.#note(heads);
    await writeLogState(store, this.state);
    const isSound = Object.keys(this.#found).length === 0;
    // Before the first receipt there is no log of receipts.
    const isWhole = keys !== undefined &&
      (custody !== undefined || this.#before("custody") === undefined);
    const isWitnessed = isWhole && logs.every((one) => one.isWitnessed);
    if (isSound && isWitnessed && trust.status === "unconfirmed") {
      await this.#confirm(session.device.device_id);
    }
    await trust.settle();
    const evidence = trust.record.logs?.evidence ?? {};
    return {
      at: this.#now,
      state: logs.length === 0 && Object.keys(this.#record.seen).length === 0
        ? "off"
        : "checked",
      logs,
      isWitnessed,
      own,
      app: this.state.keys?.app,
      appFiles,
      receipts: looked,
      restarted: this.#restarted,
      // What was answered stays answered.
      findings: Object.entries({ ...this.#found, ...evidence })
        .map(([id, finding]) => ({ id, ...finding })),
    };
  }

  #tell(kind: LogFault, id: string, detail: string, file?: string): void {
    const at = this.#now;
    this.#found[`${kind} ${id}`] = {
      kind,
      detail,
      at,
      ...file === undefined ? {} : { file },
    };
  }

  /**
   * Does a part of the check. An answer that fits nothing is told, because
   * otherwise a server could keep the check from ever coming to an end.
   */
  async #attempt<T>(
    part: string,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (isOfEverything(error)) throw error;
      const why = error instanceof Error ? error.message : String(error);
      this.#tell(
        "gone",
        part,
        `the server cannot be checked (${part}): ${why}`,
      );
      return undefined;
    }
  }

  /** Follows a log to its newest checkpoint; undefined if it is not believed. */
  async #log(name: LogName): Promise<SignedHead | undefined> {
    for (let tries = 1;; tries++) {
      const head = await this.#head(name);
      if (head === undefined) return undefined;
      try {
        return await this.#follow(head) ? head : undefined;
      } catch (error) {
        if (!(error instanceof WrongTiles)) throw error;
        // The log may have begun anew between two requests.
        if (tries < 2) continue;
        this.#tell(
          "wrong_tiles",
          head.origin,
          `${head.origin}: ${error.message}`,
        );
        return undefined;
      }
    }
  }

  async #head(name: LogName): Promise<SignedHead | undefined> {
    const { vault: { session }, custody } = this.context;
    const note = await fetchNote(session, name);
    if (note === undefined) {
      const before = this.#before(name);
      if (before !== undefined) {
        this.#tell("gone", name, `the server no longer shows ${before.origin}`);
      }
      return undefined;
    }
    // What it has rotated since the last look, a key signs no more.
    const trusted = await custody.keys({ renew: true });
    const head = await openHead(name, note, this.#inForce(trusted));
    if (head !== undefined) return head;
    const isRetired = await openHead(name, note, trusted) !== undefined;
    this.#tell(
      "not_signed",
      name,
      `the checkpoint of the log of ${WHAT[name]} is not signed by this ` +
        `server${isRetired ? ", but by a key that it retired" : ""}`,
    );
    return undefined;
  }

  /**
   * The keys that may sign now. A server signs again within minutes after it
   * rotated its key.
   */
  #inForce(trusted: PublishedKeys): PublishedKeys {
    const now = this.context.vault.session.platform.now();
    const keys = trusted.keys.filter(({ activeTo }) =>
      activeTo === null || now - activeTo < LOGGED_WITHIN_MS
    );
    return { ...trusted, keys };
  }

  /** The newest checkpoint of a log that any device saw. */
  #before(name: LogName): (SeenCheckpoint & { origin: string }) | undefined {
    const [newest] = Object.entries(this.#record.seen)
      .filter(([origin]) => origin.includes(`/${name}/`))
      .map(([origin, seen]) => ({ ...seen, origin }))
      .toSorted((a, b) =>
        a.at === b.at ? b.size - a.size : a.at < b.at ? 1 : -1
      );
    return newest;
  }

  async #follow(head: SignedHead): Promise<boolean> {
    const seen = entryOf(this.#record.seen, head.origin);
    if (seen !== undefined && head.size < seen.size) {
      this.#tell(
        "went_back",
        `${head.origin} ${seen.size}`,
        `${head.origin} had ${seen.size} entries, and the server shows ` +
          `${head.size}`,
      );
      return false;
    }
    const isConsistent = seen === undefined ||
      await this.#goesOn(head, seen);
    if (!isConsistent) return false;
    if (head.name === "keys") await this.#readKeys(head);
    else this.state = { ...this.state, custody: custodyOf(head) };
    return seen !== undefined || await this.#begins(head);
  }

  /** Whether a tree goes on from one that was seen; keeps what proves it not. */
  async #goesOn(head: SignedHead, seen: SeenCheckpoint): Promise<boolean> {
    const root = fromHex(seen.root) ?? new Uint8Array();
    const { vault: { session }, custody } = this.context;
    let other;
    if (head.size === seen.size) {
      if (equalBytes(head.root, root)) return true;
    } else {
      const tiles = new LogTiles(session, head);
      const verdict = await tiles.follows({ size: seen.size, root });
      if (verdict.ok) return true;
      other = verdict;
    }
    const evidence = { notes: [seen.note, head.note] as const, other };
    const trusted = await custody.keys();
    const isProven = (await verifyLogEvidence(evidence, trusted)).ok;
    this.#tell(
      "contradiction",
      `${head.origin} ${seen.size} ${head.size}`,
      `the server signed two trees of ${head.origin} that contradict each ` +
        `other, of ${seen.size} and of ${head.size} entries`,
      isProven ? formatLogEvidence(evidence, trusted) : undefined,
    );
    return false;
  }

  /** Whether a log that was never seen may be believed. */
  async #begins(head: SignedHead): Promise<boolean> {
    const before = this.#before(head.name);
    if (before === undefined) return true;
    const trusted = await this.context.custody.keys();
    for (const { origin, note } of this.state.keys?.follows ?? []) {
      const seen = entryOf(this.#record.seen, origin);
      if (seen === undefined || origin !== before.origin) continue;
      const last = await openHead(head.name, note, trusted);
      if (last?.origin !== origin) continue;
      // It repeats the log before up to there, and what was seen of it.
      const until = seen.size < last.size ? [seen, last] : [last];
      if (!await this.#repeats(head, origin, until)) return false;
      const isOther = last.size === seen.size && toHex(last.root) !== seen.root;
      if (isOther) continue;
      this.#restarted.push(head.origin);
      return true;
    }
    const id = `begun_anew ${head.origin}`;
    if (entryOf(this.#record.evidence, id)?.answered_at !== undefined) {
      return true;
    }
    this.#tell(
      "begun_anew",
      head.origin,
      `the log of ${WHAT[head.name]} began anew as ${head.origin}, and does ` +
        `not say that it follows ${before.origin}`,
    );
    return false;
  }

  /** Whether a log that follows another one begins with its entries. */
  async #repeats(
    head: SignedHead,
    origin: string,
    heads: readonly (
      & { readonly size: number }
      & { readonly root: Uint8Array | string }
    )[],
  ): Promise<boolean> {
    const tiles = new LogTiles(this.context.vault.session, head);
    for (const { size, root } of heads) {
      const before = {
        size,
        root: typeof root === "string"
          ? fromHex(root) ?? new Uint8Array()
          : root,
      };
      const isThere = size === head.size
        ? equalBytes(head.root, before.root)
        : size < head.size && (await tiles.follows(before)).ok;
      if (isThere) continue;
      this.#tell(
        "begun_anew",
        head.origin,
        `${head.origin} does not begin with the ${size} entries of ${origin}, ` +
          "which it says it follows",
      );
      return false;
    }
    return true;
  }

  /** Reads the entries that are new, whose hashes have to make the root. */
  async #readKeys(head: SignedHead): Promise<void> {
    const { trust, vault: { session } } = this.context;
    const self = userSubject(session.userId);
    const ownAlbums = new Set(
      Object.entries(trust.record.albums)
        .filter(([, album]) => claimInForce(album)?.own === true)
        .map(([id]) => albumSubject(id)),
    );
    ownAlbums.add(albumSubject(this.context.vault.libraryAlbumId));
    const subjects = new Set([
      self,
      ...ownAlbums,
      ...Object.keys(trust.record.people).map(userSubject),
      ...Object.entries(trust.record.albums)
        .filter(([, album]) => isAccepted(album))
        .map(([id]) => albumSubject(id)),
    ]);
    const held = this.state.keys;
    const known = new Set(held?.subjects);
    const isFurther = held?.origin === head.origin &&
      held.size <= head.size && [...subjects].every((one) => known.has(one));
    const start: ReadKeysLog = isFurther && held !== undefined ? held : {
      origin: head.origin,
      size: 0,
      edge: [],
      subjects: [],
      newest: {},
      own: [],
      follows: [],
    };
    const range = new LogRange(
      start.size,
      start.edge.map((hex) => fromHex(hex) ?? new Uint8Array()),
    );
    const there = new Set<string>();
    const newest: Record<string, NewestEntry> = { ...start.newest };
    const own = [...start.own];
    const follows = [...start.follows];
    let app = start.app;
    for await (
      const { index, entry, hash } of entriesFrom(session, head, start.size)
    ) {
      range.append(hash);
      const said = readEntry(entry);
      if (said?.kind === "app") app = said.sha256;
      if (said?.kind === "follows") follows.push(said);
      if (said?.kind !== "directory" && said?.kind !== "roster") continue;
      const { kind: what, subject, version, sha256 } = said;
      if (!subjects.has(subject)) continue;
      there.add(sha256);
      const { key_id: before, is_split: wasSplit } = entryOf(newest, subject) ??
        {};
      const { keyId: key_id = before } = said;
      const isSplit = wasSplit === true ||
        (before !== undefined && key_id !== before);
      newest[subject] = {
        version,
        sha256,
        index,
        ...(key_id === undefined ? {} : { key_id }),
        ...(isSplit ? { is_split: true } : {}),
      };
      const isOwn = what === "directory"
        ? subject === self
        : ownAlbums.has(subject);
      if (isOwn) own.push({ what, version, sha256, index });
    }
    if (!equalBytes(range.root(), head.root)) {
      // What was read before may be of another tree: it is read again.
      this.state = { ...this.state, keys: undefined };
      throw new WrongTiles("its entries do not make its root");
    }
    const keys: ReadKeysLog = {
      origin: head.origin,
      size: head.size,
      edge: range.hashes.map(toHex),
      subjects: [...subjects],
      newest,
      own,
      follows,
      ...app === undefined ? {} : { app },
    };
    this.state = { ...this.state, keys };
    if (held === undefined || held.origin === head.origin) return;
    // After a restore: what it had, and has no more.
    for (
      const { sha256, index, version } of [
        ...held.own,
        ...Object.values(held.newest),
      ]
    ) {
      if (there.has(sha256)) continue;
      this.#tell(
        "entry_lost",
        sha256,
        `entry ${index} of ${held.origin} (version ${version}) is not in ` +
          `${head.origin}, which follows it: a restore lost it`,
      );
    }
  }

  /** Compares the account's entries with what its devices noted. */
  async #ownEntries(): Promise<readonly OwnPublication[]> {
    const { vault } = this.context;
    const entries = this.state.keys?.own ?? [];
    let published = await readPublished(vault);
    // A server that was set back has lost what was noted since.
    const held = this.state.published;
    if (withDocuments(published, held) !== published) {
      published = await changePublished(
        vault,
        (before) => withDocuments(before, held),
      );
    }
    const unknown = () =>
      entries.filter(({ sha256 }) =>
        !Object.hasOwn(published.documents, sha256)
      );
    published = await this.#takeUp(published, unknown());
    this.state = { ...this.state, published: published.documents };
    for (const { what, version, index, sha256 } of unknown()) {
      this.#tell(
        "not_ours",
        sha256,
        `entry ${index} of ${this.state.keys?.origin ?? "the keys log"}: a ` +
          `${WHATS[what]} (version ${version}) that none of your devices ` +
          "published",
      );
    }
    return entries.map((entry) => {
      const noted = entryOf(published.documents, entry.sha256);
      return {
        ...entry,
        by: noted?.by,
        at: noted?.at,
        isOurs: noted !== undefined,
      };
    });
  }

  /**
   * Takes up what this account signed and no device noted, such as its first
   * directory and the roster of its library. A server cannot make these. A
   * device that may know less than the others takes up nothing.
   */
  async #takeUp(
    published: Published,
    entries: readonly OwnEntry[],
  ): Promise<Published> {
    const { vault, trust } = this.context;
    const { session, identity } = vault;
    const maySay = trust.status === "whole" &&
      this.#record.begun_at !== undefined;
    if (!maySay || entries.length === 0) return published;
    const documents: Record<string, PublishedDocument> = {};
    const key = identity.signer.publicKey;
    const { hybrid } = session.platform;
    const bytes = await directoryOf(session);
    if (bytes !== undefined) {
      const sha256 = sha256Hex(bytes);
      const isNamed = entries.some((one) => one.sha256 === sha256);
      const verified = isNamed
        ? await unlessRefused(
          verifyDirectory(bytes, key, session.userId, hybrid),
        )
        : undefined;
      if (verified !== undefined) {
        const { devices, signed_at: at } = verified;
        const by = devices.at(-1)?.device_id;
        documents[sha256] = {
          what: "directory",
          at,
          ...by === undefined ? {} : { by },
        };
      }
    }
    if (entries.some(({ what }) => what === "roster")) {
      const roster = await ownRoster(session, vault.libraryAlbumId);
      const sha256 = roster === undefined ? "" : sha256Hex(roster);
      const isNamed = entries.some((one) => one.sha256 === sha256);
      const verified = roster !== undefined && isNamed
        ? await unlessRefused(verifyRoster(roster, key, hybrid))
        : undefined;
      if (verified !== undefined) {
        documents[sha256] = { what: "roster", at: verified.signed_at };
      }
    }
    if (Object.keys(documents).length === 0) return published;
    return await changePublished(
      vault,
      (before) => withDocuments(before, documents),
    );
  }

  /** Compares the directories that were shown with the log's newest. */
  async #people(): Promise<void> {
    const { shown, vault: { session } } = this.context;
    const { keys } = this.state;
    for (const [userId, before] of Object.entries(shown.held)) {
      let now = before;
      const newest = entryOf(keys?.newest ?? {}, userSubject(userId));
      if (newest !== undefined && newest.version > before.version) {
        // They published another one since.
        const { bytes } = await persist(
          session.account,
          () => session.account.directory(userId),
          {},
        );
        const version = directoryVersion(bytes) ?? before.version;
        now = { version, sha256: sha256Hex(bytes), at: this.#now };
      }
      const isLate = session.platform.now() -
          (parseRfc3339(now.at) ?? 0) > LOGGED_WITHIN_MS;
      const why = newest?.is_split === true
        ? "is one of two identities that the log names for them"
        : newest === undefined || newest.version < now.version
        ? isLate ? "is not in the log" : undefined
        : newest.version > now.version
        ? "is older than the newest in the log"
        : newest.sha256 !== now.sha256
        ? "is not the one in the log"
        : undefined;
      const { frozen: _frozen, ...plain } = now;
      await shown.put(
        userId,
        why === undefined ? { ...plain, checked: true } : {
          ...plain,
          checked: true,
          frozen: true,
        },
      );
      if (why === undefined) continue;
      this.#tell(
        "other_directory",
        `${userId} ${now.sha256}`,
        `the devices that the server shows for ${userId}: its list ${why}. ` +
          "Nothing is shared with them until that is clear",
      );
    }
    for (const [id, album] of Object.entries(this.#trusted.albums)) {
      const claim = claimInForce(album);
      const newest = entryOf(keys?.newest ?? {}, albumSubject(id));
      const isOther = isAccepted(album) && claim?.own !== true &&
        newest?.version === claim?.roster_version &&
        claim?.roster !== undefined && newest?.sha256 !== claim.roster;
      if (!isOther) continue;
      this.#tell(
        "other_roster",
        `${id} ${claim.roster}`,
        `the list of members that the server shows for the album ${id} is ` +
          "not the one in the log",
      );
    }
  }

  /** Compares the web app that this browser runs; how many files are right. */
  async #app(): Promise<number> {
    const { servedApp } = this.context.vault.session.platform;
    const named = this.state.keys?.app;
    if (servedApp === undefined || named === undefined) return 0;
    const { manifest, compared, wrong } = await lookAtApp(await servedApp());
    if (wrong.length > 0) {
      this.#tell(
        "other_app",
        `${manifest} ${wrong.join(" ")}`,
        "the server gave this browser other files of the web app than it " +
          `lists: ${wrong.slice(0, MOST_NAMED).join(", ")}`,
      );
    }
    const { app_other_since: before, ...state } = this.state;
    if (manifest === named) {
      this.state = state;
      return compared - wrong.length;
    }
    // After an update the log follows the app within a minute or so.
    const since = before ?? this.#now;
    this.state = { ...state, app_other_since: since };
    if (Date.parse(this.#now) - Date.parse(since) > LOGGED_WITHIN_MS) {
      this.#tell(
        "other_app",
        `${named} ${manifest}`,
        "the server gives this browser another web app than the one that the " +
          "public log names for everybody",
      );
    }
    return 0;
  }

  /** What the person's witnesses say of a checkpoint. */
  async #witnessed(head: SignedHead) {
    const { name, origin, size } = head;
    const text = this.#record.policy?.text;
    const note = parseNote(head.note);
    const policy = text === undefined ? undefined : policyOf(text);
    const verdict = policy === undefined || note === undefined
      ? { isMet: false, by: [] }
      : await judgeNote(policy, note);
    const witnesses = verdict.by.map(({ witness, at }) => ({
      name: witness.name,
      at: toRfc3339(at),
    }));
    const before = entryOf(this.state.standing, name);
    const met_at = verdict.isMet && witnesses.length > 0
      ? witnesses.map(({ at }) => at).toSorted()[0]
      : before?.origin === origin
      ? before.met_at
      : undefined;
    this.state = {
      ...this.state,
      standing: {
        ...this.state.standing,
        [name]: {
          origin,
          size,
          is_met: verdict.isMet,
          witnesses,
          ...met_at === undefined ? {} : { met_at },
        },
      },
    };
    // A cosignature of last week says nothing of what is signed since.
    const isWitnessed = verdict.isMet &&
      witnesses.every(({ at }) =>
        Date.parse(this.#now) - Date.parse(at) < STALE_MS
      );
    return { name, origin, size, isWitnessed, witnesses };
  }

  /** Remembers the checkpoints that were verified and what was found. */
  async #note(heads: readonly SignedHead[]): Promise<void> {
    const seen: Record<string, SeenCheckpoint> = {};
    for (const { origin, size, root, note } of heads) {
      const before = entryOf(this.#record.seen, origin);
      if (before !== undefined && before.size >= size) continue;
      seen[origin] = { size, root: toHex(root), note, at: this.#now };
    }
    // What may pass, such as a server without logs today, is not kept.
    const evidence = Object.fromEntries(
      Object.entries(this.#found).filter(([, { kind }]) => LASTING.has(kind)),
    );
    await this.context.trust.change((record) =>
      withLogs(record, { seen, evidence })
    );
  }

  /**
   * The newest public entry for this account is the directory that the server
   * shows, so its counter bounds what the slots have to hold.
   */
  async #confirm(deviceId: string): Promise<void> {
    const { trust, vault: { session } } = this.context;
    const bytes = await directoryOf(session);
    const subject = userSubject(session.userId);
    const newest = entryOf(this.state.keys?.newest ?? {}, subject);
    if (bytes === undefined || newest?.sha256 !== sha256Hex(bytes)) return;
    await trust.change((record) => {
      const device = entryOf(record.devices, deviceId);
      if (device === undefined) return record;
      const confirmed = {
        ...device,
        confirmed_by: "witnesses",
        confirmed_at: this.#now,
      };
      return {
        ...record,
        devices: { ...record.devices, [deviceId]: confirmed },
      };
    });
  }
}

/** Cosignatures are made anew once a day. */
const STALE_MS = 3 * DAY_MS;

/** A document; undefined if this account did not sign it. */
async function unlessRefused<T>(verified: Promise<T>): Promise<T | undefined> {
  try {
    return await verified;
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

/** The roster of an own album as the server shows it. */
async function ownRoster({ account }: Session, albumId: string) {
  try {
    return await persist(account, () => account.roster(albumId), {});
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return undefined;
    throw error;
  }
}

const LASTING: ReadonlySet<string> = new Set<LogFault>([
  "entry_lost",
  "contradiction",
  "other_app",
  "went_back",
  "begun_anew",
  "receipt_missing",
  "not_ours",
  "other_directory",
  "other_roster",
]);

const WHAT = { custody: "receipts", keys: "keys" } as const;
const WHATS = {
  directory: "list of devices",
  roster: "list of an album's members",
} as const;

function custodyOf({ origin, size, root, note }: SignedHead) {
  return { origin, size, root: toHex(root), note };
}

/** A policy; undefined for one that only a newer program reads. */
function policyOf(text: string) {
  try {
    return parseLogPolicy(text);
  } catch (error) {
    if (error instanceof LogPolicyError) return undefined;
    throw error;
  }
}
