/**
 * The place and the keys of a bucket.
 *
 * @module
 */
import type { BucketSettings } from "../../../core/bucket_settings.ts";
import { type BucketKeys, readBucketKeys } from "./keys_file.ts";

/** A place in a bucket, with its keys. */
export type S3Place = Omit<BucketSettings, "place" | "keys"> & BucketKeys;

/**
 * The place of a configured bucket, with its keys, which may be read from a
 * file.
 */
export function withKeys({ place: _, keys, ...at }: BucketSettings): S3Place {
  return { ...at, ...("file" in keys ? readBucketKeys(keys.file) : keys) };
}

/** The name of a bucket and a place in it, for people and for the database. */
export function placeName(
  { endpoint, bucket, prefix }: Omit<BucketSettings, "keys">,
): string {
  return `${endpoint}/${bucket}/${prefix}`;
}

/** The address of a key, or of the bucket itself. */
export function addressOf(
  { endpoint, bucket, prefix, style }: S3Place,
  key: string | undefined,
): URL {
  const url = new URL(endpoint);
  const path = key === undefined ? "" : `${prefix}${key}`;
  if (style === "virtual") {
    url.hostname = `${bucket}.${url.hostname}`;
    url.pathname = `/${path}`;
  } else {
    url.pathname = `/${bucket}/${path}`;
  }
  return url;
}
