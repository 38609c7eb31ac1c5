/** The store of blobs does not answer now; what was asked may be asked again. */
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
