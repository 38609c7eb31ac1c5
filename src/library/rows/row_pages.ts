/**
 * Reading pages of rows from the store. A page was sealed under the account's
 * own key, so it is authentic, and its rows were checked before they were
 * stored. Checking every field of 50,000 rows again would take seconds, so only
 * the first row of each page is checked, to recognise the version that wrote
 * it.
 *
 * @module
 */
import * as z from "zod/mini";
import { fromBase64, fromBase64Url, fromUtf8 } from "../../core/bytes.ts";
import { checked, DocumentError } from "../../client/documents/fields.ts";
import type { Derivative, Metadata } from "../../client/documents/metadata.ts";
import { type Row, rowSchema } from "./rows.ts";

/** A row in JSON, where bytes are texts. */
type StoredRow = Omit<Row, "key" | "metadata"> & {
  readonly key?: string;
  readonly metadata?:
    & Omit<Metadata, "thumbhash" | "fragment" | "derivatives">
    & {
      readonly thumbhash?: string;
      readonly fragment?: string;
      readonly derivatives: readonly (Omit<Derivative, "key"> & {
        readonly key: string;
      })[];
    };
};

/** Reads the rows of a page. Throws a DocumentError for other bytes. */
export function decodePage(bytes: Uint8Array): Row[] {
  const text = fromUtf8(bytes);
  if (text === undefined) throw new DocumentError("index page is not UTF-8");
  let page: unknown;
  try {
    page = JSON.parse(text);
  } catch (cause) {
    throw new DocumentError("index page is not JSON", { cause });
  }
  return isPage(page) ? page.map(opened) : [];
}

/**
 * Whether a value is a page with rows, judged by its first row; false for an
 * empty page. Throws a DocumentError for anything else.
 */
function isPage(page: unknown): page is StoredRow[] {
  const rows = checked(z.array(z.unknown()), page, "index page");
  const [first] = rows;
  if (first === undefined) return false;
  checked(rowSchema, first, "index page");
  return true;
}

function opened({ key, metadata, ...rest }: StoredRow): Row {
  const bytes = key === undefined ? undefined : fromBase64Url(key);
  if (metadata === undefined) {
    return bytes === undefined ? rest : { ...rest, key: bytes };
  }
  const { thumbhash, fragment: secret, ...text } = metadata;
  const hash = thumbhash === undefined ? undefined : fromBase64(thumbhash);
  const fragment = secret === undefined ? undefined : fromBase64Url(secret);
  const said = { ...text, derivatives: text.derivatives.flatMap(keyed) };
  return {
    ...rest,
    ...(bytes === undefined ? {} : { key: bytes }),
    metadata: {
      ...said,
      ...(hash === undefined ? {} : { thumbhash: hash }),
      ...(fragment === undefined ? {} : { fragment }),
    },
  };
}

/** A derivative with its key; none where the key is no base64url. */
function keyed(
  { key: text, ...rest }: Omit<Derivative, "key"> & { readonly key: string },
): Derivative[] {
  const key = fromBase64Url(text);
  return key === undefined ? [] : [{ ...rest, key }];
}
