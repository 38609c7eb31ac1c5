/**
 * The state of the vault's thread: the session, the keys and the library. Pages
 * have no access to it; they call functions and get events.
 *
 * @module
 */
import {
  boxesOfProfile,
  keptBoxes,
  type Library,
  type LibraryPlatform,
  openLibrary,
  type Session,
  type Store,
  type Vault,
} from "../../../library/mod.ts";
import type { StillShown } from "../../../library/care/still_shown.ts";
import type { EscrowNews } from "../../../library/vault/kept_escrow.ts";
import { browserFetch, now, randomBytes, sleep } from "../../browser.ts";
import { browserStore } from "./browser_store.ts";
import {
  cacheFirstScreen,
  type FirstScreenCache,
  openFirstScreen,
} from "../library/first_screen_cache.ts";
import { HiddenPhotos } from "../library/hidden_photos.ts";
import { LibraryView } from "../library/library_view.ts";
import {
  type BrowserCredentialStore,
  browserCredentialStore,
} from "./credential_store.ts";
import type { AbroadAlbums } from "../abroad/abroad_albums.ts";
import type { AbroadLine } from "../abroad/abroad_fetch.ts";
import { type Farewell, Presence } from "./presence.ts";
import type { SessionState } from "./session_state.ts";
import { swiftPrimitives } from "../sealing/lazy_libsodium.ts";
import {
  Closed,
  type Fault,
} from "../../../client/stream/threads/thread_messages.ts";

/** The state of pairing two devices. */
export type Pairing =
  | { readonly step: "none" }
  /** On the device with the keys: the link to scan and the code to type. */
  | {
    readonly step: "show";
    readonly link: string;
    readonly code: string;
    readonly expiresAt: string;
  }
  /** On both devices: the words to compare. */
  | {
    readonly step: "compare";
    readonly words: readonly string[];
    /** The name of the other device. */
    readonly name?: string;
    /** The origin of the scanned link, if it is not that of this page. */
    readonly foreign?: string;
  }
  | {
    readonly step: "working";
    /** The person has answered here, and the other device has yet to. */
    readonly isAgreed?: true;
  };

/** The events of the vault, with the data that pages get. */
export interface VaultEvents {
  readonly sessionState: SessionState;
  /** A question that a page answers with `session.answer`. */
  readonly ask: Question;
  /** The state of the pairing with another device. */
  readonly pairing: Pairing;
  /** No request is made before that time (ms). */
  readonly waiting: { readonly until: number };
  /** This thread ends, so pages have to start again. */
  readonly closing: { readonly why: Farewell };
  /** Rows were added, changed or removed. */
  readonly library: { readonly revision: number };
  /** The state of the sync. */
  readonly sync: SyncState;
  /**
   * Number of changes that were made here and that the server has yet to get.
   */
  readonly unsent: { readonly count: number };
  /** The server refused a change for which no page was waiting any more. */
  readonly takenBack: Fault;
  /**
   * Links that may still show photos as they were before edits, until the person
   * has read it; undefined if there are none.
   */
  readonly stillShown: readonly StillShown[] | undefined;
  /**
   * What became of recovery words that a restored server had lost; undefined
   * once there are new ones.
   */
  readonly escrow: { readonly what: EscrowNews } | undefined;
  /**
   * The number of photos with an alarm, and of those that are lost; and what
   * the public logs have against the server.
   */
  readonly alarms: {
    readonly count: number;
    readonly lost: number;
    readonly logs: number;
  };
  /** The progress of a check; undefined once it has ended. */
  readonly check: CheckProgress | undefined;
  /** The progress of a file that is being taken in. */
  readonly uploads: UploadProgress;
  /** A file that had to be left out of a zip. */
  readonly unsaved: { readonly name: string };
  /** The progress of a zip that a page follows. */
  readonly zipping: ZipProgress;
  /** A video that is being played cannot be read any further. */
  readonly unreadable: { readonly assetId: string; readonly fault: Fault };
  /** A thread is wanted that talks to other servers. */
  readonly wantsAbroad: Record<never, never>;
  /** Guests may have sent files through an upload link. */
  readonly guests: Record<never, never>;
}

/** The state of the sync with the server. */
export interface SyncState {
  readonly state: "idle" | "working" | "offline" | "refused";
  /** Why it was refused, for people. */
  readonly message?: string;
}

/** The progress of a file: bytes done, of all bytes to seal and send. */
interface UploadProgress {
  readonly id: string;
  readonly done: number;
  readonly total: number;
}

/** The progress of a zip: what of its files is in it. */
export interface ZipProgress {
  /** The name that the page gave it. */
  readonly job: string;
  readonly files: number;
  readonly bytes: number;
  /** Set once nothing follows any more. */
  readonly end?: "whole" | "cancelled" | Fault;
}

