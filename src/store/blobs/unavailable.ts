/** The object store does not answer now; the request can be repeated later. */
export class BlobsUnavailable extends Error {
  override readonly name = "BlobsUnavailable";

  constructor(
    why: string,
    readonly retryAfterSeconds: number,
    options?: ErrorOptions,
  ) {
    super(`the object store does not answer: ${why}`, options);
  }
}

/**
 * The place in the bucket is another data directory's: nothing is placed there,
 * nor removed.
 */
export class BucketNotHeld extends BlobsUnavailable {
  constructor(why: string) {
    super(why, 60);
    this.message = why;
  }
}
