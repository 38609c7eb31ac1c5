/** A bucket as it is configured. */
export interface BucketSettings {
  /** Where new blobs are placed. */
  readonly place: "directory" | "s3";
  /** Origin, such as https://s3.example.org. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Before every key; empty, or ends with a slash. */
  readonly prefix: string;
  /** Whether the bucket stands in the path or in the host's name. */
  readonly style: "path" | "virtual";
  /** The keys, or the file that has them. */
  readonly keys:
    | { readonly accessKeyId: string; readonly secretAccessKey: string }
    | { readonly file: string };
  /** Bytes of small blobs that are kept in memory. */
  readonly cacheBytes: number;
  /** How long an answer may take to begin, and a piece of it to come (ms). */
  readonly timeoutMs: number;
}
