/**
 * Putting, reading, listing and removing the objects of a bucket, and testing
 * how the store handles conditions and hashes.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { reasonOf } from "../../../core/reason.ts";
import {
  CORRUPTED,
  drop,
  type Put,
  strange,
  totalOf,
  unexpected,
} from "./answers.ts";
import type { S3Answer, S3Client, S3Refusal } from "./client.ts";
import { putInParts } from "./multipart.ts";
import { listPage, type S3Entry, type S3Page } from "./listing.ts";

/** How often a read that broke off is resumed. */
const RESUMES = 3;

/** How the store handles conditions and hashes, as a test has shown. */
interface S3Habits {
  /**
   * Whether it takes `If-None-Match: *` (RFC 9110): one that ignores it is
   * handed it all the same, one that refuses it is not.
   */
  readonly conditions: "kept" | "ignored" | "refused";
  /** Whether it holds a body to `x-amz-content-sha256`. */
  readonly checksHashes: boolean;
}

/** A small object. */
export interface FoundObject {
  readonly text: string;
  readonly tag?: string | undefined;
}

export class S3Objects {
  #habits: Promise<S3Habits> | undefined;

  constructor(
    readonly client: S3Client,
    private readonly random: (length: number) => Uint8Array<ArrayBuffer>,
  ) {}

