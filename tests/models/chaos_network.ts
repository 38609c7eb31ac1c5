/**
 * The network of a household: it loses requests and answers, cuts them off,
 * delivers them twice, late and out of order, and is what a client is killed
 * at. What it does is told beforehand, by the number of the request.
 *
 * @module
 */
import { type TestApp, yieldToEventLoop } from "../support/app.ts";

/** What happens to a request. */
export const FAULT_KINDS = [
  /** It does not arrive. */
  "cut",
  /** It arrives, and its answer does not. */
  "lost",
  /** Half of it arrives. */
  "half_request",
  /** Half of its answer arrives. */
  "half_answer",
  /** It arrives twice; the first answer counts. */
  "twice",
  /** It arrives twice; the second answer counts. */
  "again",
  /** Whoever sent it was told that it is lost, and then it arrives. */
  "late",
  /** Its answer comes after those of later requests. */
  "overtaken",
  /** Whoever sent it is killed before it arrives. */
  "kill_before",
  /** The same before its answer arrives. */
  "kill_after",
] as const;

/** A fault, of the requests of one step. */
export interface Fault {
  readonly kind: typeof FAULT_KINDS[number];
  /** Of which request on (0 is the first). */
  readonly at: number;
  /** Of how many. */
  readonly times: number;
}

/** A program that sends requests, and may be killed at any of them. */
export interface Life {
  readonly isDead: boolean;
  /** Rejects once nothing waits for it any more. */
  readonly buried: Promise<never>;
  kill(): void;
}

/** Turns of the event loop for which an answer is overtaken. */
const OVERTAKEN_TURNS = 40;
/** Requests that pass before one that is late arrives. */
const LATE_BY = 3;

/** The network, between devices and the server that runs by now. */
export class Network {
  #faults: readonly Fault[] = [];
  #count = 0;
  #late: { due: number; readonly deliver: () => Promise<void> }[] = [];
  /** How many faults of each kind there were. */
  readonly met = new Map<Fault["kind"], number>();
  /** What was done and what came of it, in the order in which it ended. */
  diary: string[] = [];
  /** How many requests were made. */
  requests = 0;
  app: TestApp;

  constructor(app: TestApp) {
    this.app = app;
  }

  /** From the next request on these faults are met. */
  begin(faults: readonly Fault[]): void {
    this.#faults = faults;
    this.#count = 0;
  }

  /** Delivers what is late. */
  async settle(): Promise<void> {
    for (const { deliver } of this.#late.splice(0)) await deliver();
  }

  /** Sends a request of a program's. */
  async send(life: Life, request: Request): Promise<Response> {
    if (life.isDead) return await life.buried;
    const body = request.body === null
      ? undefined
      : new Uint8Array(await request.arrayBuffer());
    if (life.isDead) return await life.buried;
    const at = this.#count++;
    this.requests += 1;
    await this.#deliverLate();
    const fault = this.#faults.find((one) =>
      at >= one.at && at < one.at + one.times
    );
    if (fault !== undefined) {
      this.met.set(fault.kind, (this.met.get(fault.kind) ?? 0) + 1);
    }
    const pass = () => this.#pass(request, body, body);
    switch (fault?.kind) {
      case undefined:
        return await this.#alive(life, pass());
      case "cut":
        throw noConnection();
      case "lost":
        await cancelled(pass());
        throw noConnection();
      case "half_request":
        await cancelled(this.#pass(request, body, halfOf(body)));
        throw noConnection();
      case "half_answer":
        return await this.#alive(life, pass().then(cutOff));
      case "twice": {
        const answer = await pass();
        await cancelled(pass());
        return await this.#alive(life, Promise.resolve(answer));
      }
      case "again":
        await cancelled(pass());
        return await this.#alive(life, pass());
      case "late":
        this.#late.push({
          due: this.requests + LATE_BY,
          deliver: () => cancelled(pass()),
        });
        throw noConnection();
      case "overtaken": {
        const answer = await pass();
        for (let turn = 0; turn < OVERTAKEN_TURNS; turn++) {
          await yieldToEventLoop();
        }
        return await this.#alive(life, Promise.resolve(answer));
      }
      case "kill_before":
        life.kill();
        return await life.buried;
      case "kill_after":
        await cancelled(pass());
        life.kill();
        return await life.buried;
    }
  }

  async #alive(life: Life, answer: Promise<Response>): Promise<Response> {
    const given = await answer;
    if (!life.isDead) return given;
    await given.body?.cancel();
    return await life.buried;
  }

  async #deliverLate(): Promise<void> {
    const due = this.#late.filter((one) => one.due <= this.requests);
    this.#late = this.#late.filter((one) => !due.includes(one));
    for (const { deliver } of due) await deliver();
  }

  async #pass(
    { url, method, headers: given }: Request,
    whole: Uint8Array<ArrayBuffer> | undefined,
    body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | undefined,
  ): Promise<Response> {
    const headers = new Headers(given);
    if (whole !== undefined) {
      headers.set("Content-Length", String(whole.length));
    }
    await yieldToEventLoop();
    return await this.app.fetch(
      new Request(url, { method, headers, body: body ?? null }),
      { clientAddress: "192.0.2.1" },
    );
  }
}

/** What `fetch` throws where there is no connection. */
function noConnection(): TypeError {
  return new TypeError("the connection is gone");
}

/** Has a request done, and reads nothing of its answer. */
async function cancelled(answer: Promise<Response>): Promise<void> {
  try {
    const { body } = await answer;
    await body?.cancel();
  } catch {
    // Half a request may have no answer at all.
  }
}

/** A body that breaks off in its middle. */
function halfOf(
  body: Uint8Array<ArrayBuffer> | undefined,
): ReadableStream<Uint8Array> | undefined {
  if (body === undefined) return undefined;
  let isGiven = false;
  return new ReadableStream({
    pull(controller) {
      if (isGiven) controller.error(noConnection());
      else controller.enqueue(body.slice(0, Math.ceil(body.length / 2)));
      isGiven = true;
    },
  });
}

async function cutOff(answer: Response): Promise<Response> {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (bytes.length === 0) throw noConnection();
  const { status, headers } = answer;
  return new Response(halfOf(bytes) ?? null, { status, headers });
}