/** The kinds of custody checks. */
export type CheckKind =
  /** Ask the server. */
  | "confirm"
  /** Let the server read every byte again. */
  | "deep"
  /** Fetch every byte and compare it. */
  | "download"
  /** Verify every receipt that the account was ever given. */
  | "receipts";

/** The progress of a check. */
export interface CheckProgress {
  readonly kind: CheckKind;
  readonly done: number;
  readonly of?: number;
}

/** A question of the vault to the person. */
export interface Question {
  readonly id: number;
  readonly kind: "password" | "code";
  /** The first attempt is 1. */
  readonly attempt: number;
}

/** Longer waits are shown to the person (ms). */
const LONG_WAIT_MS = 3_000;

/** Sends an event to every page. */
export type Tell = <K extends keyof VaultEvents>(
  event: K,
  data: VaultEvents[K],
) => void;

/** The state of the vault's thread. */
export class VaultContext {
  readonly platform: LibraryPlatform & { sealer?: LibraryPlatform["sealer"] } =
    {
      fetch: async (input, init) =>
        new URL(input).origin === this.server
          ? await browserFetch(input, init)
          : await (await this.abroadLine()).ask(input, init),
      now,
      random: randomBytes,
      primitives: swiftPrimitives,
      wait: (ms) => {
        if (ms >= LONG_WAIT_MS) this.tell("waiting", { until: now() + ms });
        return sleep(ms);
      },
      patience: sleep,
      clientVersion: "strongroom-web/1",
      servedApp: async () => (await import("./served_app.ts")).servedApp,
    };
  readonly credentials: BrowserCredentialStore = browserCredentialStore(
    this.platform,
    "profile",
    boxesOfProfile,
  );
  readonly presence: Presence;
  /** The way to other servers, which few people need. */
  #abroadLine: Promise<AbroadLine> | undefined;
  #abroadAlbums: Promise<AbroadAlbums> | undefined;
  /** Hidden photos; undefined while no library is open. */
  hidden: HiddenPhotos | undefined;
  readonly server: string = location.origin;
  session: Session | undefined;
  library: Library | undefined;
  /** The photos that can be shown while the library is being opened. */
  firstScreen: FirstScreenCache | undefined;
  /** Resolves when the library is open or opening it has failed. */
  opening: Promise<void> = Promise.resolve();
  #view: LibraryView | undefined;
  #store: Store | undefined;
  /** The phase while no library is open. */
  waiting: "out" | "sealed" | "new" | "locked" = "out";
  /** Whether the server ended the session. */
  ended = false;
  /** Whose session it was, if they have an address. */
  endedAddress: string | undefined;
  /** Whether another device made the account's keys first. */
  overtaken = false;
  /** The last typed password, which no phrase may equal. */
  password: string | undefined;
  /** Aborted to end what runs while the library is open, such as the sync. */
  closing = new AbortController();
  /** Resolves after the first sync, whether it succeeds or fails. */
  caughtUp = Promise.withResolvers<void>();
  /** Whether a new device is still fetching the library. */
  arriving = false;
  #next = Promise.withResolvers<void>();
  #revision = 0;
  #questions = new Map<number, (answer: string | undefined) => void>();
  #lastQuestion = 0;

  constructor(
    readonly tell: Tell,
    leave: (why: Farewell) => void,
    /** Tells the threads of other tabs that hidden photos were locked. */
    private readonly sayHiddenClosed: () => void,
  ) {
    this.presence = new Presence(now, leave);
  }

  /** The library; throws if it is not open. */
  opened(): Library {
    if (this.library === undefined) throw new Closed("the library is not open");
    return this.library;
  }

  /** The session; throws if no one is signed in. */
  signedIn(): Session {
    if (this.session === undefined) throw new Closed("no one is signed in");
    return this.session;
  }

