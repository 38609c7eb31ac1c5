/**
 * Helpers that send a call and read its answer, shared by all families of
 * calls.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import type { OpenSchema } from "../../wire/open.ts";
import { bytesOf, type Call, jsonOf, type Transport } from "./transport.ts";

/** Sends calls and checks their answers. */
export interface Asking {
  get<T>(path: string, schema: OpenSchema<T>): Promise<T>;
  post<T>(
    path: string,
    json: unknown,
    schema: OpenSchema<T>,
    mostBytes?: number,
  ): Promise<T>;
  /** For any method, with JSON or octets and with headers. */
  call<T>(
    call: Call,
    schema: OpenSchema<T>,
    mostBytes?: number,
  ): Promise<T>;
  /** For an answer whose body is empty or not needed. */
  done(call: Call): Promise<void>;
  /** All octets of an answer, of which there may be so many. */
  bytes(path: string, mostBytes: number): Promise<Bytes>;
}

/** Makes the helpers over a function that sends. */
export function askingOver(send: Transport["send"]): Asking {
  const call: Asking["call"] = async (call, schema, mostBytes) =>
    await jsonOf(await send(call), schema, mostBytes);
  return {
    call,
    get: (path, schema) => call({ method: "GET", path }, schema),
    post: (path, json, schema, mostBytes) =>
      call({ method: "POST", path, json }, schema, mostBytes),
    async done(call) {
      const { body } = await send(call);
      await body?.cancel();
    },
    async bytes(path, mostBytes) {
      return await bytesOf(await send({ method: "GET", path }), mostBytes);
    },
  };
}

/** A query string of the values that are given; empty if none is. */
export function queryOf(
  given: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size === 0 ? "" : `?${query}`;
}
