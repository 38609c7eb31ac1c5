/**
 * The ceremony in which two devices enroll the second one over the relay
 * (protocol/client-cryptography.md#a-second-device). *Old* has the master key
 * and *new* wants it; the server carries every payload and is not trusted.
 *
 * A secret that *new* scans from *old*, or four words that people compare after
 * both sides committed themselves, reveal a server that puts itself in between.
 * Both also bind the account's identity, to which the nonce of *old* is a
 * commitment, so no other master key can be handed over.
 *
 * @module
 */
import { type Bytes, equalBytes, type RandomBytes } from "../../core/bytes.ts";
import type { Primitives } from "../../crypto/primitives.ts";
import type { DevicePlatform } from "../documents/directory.ts";
import { EnrollmentError } from "./enrollment_fault.ts";
import {
  commitmentTo,
  commitMessage,
  intruder,
  KEY_LABEL,
  keyMac,
  keyMessage,
  keyPlaintext,
  nonceFor,
  nonceMessage,
  readMessage,
  revealMac,
  revealMessage,
  Transcript,
  wordsOf,
} from "./enrollment_messages.ts";
import { openIdentity } from "../documents/identity.ts";
import { encodeJson } from "../documents/json.ts";
import {
  openSealed,
  type SealingKeyPair,
  sealingKeyPairFromSeed,
  sealTo,
} from "../keys/sealing.ts";
import { KEY_BYTES } from "../documents/suite.ts";

/** The device that wants to join, as the directory will list it. */
export interface NewDevice {
  readonly deviceId: string;
  readonly name: string;
  readonly platform: DevicePlatform;
}

/** The account that *old* hands over. */
export interface EnrolledAccount {
  readonly masterKey: Uint8Array;
  readonly userId: string;
  /** The address with which the account signs in, if it has one. */
  readonly address?: string | undefined;
  readonly serverId: string;
  /** `key_id` of the account's identity key, in hex. */
  readonly anchor: string;
  /** The trust record of *old*, JSON. */
  readonly trust?: string | undefined;
}

/** The relay channel of two devices, and the secret of a scanned link. */
export interface EnrollmentMeeting {
  /** 32 hex characters. */
  readonly channelId: string;
  /** *Old* always has the secret, *new* only if it scanned the link. */
  readonly secret?: Uint8Array | undefined;
  readonly primitives?: Primitives;
}

/** The third message, and the words that *new* shows until the key arrives. */
export interface Revealed {
  readonly payload: Bytes;
  /** Four words to compare; absent if a link was scanned. */
  readonly words?: readonly string[];
}

/** The side that wants the master key. Call each step once, in this order. */
export class Enrollee {
  readonly #device: NewDevice;
  readonly #meeting: EnrollmentMeeting;
  readonly #pair: SealingKeyPair;
  readonly #n: Bytes;
  readonly #transcript = new Transcript();
  readonly #comparison = new Comparison();
  #nonce: Uint8Array | undefined;

  /** Draws the keys of this enrollment. */
  constructor(
    meeting: EnrollmentMeeting,
    device: NewDevice,
    random: RandomBytes,
  ) {
    this.#meeting = meeting;
    this.#device = device;
    this.#pair = sealingKeyPairFromSeed(random(KEY_BYTES));
    this.#n = new Uint8Array(random(32));
  }

  /** Makes the first payload, to *old*. */
  commit(): Bytes {
    this.#transcript.expect(0);
    const commit = commitmentTo(this.#pair.publicKey, this.#n);
    return this.#transcript.add(
      encodeJson(commitMessage, { v: 1, step: "commit", commit }, "commit"),
    );
  }

