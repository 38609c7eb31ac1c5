/**
 * Enrolling a second device of an account, from both sides of the relay: *old*
 * shows a link or a code, *new* gets the master key and signs in by itself
 * (protocol/client-cryptography.md#a-second-device).
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import { createClient } from "../../client/api/api.ts";
import type {
  EnrolledAccount,
  NewDevice,
} from "../../client/enrollment/enrollment.ts";
import {
  buildEnrollmentLink,
  ENROLLMENT_SECRET_BYTES,
  parseEnrollmentLink,
} from "../../client/enrollment/enrollment_link.ts";
import {
  clientOptions,
  type LibraryPlatform,
  newId,
  primitivesOf,
} from "../base/platform.ts";
import type { Device } from "../vault/profile.ts";
import { mailbox, redeemed } from "../vault/relay.ts";
import type { Session } from "../vault/session.ts";
import type { Trust } from "../trust/trust.ts";
import { nameDevice } from "../vault/naming.ts";
import { adoptMasterKey, type Vault, VaultError } from "../vault/vault.ts";

/** How *old* communicates with its person. */
export interface Enrolling {
  /**
   * The origin of the link, such as `origins.links` of the library. Default:
   * the one at which the person signed in.
   */
  readonly origin?: string;
  /** What this device has verified, which the other one gets. */
  readonly trust: Trust;
  /**
   * Shows the link as a QR code and as text, and the code for devices that
   * cannot scan.
   */
  readonly show: (
    shown: {
      readonly link: string;
      readonly code: string;
      readonly expiresAt: string;
    },
  ) => void;
  /**
   * Asks whether both devices show these words, and asks again after the first
   * no. Not called if *new* scanned the link; where it did and shows no words,
   * the server removed the proof of that, and the answer has to be no.
   */
  readonly compare: (
    words: readonly string[],
    device: NewDevice,
  ) => Promise<boolean>;
  readonly signal?: AbortSignal;
}

/**
 * Hands the account to another device, and adds that device to the directory.
 * Throws EnrollmentError, ApiProblem, and the signal's reason.
 */
export async function enrollDevice(
  vault: Vault,
  enrolling: Enrolling,
): Promise<NewDevice> {
  const { session, identity } = vault;
  const { account, client, platform } = session;
  const { code, expires_at: expiresAt } = await session.recently(
    () => account.issueEnrollmentCode(),
  );
  const secret = new Uint8Array(platform.random(ENROLLMENT_SECRET_BYTES));
  const link = buildEnrollmentLink({
    origin: enrolling.origin ?? session.server,
    code,
    secret,
  });
  enrolling.show({ link, code, expiresAt });
  const channelId = await redeemed(session, expiresAt, enrolling.signal);
  const mail = mailbox(client, channelId, "to_initiator", {
    wait: platform.wait,
    signal: enrolling.signal,
  });
  const say = (payload: Bytes) =>
    client.appendPayload(channelId, "to_enrollee", payload);
  const meeting = { channelId, secret, primitives: primitivesOf(platform) };
  const { keyId } = identity.signer;
  const { Initiator } = await import("../../client/enrollment/enrollment.ts");
  const initiator = new Initiator(meeting, keyId, platform.random);
  try {
    await say(initiator.answer(await mail()));
    const { device, words } = initiator.meet(await mail());
    if (words !== undefined) {
      for (let same = false; !same;) {
        same = await enrolling.compare(words, device);
        initiator.compared(same);
      }
    }
    const { server_id: serverId } = await client.serverInfo();
    const masterKey = session.masterKey();
    if (masterKey === undefined) throw new VaultError("locked", "no key here");
    // The directory lists the device before it gets the key.
    const trust = await enrolling.trust.handOver((known) =>
      nameDevice(vault, {
        device_id: device.deviceId,
        name: device.name,
        platform: device.platform,
      }, { known })
    );
    const granted = {
      masterKey,
      userId: session.userId,
      address: session.address,
      serverId,
      anchor: keyId,
      trust,
    };
    await say(initiator.grant(granted));
    return device;
  } catch (error) {
    await account.closeChannel(channelId).catch(() => {});
    throw error;
  }
}

