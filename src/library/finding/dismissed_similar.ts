/**
 * Photos that look alike and that the person wants to keep: they are not shown
 * as similar again. Each such group is a setting in the account's state
 * (protocol/client-cryptography.md#state-slots), so all devices of the account
 * know it.
 *
 * @module
 */
import {
  changedAt,
  type LibraryState,
  present,
} from "../../client/documents/state.ts";
import type { SharedState } from "../vault/shared_state.ts";

/** The setting's name, with the photos after it. */
const DIFFERENT = "different/";
/**
 * Digits of an id that stand for it: ids are random, and the state is small.
 */
const DIGITS = 12;

/** Which photos are known to be different. */
interface DifferentPhotos {
  /** Whether the person said of two photos that they are different. */
  has(one: string, other: string): boolean;
  /** Says of photos that each differs from all others, or takes that back. */
  change(ids: readonly string[], areDifferent: boolean): Promise<void>;
}

/** Opens what an account's state says of photos that are different. */
export function openDifferent(
  state: SharedState,
  now: () => number,
): DifferentPhotos {
  let read: LibraryState["settings"] | undefined;
  /** The groups that each photo is in. */
  let groups = new Map<string, ReadonlySet<string>[]>();
  const current = () => {
    const { settings } = state.held;
    if (settings !== read) groups = groupsOf(settings);
    read = settings;
    return groups;
  };
  return {
    has: (one, other) =>
      current().get(shortOf(one))?.some((group) => group.has(shortOf(other))) ??
        false,
    async change(ids, areDifferent) {
      const name = nameOf(ids);
      await state.change((held) => {
        const at = changedAt(held.settings[name], now());
        return {
          ...held,
          settings: { ...held.settings, [name]: { value: areDifferent, at } },
        };
      });
    },
  };
}

function groupsOf(
  settings: LibraryState["settings"],
): Map<string, ReadonlySet<string>[]> {
  const groups = new Map<string, ReadonlySet<string>[]>();
  for (const [name, { value }] of present(settings)) {
    if (value !== true || !name.startsWith(DIFFERENT)) continue;
    const group = new Set(name.slice(DIFFERENT.length).split(","));
    for (const id of group) {
      const others = groups.get(id);
      if (others === undefined) groups.set(id, [group]);
      else others.push(group);
    }
  }
  return groups;
}

/** The same name on each device, whatever order the photos are in. */
function nameOf(ids: readonly string[]): string {
  return `${DIFFERENT}${[...new Set(ids.map(shortOf))].toSorted().join(",")}`;
}

function shortOf(id: string): string {
  return id.slice(-DIGITS);
}
