/**
 * Locks of WebDAV (RFC 4918 section 6): exclusive ones, in memory, because they
 * end by themselves and protect nothing that was received.
 *
 * @module
 */
import { MINUTE_MS, SECOND_MS } from "../../core/time.ts";
import { unescapeXml, XmlScanner } from "../../core/xml.ts";
import type { Path } from "./device_folder.ts";

/** A lock of a telephone on a name and what is below it. */
export interface Lock {
  readonly token: string;
  readonly path: Path;
  readonly isDeep: boolean;
  readonly owner: string;
  until: number;
}

const LONGEST_MS = 10 * MINUTE_MS;
/** Locks of one telephone. */
const MOST = 256;

/** The locks of all telephones. */
export class Locks {
  readonly #held = new Map<string, Lock[]>();

  constructor(readonly now: () => number) {}

  /** Takes a lock; undefined where another is in the way. */
  take(
    device: string,
    lock: Omit<Lock, "until">,
    timeout: string | null,
  ): Lock | undefined {
    const held = this.#of(device);
    const isTaken = held.some((one) => meets(one, lock));
    if (isTaken || held.length >= MOST) return undefined;
    const made = { ...lock, until: this.now() + spanOf(timeout) };
    this.#held.set(device, [...held, made]);
    return made;
  }

  /** Lets a lock live on; undefined if it has ended. */
  refresh(
    device: string,
    tokens: readonly string[],
    timeout: string | null,
  ): Lock | undefined {
    const held = this.#of(device).find(({ token }) => tokens.includes(token));
    if (held !== undefined) held.until = this.now() + spanOf(timeout);
    return held;
  }

  release(device: string, token: string): boolean {
    const held = this.#of(device);
    const left = held.filter((one) => one.token !== token);
    this.#held.set(device, left);
    return left.length < held.length;
  }

  /** The lock on a path, its own or that of a folder above. */
  on(device: string, path: Path): Lock | undefined {
    return this.#of(device).find((one) =>
      isAt(one.path, path) || (one.isDeep && isAbove(one.path, path))
    );
  }

  /** Whether a change of a path, and of all below it, is allowed. */
  allows(
    device: string,
    path: Path,
    tokens: readonly string[],
    isDeep = false,
  ): boolean {
    return this.#of(device).every((one) =>
      !meets(one, { path, isDeep }) || tokens.includes(one.token)
    );
  }

  /** Ends locks on what is gone. */
  drop(device: string, path: Path): void {
    const left = this.#of(device).filter((one) =>
      !isAt(one.path, path) && !isAbove(path, one.path)
    );
    this.#held.set(device, left);
  }

  #of(device: string): Lock[] {
    const now = this.now();
    const held = (this.#held.get(device) ?? []).filter(({ until }) =>
      until > now
    );
    if (held.length === 0) this.#held.delete(device);
    return held;
  }
}

/** The tokens that a request names (RFC 4918 sections 10.4 and 10.5). */
export function tokensOf(headers: Headers): readonly string[] {
  const named = `${headers.get("if") ?? ""} ${headers.get("lock-token") ?? ""}`;
  return [...named.slice(0, 8_192).matchAll(/<(urn:uuid:[0-9a-f-]{36})>/gi)]
    .map(([, token = ""]) => token.toLowerCase());
}

/** What an `If` header is held against. */
interface Conditioned {
  /** The lock of a path, and the entity tag of what is there. */
  readonly at: (
    path: Path,
  ) => { readonly token: string | undefined; readonly tag: string | undefined };
  /** The path of the request, for lists without one. */
  readonly path: Path;
  readonly pathOf: (url: string) => Path | undefined;
}

// No part may hold what begins it: else each beginning reads to the end.
const LISTS = /(?:<([^<>]*)>\s*)?\(([^()]*)\)/g;
const CONDITIONS = /(Not\s+)?(?:<([^<>]*)>|\[([^[\]]*)\])/gi;

/** Whether an `If` header holds (RFC 4918 section 10.4), where there is one. */
export function holds(header: string | null, given: Conditioned): boolean {
  if (header === null) return true;
  let { path } = given;
  let isOne = false;
  for (const [, url, list = ""] of header.slice(0, 8_192).matchAll(LISTS)) {
    if (url !== undefined) path = given.pathOf(url) ?? [];
    const { token, tag } = given.at(path);
    isOne ||= [...list.matchAll(CONDITIONS)].every(([, not, named, tagged]) => {
      const isMet = named === undefined
        ? tagged === tag
        : named.toLowerCase() === token;
      return isMet === (not === undefined);
    });
  }
  return isOne;
}

/** The seconds that a lock has left, as a header says it. */
export function timeoutOf({ until }: Lock, now: number): string {
  return `Second-${Math.max(1, Math.round((until - now) / SECOND_MS))}`;
}

function spanOf(timeout: string | null): number {
  const seconds = /Second-(\d{1,9})/i.exec(timeout ?? "")?.[1];
  const asked = seconds === undefined
    ? LONGEST_MS
    : Number(seconds) * SECOND_MS;
  return Math.min(Math.max(asked, SECOND_MS), LONGEST_MS);
}

type Place = Pick<Lock, "path" | "isDeep">;

function meets(one: Place, other: Place): boolean {
  return isAt(one.path, other.path) ||
    (one.isDeep && isAbove(one.path, other.path)) ||
    (other.isDeep && isAbove(other.path, one.path));
}

function isAt(one: Path, other: Path): boolean {
  return one.length === other.length &&
    one.every((name, at) => name === other[at]);
}

function isAbove(one: Path, other: Path): boolean {
  return one.length < other.length &&
    one.every((name, at) => name === other[at]);
}

/** Characters of an owner that are kept. */
const OWNER_MAX = 1_024;
/** Bounds of a LOCK's body. */
export const LOCK_XML_LIMITS = { depth: 32, elements: 10_000 };

/**
 * What the body of a LOCK says (RFC 4918 section 9.10): whether a shared lock
 * is asked for, and whose lock it is, as plain text.
 */
export function lockInfoOf(
  xml: string,
): { readonly isShared: boolean; readonly owner: string } {
  let isShared = false;
  let owner = "";
  /** Elements that are open since the owner's, with it. */
  let depth = 0;
  let isOver = false;
  for (const part of new XmlScanner(xml, LOCK_XML_LIMITS).parts()) {
    if (part.kind === "open") {
      const name = part.name.slice(part.name.indexOf(":") + 1).toLowerCase();
      if (name === "shared") isShared = true;
      if (depth > 0 || (name === "owner" && !isOver)) depth += 1;
    } else if (part.kind === "close" && depth > 0) {
      depth -= 1;
      if (depth === 0) isOver = true;
    } else if (part.kind === "text" && depth > 0) {
      owner += unescapeXml(part.raw).slice(0, OWNER_MAX - owner.length);
    }
  }
  return { isShared, owner: isOver ? owner.trim() : "" };
}
