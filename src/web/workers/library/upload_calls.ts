/**
 * The vault's calls for taking files in. The page asks for one file after the
 * other. Files under way are noted here, so that they can be listed after a
 * reload.
 *
 * @module
 */
import type { NewDerivative, NewFile, Store } from "../../../library/mod.ts";
import type {
  AheadRequest,
  TakenUp,
} from "../../../library/adding/background_upload.ts";
import { hasAheadNotes } from "../../../library/adding/background_upload_notes.ts";
import { lostOf } from "../../../library/rows/losses.ts";
import type { AlbumOfExport } from "./import_calls.ts";
import { tellAlarms } from "./alarms.ts";
import type { VaultContext } from "../vault/context.ts";
import { collectAfter } from "../../../client/stream/threads/collecting.ts";
import { sourceOfFile } from "../../../client/stream/threads/file_source.ts";
import { sleep } from "../../browser.ts";
import { swiftPrimitives } from "../sealing/lazy_libsodium.ts";
import type { SealingThreads } from "../../../client/stream/threads/sealing_threads.ts";
import {
  openUnfinished,
  type Unfinished,
  type UnfinishedBook,
  type UnfinishedFiles,
} from "./unfinished.ts";

/** A file to take in, with the page's description. */
interface GivenUpload {
  /** The page's own id of the file, for events about it. */
  readonly id: string;
  readonly file: Blob;
  readonly sha256: string;
  readonly about: NewFile["about"];
  readonly derivatives: readonly NewDerivative[];
  /** The description by which it is remembered. */
  readonly noted: Unfinished;
  /** An album to put it into as well. */
  readonly albumId?: string | undefined;
  /** Albums of an export that it belongs to, once the browser has sent it. */
  readonly albums?: readonly AlbumOfExport[];
}

/** A file that is ready for the browser to send. */
export interface HandedOver {
  readonly assetId: string;
  readonly requests: readonly AheadRequest[];
}

/** What became of files that the browser was to send. */
interface TakenUpFiles {
  /** Ids of assets. */
  readonly kept: readonly string[];
  readonly waiting: readonly string[];
  /** They have to be added again. */
  readonly failed: readonly string[];
}

/** What is noted with a file that is handed over. */
interface AheadNote {
  readonly noted: Unfinished;
  readonly albumId?: string | undefined;
  readonly albums?: readonly AlbumOfExport[];
}

/** Least interval between two progress events (ms). */
const TOLD_EVERY_MS = 120;

