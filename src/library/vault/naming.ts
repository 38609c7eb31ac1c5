/**
 * Adding devices to the account's signed directory, and naming them.
 *
 * @module
 */
import { toRfc3339 } from "../../core/time.ts";
import { ApiProblem, createClient } from "../../client/api/api.ts";
import {
  type Directory,
  type DirectoryDevice,
  signDirectory,
  verifyDirectory,
} from "../../client/documents/directory.ts";
import type { Identity } from "../../client/documents/identity.ts";
import { loaded } from "../base/lazy_loading.ts";
import { clientOptions } from "../base/platform.ts";
import type { Device } from "./profile.ts";
import type { Session } from "./session.ts";

/** What signs the directory. */
interface Signing {
  readonly session: Session;
  readonly identity: Identity;
}

/** Most characters of a device's name. */
export const NAME_MAX_CHARS = 128;
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
  { first = false, known }: {
    readonly first?: boolean;
    /** What this device knows of the directory and of the state slots. */
    readonly known?: KnownState;
  } = {},
): Promise<Directory> {
  return await changeDevices(
    signing,
    (devices, now) =>
      devices.some((one) => one.device_id === device.device_id)
        ? devices
        : [...devices, { ...device, added_at: now }],
    first,
    known,
  );
}

/**
 * Gives a device of the directory another name. Throws a RangeError for a name
 * without characters, or with more than a directory takes.
 */
export async function renameDevice(
  signing: Signing,
  deviceId: string,
  name: string,
): Promise<void> {
  const given = name.trim();
  if (given === "" || given.length > NAME_MAX_CHARS) {
    throw new RangeError(`a name has 1 to ${NAME_MAX_CHARS} characters`);
  }
  await changeDevices(
    signing,
    (devices) =>
      devices.some((one) => one.device_id === deviceId && one.name !== given)
        ? devices.map((one) =>
          one.device_id === deviceId ? { ...one, name: given } : one
        )
        : devices,
  );
}

/** What a device knows of its account's directory and state slots. */
export interface KnownState {
  /** The highest version of the directory that it has seen. */
  readonly version: number;
  /** The number of writes to the slots; see `stateCounter`. */
  readonly counter: number;
}

/**
 * Publishes the directory again where what a device knows of the state slots is
 * more than the directory says, so that a new device is told. Asks no one for a
 * password: ApiProblem `error.auth.reauthentication_required` where the session
 * is not fresh enough to change the directory.
 */
export async function raiseCounter(
  signing: Signing,
  known: KnownState,
): Promise<Directory> {
  return await changeDevices(signing, (devices) => devices, false, known, true);
}

type Devices = readonly DirectoryDevice[];
/** The devices after a change; the same array if nothing changes. */
type Change = (devices: Devices, now: string) => Devices;

async function changeDevices(
  signing: Signing,
  change: Change,
  first = false,
  known: KnownState = { version: 0, counter: 0 },
  isRaise = false,
): Promise<Directory> {
  const { platform } = signing.session;
  for (let tries = 1;; tries++) {
    const held = first && tries === 1
      ? undefined
      : await directoryOf(signing.session);
    try {
      return await publishDevices(signing, change, held, known, isRaise);
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

/** Publishes the directory that is held with changed devices. */
async function publishDevices(
  { session, identity }: Signing,
  change: Change,
  held: Uint8Array | undefined,
  known: KnownState,
  isRaise: boolean,
): Promise<Directory> {
  const { account, platform } = session;
  const directory = held === undefined ? undefined : await verifyDirectory(
    held,
    identity.signer.publicKey,
    session.userId,
    platform.hybrid,
  );
  const before = directory?.devices ?? [];
  const now = toRfc3339(platform.now());
  const devices = change(before, now);
  const counter = Math.max(directory?.state_counter ?? 0, known.counter);
  const isRaised = isRaise && counter > (directory?.state_counter ?? 0);
  if (directory !== undefined && devices === before && !isRaised) {
    return directory;
  }
  const version = Math.max(directory?.directory_version ?? 0, known.version);
  const client = createClient(clientOptions(platform, session.server));
  const { server_id } = await client.serverInfo();
  const next: Directory = {
    user_id: session.userId,
    server_id,
    directory_version: version + 1,
    sealing_key: await identity.sealing.publicKey(),
    devices,
    ...(counter === 0 ? {} : { state_counter: counter }),
    signed_at: now,
  };
  const bytes = await signDirectory(identity.signer, next);
  const { notePublishing } = await loaded(import("./published.ts"));
  const note = () => notePublishing({ session, identity }, "directory", bytes);
  const { publicKey } = identity.signer;
  const publish = () => account.publishDirectory(bytes, publicKey);
  if (held !== undefined) await note();
  await (isRaise ? publish() : session.recently(publish));
  // Nothing can be written before an account has a directory.
  if (held === undefined) await note();
  return next;
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
