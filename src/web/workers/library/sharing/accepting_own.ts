/**
 * Accepting without asking what came by the person's own upload links. A page
 * makes the small pictures, because this thread could start no thread for it.
 *
 * @module
 */
import { fromUtf8, utf8 } from "../../../../core/bytes.ts";
import {
  acceptMine,
  type AcceptMineOptions,
  type MadePictures,
} from "../../../../library/sharing/accept_mine.ts";
import type { Library, Waiting } from "../../../../library/mod.ts";
import {
  type Moved,
  type Remote,
  remote,
} from "../../../../client/stream/threads/thread_messages.ts";
import { sleep } from "../../../browser.ts";
import type { VaultContext } from "../../vault/context.ts";
import { nounOfRows } from "../photo_table.ts";
import type { Noun } from "../photo_lists.ts";
import type { SmallPictures } from "../../media/pictures/smaller.ts";

/** What a page does for the vault while its own files are accepted. */
export type OwnPictures = {
  readonly pictures: {
    /** Answers at once, to show that the page is there. */
    readonly here: () => void;
    readonly small: (
      file: Blob,
      mime: string,
    ) => Promise<Moved<SmallPictures | undefined>>;
  };
};

/** What came, for the page to tell. */
export interface OwnCame {
  readonly count: number;
  readonly noun: Noun;
}

const LAST = "own-files/last";

/** When this browser last accepted any (ms since the epoch). */
export async function lastAccepted(
  { store }: Library,
): Promise<number | undefined> {
  const value = await store.get("program", LAST);
  const at = Number(fromUtf8(value ?? new Uint8Array()) || NaN);
  return Number.isNaN(at) ? undefined : at;
}

/** How often a page that draws is asked whether it is there, and how long (ms). */
const ROUND_MS = 2_000;
const SILENT_MS = 10_000;

/** No page makes pictures any more: what is left waits for the next one. */
class PagesGone extends Error {
  override readonly name = "PagesGone";
}

/** What came by the person's own links, and the pages that help with it. */
export class OwnFiles {
  readonly #pages = new Map<MessagePort, Remote<OwnPictures>>();
  /** Those that cannot be accepted: they are asked about as a guest's are. */
  readonly #failed = new Set<string>();
  #running: Promise<OwnCame> | undefined;

  constructor(private readonly context: VaultContext) {}

  /** Whether a file is accepted without asking. */
  isOwn({ opaqueId, uploadId }: Waiting): boolean {
    return !this.#failed.has(uploadId) &&
      this.context.opened().state.held.links[opaqueId]?.mine === true;
  }

  /**
   * Accepts what there is, with the pictures of the page behind the port. What
   * another page began already is told to that one.
   */
  async accept(port: MessagePort): Promise<OwnCame> {
    this.#pages.set(port, remote<OwnPictures>(port, () => {}));
    // Not every browser says so.
    port.addEventListener("close", () => this.#pages.delete(port));
    port.start();
    try {
      if (this.#running !== undefined) {
        await this.#running;
        return { count: 0, noun: "photo" };
      }
      this.#running = this.#accept();
      return await this.#running;
    } finally {
      this.#running = undefined;
      this.#pages.delete(port);
      port.close();
    }
  }

  async #accept(): Promise<OwnCame> {
    const { context } = this;
    const came = new Set<string>();
    let isChanged = false;
    try {
      await acceptMine(context.opened(), {
        signal: context.closing.signal,
        picture: this.#picture,
        onFile: ({ uploadId }, outcome) => {
          if (outcome.what === "failed") this.#failed.add(uploadId);
          if (outcome.what === "kept") came.add(outcome.row.id);
          isChanged = true;
          context.changed();
        },
      });
    } finally {
      if (isChanged) context.tell("guests", {});
    }
    if (came.size > 0) {
      const value = utf8(String(context.platform.now()));
      await context.opened().store.write([
        { space: "program", key: LAST, value },
      ]);
    }
    const rows = [...came].flatMap((id) =>
      context.opened().index.get(id) ?? []
    );
    return { count: came.size, noun: nounOfRows(rows) };
  }

  readonly #picture: NonNullable<AcceptMineOptions["picture"]> = async (
    source,
    mime,
  ): Promise<MadePictures> => {
    const file = new Blob([await source.read(0, source.size)], { type: mime });
    for (const [port, { pictures }] of this.#pages) {
      const over = new AbortController();
      try {
        const made = await Promise.race([
          // It cannot be drawn there: it is kept as it is.
          pictures.small(file, mime).catch(() => undefined),
          this.#silence(pictures, over.signal),
        ]);
        if (made === undefined) return { derivatives: [] };
        const { smaller, width, height, thumbhash } = made;
        return { derivatives: smaller, about: { width, height, thumbhash } };
      } catch (error) {
        if (!(error instanceof PagesGone)) throw error;
        this.#pages.delete(port);
      } finally {
        over.abort();
      }
    }
    throw new PagesGone("no page makes pictures any more");
  };

  /** Rejects once the page does not answer any more. */
  async #silence(
    pictures: Remote<OwnPictures>["pictures"],
    over: AbortSignal,
  ): Promise<never> {
    for (;;) {
      const isHere = await Promise.race([
        pictures.here().then(() => true),
        sleep(SILENT_MS, over).then(() => false),
      ]);
      over.throwIfAborted();
      if (!isHere) throw new PagesGone("the page does not answer");
      await sleep(ROUND_MS, over);
      over.throwIfAborted();
    }
  }
}
