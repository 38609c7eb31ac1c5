/**
 * The devices of the own account: those in its signed directory, together with
 * their sessions at the server.
 *
 * @module
 */
import {
  type DirectoryDevice,
  verifyDirectory,
} from "../../client/documents/directory.ts";
import { directoryOf } from "../vault/naming.ts";
import type { Vault } from "../vault/vault.ts";

/**
 * A device with its session, a device without a session, or a session of an
 * unnamed device.
 */
export interface OwnDevice {
  /** Its id in the directory, by which it can be named. */
  readonly id?: string;
  /** Its name in the directory; absent for a session of an unnamed device. */
  readonly name?: string;
  readonly platform?: DirectoryDevice["platform"];
  readonly addedAt?: string;
  /** Absent if the device is not signed in. */
  readonly session?: {
    readonly id: string;
    readonly createdAt: string;
    readonly lastUsedAt: string;
  };
  /** Whether this is the present session. */
  readonly current: boolean;
}

/**
 * Lists every session with its device's name in the directory, then the devices
 * without a session. The session of the registration names no device: it
 * belongs to this device if it is the present session, otherwise to the first
 * device in the directory.
 */
export async function ownDevices(vault: Vault): Promise<readonly OwnDevice[]> {
  const { session, identity } = vault;
  const { account, platform } = session;
  const [{ sessions }, held] = await Promise.all([
    account.sessions(),
    directoryOf(session),
  ]);
  const directory = held === undefined ? undefined : await verifyDirectory(
    held,
    identity.signer.publicKey,
    session.userId,
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

function namesOf(
  { device_id: id, name, platform, added_at: addedAt }: DirectoryDevice,
) {
  return { id, name, platform, addedAt };
}
