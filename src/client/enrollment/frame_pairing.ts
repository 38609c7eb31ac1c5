/**
 * How a picture frame gets its link over the relay by a typed code
 * (protocol/client-cryptography.md#a-picture-frame). The *owner* has the link and
 * the *frame* wants it; the server carries every payload and is not trusted.
 *
 * Both sides commit themselves, and people compare four words, as when a second
 * device joins (`enrollment.ts`). Every label is another one, so neither
 * ceremony can be made to serve the other.
 *
 * @module
 */
import * as z from "zod/mini";
import {
  type Bytes,
  equalBytes,
  type RandomBytes,
  utf8,
} from "../../core/bytes.ts";
import type { Primitives } from "../../crypto/primitives.ts";
import { sha256 } from "../../crypto/sha256.ts";
import { Comparison, notCompared } from "./enrollment_comparison.ts";
import {
  comparedWords,
  digest,
  intruder,
  labelled,
  nonceMessage,
  readMessage,
  Transcript,
} from "./enrollment_messages.ts";
import { textBetween } from "../documents/fields.ts";
import { parseFrameLink } from "../documents/frame_link.ts";
import { base64UrlUpTo, bytesOf, encodeJson } from "../documents/json.ts";
import {
  openSealed,
  sealingKeyPairFromSeed,
  sealTo,
  X_WING_PUBLIC_KEY_BYTES,
} from "../keys/sealing.ts";
import { KEY_BYTES } from "../documents/suite.ts";

const COMMIT_LABEL = "service-frame-commit/v1";
const NONCE_LABEL = "service-frame-nonce/v1";
const WORDS_LABEL = "service-frame-words/v1";
const LINK_LABEL = "service-frame-link/v1";

/** The first message: the frame commits itself. */
const commitMessage = z.object({
  v: z.literal(1),
  step: z.literal("frame"),
  commit: digest,
});
/** The third message: the frame opens its commitment. */
const revealMessage = z.object({
  step: z.literal("reveal"),
  pk: bytesOf(X_WING_PUBLIC_KEY_BYTES),
  nonce: digest,
});
/** The fourth message: the owner hands the link over. */
const linkMessage = z.object({
  step: z.literal("link"),
  sealed: base64UrlUpTo(16 * 1024),
});
/** The plaintext that is sealed in the fourth message. */
const linkPlaintext = z.object({
  v: z.literal(1),
  link: textBetween(1, 4_096),
  opening: digest,
});

/** The relay channel of the owner and the frame. */
export interface FrameMeeting {
  /** 32 hex characters. */
  readonly channelId: string;
  readonly primitives?: Primitives;
}

/** The commitment of the frame to its key and its nonce. */
function commitmentTo(pk: Uint8Array, n: Uint8Array): Bytes {
  return labelled(COMMIT_LABEL, pk, n);
}

/** The nonce of the owner: a commitment to the link, which it hides. */
function nonceFor(link: string, opening: Uint8Array): Bytes {
  return labelled(NONCE_LABEL, sha256(utf8(link)), opening);
}

function wordsOf(
  channelId: string,
  pk: Uint8Array,
  n: Uint8Array,
  nonce: Uint8Array,
): string[] {
  return comparedWords(
    labelled(WORDS_LABEL, utf8(channelId), pk, n, nonce),
  );
}

/** The side that wants a link. Call each step once, in this order. */
export class FrameTaker {
  readonly #pair;
  readonly #n: Bytes;
  readonly #transcript = new Transcript();
  readonly #comparison = new Comparison();
  #nonce: Uint8Array | undefined;

  /** Draws the keys of this pairing. */
  constructor(private readonly meeting: FrameMeeting, random: RandomBytes) {
    this.#pair = sealingKeyPairFromSeed(random(KEY_BYTES));
    this.#n = new Uint8Array(random(32));
  }

  /** Makes the first payload, to the owner. */
  commit(): Bytes {
    this.#transcript.expect(0);
    const commit = commitmentTo(this.#pair.publicKey, this.#n);
    return this.#transcript.add(
      encodeJson(commitMessage, { v: 1, step: "frame", commit }, "commit"),
    );
  }

