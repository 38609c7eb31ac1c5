/**
 * What the account's sealed state says of its links (`links` in `state.ts`).
 *
 * @module
 */
import {
  changedAt,
  type KeptLink,
  type LinkGives,
} from "../../client/documents/state.ts";
import type { Films } from "../showing/films.ts";
import type { Places } from "./placeless.ts";
import type { SharedState } from "../vault/shared_state.ts";

/** A list that a link can follow. */
export type FollowedList =
  | { readonly kind: "album" | "collection"; readonly id: string }
  | { readonly kind: "favourites" };

/** How a list stands in the account's state. */
export function followed(list: FollowedList): string {
  return list.kind === "favourites" ? list.kind : `${list.kind}/${list.id}`;
}

/**
 * The list that an entry of the state names, if this program knows its kind.
 */
export function listOf(follows: string): FollowedList | undefined {
  const [kind, id = ""] = follows.split("/");
  if (kind === "favourites") return { kind };
  return kind === "album" || kind === "collection" ? { kind, id } : undefined;
}

/** What is said of a link; what is absent stays as it is. */
export interface LinkNote {
  readonly title?: string;
  readonly mine?: boolean;
  /** Of an upload link: whether a passphrase protects it. */
  readonly passphrase?: boolean;
  readonly follows?: string;
  /** Of an upload link: the list that what comes by it is for. */
  readonly into?: string;
  /** The same, by which viewers of an album say something. */
  readonly viewers?: boolean;
  /** Of a share link: the upload link by which viewers add photos. */
  readonly adds?: string;
  /** The number of remarks of guests or viewers that were taken in by it. */
  readonly said?: number;
  /** Of a link for people that follows a list. */
  readonly gives?: LinkGives;
}

/** Whether a link is brought to its list by itself. */
export function isFollowing(
  link: KeptLink | undefined,
): link is KeptLink & { readonly follows: string } {
  return link?.removed !== true && link?.follows !== undefined &&
    link.gives?.still !== true;
}

/** Whether a link is for a picture frame, which may be empty. */
export function isFrame(link: KeptLink | undefined): boolean {
  return isFollowing(link) && link.gives === undefined;
}

/** How a link gives the photos of its list, the most cautious way by default. */
export function givenBy(
  link: KeptLink | undefined,
): { readonly places: Places; readonly films: Films } {
  const { places, films } = link?.gives ?? {};
  return {
    places: places === "kept" ? places : "left_out",
    films: films === "smaller" ? films : "original",
  };
}

/** Notes something of a link for all devices; `now` in milliseconds. */
export function noteLink(
  state: SharedState,
  opaqueId: string,
  { title, ...said }: LinkNote,
  now: number,
) {
  return state.change((held) => {
    const before = held.links[opaqueId];
    // Another device has ended it: what is counted does not bring it back.
    if (before?.removed === true && said.said !== undefined) return held;
    const link = {
      ...(before?.removed === true ? {} : before),
      ...said,
      title: title ?? before?.title ?? "",
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
