/** The bucket of an object store, as the operator configures it. */
export interface BucketSettings {
  /** Where new blobs are placed. */
  readonly place: "directory" | "s3";
  /** Origin, such as https://s3.example.org. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Text put before every key: empty, or ending with a slash. */
  readonly prefix: string;
  /** Whether a URL names the bucket in its path or in its host name. */
  readonly style: "path" | "virtual";
  /** The access keys themselves, or the path of a file that contains them. */
  readonly keys:
    | { readonly accessKeyId: string; readonly secretAccessKey: string }
    | { readonly file: string };
  /** Size of the memory cache for small blobs, in bytes. */
  readonly cacheBytes: number;
  /** Longest wait for an answer to begin, and for each piece of it (ms). */
  readonly timeoutMs: number;
}