  /**
   * Takes the nonce of the owner; makes the payload that answers it, and the
   * four words to compare.
   */
  reveal(
    payload: Uint8Array,
  ): { readonly payload: Bytes; readonly words: readonly string[] } {
    this.#transcript.expect(1);
    const { nonce } = readMessage(nonceMessage, payload);
    this.#transcript.add(payload);
    this.#nonce = nonce;
    const { publicKey: pk } = this.#pair;
    const message = encodeJson(
      revealMessage,
      { step: "reveal", pk, nonce: this.#n },
      "reveal",
    );
    this.#transcript.add(message);
    const words = wordsOf(this.meeting.channelId, pk, this.#n, nonce);
    return { payload: message, words };
  }

  /**
   * Takes the person's answer, which {@link open} requires to be true: otherwise
   * a server could show photos of its own. The first no may be a mistake; the
   * second throws an EnrollmentError.
   */
  compared(same: boolean): void {
    this.#comparison.answer(same);
  }

  /**
   * Opens the frame's link. Throws an EnrollmentError for a payload that the
   * owner did not send, and a RangeError if the words were not compared.
   */
  open(payload: Uint8Array): string {
    this.#transcript.expect(3);
    if (!this.#comparison.isSame) throw notCompared();
    const { sealed } = readMessage(linkMessage, payload);
    const transcript = this.#transcript.digest();
    this.#transcript.add(payload);
    const plaintext = openSealed(
      this.#pair.secretKey,
      sealed,
      LINK_LABEL,
      transcript,
      this.meeting.primitives,
    );
    if (plaintext === undefined) throw intruder();
    const { link, opening } = readMessage(linkPlaintext, plaintext);
    const isMeant = this.#nonce !== undefined &&
      equalBytes(this.#nonce, nonceFor(link, opening)) &&
      parseFrameLink(link) !== undefined;
    if (!isMeant) throw intruder();
    return link;
  }
}

/** The side that has the link. Call each step once, in this order. */
export class FrameGiver {
  readonly #opening: Bytes;
  readonly #transcript = new Transcript();
  readonly #comparison = new Comparison();
  #commit: Uint8Array | undefined;
  #pk: Uint8Array | undefined;

  constructor(
    private readonly meeting: FrameMeeting,
    private readonly link: string,
    private readonly random: RandomBytes,
  ) {
    this.#opening = new Uint8Array(random(32));
  }

  /** Takes the commitment of the frame; makes the payload that answers it. */
  answer(payload: Uint8Array): Bytes {
    this.#transcript.expect(0);
    this.#commit = readMessage(commitMessage, payload).commit;
    this.#transcript.add(payload);
    const nonce = nonceFor(this.link, this.#opening);
    return this.#transcript.add(
      encodeJson(nonceMessage, { step: "nonce", nonce }, "nonce"),
    );
  }

  /** Takes the payload in which the frame reveals itself; the words to compare. */
  meet(payload: Uint8Array): readonly string[] {
    this.#transcript.expect(2);
    const { pk, nonce: n } = readMessage(revealMessage, payload);
    this.#transcript.add(payload);
    const commit = commitmentTo(pk, n);
    if (this.#commit === undefined || !equalBytes(this.#commit, commit)) {
      throw intruder();
    }
    this.#pk = pk;
    const nonce = nonceFor(this.link, this.#opening);
    return wordsOf(this.meeting.channelId, pk, n, nonce);
  }

  /**
   * Takes the person's answer, which {@link grant} requires to be true. The
   * first no may be a mistake; the second throws an EnrollmentError.
   */
  compared(same: boolean): void {
    this.#comparison.answer(same);
  }

  /**
   * Makes the payload that hands the link over. Throws a RangeError if the words
   * were not compared.
   */
  grant(): Bytes {
    this.#transcript.expect(3);
    if (!this.#comparison.isSame || this.#pk === undefined) throw notCompared();
    const plaintext = encodeJson(
      linkPlaintext,
      { v: 1, link: this.link, opening: this.#opening },
      "link of a frame",
    );
    const sealed = sealTo(
      this.#pk,
      plaintext,
      LINK_LABEL,
      this.#transcript.digest(),
      this.random,
      this.meeting.primitives,
    );
    return this.#transcript.add(
      encodeJson(linkMessage, { step: "link", sealed }, "link"),
    );
  }
}
