/**
 * Lists of a bucket: what lies behind a prefix, a page at a time.
 *
 * @module
 */
import { bodyOf, strange } from "./answers.ts";
import type { S3Client } from "./client.ts";
import { textOf, textsOfEach } from "./xml.ts";

/** An object, as a list has it. */
export interface S3Entry {
  readonly key: string;
  readonly size: number;
  /** When it was put, by the store's clock (ms). */
  readonly modifiedAt: number;
}

/** Objects behind a prefix of the client's place, in the order of their keys. */
export async function* listEntries(
  client: S3Client,
  under: string,
): AsyncGenerator<readonly S3Entry[], void, void> {
  const { prefix } = client.place;
  let after = "";
  for (;;) {
    const answer = await client.send({
      operation: "list",
      method: "GET",
      query: {
        "list-type": "2",
        prefix: `${prefix}${under}`,
        ...(after === "" ? {} : { "start-after": after }),
      },
    });
    const text = await bodyOf(client, answer, "ListBucketResult");
    const entries = textsOfEach(text, "Contents").map(entryOf);
    yield entries.map(({ key, ...entry }) => ({
      key: key.slice(prefix.length),
      ...entry,
    }));
    const last = entries.at(-1)?.key;
    // Names are gone on behind, and not by a token: every store can.
    if (textOf(text, "IsTruncated") !== "true" || last === undefined) return;
    if (last <= after) {
      throw strange(client, "a list that does not go on");
    }
    after = last;
  }
}

function entryOf(xml: string): S3Entry {
  return {
    key: textOf(xml, "Key") ?? "",
    size: Number(textOf(xml, "Size")),
    modifiedAt: Date.parse(textOf(xml, "LastModified") ?? ""),
  };
}
