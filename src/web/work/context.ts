/**
 * What the vault's thread holds: the session, the keys, the library. Pages see
 * none of it; they call functions and hear of events.
 *
 * @module
 */
import {
  type Library,
  type LibraryPlatform,
  openLibrary,
  type Session,
  type Store,
  type Vault,
} from "../../client/library/mod.ts";
import { browserFetch, now, randomBytes, sleep } from "../browser.ts";
import { browserStore } from "./browser_store.ts";
import { type Front, keepFront, openFront } from "./front.ts";
import { PhotoShelf } from "./photo_shelf.ts";
import { type BrowserKeep, browserKeep } from "./keep.ts";
import { type Farewell, Presence } from "./presence.ts";
import type { Fault } from "./wire.ts";

/** How far a person is in. */
export type Phase =
  /** Nobody is signed in here. */
  | "out"
  /** Somebody is; what this browser keeps wants the unlock phrase. */
  | "sealed"
  /** Signed in to an account that has no keys yet: sign-up goes on. */
  | "new"
  /** Signed in; the keys of the account are not here yet. */
  | "locked"
  /** The library is open. */
  | "open";

/** How far two devices are. */
export type Pairing =
  | { readonly step: "none" }
  /** On the device that has the keys: what the other one scans or types. */
  | {
    readonly step: "show";
    readonly link: string;
    readonly code: string;
    readonly expiresAt: string;
  }
  /** On both: whether they show the same words. */
  | {
    readonly step: "compare";
    readonly words: readonly string[];
    /** What the other device calls itself. */
    readonly name?: string;
  }
  | { readonly step: "working" };

/** What pages are told of the person. */
export interface Standing {
  readonly phase: Phase;
  readonly userId?: string;
  readonly address?: string;
  readonly deviceId?: string;
  /** The server ended the session that was here. */
  readonly ended?: true;
  /** Whether an unlock phrase opens what this browser keeps. */
  readonly phrase?: boolean;
  /** Whether this browser remembers the person beyond the page. */
  readonly lasts?: boolean;
}

/** What happens in the vault, and what pages are told of it. */
export interface VaultEvents {
  readonly standing: Standing;
  /** A question that a page answers with `session.answer`. */
  readonly ask: Question;
  /** How far the pairing with another device is. */
  readonly pairing: Pairing;
  /** The server is asked again at that time (ms), and not before. */
  readonly waiting: { readonly until: number };
  /** This thread ends; pages begin anew. */
  readonly closing: { readonly why: Farewell };
  /** Rows were added, changed or taken away. */
  readonly library: { readonly revision: number };
  /** How the sync stands. */
  readonly sync: SyncState;
  /** How many photos are not as they should be. */
  readonly alarms: { readonly count: number };
  /** How far a check is; undefined once it ended. */
  readonly check: CheckProgress | undefined;
  /** How far a file is that is being taken in. */
  readonly intake: IntakeProgress;
  /** A file that a zip had to go without. */
  readonly unsaved: { readonly name: string };
  /** Something that is played could not be read on. */
  readonly unreadable: { readonly assetId: string; readonly fault: Fault };
  /** Guests may have left something under an upload link. */
  readonly guests: Record<never, never>;
}

/** How the sync with the server stands. */
export interface SyncState {
  readonly state: "idle" | "working" | "offline" | "refused";
  /** Assets looked at, of how many that are known of; while it works. */
  readonly done?: number;
  /** Why it was refused, for people. */
  readonly message?: string;
}

/** How far a file is: bytes of all that are to be sealed and sent. */
export interface IntakeProgress {
  readonly id: string;
  readonly done: number;
  readonly total: number;
}

/** The ways to look whether the server keeps what it promised. */
export type CheckKind =
  /** Ask it. */
  | "confirm"
  /** Have it read every byte again. */
  | "deep"
  /** Fetch every byte and compare. */
  | "download"
  /** Verify every receipt that the account was ever given. */
  | "receipts";

/** How far a check is. */
export interface CheckProgress {
  readonly kind: CheckKind;
  readonly done: number;
  readonly of?: number;
}

/** What the vault needs from the person. */
export interface Question {
  readonly id: number;
  readonly kind: "password" | "code";
  /** From 1 on. */
  readonly attempt: number;
}

/** People are told of a wait that is longer (ms). */
const LONG_WAIT_MS = 3_000;

/** Tells every page of something. */
export type Tell = <K extends keyof VaultEvents>(
  event: K,
  data: VaultEvents[K],
) => void;

