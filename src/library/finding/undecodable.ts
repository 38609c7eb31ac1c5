/**
 * Pictures that this device cannot look at: its browser does not decode them, or
 * it takes too long for them. Another device may, so they are not among the
 * findings that the account's devices share. They are kept in this device's
 * store, so that it does not try them at every start.
 *
 * @module
 */
import { fromUtf8, utf8 } from "../../core/bytes.ts";
import type { Store } from "../base/store.ts";
import type { Vault } from "../vault/vault.ts";

/** Pictures that are kept; of more, the oldest are tried again at a start. */
const MOST_KEPT = 1_000;
/** They are tried again after it: a newer browser may decode them (ms). */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

/** Pictures that this device passes over. */
export interface PassedOver {
  /** Whether a picture is one, by its name in the pages (`fileOf`). */
  has(file: string): boolean;
  add(files: readonly string[]): Promise<void>;
}

/** What is kept; when each was added (ms), the oldest first. */
interface Kept {
  readonly era: number;
  readonly files: readonly (readonly [file: string, at: number])[];
}

/**
 * Opens the pictures that this device passes over for a kind of findings. They
 * are forgotten with a new `era`: when it is turned off and on again.
 */
export async function openPassedOver(
  { vault, store }: { readonly vault: Vault; readonly store: Store },
  kind: string,
  era: () => number,
): Promise<PassedOver> {
  const { now } = vault.session.platform;
  const key = `passed-over/${kind}`;
  const kept = keptIn(await store.get("program", key));
  let of = kept.era;
  let files = new Map(kept.files);
  const isRecent = (at: number) => now() - at < KEPT_MS;
  return {
    has(file) {
      const at = of === era() ? files.get(file) : undefined;
      return at !== undefined && isRecent(at);
    },
    async add(added) {
      const before = of === era()
        ? [...files].filter(([, at]) => isRecent(at))
        : [];
      const at = now();
      files = new Map(
        [...before, ...added.map((file) => [file, at] as const)]
          .slice(-MOST_KEPT),
      );
      of = era();
      const value = utf8(JSON.stringify({ era: of, files: [...files] }));
      await store.write([{ space: "program", key, value }]);
    },
  };
}

function keptIn(value: Uint8Array | undefined): Kept {
  const none = { era: 0, files: [] };
  if (value === undefined) return none;
  return JSON.parse(fromUtf8(value) ?? "null") ?? none;
}