  /** The way to other servers. */
  abroadLine(): Promise<AbroadLine> {
    return this.#abroadLine ??= import("../abroad/abroad_fetch.ts").then(
      ({ abroadLine }) => abroadLine(() => this.tell("wantsAbroad", {})),
      (error) => {
        this.#abroadLine = undefined;
        throw error;
      },
    );
  }

  /** The albums of other servers that the account is in. */
  abroadAlbums(): Promise<AbroadAlbums> {
    const library = this.opened();
    return this.#abroadAlbums ??= Promise.all([
      import("../abroad/abroad_albums.ts"),
      this.abroadLine(),
    ]).then(
      ([{ AbroadAlbums }, line]) =>
        new AbroadAlbums(library, line, () => this.changed()),
      (error) => {
        this.#abroadAlbums = undefined;
        throw error;
      },
    );
  }

  /** A photo of such an album, by its id in this app, once they are open. */
  async photoAbroad(id: string) {
    return (await this.#abroadAlbums)?.photo(id);
  }

  /** Whether the person is signed in, and what they see. */
  async sessionState(): Promise<SessionState> {
    const { session, credentials } = this;
    if (session === undefined) {
      const sealed = await credentials.state() === "sealed";
      return {
        phase: sealed ? "sealed" : "out",
        ...(this.ended ? { ended: true } : {}),
        ...(this.ended && this.endedAddress !== undefined
          ? { address: this.endedAddress }
          : {}),
      };
    }
    const phrase = await credentials.hasPhrase();
    return {
      phase: session.mustChangePassword()
        ? "password"
        : this.library === undefined && this.firstScreen === undefined
        ? this.waiting
        : "open",
      ...(this.password === undefined ? {} : { knowsPassword: true }),
      phrase,
      lasts: credentials.lasts || phrase,
      userId: session.userId,
      ...(session.address === undefined ? {} : { address: session.address }),
      deviceId: session.device.device_id,
      ...(this.overtaken ? { overtaken: true } : {}),
      ...(await this.#areOnlyHere(phrase) ? { onlyHere: true } : {}),
    };
  }

  /** Whether the keys go with the page, and nothing else opens the account. */
  async #areOnlyHere(hasPhrase: boolean): Promise<boolean> {
    const { session, credentials, overtaken } = this;
    if (session?.masterKey() === undefined || overtaken) return false;
    if (credentials.lasts || hasPhrase) return false;
    return (await keptBoxes(session.escrow())).length === 0;
  }

  /** Opens the library of a vault and tells the pages. */
  async open(vault: Vault): Promise<void> {
    const opening = Promise.withResolvers<void>();
    this.opening = opening.promise;
    try {
      const store = await browserStore(vault.session.userId);
      this.firstScreen = await openFirstScreen(vault, store);
      if (this.firstScreen !== undefined) {
        this.tell("sessionState", await this.sessionState());
      }
      const library = await openLibrary(vault, store);
      const hidden = new HiddenPhotos(library, () => this.changed());
      this.hidden = hidden;
      this.#view = new LibraryView(
        library,
        hidden,
        () => this.changed(),
      );
      this.#store = store;
      this.library = library;
      this.arriving = library.index.size === 0;
    } finally {
      this.firstScreen = undefined;
      opening.resolve();
    }
    this.closing = new AbortController();
    const caughtUp = this.caughtUp = Promise.withResolvers<void>();
    caughtUp.promise.then(() => {
      this.arriving = false;
      this.#next.resolve();
    });
    this.tell("sessionState", await this.sessionState());
    this.changed();
  }

  /** The lists of the library; throws if it is not open. */
  view(): LibraryView {
    if (this.#view === undefined) throw new Closed("the library is not open");
    return this.#view;
  }

  /** Stores the photos to show first the next time. */
  async cacheFirstScreen(): Promise<void> {
    if (this.#store === undefined) return;
    const { vault } = this.opened();
    const source = { kind: "library" } as const;
    await this.view().prepare(source);
    const { tiles } = this.view().listed(source);
    await cacheFirstScreen(vault, this.#store, tiles);
  }

  /** Closes everything. */
  async close(): Promise<void> {
    this.hidden?.lock.close();
    this.hidden = undefined;
    this.closing.abort();
    this.caughtUp.resolve();
    this.library = undefined;
    this.firstScreen = undefined;
    this.#view = undefined;
    this.#abroadAlbums = undefined;
    this.#store = undefined;
    this.session = undefined;
    this.password = undefined;
    for (const answer of this.#questions.values()) answer(undefined);
    this.#questions.clear();
    this.tell("sessionState", await this.sessionState());
  }

  /**
   * Handles a session that the server ended; the keys wait for the next
   * sign-in.
   */
  async sessionEnded(): Promise<void> {
    const { session } = this;
    if (session === undefined) return;
    this.ended = true;
    this.endedAddress = session.address;
    await session.holdEnded();
    await this.close();
  }

  /** Locks hidden photos, in tabs with a thread of their own too. */
  closeHidden(): void {
    this.hidden?.lock.close();
    this.sayHiddenClosed();
  }

  /** Tells the pages that rows have changed. */
  changed(): void {
    this.tell("library", { revision: ++this.#revision });
    this.#next.resolve();
    this.#next = Promise.withResolvers<void>();
  }

  /** Resolves when rows have changed, or there are no more to arrive. */
  nextChange(): Promise<void> {
    return this.#next.promise;
  }

  /** The number of changes of rows so far. */
  get revision(): number {
    return this.#revision;
  }

  /** Asks the person through a page; undefined if they decline. */
  ask(kind: Question["kind"], attempt = 1): Promise<string | undefined> {
    const id = ++this.#lastQuestion;
    return new Promise((resolve) => {
      this.#questions.set(id, resolve);
      this.tell("ask", { id, kind, attempt });
    });
  }

  /** Takes a page's answer to a question. */
  answer(id: number, answer: string | undefined): void {
    this.#questions.get(id)?.(answer);
    this.#questions.delete(id);
  }
}
