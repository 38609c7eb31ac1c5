/**
 * Adding devices to the account's signed directory.
 *
 * @module
 */
import { toRfc3339 } from "../../core/time.ts";
import { ApiProblem } from "../api.ts";
import { signDirectory, verifyDirectory } from "../directory.ts";
import type { Identity } from "../identity.ts";
import type { Device } from "./profile.ts";
import type { Session } from "./session.ts";

/** What signs the directory. */
interface Signing {
  readonly session: Session;
  readonly identity: Identity;
}

/** As many devices may come to an account at the same moment. */
const MOST_TRIES = 30;
/** A pause between two tries grows by up to this much (ms). */
const PAUSE_MS = 50;

/**
 * Adds a device to the account's directory unless it is there already. Another
 * device may add itself meanwhile: then its directory is added to.
 */
export async function nameDevice(
  signing: Signing,
  device: Device,
  first = false,
): Promise<void> {
  const { platform } = signing.session;
  for (let tries = 1;; tries++) {
    const held = first && tries === 1
      ? undefined
      : await directoryOf(signing.session);
    try {
      return await addDevice(signing, device, held);
    } catch (error) {
      const overtaken = error instanceof ApiProblem &&
        error.code === "error.directory.version_conflict";
      if (!overtaken || tries === MOST_TRIES) throw error;
    }
    // Not all at the same moment again.
    const [random = 0] = platform.random(1);
    await platform.wait(Math.ceil(random / 256 * tries * PAUSE_MS));
  }
}

/** Publishes the directory that is held with one more device. */
async function addDevice(
  { session, identity }: Signing,
  device: Device,
  held: Uint8Array | undefined,
): Promise<void> {
  const { account, platform } = session;
  const directory = held === undefined ? undefined : await verifyDirectory(
    held,
    identity.signer.publicKey,
    platform.hybrid,
  );
  const devices = directory?.devices ?? [];
  if (devices.some((one) => one.device_id === device.device_id)) return;
  const now = toRfc3339(platform.now());
  const bytes = await signDirectory(identity.signer, {
    directory_version: (directory?.directory_version ?? 0) + 1,
    sealing_key: identity.sealing.publicKey,
    devices: [...devices, { ...device, added_at: now }],
    signed_at: now,
  });
  const { publicKey } = identity.signer;
  await session.recently(() => account.publishDirectory(bytes, publicKey));
}

/** The directory's bytes; undefined if there is none. */
export async function directoryOf(session: Session) {
  try {
    return (await session.account.directory(session.userId)).bytes;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return undefined;
    throw error;
  }
}
