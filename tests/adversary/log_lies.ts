/**
 * What a server that lies can sign about its public logs, with its own keys and
 * those of a witness that works with it. A second witness is honest: it cosigns
 * what the real server says, and nothing else.
 *
 * @module
 */
import assert from "node:assert/strict";
import { utf8 } from "../../src/core/bytes.ts";
import { encodeCanonical } from "../../src/core/cbor.ts";
import type { HybridSigner } from "../../src/crypto/hybrid.ts";
import { formatLogPolicy } from "../../src/crypto/logs/log_policy.ts";
import {
  decodeBundle,
  encodeBundle,
  hashesOf,
  leafHash,
  nodeHash,
  rootOf,
  TILE_WIDTH,
  type TreeNode,
} from "../../src/crypto/logs/merkle.ts";
import {
  cosign,
  formatCheckpoint,
  formatNote,
  formatSignatures,
  noteKey,
  type NoteSigner,
  noteSigner,
  parseCheckpoint,
  parseNote,
  signNoteHybrid,
} from "../../src/crypto/logs/signed_note.ts";
import type { TestApp } from "../support/app.ts";
import type { Answer } from "./answers.ts";

/** Reads a path of the real server. */
type ReadPath = (path: string) => Promise<Uint8Array<ArrayBuffer>>;

const HONEST = "honest.example/witness/1";
const LIAR = "liar.example/witness/1";
/** An entry that names another web app than the server's. */
const OTHER_APP = encodeCanonical([3, new Uint8Array(32).fill(0xee)]);

/** The server's own signature, and its witnesses. */
export class LogLies {
  private constructor(
    private readonly app: TestApp,
    private readonly signer: HybridSigner,
    private readonly honest: NoteSigner,
    private readonly liar: NoteSigner,
  ) {}

  static async make(app: TestApp): Promise<LogLies> {
    const signer = app.app.secrets.attestationKeys.at(-1)?.signer;
    assert(signer !== undefined);
    const [honest, liar] = await Promise.all(
      [1, 2].map((seed) => noteSigner(new Uint8Array(32).fill(seed))),
    );
    assert(honest !== undefined && liar !== undefined);
    return new LogLies(app, signer, honest, liar);
  }

  /** Both witnesses have to agree. */
  get policy(): string {
    const witnesses = [
      { name: "honest", key: noteKey(HONEST, "cosignature", key(this.honest)) },
      { name: "liar", key: noteKey(LIAR, "cosignature", key(this.liar)) },
    ];
    return formatLogPolicy(
      witnesses.map((one) => ({ ...one, url: undefined })),
      2,
    );
  }

  /** A true checkpoint, which both witnesses cosign. */
  async witnessed(answer: Answer): Promise<Answer> {
    const note = textOf(answer.bytes);
    const text = parseNote(note)?.text;
    if (answer.status !== 200 || text === undefined) return answer;
    const lines = formatSignatures([
      await cosign(this.honest, HONEST, text, this.#seconds),
      await cosign(this.liar, LIAR, text, this.#seconds),
    ]);
    return { ...answer, bytes: utf8(note + lines) };
  }

  /**
   * A checkpoint of the same size with another tree, that the server and its
   * accomplice sign. The honest witness's line stands under it too.
   */
  async otherHead(answer: Answer, read: ReadPath): Promise<Answer> {
    const note = parseNote(textOf(answer.bytes));
    const head = parseCheckpoint(note?.text ?? "");
    // A larger log has more tiles than are forged here.
    if (head === undefined || head.size === 0 || head.size >= TILE_WIDTH) {
      return answer;
    }
    const { size, origin } = head;
    const log = origin.includes("/keys/") ? "keys" : "custody";
    const leaves = hashesOf(
      otherTile(log, await read(`/log/${log}/tile/0/000.p/${size}`)),
    );
    const hash = ({ level, index }: TreeNode): Uint8Array =>
      level === 0 ? leaves[index] ?? new Uint8Array() : nodeHash(
        hash({ level: level - 1, index: index * 2 }),
        hash({ level: level - 1, index: index * 2 + 1 }),
      );
    const text = formatCheckpoint({ origin, size, root: rootOf(size, hash) });
    const signatures = [
      await signNoteHybrid(this.signer, origin, text),
      await cosign(this.liar, LIAR, text, this.#seconds),
      ...note?.signatures.filter(({ name }) => name === HONEST) ?? [],
    ];
    return { ...answer, bytes: utf8(formatNote({ text, signatures })) };
  }

  get #seconds(): number {
    return Math.floor(this.app.clock.now / 1_000);
  }
}

function key({ publicKey }: NoteSigner): Uint8Array {
  return publicKey;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** A tile of leaves whose first leaf is another one. */
export function otherTile(
  log: "custody" | "keys",
  tile: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const other = tile.slice();
  if (log === "keys") other.set(leafHash(OTHER_APP));
  else other[0] = (other[0] ?? 0) ^ 1;
  return other;
}

/** Entries whose first one names another web app. */
export function otherEntries(
  bundle: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const [, ...entries] = decodeBundle(bundle) ?? [];
  return encodeBundle([OTHER_APP, ...entries]);
}

/** Entries without one of them, or with another one in its place. */
export function withoutEntry(
  bundle: Uint8Array<ArrayBuffer>,
  pick: number,
): Uint8Array<ArrayBuffer> {
  const entries = decodeBundle(bundle) ?? [];
  const at = pick % Math.max(1, entries.length);
  const left = pick % 2 === 0
    ? entries.toSpliced(at, 1)
    : entries.with(at, OTHER_APP);
  return encodeBundle(left);
}
