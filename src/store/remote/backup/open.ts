/**
 * Opens places off the premises by their names: `s3://bucket/prefix`,
 * `sftp://user@host/path`, `file:///mnt/usb/backup`.
 *
 * @module
 */
import type { RemoteBackupSettings } from "../../../core/remote_backup_settings.ts";
import { OperatorFault } from "../../../core/operator.ts";
import type { Platform } from "../../../core/platform.ts";
import { SECOND_MS } from "../../../core/time.ts";
import { readBucketKeys } from "../s3/keys_file.ts";
import { DirectoryRemote } from "./directory_remote.ts";
import type { Remote } from "./remote.ts";
import { S3Remote, type Waiting } from "./s3_remote.ts";
import { readSecretFile } from "./secret_file.ts";

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//;

/** Whether a name is that of a place off the premises, not of a directory. */
export function isRemoteBackup(name: string): boolean {
  return SCHEME.test(name);
}

/** Opens a place. An {@link OperatorFault} says why it cannot be opened. */
export async function openRemote(
  name: string,
  settings: RemoteBackupSettings,
  platform: Platform,
  credentials: string | undefined,
  waiting: Waiting,
): Promise<Remote> {
  const [scheme = ""] = name.split(":", 1);
  const rest = name.replace(SCHEME, "");
  switch (scheme) {
    case "file":
      return await DirectoryRemote.open(
        name,
        directoryIn(name, rest),
        platform,
      );
    case "s3":
      return openS3(name, rest, settings, platform, waiting);
    case "sftp":
      return await openSftp(name, settings, platform, credentials);
    default:
      throw new OperatorFault(
        `${name}: backups go to a directory, to s3://BUCKET/PREFIX, to ` +
          "sftp://USER@HOST/PATH or to file:///DIRECTORY",
      );
  }
}

function directoryIn(name: string, path: string): string {
  const directory = path.replace(/\/+$/, "");
  if (directory.startsWith("/") && !/%|\0|\/\.\.?(?:\/|$)/.test(directory)) {
    return directory;
  }
  throw new OperatorFault(
    `${name} is not a directory: write three slashes and its path, ` +
      "such as file:///mnt/usb/backup, without . or .. or %",
  );
}

const SFTP =
  /^sftp:\/\/([A-Za-z0-9_.-]+)@([A-Za-z0-9.-]+|\[[0-9a-fA-F:.]+\])(?::(\d{1,5}))?(\/.*)$/;
const SFTP_TIMEOUT_MS = 60 * SECOND_MS;

async function openSftp(
  name: string,
  { sftp }: RemoteBackupSettings,
  platform: Platform,
  credentials: string | undefined,
): Promise<Remote> {
  const [, user, host, port = "22", given = ""] = SFTP.exec(name) ?? [];
  const path = given.replace(/\/+$/, "");
  if (
    user === undefined || host === undefined || path === "" ||
    /%|\0|\/\.\.?(?:\/|$)/.test(path)
  ) {
    throw new OperatorFault(
      `${name} is not a directory on another machine: write ` +
        "sftp://USER@HOST/PATH, or HOST:PORT, without . or .. or % in the " +
        "path",
    );
  }
  const { keyFile, hostKey } = sftp;
  if (keyFile === undefined || hostKey === undefined) {
    throw new OperatorFault(
      `${name}: set STRONGROOM_BACKUP_SFTP_KEY_FILE, a private key that ` +
        "the host accepts, and STRONGROOM_BACKUP_SFTP_HOST_KEY, the host's " +
        "own key as ssh-keygen -lf prints it",
    );
  }
  const privateKey = await readSecretFile(keyFile, credentials);
  // Only a backup over SSH needs the library.
  const { privateKeyFault, SftpRemote } = await import("./sftp_remote.ts");
  const fault = privateKeyFault(privateKey);
  if (fault !== undefined) {
    throw new OperatorFault(
      `${keyFile} (STRONGROOM_BACKUP_SFTP_KEY_FILE) ${fault}`,
    );
  }
  return new SftpRemote(name, {
    ...{ user, path, privateKey, hostKey, port: Number(port) },
    host: host.replace(/^\[|\]$/g, ""),
    timeoutMs: SFTP_TIMEOUT_MS,
  }, platform);
}

function openS3(
  name: string,
  rest: string,
  { s3 }: RemoteBackupSettings,
  platform: Platform,
  waiting: Waiting,
): Remote {
  const [, bucket = "", path = ""] = /^([^/]*)\/?(.*)$/.exec(rest) ?? [];
  if (
    !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) ||
    !/^[A-Za-z0-9!_.*'()/-]*$/.test(path) || /^\/|\/\/|\.\./.test(path)
  ) {
    throw new OperatorFault(
      `${name} is not a place in a bucket: write s3://BUCKET, or ` +
        "s3://BUCKET/PREFIX of letters, digits and ! _ . * ' ( ) - between " +
        "slashes",
    );
  }
  const { endpoint, accessKeyId, secretAccessKey, keysFile } = s3;
  if (endpoint === undefined) {
    throw new OperatorFault(
      `${name}: the store is not known: set STRONGROOM_BACKUP_S3_ENDPOINT`,
    );
  }
  const keys = keysFile !== undefined
    ? readBucketKeys(keysFile, "STRONGROOM_BACKUP_S3_KEYS_FILE")
    : accessKeyId !== undefined && secretAccessKey !== undefined
    ? { accessKeyId, secretAccessKey }
    : undefined;
  if (keys === undefined) {
    throw new OperatorFault(
      `${name}: requests cannot be signed: set ` +
        "STRONGROOM_BACKUP_S3_KEYS_FILE, or " +
        "STRONGROOM_BACKUP_S3_ACCESS_KEY_ID and " +
        "STRONGROOM_BACKUP_S3_SECRET_ACCESS_KEY",
    );
  }
  const prefix = path === "" || path.endsWith("/") ? path : `${path}/`;
  const { region, style, timeoutMs } = s3;
  const place = {
    ...{ endpoint, region, style, bucket, prefix, timeoutMs, cacheBytes: 0 },
    ...keys,
  };
  return new S3Remote(name, place, platform, waiting);
}