/** The vault's thread. */
export class VaultContext {
  readonly platform: LibraryPlatform = {
    fetch: browserFetch,
    now,
    random: randomBytes,
    wait: (ms) => {
      if (ms >= LONG_WAIT_MS) this.tell("waiting", { until: now() + ms });
      return sleep(ms);
    },
    clientVersion: "strongroom-web/1",
  };
  readonly keep: BrowserKeep = browserKeep(this.platform);
  /** What sign-up has to remember until it is done. */
  readonly draft: BrowserKeep = browserKeep(this.platform, "sign-up");
  readonly presence: Presence;
  readonly server: string = location.origin;
  session: Session | undefined;
  library: Library | undefined;
  /** What can be shown while the library is being opened. */
  front: Front | undefined;
  /** Resolves when the library is open, or could not be opened. */
  opening: Promise<void> = Promise.resolve();
  #shelf: PhotoShelf | undefined;
  #store: Store | undefined;
  /** How the person stands where no library is open. */
  waiting: "out" | "sealed" | "new" | "locked" = "out";
  /** The server ended the session. */
  ended = false;
  /** The password as it was typed last, which no phrase may equal. */
  password: string | undefined;
  /** Ends what runs for as long as the library is open: the sync. */
  closing = new AbortController();
  #revision = 0;
  #questions = new Map<number, (answer: string | undefined) => void>();
  #lastQuestion = 0;

  constructor(readonly tell: Tell, leave: (why: Farewell) => void) {
    this.presence = new Presence(now, leave);
  }

  /** The library; throws where it is not open. */
  opened(): Library {
    if (this.library === undefined) throw new Error("the library is not open");
    return this.library;
  }

  /** The session; throws where nobody is signed in. */
  signedIn(): Session {
    if (this.session === undefined) throw new Error("nobody is signed in");
    return this.session;
  }

  /** How far the person is in. */
  async standing(): Promise<Standing> {
    const { session, keep } = this;
    if (session === undefined) {
      const sealed = await keep.state() === "sealed";
      return {
        phase: sealed ? "sealed" : "out",
        ...(this.ended ? { ended: true } : {}),
      };
    }
    const phrase = await keep.hasPhrase();
    return {
      phase: this.library === undefined && this.front === undefined
        ? this.waiting
        : "open",
      phrase,
      lasts: keep.lasts || phrase,
      userId: session.userId,
      ...(session.address === undefined ? {} : { address: session.address }),
      deviceId: session.device.device_id,
    };
  }

  /** Opens the library of a vault, and tells pages. */
  async open(vault: Vault): Promise<void> {
    const opening = Promise.withResolvers<void>();
    this.opening = opening.promise;
    try {
      const store = await browserStore(vault.session.userId);
      this.front = await openFront(vault, store);
      if (this.front !== undefined) {
        this.tell("standing", await this.standing());
      }
      const library = await openLibrary(vault, store);
      this.#shelf = new PhotoShelf(library);
      this.#store = store;
      this.library = library;
    } finally {
      this.front = undefined;
      opening.resolve();
    }
    this.closing = new AbortController();
    this.tell("standing", await this.standing());
    this.changed();
  }

  /** The lists of the library; throws where it is not open. */
  shelf(): PhotoShelf {
    if (this.#shelf === undefined) throw new Error("the library is not open");
    return this.#shelf;
  }

  /** Keeps what is to be shown first the next time. */
  async keepFront(): Promise<void> {
    if (this.#store === undefined) return;
    const { vault } = this.opened();
    const timeline = this.shelf().rowsOf({ kind: "library" });
    await keepFront(vault, this.#store, timeline);
  }

  /** Lets go of everything that was open. */
  async close(): Promise<void> {
    this.closing.abort();
    this.library = undefined;
    this.front = undefined;
    this.#shelf = undefined;
    this.#store = undefined;
    this.session = undefined;
    this.password = undefined;
    for (const answer of this.#questions.values()) answer(undefined);
    this.#questions.clear();
    this.tell("standing", await this.standing());
  }

  /** The server ended the session: the keys wait for the next sign-in. */
  async sessionEnded(): Promise<void> {
    const { session } = this;
    if (session === undefined) return;
    this.ended = true;
    await session.holdEnded();
    await this.close();
  }

  /** Tells pages that the rows changed. */
  changed(): void {
    this.tell("library", { revision: ++this.#revision });
  }

  /** How often the rows changed so far. */
  get revision(): number {
    return this.#revision;
  }

  /** Asks the person through a page; undefined where they do not want to. */
  ask(kind: Question["kind"], attempt = 1): Promise<string | undefined> {
    const id = ++this.#lastQuestion;
    return new Promise((resolve) => {
      this.#questions.set(id, resolve);
      this.tell("ask", { id, kind, attempt });
    });
  }

  /** A page's answer to a question. */
  answer(id: number, answer: string | undefined): void {
    this.#questions.get(id)?.(answer);
    this.#questions.delete(id);
  }
}
