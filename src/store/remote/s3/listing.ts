/**
 * Lists of a bucket: what lies behind a prefix, a page at a time.
 *
 * @module
 */
import { bodyOf, strange } from "./answers.ts";
import type { S3Client } from "./client.ts";
import { childrenOf, textOf } from "./xml.ts";

/** An object, as a list has it. */
export interface S3Entry {
  readonly key: string;
  readonly size: number;
  /** When it was put, by the store's clock (ms). */
  readonly modifiedAt: number;
}

/** Some objects, and whether there are more behind them. */
export interface S3Page {
  readonly entries: readonly S3Entry[];
  readonly isLast: boolean;
}

/**
 * A page of the objects behind a prefix of the client's place, in the order of
 * their keys: those after one of them, or the first.
 */
export async function listPage(
  client: S3Client,
  under: string,
  after: string | undefined,
): Promise<S3Page> {
  const { prefix } = client.place;
  const answer = await client.send({
    operation: "list",
    method: "GET",
    query: {
      "list-type": "2",
      prefix: `${prefix}${under}`,
      // Names are gone on behind, and not by a token: every store can.
      ...(after === undefined ? {} : { "start-after": `${prefix}${after}` }),
    },
  });
  const text = await bodyOf(client, answer, "ListBucketResult");
  const listed = childrenOf(text, "Contents");
  if (listed === undefined) throw strange(client, "a list that is not whole");
  const entries = listed.map((children) => entryOf(children, prefix));
  const last = entries.at(-1)?.key;
  const isLast = textOf(text, "IsTruncated") !== "true" || last === undefined;
  if (!isLast && after !== undefined && last <= after) {
    throw strange(client, "a list that does not go on");
  }
  return { entries, isLast };
}

function entryOf(
  children: ReadonlyMap<string, string>,
  prefix: string,
): S3Entry {
  return {
    key: (children.get("Key") ?? "").slice(prefix.length),
    size: Number(children.get("Size")),
    modifiedAt: Date.parse(children.get("LastModified") ?? ""),
  };
}
