/**
 * Putting large objects in parts. The object exists only after the last
 * request. An upload that fails before leaves parts behind, which are removed
 * if possible.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { S3Client } from "./client.ts";
import {
  bodyOf,
  CORRUPTED,
  drop,
  type Put,
  strange,
  unexpected,
} from "./answers.ts";
import { escapeXml } from "../../../core/xml.ts";
import { textOf } from "./xml.ts";

interface PutParts {
  readonly key: string;
  readonly parts: AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** Headers of the last request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Checked before the parts become an object. */
  readonly verify: () => boolean;
}

/** Puts an object in parts, each with its hash, which the store may check. */
export async function putInParts(
  client: S3Client,
  { key, parts, headers, verify }: PutParts,
): Promise<Put> {
  const upload = { key, uploadId: await begin(client, key) };
  try {
    const tags: string[] = [];
    for await (const body of parts) {
      const tag = await putPart(client, upload, tags.length + 1, body);
      if (tag === undefined) return await abort(client, upload);
      tags.push(tag);
    }
    if (!verify()) return await abort(client, upload);
    return await complete(client, upload, tags, headers);
  } catch (cause) {
    await abort(client, upload).catch(() => {});
    throw cause;
  }
}

interface Upload {
  readonly key: string;
  readonly uploadId: string;
}

async function begin(client: S3Client, key: string): Promise<string> {
  const answer = await client.send({
    operation: "multipart",
    method: "POST",
    key,
    query: { uploads: "" },
  });
  const text = await bodyOf(client, answer, "InitiateMultipartUploadResult");
  const uploadId = textOf(text, "UploadId");
  if (uploadId === undefined) throw strange(client, "no upload id");
  return uploadId;
}

/** Sends a part; returns its tag, or undefined if its bytes arrived changed. */
async function putPart(
  client: S3Client,
  { key, uploadId }: Upload,
  partNumber: number,
  body: Uint8Array<ArrayBuffer>,
): Promise<string | undefined> {
  const answer = await client.send({
    operation: "multipart",
    method: "PUT",
    key,
    query: { partNumber: String(partNumber), uploadId },
    body,
    sha256: createHash("sha256").update(body).digest("hex"),
  });
  if (!answer.ok) {
    if (CORRUPTED.has(answer.refusal.code)) return undefined;
    throw unexpected(client, answer.refusal);
  }
  const tag = answer.response.headers.get("etag");
  await drop(answer.response);
  if (tag === null) throw strange(client, "a part without a tag");
  return tag;
}

async function complete(
  client: S3Client,
  upload: Upload,
  tags: readonly string[],
  headers: Readonly<Record<string, string>>,
): Promise<Put> {
  const { key, uploadId } = upload;
  const parts = tags.map((tag, at) =>
    `<Part><PartNumber>${at + 1}</PartNumber><ETag>${
      escapeXml(tag)
    }</ETag></Part>`
  );
  const body = new TextEncoder().encode(
    `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`,
  );
  const answer = await client.send({
    operation: "multipart",
    method: "POST",
    key,
    query: { uploadId },
    body,
    sha256: createHash("sha256").update(body).digest("hex"),
    headers: { "content-type": "application/xml", ...headers },
  });
  if (answer.ok) {
    // The store sends the headers before it joins the parts, so a failure is in
    // the body.
    await bodyOf(client, answer, "CompleteMultipartUploadResult");
    return "put";
  }
  const { refusal } = answer;
  // An earlier attempt may have succeeded without its answer arriving; the
  // caller checks the object.
  if (refusal.code === "NoSuchUpload") return "exists";
  if (refusal.status === 412) {
    await abort(client, upload);
    return "exists";
  }
  if (CORRUPTED.has(refusal.code)) return await abort(client, upload);
  throw unexpected(client, refusal);
}

async function abort(
  client: S3Client,
  { key, uploadId }: Upload,
): Promise<"corrupted"> {
  const answer = await client.send({
    operation: "multipart",
    method: "DELETE",
    key,
    query: { uploadId },
    attempts: 1,
  });
  if (answer.ok) await drop(answer.response);
  return "corrupted";
}