  /** The store's habits; tested once, and again if the test failed. */
  habits(): Promise<S3Habits> {
    return this.#habits ??= this.#askHabits().catch((cause) => {
      this.#habits = undefined;
      throw cause;
    });
  }

  async #askHabits(): Promise<S3Habits> {
    const key = `probe/${this.random(16).toHex()}`;
    const body = new TextEncoder().encode("strongroom");
    const sha256 = createHash("sha256").update(body).digest("hex");
    const other = createHash("sha256").digest("hex").replace(/^./, "0");
    const put = (extra: { sha256: string; headers?: Record<string, string> }) =>
      this.client.send({
        operation: "put",
        method: "PUT",
        key,
        body,
        ...extra,
      });
    try {
      const wrong = await put({ sha256: other });
      if (wrong.ok) await drop(wrong.response);
      const first = await put({ sha256 });
      if (!first.ok) throw unexpected(this.client, first.refusal);
      await drop(first.response);
      const again = await put({ sha256, headers: IF_NEW });
      if (again.ok) await drop(again.response);
      return {
        checksHashes: !wrong.ok,
        conditions: again.ok
          ? "ignored"
          : again.refusal.status === 412
          ? "kept"
          : "refused",
      };
    } finally {
      await this.remove(key).catch(() => {});
    }
  }

  /** Puts a small object whole; unless one is there, where that is asked for. */
  async put(
    key: string,
    body: Uint8Array<ArrayBuffer>,
    sha256: string,
    { unlessThere }: { readonly unlessThere: boolean },
  ): Promise<Put> {
    const answer = await this.client.send({
      operation: "put",
      method: "PUT",
      key,
      body,
      sha256,
      headers: await this.#condition(unlessThere),
    });
    if (answer.ok) {
      await drop(answer.response);
      return "put";
    }
    return this.#outcomeOf(answer.refusal);
  }

  /**
   * Puts an object over the one that has this tag, or where none is: on the
   * condition that it is so where the store keeps conditions. Whether it was
   * put, what lies there tells.
   */
  async putOver(
    key: string,
    body: Uint8Array<ArrayBuffer>,
    sha256: string,
    tag: string | undefined,
  ): Promise<void> {
    const { conditions } = await this.habits();
    const headers = tag === undefined ? IF_NEW : { "if-match": tag };
    const put = (headers: Record<string, string>) =>
      this.client.send({
        operation: "put",
        method: "PUT",
        key,
        body,
        sha256,
        headers,
      });
    let answer = await put(conditions === "kept" ? headers : {});
    const bare = tag?.replaceAll('"', "");
    if (
      !answer.ok && answer.refusal.status === 412 && bare !== undefined &&
      bare !== tag
    ) {
      // Ceph 16 compares the condition with the tag that it keeps, which has no
      // quotes. Another store refuses it again.
      answer = await put({ "if-match": bare });
    }
    // Some know the one condition and not the other.
    if (!answer.ok && answer.refusal.code === "NotImplemented") {
      answer = await put({});
    }
    if (answer.ok) await drop(answer.response);
    // The one that was to be put over is gone.
    else if (answer.refusal.code !== "NoSuchKey") {
      this.#outcomeOf(answer.refusal);
    }
  }

  async #condition(unlessThere: boolean): Promise<Record<string, string>> {
    if (!unlessThere) return {};
    return (await this.habits()).conditions === "refused" ? {} : IF_NEW;
  }

  #outcomeOf(refusal: S3Refusal): Put {
    if (refusal.status === 412) return "exists";
    if (CORRUPTED.has(refusal.code)) return "corrupted";
    throw unexpected(this.client, refusal);
  }

  /**
   * Puts an object in parts; `verify` is asked before they become one. Unless
   * one is there, where that is asked for.
   */
  async putParts(
    key: string,
    parts: AsyncIterable<Uint8Array<ArrayBuffer>>,
    { unlessThere, verify }: {
      readonly unlessThere: boolean;
      readonly verify: () => boolean;
    },
  ): Promise<Put> {
    const headers = await this.#condition(unlessThere);
    return await putInParts(this.client, { key, parts, headers, verify });
  }

  /**
   * A small object, or its first bytes where it has more, with its tag;
   * undefined if it is not there.
   */
  async find(key: string, maxBytes: number): Promise<FoundObject | undefined> {
    for (let resumed = 0;; resumed++) {
      const answer = await this.#get(key, 0, maxBytes - 1);
      if (!answer.ok) {
        return answer.refusal.status === 416 ? { text: "" } : undefined;
      }
      const { response } = answer;
      if (totalOf(response, 0) === undefined) {
        await drop(response);
        throw strange(this.client, "no length");
      }
      const tag = response.headers.get("etag") ?? undefined;
      try {
        return { text: await this.client.readText(response, maxBytes), tag };
      } catch (cause) {
        if (resumed < RESUMES) continue;
        throw this.client.circuit.unavailable(reasonOf(cause), 0, cause);
      }
    }
  }

  /** Bytes of an object; undefined if it is not there. */
  async sizeOf(key: string): Promise<number | undefined> {
    // Not by HEAD: its 404 has no body, so that it would not say whether the
    // object is gone or the bucket.
    const answer = await this.#get(key, 0, 0);
    if (!answer.ok) {
      return answer.refusal.status === 416 ? 0 : undefined;
    }
    const { response } = answer;
    await drop(response);
    const total = totalOf(response, 0);
    if (total === undefined) throw strange(this.client, "no length");
    return total;
  }

  /**
   * An object's bytes from `first` to `last`, which it has `size` of. Undefined
   * where it is not there or of another size. A read that breaks off is gone on
   * with where it was.
   */
  async read(
    key: string,
    size: number,
    first = 0,
    last = size - 1,
  ): Promise<AsyncGenerator<Uint8Array, void, void> | undefined> {
    const answer = await this.#get(key, first, last);
    if (!answer.ok) return undefined;
    const total = totalOf(answer.response, first);
    if (total === undefined) {
      await drop(answer.response);
      throw strange(this.client, "an answer to another range");
    }
    if (total !== size) {
      await drop(answer.response);
      return undefined;
    }
    return this.#resuming(answer.response, key, { size, first, last });
  }

  async *#resuming(
    response: Response,
    key: string,
    { size, first, last }: { size: number; first: number; last: number },
  ): AsyncGenerator<Uint8Array, void, void> {
    let at = first;
    let body = response;
    for (let resumed = 0;; resumed++) {
      try {
        for await (const piece of this.client.pieces(body)) {
          const left = last + 1 - at;
          at += piece.length;
          yield piece.length > left ? piece.subarray(0, left) : piece;
          if (at > last) return;
        }
        if (at > last) return;
        throw new Error("the answer ended early");
      } catch (cause) {
        if (at > last) return;
        if (resumed === RESUMES) throw cause;
      }
      const answer = await this.#get(key, at, last);
      if (!answer.ok || totalOf(answer.response, at) !== size) {
        if (answer.ok) await drop(answer.response);
        throw strange(this.client, "it is another object meanwhile");
      }
      body = answer.response;
    }
  }

  async #get(key: string, first: number, last: number): Promise<S3Answer> {
    const answer = await this.client.send({
      operation: "get",
      method: "GET",
      key,
      headers: { range: `bytes=${first}-${last}` },
    });
    if (
      !answer.ok && answer.refusal.code !== "NoSuchKey" &&
      answer.refusal.status !== 416
    ) throw unexpected(this.client, answer.refusal);
    return answer;
  }

  /** Removes an object; done where it returns, and perhaps where it throws. */
  async remove(key: string): Promise<void> {
    const answer = await this.client.send({
      operation: "delete",
      method: "DELETE",
      key,
      // An attempt that was not heard of again may still be carried out.
      attempts: 1,
    });
    if (answer.ok) {
      await drop(answer.response);
      if (answer.response.status === 204) return;
      throw strange(this.client, "a removal with something to show");
    }
    if (answer.refusal.code === "NoSuchKey") return;
    throw unexpected(this.client, answer.refusal);
  }

  /** Objects behind a prefix of this place's, in order, a page at a time. */
  async *list(under: string): AsyncGenerator<readonly S3Entry[], void, void> {
    let after: string | undefined;
    for (;;) {
      const { entries, isLast } = await this.page(under, after);
      yield entries;
      if (isLast) return;
      after = entries.at(-1)?.key;
    }
  }

  /** A page of the same, with what a list says of each. */
  page(under: string, after: string | undefined): Promise<S3Page> {
    return listPage(this.client, under, after);
  }
}

const IF_NEW = { "if-none-match": "*" };
