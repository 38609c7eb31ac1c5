/**
 * A note for the doctor: who sends forwarding headers without being a trusted
 * proxy, and which trusted proxy sends another header than the one that counts.
 * The note is a small file in the data directory, since the doctor has no other
 * way to ask a server that runs.
 *
 * @module
 */
import { z } from "zod";
import { MINUTE_MS } from "../core/time.ts";
import {
  isTrusted,
  networkOf,
  otherHeader,
  type ProxyHeader,
  type TrustedProxies,
  UNIX_PEER,
} from "../http/client_address.ts";
import { type Files, writeDurably } from "../store/files/files.ts";
import { scopeOf } from "../http/address_scope.ts";

/** Anybody may send such headers: the file is written this rarely. */
const QUIET_MS = MINUTE_MS;
const FORWARDERS_MAX = 8;

/** Who sent forwarding headers, and when that was noted last (ms). */
export interface Forwarder {
  /** An address of a private network, or a network of the public ones. */
  readonly from: string;
  readonly at: number;
  /** The header, of a trusted proxy that does not send the other. */
  readonly header?: ProxyHeader | undefined;
}

const NoteFile = z.strictObject({
  version: z.literal(1),
  forwarders: z.array(z.strictObject({
    from: z.string(),
    at: z.int(),
    header: z.enum(["x-forwarded-for", "forwarded"]).optional(),
  })),
});

/** Where a data directory has the note. */
function notePath(root: string): string {
  return `${root}/forwarded.json`;
}

/** What was noted since the server started; nothing where there is no note. */
export function readNote(files: Files, root: string): readonly Forwarder[] {
  const held = files.readWhole(notePath(root));
  if (held === undefined) return [];
  try {
    const text = new TextDecoder().decode(held);
    return NoteFile.parse(JSON.parse(text)).forwarders;
  } catch {
    // Half a note is ignored: the next one is written whole.
    return [];
  }
}

interface NoteOptions {
  readonly root: string;
  readonly files: Files;
  readonly trusted: TrustedProxies;
  /** The header that trusted proxies are believed in. */
  readonly noted: ProxyHeader;
  readonly now: () => number;
  /** Told once that there is something to note. */
  readonly onFirst: () => void;
  /** Told when the note cannot be written. */
  readonly onFailure: (cause: unknown) => void;
}

/** Takes notes while the server runs. */
export class ForwardedNote {
  #forwarders: readonly Forwarder[] = [];
  #quietUntil = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(private readonly options: NoteOptions) {}

  /** Takes an earlier server's note away. */
  async begin(): Promise<void> {
    await this.options.files.remove(notePath(this.options.root));
  }

  /** Looks at a request; nearly always for no longer than a comparison. */
  see(peer: string, header: (name: string) => string | null): void {
    const { now, trusted, noted: believed, files, root, onFirst, onFailure } =
      this.options;
    const at = now();
    if (at < this.#quietUntil) return;
    const other = otherHeader(believed);
    const hasOther = header(other) !== null;
    if (header(believed) === null ? !hasOther : isTrusted(peer, trusted)) {
      return;
    }
    this.#quietUntil = at + QUIET_MS;
    if (this.#forwarders.length === 0) onFirst();
    this.#forwarders = noted(this.#forwarders, {
      from: nameFor(peer),
      at,
      ...(isTrusted(peer, trusted) ? { header: other } : {}),
    });
    const text = JSON.stringify({ version: 1, forwarders: this.#forwarders });
    const bytes = new TextEncoder().encode(`${text}\n`);
    this.#writing = this.#writing
      .then(() => writeDurably(files, notePath(root), bytes))
      .catch(onFailure);
  }

  /** Resolves once what was seen is written. */
  settled(): Promise<void> {
    return this.#writing;
  }
}

/** A public address may be a person's: its network is enough. */
function nameFor(peer: string): string {
  return scopeOf(peer) === "anybody" ? networkOf(peer) : peer;
}

/**
 * The list with one more; when it is full, the public network that was noted
 * first makes room, so that strangers do not hide the proxy next door.
 */
export function noted(
  forwarders: readonly Forwarder[],
  one: Forwarder,
): readonly Forwarder[] {
  const others = forwarders.filter(({ from }) => from !== one.from);
  if (others.length < FORWARDERS_MAX) return [...others, one];
  const stranger = others.findIndex(({ from }) => isPublic(from));
  return [...others.toSpliced(Math.max(0, stranger), 1), one];
}

function isPublic(from: string): boolean {
  return from !== UNIX_PEER && from.includes("/");
}
