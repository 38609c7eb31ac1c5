/**
 * The vault's calls for taking files in. The page asks for one file after the
 * other. Files under way are noted here, so that they can be listed after a
 * reload.
 *
 * @module
 */
import { fromUtf8, utf8 } from "../../core/bytes.ts";
import type { NewDerivative, NewFile } from "../../client/library/mod.ts";
import type { VaultContext } from "./context.ts";
import { sourceOfFile } from "./files.ts";

/** A file to take in, with the page's description. */
export interface GivenIntake {
  /** The page's own id of the file, for events about it. */
  readonly id: string;
  readonly file: Blob;
  readonly sha256: string;
  readonly about: NewFile["about"];
  readonly derivatives: readonly NewDerivative[];
  /** An album to put it into as well. */
  readonly albumId?: string | undefined;
}

/** A file that was begun and not finished, described for the person. */
export interface Unfinished {
  readonly name: string;
  readonly folder: string;
  readonly size: number;
}

/** Least interval between two progress events (ms). */
const TOLD_EVERY_MS = 120;

/** The calls of the group `intake`. */
export function intakeCalls(context: VaultContext) {
  const underWay = new Map<string, AbortController>();
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
      context.tell("intake", { id, done: Math.min(share, total), total });
    };
  };
  return {
    /** The id of the asset that has these bytes already, if any. */
    known(sha256: string): string | undefined {
      const { index, vault } = context.opened();
      return index.byPlaintext(sha256, vault.libraryAlbumId)?.id;
    },

    /**
     * Takes a file in; resolves once it is stored and all its receipts are
     * verified.
     */
    async take({ id, file, albumId, ...given }: GivenIntake) {
      const library = context.opened();
      const controller = new AbortController();
      underWay.set(id, controller);
      const { name, path = "" } = given.about;
      const noted = {
        space: "program",
        key: `unfinished/${given.sha256}`,
      } as const;
      try {
        const note: Unfinished = { name, folder: path, size: file.size };
        const value = utf8(JSON.stringify(note));
        await library.store.write([{ ...noted, value }]);
        const { outcome, row } = await library.take({
          source: sourceOfFile(file),
          ...given,
        }, {
          signal: controller.signal,
          onProgress: teller(id, file.size),
        });
        if (albumId !== undefined) await library.copyInto(row.id, albumId);
        await library.store.write([{ ...noted, value: null }]);
        context.changed();
        return { outcome, assetId: row.id };
      } finally {
        underWay.delete(id);
      }
    },

    /** Stops files under way; what was sent stays for the next attempt. */
    stop(ids: readonly string[]) {
      for (const id of ids) underWay.get(id)?.abort();
    },

    /** The files that were begun in this browser and not finished. */
    async unfinished(): Promise<Unfinished[]> {
      const { store } = context.opened();
      const entries = await store.list("program", {
        after: "unfinished/",
        limit: MOST_UNFINISHED,
      });
      return entries.filter(({ key }) => key.startsWith("unfinished/"))
        .map(({ value }) => JSON.parse(fromUtf8(value) ?? "null"));
    },

    /** Forgets unfinished files, which the person no longer wants. */
    async forgetUnfinished() {
      const { store } = context.opened();
      const entries = await store.list("program", { after: "unfinished/" });
      await store.write(
        entries.filter(({ key }) => key.startsWith("unfinished/"))
          .map(({ key }) => ({ space: "program", key, value: null })),
      );
    },

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

/** Most unfinished files that are noted. */
const MOST_UNFINISHED = 500;
