/**
 * What the vault's thread holds: the session, the keys, the library. Pages see
 * none of it; they call functions and hear of events.
 *
 * @module
 */
import {
  type Keep,
  type Library,
  type LibraryPlatform,
  openLibrary,
  type Session,
  type Vault,
} from "../../client/library/mod.ts";
import { browserFetch, now, randomBytes, sleep } from "../browser.ts";
import { browserStore } from "./browser_store.ts";
import { browserKeep } from "./keep.ts";

/** How far a person is in. */
export type Phase =
  /** Nobody is signed in here. */
  | "out"
  /** Signed in; the keys of the account are not here yet. */
  | "locked"
  /** The library is open. */
  | "open";

/** What pages are told of the person. */
export interface Standing {
  readonly phase: Phase;
  readonly userId?: string;
  readonly address?: string;
  readonly deviceId?: string;
}

/** What happens in the vault, and what pages are told of it. */
export interface VaultEvents {
  readonly standing: Standing;
  /** A question that a page answers with `session.answer`. */
  readonly ask: Question;
  /** Rows were added, changed or taken away. */
  readonly library: { readonly revision: number };
  /** How the sync stands. */
  readonly sync: SyncState;
  /** How far a file is that is being taken in. */
  readonly intake: IntakeProgress;
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

/** What the vault needs from the person. */
export interface Question {
  readonly id: number;
  readonly kind: "password" | "code";
  /** From 1 on. */
  readonly attempt: number;
}

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
    wait: (ms) => sleep(ms),
    clientVersion: "strongroom-web/1",
  };
  readonly keep: Keep = browserKeep();
  readonly server: string = location.origin;
  session: Session | undefined;
  library: Library | undefined;
  /** Ends what runs for as long as the library is open: the sync. */
  closing = new AbortController();
  #revision = 0;
  #questions = new Map<number, (answer: string | undefined) => void>();
  #lastQuestion = 0;

  constructor(readonly tell: Tell) {}

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
  standing(): Standing {
    const { session } = this;
    if (session === undefined) return { phase: "out" };
    return {
      phase: this.library === undefined ? "locked" : "open",
      userId: session.userId,
      ...(session.address === undefined ? {} : { address: session.address }),
      deviceId: session.device.device_id,
    };
  }

  /** Opens the library of a vault, and tells pages. */
  async open(vault: Vault): Promise<void> {
    const store = await browserStore(vault.session.userId);
    this.library = await openLibrary(vault, store);
    this.closing = new AbortController();
    this.tell("standing", this.standing());
  }

  /** Lets go of everything that was open. */
  close(): void {
    this.closing.abort();
    this.library = undefined;
    this.session = undefined;
    for (const answer of this.#questions.values()) answer(undefined);
    this.#questions.clear();
    this.tell("standing", this.standing());
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
