/**
 * The devices of one's own account, as its signed directory names them, beside
 * the sessions that the server has of them.
 *
 * @module
 */
import { ApiProblem } from "../api.ts";
import { type DirectoryDevice, verifyDirectory } from "../directory.ts";
import type { Vault } from "./vault.ts";

/** A device or a session of the account; some are but one of the two. */
export interface OwnDevice {
  /** As the directory names it; absent for a session of no named device. */
  readonly name?: string;
  readonly platform?: DirectoryDevice["platform"];
  readonly addedAt?: string;
  /** Absent where the device is signed in nowhere. */
  readonly session?: {
    readonly id: string;
    readonly createdAt: string;
    readonly lastUsedAt: string;
  };
  /** Whether this is the one that asks. */
  readonly current: boolean;
}

/**
 * Every session with the name that the directory has for its device, then the
 * devices without a session. The session of registering names no device: where
 * it is this one's, this device's name is known all the same, and elsewhere it
 * is of the device that the directory was begun on.
 */
export async function ownDevices(vault: Vault): Promise<readonly OwnDevice[]> {
  const { session, identity } = vault;
  const { account, platform } = session;
  const [{ sessions }, held] = await Promise.all([
    account.sessions(),
    directoryOf(vault),
  ]);
  const directory = held === undefined ? undefined : await verifyDirectory(
    held,
    identity.signer.publicKey,
    platform.hybrid,
  );
  const devices = new Map(
    directory?.devices.map((one) => [one.device_id, one]),
  );
  const own = session.device.device_id;
  const named = new Set(sessions.map((one) => one.device_id));
  const first = directory?.devices[0]?.device_id ?? "";
  const oldest = sessions.findLast((one) => !one.device_id);
  const registered = named.has(first) ? undefined : oldest?.session_id;
  const signedIn = sessions.map((one): OwnDevice => {
    const ofFirst = one.session_id === registered ? first : "";
    const id = one.current ? own : one.device_id ?? ofFirst;
    const device = devices.get(id);
    devices.delete(id);
    return {
      ...(device === undefined ? {} : namesOf(device)),
      session: {
        id: one.session_id,
        createdAt: one.created_at,
        lastUsedAt: one.last_used_at,
      },
      current: one.current,
    };
  });
  const others = [...devices.values()].map((device): OwnDevice => ({
    ...namesOf(device),
    current: false,
  }));
  return [...signedIn, ...others];
}

function namesOf({ name, platform, added_at: addedAt }: DirectoryDevice) {
  return { name, platform, addedAt };
}

async function directoryOf({ session }: Vault) {
  try {
    return (await session.account.directory(session.userId)).bytes;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return undefined;
    throw error;
  }
}
