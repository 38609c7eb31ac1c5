/**
 * Calls whose answers are JSON or nothing: what every family of operations
 * sends through.
 *
 * @module
 */
import type * as z from "zod/mini";
import type { Bytes } from "../core/bytes.ts";
import { type Call, jsonOf, type Transport } from "./transport.ts";

/** A body of octets and what they are. */
export type Octets = NonNullable<Call["bytes"]>;

/** Sends, and reads the answer by its schema. */
export interface Asking {
  get<T extends z.ZodMiniType>(path: string, schema: T): Promise<z.output<T>>;
  post<T extends z.ZodMiniType>(
    path: string,
    json: unknown,
    schema: T,
  ): Promise<z.output<T>>;
  /** Any method, JSON or octets, and headers. */
  call<T extends z.ZodMiniType>(call: Call, schema: T): Promise<z.output<T>>;
  /** For an answer without a body, or one that is not looked at. */
  done(call: Call): Promise<void>;
  /** The octets of an answer, whole. */
  bytes(path: string): Promise<Bytes>;
}

/** The calls over a way to send. */
export function askingOver(send: Transport["send"]): Asking {
  const call: Asking["call"] = async (call, schema) =>
    await jsonOf(await send(call), schema);
  return {
    call,
    get: (path, schema) => call({ method: "GET", path }, schema),
    post: (path, json, schema) => call({ method: "POST", path, json }, schema),
    async done(call) {
      const { body } = await send(call);
      await body?.cancel();
    },
    async bytes(path) {
      const response = await send({ method: "GET", path });
      return new Uint8Array(await response.arrayBuffer());
    },
  };
}

/** A query string of what is given; empty where nothing is. */
export function queryOf(
  given: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size === 0 ? "" : `?${query}`;
}
