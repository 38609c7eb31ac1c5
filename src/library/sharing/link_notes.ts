/**
 * What the account's sealed state says of its links (`links` in `state.ts`).
 *
 * @module
 */
import { changedAt } from "../../client/documents/state.ts";
import type { SharedState } from "../vault/shared_state.ts";

/** What is said of a link; what is absent stays as it is. */
export interface LinkNote {
  readonly title?: string;
  readonly mine?: boolean;
  /** Of an upload link: whether a passphrase protects it. */
  readonly passphrase?: boolean;
  readonly follows?: string;
}

/** Notes something of a link for all devices; `now` in milliseconds. */
export function noteLink(
  state: SharedState,
  opaqueId: string,
  { title, mine, passphrase, follows }: LinkNote,
  now: number,
) {
  return state.change((held) => {
    const before = held.links[opaqueId];
    const link = {
      ...(before?.removed === true ? {} : before),
      title: title ?? before?.title ?? "",
      ...(mine === undefined ? {} : { mine }),
      ...(passphrase === undefined ? {} : { passphrase }),
      ...(follows === undefined ? {} : { follows }),
      at: changedAt(before, now),
    };
    return { ...held, links: { ...held.links, [opaqueId]: link } };
  });
}

/** Removes what is said of a link that is no more. */
export async function forgetLink(
  state: SharedState,
  opaqueId: string,
  now: number,
): Promise<void> {
  const noted = state.held.links[opaqueId];
  if (noted === undefined || noted.removed === true) return;
  await state.change((held) => {
    const at = changedAt(held.links[opaqueId], now);
    const gone = { title: "", removed: true as const, at };
    return { ...held, links: { ...held.links, [opaqueId]: gone } };
  });
}
