/**
 * Private collections: lists of photos that only the account's own programs
 * know (protocol/client-cryptography.md#state-slots). They take no storage, a
 * photo may be in many of them, and removing it from one does not touch the
 * photo.
 *
 * @module
 */
import { DocumentError } from "../../client/documents/fields.ts";
import {
  changedAt,
  type Collection,
  type LibraryState,
  present,
} from "../../client/documents/state.ts";
import { type LibraryPlatform, newId } from "../base/platform.ts";
import type { SharedState } from "../vault/shared_state.ts";

/** A list that only its owner sees. */
export interface PrivateCollection {
  readonly id: string;
  readonly title: string;
  /** Asset ids in their order; some of the assets may be gone. */
  readonly assets: readonly string[];
  /** When it was last changed. */
  readonly at: string;
}

/** The collections of an account. */
export interface Collections {
  /**
   * The collections as this device last saw them, sorted by title; makes no
   * request.
   */
  list(): readonly PrivateCollection[];
  get(id: string): PrivateCollection | undefined;
  create(
    title: string,
    assets?: readonly string[],
  ): Promise<PrivateCollection>;
  rename(id: string, title: string): Promise<void>;
  /** Adds photos at the end; those already in it stay where they are. */
  add(id: string, assets: readonly string[]): Promise<void>;
  takeOut(id: string, assets: readonly string[]): Promise<void>;
  /** Moves photos before another one, or to the end, in the given order. */
  move(
    id: string,
    assets: readonly string[],
    before: string | undefined,
  ): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Opens the collections in an account's state. */
export function openCollections(
  state: SharedState,
  platform: LibraryPlatform,
): Collections {
  const { now } = platform;
  const shown = (id: string, one: Collection): PrivateCollection => ({
    id,
    title: one.title,
    assets: one.assets,
    at: one.at,
  });
  const list = () =>
    present(state.held.collections).map(([id, one]) => shown(id, one))
      .toSorted((a, b) => a.title.localeCompare(b.title));
  const get = (id: string) => {
    const one = state.held.collections[id];
    return one === undefined || one.removed === true
      ? undefined
      : shown(id, one);
  };
  const put = (held: LibraryState, id: string, next: Collection) => ({
    ...held,
    collections: { ...held.collections, [id]: next },
  });
  const change = async (
    id: string,
    changed: (before: Collection) => Partial<Collection>,
  ) => {
    await state.change((held) => {
      const before = held.collections[id];
      if (before === undefined || before.removed === true) {
        throw new DocumentError(`there is no collection ${id}`);
      }
      const at = changedAt(before, now());
      return put(held, id, { ...before, ...changed(before), at });
    });
  };
  return {
    list,
    get,
    async create(title, assets = []) {
      const id = newId(platform);
      const at = changedAt(undefined, now());
      const made = { title, assets: [...new Set(assets)], at };
      await state.change((held) => put(held, id, made));
      return shown(id, made);
    },
    rename: (id, title) => change(id, () => ({ title })),
    add: (id, added) =>
      change(id, ({ assets }) => ({
        assets: [...new Set([...assets, ...added])],
      })),
    takeOut: (id, gone) =>
      change(id, ({ assets }) => ({ assets: without(assets, gone) })),
    move: (id, moved, before) =>
      change(id, ({ assets }) => {
        const held = new Set(assets);
        const known = moved.filter((one) => held.has(one));
        const rest = without(assets, known);
        const at = before === undefined ? -1 : rest.indexOf(before);
        const end = at === -1 ? rest.length : at;
        return {
          assets: [...rest.slice(0, end), ...known, ...rest.slice(end)],
        };
      }),
    // The entry stays as removed; without it, the next merge would bring the
    // collection back.
    remove: (id) =>
      change(id, () => ({ title: "", assets: [], removed: true })),
  };
}

function without(
  assets: readonly string[],
  gone: readonly string[],
): readonly string[] {
  const out = new Set(gone);
  return assets.filter((one) => !out.has(one));
}