/** The calls of the group `uploads`. */
export function uploadCalls(context: VaultContext) {
  const { platform } = context;
  const underWay = new Map<string, AbortController>();
  let sealing: SealingThreads | undefined;
  const books = new WeakMap<Store, UnfinishedBook>();
  const bookOf = (store: Store) => {
    const book = books.get(store) ?? openUnfinished(store);
    books.set(store, book);
    return book;
  };
  const book = () => bookOf(context.opened().store);
  /** Passes on progress at a limited rate. */
  const teller = (id: string, total: number) => {
    const done = { sealing: 0, sending: 0, hashing: 0 };
    let told = 0;
    return (step: keyof typeof done, bytes: number) => {
      done[step] = bytes;
      context.presence.worked();
      const now = context.platform.now();
      if (now - told < TOLD_EVERY_MS) return;
      told = now;
      // Sealing takes less time than sending.
      const share = 0.2 * done.sealing + 0.8 * done.sending;
      context.tell("uploads", { id, done: Math.min(share, total), total });
    };
  };
  return {
    /**
     * The id of the asset that has these bytes already, if any, and nothing of
     * it is lost.
     */
    known(sha256: string): string | undefined {
      const { index, vault } = context.opened();
      const { userId } = vault.session;
      return lostOf(index, userId, sha256).length > 0
        ? undefined
        : index.byPlaintext(sha256, vault.libraryAlbumId)?.id;
    },

    /**
     * Takes a file in; resolves once it is stored and all its receipts are
     * verified. The outcome is `back` if the server had lost it.
     */
    async take(
      { id, file, albumId, noted, albums: _, ...given }: GivenUpload,
    ): Promise<{
      readonly outcome: "kept" | "known" | "back";
      readonly assetId: string;
    }> {
      const library = context.opened();
      const controller = new AbortController();
      underWay.set(id, controller);
      collectAfter(totalOf(given.derivatives));
      try {
        const { outcome, row, isBack } = await library.take({
          source: sourceOfFile(file),
          ...given,
        }, {
          signal: controller.signal,
          onProgress: teller(id, file.size),
        });
        if (albumId !== undefined) await library.copyInto(row.id, albumId);
        await bookOf(library.store).forget([noted]);
        context.changed();
        if (isBack) tellAlarms(context);
        return { outcome: isBack ? "back" : outcome, assetId: row.id };
      } finally {
        underWay.delete(id);
      }
    },

    /**
     * Seals a file for the browser to send while no page is open. Undefined if
     * it has to be taken in here.
     */
    async handOver(
      { id, file, albumId, noted, albums, ...given }: GivenUpload,
    ): Promise<HandedOver | undefined> {
      const library = context.opened();
      const controller = new AbortController();
      underWay.set(id, controller);
      const note: AheadNote = {
        noted,
        albumId,
        ...(albums === undefined ? {} : { albums }),
      };
      try {
        const ahead = await library.sealAhead(
          { source: sourceOfFile(file), ...given },
          JSON.stringify(note),
          { signal: controller.signal, onProgress: teller(id, file.size) },
        );
        // Its own note names it now.
        if (ahead !== undefined) await bookOf(library.store).forget([noted]);
        return ahead;
      } finally {
        underWay.delete(id);
      }
    },

    /** A fresh access token, for requests that are about to be handed over. */
    async bearer(): Promise<string> {
      const { account } = context.signedIn();
      await account.refresh();
      return account.tokens().access_token;
    },

    /**
     * Takes up what was handed over. With `isOver`, the browser sends nothing
     * any more.
     */
    async takeUp(isOver: boolean): Promise<TakenUpFiles> {
      const library = context.opened();
      const all = await library.takeUp(isOver);
      const assets = new Map<string, string[]>();
      const titles = new Map<string, string>();
      for (const { assetId, outcome, note } of all) {
        const { noted, albumId, albums = [] }: AheadNote = JSON.parse(note);
        for (const { key, title } of outcome === "kept" ? albums : []) {
          titles.set(key, title);
          const ids = assets.get(key) ?? [];
          assets.set(key, ids);
          ids.push(assetId);
        }
        if (outcome === "kept" && albumId !== undefined) {
          await library.copyInto(assetId, albumId);
        }
        // It is named as what was never handed over.
        if (outcome === "failed") {
          await bookOf(library.store).remember([noted], true);
        }
      }
      if (titles.size > 0) {
        const { keepAlbums } = await import(
          "../../../library/albums/exported_albums.ts"
        );
        await keepAlbums({ library, platform }, titles, assets);
      }
      const idsOf = (wanted: TakenUp["outcome"]) =>
        all.filter(({ outcome }) => outcome === wanted)
          .map(({ assetId }) => assetId);
      const kept = idsOf("kept");
      if (kept.length > 0) context.changed();
      return { kept, waiting: idsOf("waiting"), failed: idsOf("failed") };
    },

    /** Whether anything was handed over that is not taken up. */
    isHandedOver: (): Promise<boolean> => hasAheadNotes(context.opened().store),

    /** Takes a thread of a page's; see `SealingThreads`. */
    async lend(port: MessagePort) {
      const { SealingThreads } = await import(
        "../../../client/stream/threads/sealing_threads.ts"
      );
      const threads = sealing ??= new SealingThreads({
        here: sealsHere,
        wait: sleep,
      });
      threads.add(port);
      context.platform.sealer = threads;
    },

    /** Stops files under way; what was sent stays for the next attempt. */
    stop(ids: readonly string[]) {
      for (const id of ids) underWay.get(id)?.abort();
    },

    /** Remembers what is to be added; see `unfinished.ts`. */
    remember: (files: readonly Unfinished[], again: boolean): Promise<void> =>
      book().remember(files, again),

    /** What is added, or is not wanted any more. */
    forget: (files: readonly Unfinished[]): Promise<void> =>
      book().forget(files),

    /** What was to be added in this browser and is not. */
    unfinished: (): Promise<UnfinishedFiles> => book().read(),

    /** The person does not want any of it any more. */
    forgetUnfinished: (): Promise<void> => book().forgetAll(),

    /** The used bytes and the quota; an undefined quota means no limit. */
    async room() {
      const usage = await context.signedIn().account.usage();
      return {
        used: usage.used_bytes + usage.reserved_bytes,
        quota: usage.quota_bytes ?? undefined,
      };
    },
  };
}

/** Bytes of all of them. */
function totalOf(derivatives: readonly NewDerivative[]): number {
  return derivatives.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** Seals where no page lends a thread any more. */
async function sealsHere() {
  const { sealerOf } = await import("../../../client/stream/sealer.ts");
  const primitives = await import("../sealing/sodium.ts")
    .then(({ sodiumPrimitives }) => sodiumPrimitives())
    // Without a connection portable code, which is here, seals as well.
    .catch(() => swiftPrimitives);
  return sealerOf(primitives);
}