  /** Takes the nonce of *old*; makes the payload that answers it. */
  reveal(payload: Uint8Array): Revealed {
    this.#transcript.expect(1);
    const { nonce } = readMessage(nonceMessage, payload);
    this.#transcript.add(payload);
    this.#nonce = nonce;
    const { channelId, secret, primitives } = this.#meeting;
    const { publicKey: pk } = this.#pair;
    const { deviceId, name, platform } = this.#device;
    const mac = secret === undefined
      ? undefined
      : revealMac(secret, channelId, pk, primitives);
    const message = encodeJson(revealMessage, {
      step: "reveal",
      pk,
      nonce: this.#n,
      device_id: deviceId,
      name,
      platform,
      mac,
    }, "reveal");
    this.#transcript.add(message);
    if (secret !== undefined) return { payload: message };
    const words = wordsOf(channelId, pk, this.#n, nonce);
    return { payload: message, words };
  }

  /**
   * Takes the people's answer, which {@link open} requires to be true:
   * otherwise a server could pose as *old* while no one looks. The first no may
   * be a mistake; the second throws an {@link EnrollmentError}.
   */
  compared(same: boolean): void {
    this.#comparison.answer(same);
  }

  /**
   * Opens the account, whose master key must have the anchor's identity. Throws
   * an {@link EnrollmentError} for a payload that *old* did not send, and a
   * RangeError if neither a secret nor compared words prove that *old* sent it.
   */
  async open(payload: Uint8Array): Promise<EnrolledAccount> {
    this.#transcript.expect(3);
    const { secret, primitives } = this.#meeting;
    if (secret === undefined && !this.#comparison.isSame) throw notCompared();
    const { sealed, mac } = readMessage(keyMessage, payload);
    const transcript = this.#transcript.digest();
    this.#transcript.add(payload);
    if (secret !== undefined) {
      const own = keyMac(secret, transcript, sealed, primitives);
      if (mac === undefined || !equalBytes(mac, own)) throw intruder();
    }
    const plaintext = openSealed(
      this.#pair.secretKey,
      sealed,
      KEY_LABEL,
      transcript,
      primitives,
    );
    if (plaintext === undefined) throw intruder();
    const given = readMessage(keyPlaintext, plaintext);
    const nonce = nonceFor(given.anchor, given.opening);
    if (this.#nonce === undefined || !equalBytes(this.#nonce, nonce)) {
      throw intruder();
    }
    const { signer } = await openIdentity(given.master_key, primitives);
    if (signer.keyId !== given.anchor) {
      throw new EnrollmentError(
        "another_identity",
        "the master key is not that of the account's identity",
      );
    }
    return {
      masterKey: given.master_key,
      userId: given.user_id,
      address: given.address,
      serverId: given.server_id,
      anchor: given.anchor,
      ...(given.trust === undefined ? {} : { trust: given.trust }),
    };
  }
}

/** The device that wants to join, as *old* sees it. */
export interface Applicant {
  readonly device: NewDevice;
  /** Four words to compare; absent if *new* scanned the link. */
  readonly words?: readonly string[];
}

/** The side that has the master key. Call each step once, in this order. */
export class Initiator {
  readonly #meeting: EnrollmentMeeting;
  readonly #random: RandomBytes;
  readonly #anchor: string;
  readonly #opening: Bytes;
  readonly #transcript = new Transcript();
  #commit: Uint8Array | undefined;
  #pk: Uint8Array | undefined;
  readonly #comparison = new Comparison();
  #hasScanned = false;

  /** `anchor` is the `key_id` of the account's identity key. */
  constructor(
    meeting: EnrollmentMeeting,
    anchor: string,
    random: RandomBytes,
  ) {
    this.#meeting = meeting;
    this.#anchor = anchor;
    this.#random = random;
    this.#opening = new Uint8Array(random(32));
  }

  /** Takes the commitment of *new*; makes the payload that answers it. */
  answer(payload: Uint8Array): Bytes {
    this.#transcript.expect(0);
    this.#commit = readMessage(commitMessage, payload).commit;
    this.#transcript.add(payload);
    const nonce = nonceFor(this.#anchor, this.#opening);
    return this.#transcript.add(
      encodeJson(nonceMessage, { step: "nonce", nonce }, "nonce"),
    );
  }

  /**
   * Takes the payload in which *new* reveals itself. If the result has words,
   * {@link compared} must be called before {@link grant}.
   */
  meet(payload: Uint8Array): Applicant {
    this.#transcript.expect(2);
    const { channelId, secret, primitives } = this.#meeting;
    const { pk, nonce: n, mac, ...device } = readMessage(
      revealMessage,
      payload,
    );
    this.#transcript.add(payload);
    const commit = commitmentTo(pk, n);
    if (this.#commit === undefined || !equalBytes(this.#commit, commit)) {
      throw intruder();
    }
    const applicant = {
      device: {
        deviceId: device.device_id,
        name: device.name,
        platform: device.platform,
      },
    };
    if (mac !== undefined) {
      if (secret === undefined) throw intruder();
      const own = revealMac(secret, channelId, pk, primitives);
      if (!equalBytes(mac, own)) throw intruder();
      this.#hasScanned = true;
      this.#pk = pk;
      return applicant;
    }
    this.#pk = pk;
    const nonce = nonceFor(this.#anchor, this.#opening);
    return { ...applicant, words: wordsOf(channelId, pk, n, nonce) };
  }

  /**
   * Takes the people's answer, which {@link grant} requires to be true. The
   * first no may be a mistake; the second throws an {@link EnrollmentError}.
   */
  compared(same: boolean): void {
    this.#comparison.answer(same);
  }

  /**
   * Makes the payload that hands the account over. Throws a RangeError if
   * neither a secret nor compared words prove that *new* is the person's
   * device, and for another anchor than the constructor's.
   */
  grant(account: EnrolledAccount): Bytes {
    this.#transcript.expect(3);
    const { secret, primitives } = this.#meeting;
    const isTrusted = this.#hasScanned || this.#comparison.isSame;
    if (!isTrusted || this.#pk === undefined) throw notCompared();
    if (account.anchor !== this.#anchor) {
      throw new RangeError("the anchor is not the one of the beginning");
    }
    const plaintext = encodeJson(keyPlaintext, {
      v: 1,
      master_key: account.masterKey,
      user_id: account.userId,
      address: account.address,
      server_id: account.serverId,
      anchor: account.anchor,
      opening: this.#opening,
      trust: account.trust,
    }, "account");
    const transcript = this.#transcript.digest();
    const sealed = sealTo(
      this.#pk,
      plaintext,
      KEY_LABEL,
      transcript,
      this.#random,
      primitives,
    );
    const mac = secret === undefined
      ? undefined
      : keyMac(secret, transcript, sealed, primitives);
    return this.#transcript.add(
      encodeJson(keyMessage, { step: "key", sealed, mac }, "key"),
    );
  }
}

/** The channel ends after this many wrong answers. */
const MOST_WRONG_ANSWERS = 2;

/** The answers of the people who compare the four words on both devices. */
class Comparison {
  #isSame = false;
  #wrongAnswers = 0;

  get isSame(): boolean {
    return this.#isSame;
  }

  /** Takes an answer; the second wrong one throws an {@link EnrollmentError}. */
  answer(same: boolean): void {
    if (!same) this.#wrongAnswers += 1;
    this.#isSame = same && this.#wrongAnswers < MOST_WRONG_ANSWERS;
    if (this.#wrongAnswers < MOST_WRONG_ANSWERS) return;
    throw new EnrollmentError("words_differ", "the words were not the same");
  }
}

/** The error for a device that hands over or takes before the answer was yes. */
function notCompared(): RangeError {
  return new RangeError("the words were not compared yet");
}
