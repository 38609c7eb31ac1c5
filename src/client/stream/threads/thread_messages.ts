/**
 * The messages between the page and its threads: calls with one answer each, and
 * events. Both sides are of the same build, so nothing here is validated.
 *
 * @module
 */

/** A call of the page. */
export interface CallMessage {
  readonly id: number;
  readonly group: string;
  readonly name: string;
  readonly args: readonly unknown[];
}

/** Its answer. */
type AnswerMessage =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly fault: Fault };

/**
 * An error in a form that crosses threads, with everything the page needs for a
 * message.
 */
export interface Fault {
  /** The name of the error's class: `ApiProblem`, `ConnectionError`, … */
  readonly kind: string;
  readonly message: string;
  /** Of an ApiProblem. */
  readonly code?: string;
  readonly status?: number;
  /** Milliseconds since the epoch, if the server said when to try again. */
  readonly retryAt?: number;
  /** The `fault` of a CustodyError, a VaultError or an EscrowError. */
  readonly fault?: string;
  /** The places of the faults in the request, such as `/password`. */
  readonly paths?: readonly string[];
}

/** The library is closed, or no one is signed in. */
export class Closed extends Error {
  override readonly name = "Closed";
}

/** An error of a thread, on the page. */
export class ThreadError extends Error {
  override readonly name = "ThreadError";
  constructor(readonly fault: Fault) {
    super(fault.message);
  }
}

/** Whether what failed in a thread may work a moment later. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof ThreadError)) return false;
  const { kind, status = 0 } = error.fault;
  return kind === "ConnectionError" || status >= 500 || status === 429;
}

/** Functions that a thread answers calls with, in groups. */
type Groups = Readonly<
  // deno-lint-ignore no-explicit-any -- any function fits; callers see its type
  Record<string, Readonly<Record<string, (...args: any[]) => unknown>>>
>;

/** A part of a thread that the network did not bring. */
class NotFetched extends Error {
  override readonly name = "ConnectionError";
}

/**
 * A group of functions that is loaded at its first call. Pages notice no
 * difference, because they wait for every answer anyway.
 */
export function later<G extends Groups[string]>(load: () => Promise<G>): G {
  let group: Promise<G> | undefined;
  const fetched = () =>
    group ??= load().catch((cause) => {
      // The next call tries again, because the network may be back.
      group = undefined;
      throw new NotFetched("a part of the app cannot be fetched", { cause });
    });
  return new Proxy({}, {
    get: (_, name) => async (...args: unknown[]) => {
      const called = (await fetched())[String(name)];
      if (called === undefined) throw new Error(`no ${String(name)}`);
      return await called(...args);
    },
  }) as G;
}

/** The same functions on the page, where every one returns a promise. */
export type Remote<G extends Groups> = {
  readonly [K in keyof G]: {
    readonly [N in keyof G[K]]: (
      ...args: Parameters<G[K][N]>
    ) => Promise<Unmoved<Awaited<ReturnType<G[K][N]>>>>;
  };
};

type Unmoved<T> = T extends Moved<infer V> ? V : T;

/** A value with buffers that are transferred instead of copied. */
export class Moved<T> {
  constructor(readonly value: T, readonly buffers: readonly ArrayBuffer[]) {}
}

/** A connection for messages: a Worker, or a port of a SharedWorker. */
export interface Line {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(
    type: "message",
    listener: (event: MessageEvent) => void,
  ): void;
}

/** The page's side of a line: an object whose methods are the thread's. */
export function remote<G extends Groups>(
  line: Line,
  heard: (event: string, data: unknown) => void,
): Remote<G> {
  const waiting = new Map<number, {
    resolve: (value: unknown) => void;
    reject: (error: unknown) => void;
  }>();
  let last = 0;
  line.addEventListener("message", ({ data }) => {
    if ("event" in data) return heard(data.event, data.data);
    const answer: AnswerMessage = data;
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.ok) asked?.resolve(answer.value);
    else asked?.reject(new ThreadError(answer.fault));
  });
  const call = (group: string, name: string, args: readonly unknown[]) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject });
      // Only ports are transferred; other arguments are copied.
      const transfer = args.filter((one) => one instanceof MessagePort);
      line.postMessage({ id, group, name, args }, transfer);
    });
  const groups = new Map<PropertyKey, unknown>();
  const made = new Proxy({}, {
    get(_, group) {
      const held = groups.get(group) ?? new Proxy({}, {
        get: (_, name) => (...args: unknown[]) =>
          call(String(group), String(name), args),
      });
      groups.set(group, held);
      return held;
    },
  });
  return made as Remote<G>;
}

/** The thread's side of a line: answers calls with the functions. */
export function serveLine(
  line: Line,
  groups: Groups,
  failed: (fault: Fault) => void = () => {},
  /** Returns what a call has to wait for. */
  ready: (call: CallMessage) => Promise<void> | undefined = () => undefined,
): void {
  line.addEventListener("message", async ({ data }: MessageEvent) => {
    const { id, group, name, args }: CallMessage = data;
    try {
      const waited = ready(data);
      if (waited !== undefined) await waited;
      const called = groups[group]?.[name];
      if (called === undefined) throw new Error(`no ${group}.${name}`);
      const answer = await called(...args);
      if (answer instanceof Moved) {
        line.postMessage({ id, ok: true, value: answer.value }, [
          ...answer.buffers,
        ]);
      } else line.postMessage({ id, ok: true, value: answer }, []);
    } catch (error) {
      const fault = faultOf(error);
      line.postMessage({ id, ok: false, fault }, []);
      failed(fault);
    }
  });
}

/** The form of an error that crosses threads. */
export function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) {
    return { kind: "unknown", message: String(error) };
  }
  const said: Record<string, unknown> = { ...error };
  const body = said["body"];
  const retryAfter = typeof body === "object" && body !== null &&
      "retry_after" in body
    ? body.retry_after
    : undefined;
  const paths = typeof body === "object" && body !== null &&
      "errors" in body && Array.isArray(body.errors)
    ? body.errors.map((one) => String(one?.path))
    : undefined;
  return {
    ...(paths === undefined ? {} : { paths }),
    kind: error.name,
    message: error.message,
    ...(typeof said["code"] === "string" ? { code: said["code"] } : {}),
    ...(typeof said["status"] === "number" ? { status: said["status"] } : {}),
    ...(typeof said["fault"] === "string" ? { fault: said["fault"] } : {}),
    ...(typeof retryAfter === "number" ? { retryAt: retryAfter * 1_000 } : {}),
  };
}
