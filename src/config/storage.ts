/**
 * Settings of what is stored and where: the data directory, a bucket, backups.
 *
 * @module
 */
import {
  integer,
  oneOf,
  secretSetting,
  setting,
  type Settings,
  size,
  textOrNone,
} from "../core/settings.ts";
import { SMALL_BLOB_MAX_BYTES } from "../core/sizes.ts";
import {
  readBucket,
  readEndpoint,
  readHostKey,
  readPrefix,
  readRegion,
} from "./values.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/** What is stored, and for how long. */
export const STORAGE = {
  STRONGROOM_DATA_DIR: setting(
    "./data",
    "Directory that holds everything: database, blobs, keys.",
    (text) => text,
  ),
  STRONGROOM_RESERVED_DISK_BYTES: setting(
    "512MiB",
    "Free disk space that uploads leave alone.",
    size(0),
  ),
  STRONGROOM_MAX_BLOB_BYTES: setting(
    "16GiB",
    "Largest blob.",
    size(1),
  ),
  STRONGROOM_SMALL_BLOB_BYTES: setting(
    "16KiB",
    "Blobs up to this size are stored in the database, larger ones as files; " +
      "0: every blob is a file.",
    size(0, SMALL_BLOB_MAX_BYTES),
  ),
  STRONGROOM_MAX_BODY_BYTES: setting(
    "1MiB",
    "Largest request body of an operation without a limit of its own.",
    size(KIB, 64 * MIB),
  ),
  STRONGROOM_BODY_TIMEOUT_SECONDS: setting(
    "60",
    "Seconds in which the next 16 KiB of a request body, or its end, " +
      "must arrive. Slower requests are ended; an upload keeps what " +
      "arrived.",
    integer(1, 3_600),
  ),
  STRONGROOM_ACCOUNT_QUOTA_BYTES: setting(
    "none",
    "Bytes that an account may store, including its trash; none: no " +
      "limit.",
    (text) => text === "none" ? undefined : size(0)(text),
  ),
  STRONGROOM_TRASH_DAYS: setting(
    "30",
    "Days that a deleted asset can be restored.",
    integer(0, 36_500),
  ),
  STRONGROOM_UPLOAD_TTL_HOURS: setting(
    "24",
    "Hours after its last byte at which an upload session expires.",
    integer(1, 24 * 365),
  ),
} satisfies Settings;

/** An object store for blobs. */
export const BLOBS = {
  STRONGROOM_BLOBS: setting(
    "directory",
    "Where new blobs are stored: directory (in the data directory) or " +
      "s3 (in the bucket below). Blobs are read from both places, " +
      "wherever they are.",
    oneOf("directory", "s3"),
  ),
  STRONGROOM_S3_ENDPOINT: setting(
    "",
    "Origin of an S3-compatible store, such as https://s3.example.org.",
    readEndpoint,
  ),
  STRONGROOM_S3_BUCKET: setting(
    "",
    "The bucket; goes with STRONGROOM_S3_ENDPOINT. No other server may " +
      "use it.",
    readBucket,
  ),
  STRONGROOM_S3_REGION: setting(
    "us-east-1",
    "The bucket's region, which requests are signed for; stores " +
      "without regions accept any.",
    readRegion,
  ),
  STRONGROOM_S3_PREFIX: setting(
    "",
    "The prefix of every object's key, such as photos/.",
    readPrefix,
  ),
  STRONGROOM_S3_STYLE: setting(
    "path",
    "Where the bucket's name goes: path (after the endpoint) or " +
      "virtual (before its host name).",
    oneOf("path", "virtual"),
  ),
  STRONGROOM_S3_ACCESS_KEY_ID: setting(
    "",
    "The access key's id; goes with STRONGROOM_S3_SECRET_ACCESS_KEY.",
    textOrNone,
  ),
  STRONGROOM_S3_SECRET_ACCESS_KEY: secretSetting(
    "The secret that signs requests to the store.",
    textOrNone,
  ),
  STRONGROOM_S3_KEYS_FILE: setting(
    "",
    "Instead, a file with both, in lines aws_access_key_id = ... and " +
      "aws_secret_access_key = ... A name without a slash is a " +
      "credential that systemd loads (LoadCredential=).",
    textOrNone,
  ),
  STRONGROOM_S3_CACHE_BYTES: setting(
    "64MiB",
    "Memory for small blobs recently read from the store.",
    size(0, 64 * 1024 * MIB),
  ),
  STRONGROOM_S3_TIMEOUT_SECONDS: setting(
    "20",
    "Seconds in which the store must begin an answer, and continue one.",
    integer(1, 600),
  ),
} satisfies Settings;

/** Remote backups. */
export const REMOTE_BACKUP = {
  STRONGROOM_BACKUP_PASSPHRASE: secretSetting(
    "The passphrase that encrypts remote backups. Anyone who has it " +
      "and the backup can read everything. Without it, no one can.",
    textOrNone,
  ),
  STRONGROOM_BACKUP_PASSPHRASE_FILE: setting(
    "",
    "A file, mode 0600, whose first line is the passphrase. A name " +
      "without a slash is a credential that systemd loads " +
      "(LoadCredential=).",
    textOrNone,
  ),
  STRONGROOM_BACKUP_KEY_FILE: setting(
    "",
    "Instead of a passphrase, a file, mode 0600, with a key of 32 " +
      "random bytes in hex (openssl rand -hex 32); or a credential's " +
      "name.",
    textOrNone,
  ),
  STRONGROOM_BACKUP_S3_ENDPOINT: setting(
    "",
    "Origin of the store for s3://bucket/prefix, such as " +
      "https://s3.example.org.",
    readEndpoint,
  ),
  STRONGROOM_BACKUP_S3_REGION: setting(
    "us-east-1",
    "Its region, which requests are signed for.",
    readRegion,
  ),
  STRONGROOM_BACKUP_S3_STYLE: setting(
    "path",
    "Where the bucket's name goes: path (after the endpoint) or " +
      "virtual (before its host name).",
    oneOf("path", "virtual"),
  ),
  STRONGROOM_BACKUP_S3_ACCESS_KEY_ID: setting(
    "",
    "The access key's id; goes with " +
      "STRONGROOM_BACKUP_S3_SECRET_ACCESS_KEY.",
    textOrNone,
  ),
  STRONGROOM_BACKUP_S3_SECRET_ACCESS_KEY: secretSetting(
    "The secret that signs requests to that store.",
    textOrNone,
  ),
  STRONGROOM_BACKUP_S3_KEYS_FILE: setting(
    "",
    "Instead, a file with both, in lines aws_access_key_id = ... and " +
      "aws_secret_access_key = ..., or a credential's name.",
    textOrNone,
  ),
  STRONGROOM_BACKUP_S3_TIMEOUT_SECONDS: setting(
    "60",
    "Seconds in which that store must begin an answer, and continue " +
      "one.",
    integer(1, 600),
  ),
  STRONGROOM_BACKUP_SFTP_KEY_FILE: setting(
    "",
    "For sftp://user@host/path: a private key, mode 0600, as ssh-keygen " +
      "writes one without a passphrase; or a credential's name.",
    textOrNone,
  ),
  STRONGROOM_BACKUP_SFTP_HOST_KEY: setting(
    "",
    "The key of that host, as ssh-keygen -lf prints it: SHA256:... " +
      "Nothing is sent to a host with another key.",
    readHostKey,
  ),
} satisfies Settings;
