/**
 * What a telephone may change about the names of its folder, whatever it speaks:
 * nothing that was sealed goes, and no name of it is lost.
 *
 * @module
 */
import { toHex } from "../../core/bytes.ts";
import { isSafeList, isSealed, type Path } from "./device_folder.ts";
import type { Asking, Taking } from "./taking.ts";

/** Who changes something, and what keeps them from it. */
export interface Changing {
  readonly asking: Asking;
  readonly taking: Taking;
  readonly now: () => number;
  readonly random: (length: number) => Uint8Array<ArrayBuffer>;
  /** Whether no lock of another client is in the way. */
  readonly mayChange: (path: Path, isDeep: boolean) => boolean;
}

/** Why a name is not changed. */
export type Refusal =
  | "absent"
  | "there"
  | "no_parent"
  | "locked"
  | "sealed"
  | "misplaced"
  | "full"
  | "too_much";

/** Names below a folder that is moved or removed. */
const CHANGED_MOST = 10_000;

/** Makes a folder; why not, if it is not made. */
export function makeFolder(
  { asking: { folder }, taking, now, random, mayChange }: Changing,
  path: Path,
): Refusal | undefined {
  if (isSafeList(path)) return "misplaced";
  if (folder.get(path.slice(0, -1))?.kind !== "folder") return "no_parent";
  if (!mayChange(path, false)) return "locked";
  if (folder.count >= taking.limits.entries) return "full";
  folder.put(path.slice(0, -1), {
    name: path.at(-1) ?? "",
    kind: "folder",
    modified_at: now(),
    tag: toHex(random(8)),
  });
  return undefined;
}

/** Removes what is not sealed; why not, if it stays. */
export async function removeAt(
  { asking, taking, mayChange }: Changing,
  path: Path,
): Promise<Refusal | undefined> {
  if (path.length === 0 || isSafeList(path)) return "sealed";
  if (!mayChange(path, true)) return "locked";
  const { folder } = asking;
  const isBroken = await taking.forget(asking, path);
  const node = folder.get(path);
  if (node === undefined) return isBroken ? undefined : "absent";
  // What came of another attempt is gone; what was sealed before stays.
  if (isBroken && isSealed(node)) return undefined;
  let removed = 0;
  for (const { node: below } of folder.below(path)) {
    if (isSealed(below)) return "sealed";
    if ((removed += 1) > CHANGED_MOST) return "too_much";
  }
  folder.remove(path);
  return undefined;
}

/** Gives a name another place; why not, if it stays. */
export function moveTo(
  { asking: { folder }, taking, mayChange }: Changing,
  path: Path,
  to: Path,
  mayWriteOver: boolean,
): Refusal | undefined {
  if (isSafeList(path) || isSafeList(to)) return "misplaced";
  const from = folder.get(path);
  if (from === undefined) return "absent";
  const isInside = path.every((name, at) => name === to[at]);
  if (path.length === 0 || to.length === 0 || isInside) return "misplaced";
  if (folder.get(to.slice(0, -1))?.kind !== "folder") return "no_parent";
  if (!mayChange(path, true) || !mayChange(to, true)) return "locked";
  const over = folder.get(to);
  if (over !== undefined && !mayWriteOver) return "there";
  // A folder with received files is not written over: their names would go.
  if (over?.kind === "folder") {
    for (const { node } of folder.below(to)) {
      if (isSealed(node)) return "sealed";
    }
  }
  let moved = 0;
  for (const _ of folder.below(path)) {
    if ((moved += 1) > CHANGED_MOST) return "too_much";
  }
  if (to.every((name, at) => name === path[at])) return "misplaced";
  folder.move(path, to, () => taking.rename(from, to));
  return undefined;
}