/** How *new* joins an account. */
export interface Joining {
  /** The scanned link, or a typed code with its server. */
  readonly link: string | { readonly server: string; readonly code: string };
  /**
   * The origin that the person opened, if they opened one. A link of another
   * origin is asked of this one, and without its secret, so that the words have
   * to be compared.
   */
  readonly opened?: string;
  /** This device; with its id if someone signed in on it before. */
  readonly device: Pick<Device, "name" | "platform"> & Partial<Device>;
  /**
   * Asks whether both devices show these words, and asks again after the first
   * no. Not called if a link was scanned, unless it is of another origin than
   * the person opened: then `foreign` is that origin.
   */
  readonly compare: (
    words: readonly string[],
    foreign?: string,
  ) => Promise<boolean>;
  readonly signal?: AbortSignal;
}

/** What a device has received when it has joined. Secret. */
export interface Joined {
  readonly server: string;
  readonly account: EnrolledAccount;
  /** The device to sign in with, which the directory lists. */
  readonly device: Device;
}

/**
 * Gets the master key from *old*. Afterwards the person signs in on this
 * device, with the `device` of the result, and {@link adoptJoined} opens the
 * vault. Throws EnrollmentError, ApiProblem, and a TypeError if the text is no
 * link.
 */
export async function joinAccount(
  platform: LibraryPlatform,
  joining: Joining,
): Promise<Joined> {
  const given = meant(joining);
  if (given === undefined) throw new TypeError("not an enrollment link");
  const client = createClient(clientOptions(platform, given.origin));
  const { channel_id: channelId } = await client.redeemEnrollmentCode(
    given.code,
  );
  const device: Device = { device_id: newId(platform), ...joining.device };
  const mail = mailbox(client, channelId, "to_enrollee", {
    wait: platform.wait,
    signal: joining.signal,
  });
  const say = (payload: Bytes) =>
    client.appendPayload(channelId, "to_initiator", payload);
  const { Enrollee } = await import("../../client/enrollment/enrollment.ts");
  const enrollee = new Enrollee(
    {
      channelId,
      secret: given.secret,
      primitives: primitivesOf(platform),
    },
    {
      deviceId: device.device_id,
      name: device.name,
      platform: device.platform,
    },
    platform.random,
  );
  await say(enrollee.commit());
  const { payload, words } = enrollee.reveal(await mail());
  await say(payload);
  const compare = async () => {
    for (let same = words === undefined; !same;) {
      same = await joining.compare(words ?? [], given.foreign);
      enrollee.compared(same);
    }
  };
  // Both at once, so that a failure of one ends the wait for the other.
  const [granted] = await Promise.all([mail(), compare()]);
  const account = await enrollee.open(granted);
  return { server: given.origin, account, device };
}

/** What a link or a code says, as far as it can be believed. */
function meant({ link, opened }: Joining): {
  readonly origin: string;
  readonly code: string;
  readonly secret?: Uint8Array;
  /** The origin of the link, if it is not the opened one. */
  readonly foreign?: string;
} | undefined {
  if (typeof link !== "string") {
    return { origin: new URL(link.server).origin, code: link.code };
  }
  const read = parseEnrollmentLink(link);
  if (read === undefined || opened === undefined) return read;
  const { origin } = new URL(opened);
  if (read.origin === origin) return read;
  // A server behind that origin could have seen the secret.
  return { origin, code: read.code, foreign: read.origin };
}

/**
 * Opens the vault of a session with the result of {@link joinAccount}. Throws
 * VaultError if the session is of another account, or the server shows another
 * identity than *old* did.
 */
export async function adoptJoined(
  session: Session,
  { account }: Joined,
): Promise<Vault> {
  if (session.userId !== account.userId) {
    throw new VaultError("another_identity", "signed in to another account");
  }
  const vault = await adoptMasterKey(session, account.masterKey);
  const { trust } = account;
  await session.holdArrival({ came: "enrolled", trust });
  return vault;
}
