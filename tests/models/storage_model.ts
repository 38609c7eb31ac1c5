/**
 * What two owners may do to their storage, and what the specification says of
 * it in a few lines.
 *
 * @module
 */
import fc from "fast-check";
import { ciphertext, hashOf } from "../support/people.ts";
import { DAY, HOUR } from "../support/trash.ts";

export const TRASH = 3 * DAY;
export const CONTENTS = ["red", "green", "blue"].map((name, n) =>
  ciphertext(`model ${name}`, 10 + n)
);
/** Manifests differ, and have one size. */
export const MANIFEST = 7;

/** What the operator decides about an asset. */
export type Decree = "hold" | "release" | "take down" | "reinstate";

export type Operation =
  | {
    readonly kind: "open" | "upload" | "create" | "replace";
    readonly who: number;
    readonly asset: number;
    readonly content: number;
  }
  | {
    readonly kind: "delete" | "restore" | "purge" | Decree;
    readonly who: number;
    readonly asset: number;
  }
  | { readonly kind: "advance"; readonly ms: number }
  | {
    readonly kind: "copy";
    readonly who: number;
    readonly asset: number;
    readonly content: number;
  }
  | { readonly kind: "empty"; readonly who: number }
  | { readonly kind: "collect" };

const who = fc.nat(1);
const asset = fc.constantFrom(0, 0, 0, 1);
const content = fc.constantFrom(0, 0, 0, 1, 1, 2);

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 18,
    arbitrary: fc.record({
      kind: fc.constantFrom("upload", "create", "replace", "open"),
      who,
      asset,
      content,
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constantFrom("delete", "restore", "restore"),
      who,
      asset,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        ...["hold", "hold", "release", "take down", "reinstate"] as const,
      ),
      who,
      asset,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("advance"),
      ms: fc.constantFrom(1, 11 * HOUR, DAY - 1, DAY, TRASH),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("copy"),
      who,
      // Most is at the first, from where it is copied.
      asset: fc.constantFrom(1, 1, 1, 0),
      content,
    }),
  },
  // What is gone is no more to be played with.
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("purge"), who, asset }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("empty"), who }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("collect") }) },
);

/** What one account has under one asset id. */
interface Shelf {
  state: "pending" | "live" | "deleted" | "gone";
  held: boolean;
  withheld: boolean;
  /** Finalized contents that no manifest names, with when that was. */
  unapplied: Map<number, number>;
  original: number | undefined;
  manifests: Uint8Array[];
  deletedAt: number;
  /** When anything happened last. */
  touched: number;
  /** Until when there are sessions, open or finalized: by content. */
  open: Map<number, number>;
  finalized: Map<number, number>;
}

export function isThere({ state }: Shelf): boolean {
  return state === "live" || state === "deleted";
}

/** What the specification says, and nothing of how it is done. */
export class Model {
  readonly shelves = new Map<string, Shelf>();

  shelf(person: number, asset: number): Shelf {
    const key = `${person} ${asset}`;
    const held = this.shelves.get(key) ?? {
      state: "pending",
      held: false,
      withheld: false,
      unapplied: new Map(),
      original: undefined,
      manifests: [],
      deletedAt: 0,
      touched: -Infinity,
      open: new Map(),
      finalized: new Map(),
    };
    this.shelves.set(key, held);
    return held;
  }

  *of(person: number): Generator<Shelf> {
    for (const [key, shelf] of this.shelves) {
      if (key.startsWith(`${person} `)) yield shelf;
    }
  }

  /** The sessions and assets whose time is over, collected or not. */
  expire(now: number): void {
    for (const shelf of this.shelves.values()) {
      for (const sessions of [shelf.open, shelf.finalized]) {
        for (const [content, until] of sessions) {
          if (until <= now) sessions.delete(content);
        }
      }
      const aged = shelf.state === "deleted" &&
        shelf.deletedAt + TRASH <= now;
      if (aged && !shelf.held) {
        shelf.state = "gone";
      }
    }
  }

  /** What a shelf holds, applied or not. */
  bytes({ unapplied, original, manifests }: Shelf): number {
    const contents = [...unapplied.keys()];
    if (original !== undefined) contents.push(original);
    return contents.reduce(
      (sum, content) => sum + (CONTENTS[content]?.length ?? 0),
      manifests.length * MANIFEST,
    );
  }

  /** One goes for good, with all that it holds. */
  end(shelf: Shelf): void {
    shelf.state = "gone";
    shelf.original = undefined;
    shelf.manifests = [];
    shelf.unapplied.clear();
  }

  /** What collection takes from an account; the rest stays. */
  collect(now: number): void {
    this.expire(now);
    for (const shelf of this.shelves.values()) {
      if (shelf.state === "gone" && shelf.original !== undefined) {
        this.end(shelf);
      }
      const idle = !shelf.held && shelf.state !== "deleted" &&
        shelf.open.size === 0 &&
        shelf.finalized.size === 0 &&
        shelf.touched + DAY <= now;
      if (idle) shelf.unapplied.clear();
    }
  }

  /** Each blob once: in use where anything but the trash holds it. */
  counters(person: number) {
    let [used, reserved, trash] = [0, 0, 0];
    for (const shelf of this.of(person)) {
      for (const content of shelf.open.keys()) {
        reserved += CONTENTS[content]?.length ?? 0;
      }
    }
    for (const { size, isUsed } of this.#blobs(person).values()) {
      if (isUsed) used += size;
      else trash += size;
    }
    return { used, reserved, trash };
  }

  /** How many live assets an account has, and how many blobs it holds. */
  counts(person: number) {
    const live = [...this.of(person)].filter(({ state }) => state === "live");
    return { assets: live.length, blobs: this.#blobs(person).size };
  }

  #blobs(person: number) {
    const blobs = new Map<string, { size: number; isUsed: boolean }>();
    const hold = (bytes: Uint8Array, isUsed: boolean) => {
      const hash = hashOf(bytes);
      const before = blobs.get(hash)?.isUsed ?? false;
      blobs.set(hash, { size: bytes.length, isUsed: before || isUsed });
    };
    const bytesOf = (content: number) => CONTENTS[content] ?? new Uint8Array();
    for (const shelf of this.of(person)) {
      const isLive = shelf.state === "live";
      for (const content of shelf.unapplied.keys()) {
        hold(bytesOf(content), true);
      }
      if (shelf.original !== undefined) hold(bytesOf(shelf.original), isLive);
      for (const manifest of shelf.manifests) hold(manifest, isLive);
    }
    return blobs;
  }

  /** The addresses of all that anybody holds. */
  held(): Set<string> {
    const held = new Set<string>();
    const hold = (content: number) =>
      held.add(hashOf(CONTENTS[content] ?? new Uint8Array()));
    for (const shelf of this.shelves.values()) {
      for (const content of shelf.unapplied.keys()) hold(content);
      if (shelf.original !== undefined) hold(shelf.original);
      for (const manifest of shelf.manifests) held.add(hashOf(manifest));
    }
    return held;
  }
}
