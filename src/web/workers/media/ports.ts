/**
 * Streaming bytes from one thread to another over a port, piece by piece. The
 * sender makes the next piece only when the receiver asks for it.
 *
 * @module
 */
import {
  type Fault,
  faultOf,
  ThreadError,
} from "../../../client/stream/threads/thread_messages.ts";

/** A message of the receiver. */
type Asked = "more" | "end";

/** A message of the sender. */
type Answered<H> =
  | { readonly head: H }
  | { readonly piece: Uint8Array<ArrayBuffer> }
  | { readonly end: true }
  | { readonly fault: Fault };

/** The data to send: a head, then pieces. */
interface Sending<H> {
  readonly head: H;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** Opens data with `open` and sends it over a port; never rejects. */
export function sendOver<H>(
  port: MessagePort,
  open: (signal: AbortSignal) => Promise<Sending<H>>,
  failed: (fault: Fault) => void = () => {},
): void {
  const ending = new AbortController();
  let pieces: AsyncIterator<Uint8Array> | undefined;
  const say = (answer: Answered<H>, buffers: ArrayBuffer[] = []) =>
    port.postMessage(answer, buffers);
  const give = async (act: () => Promise<void>) => {
    try {
      await act();
    } catch (error) {
      if (ending.signal.aborted) return;
      const fault = faultOf(error);
      failed(fault);
      say({ fault });
    }
  };
  const end = () => {
    ending.abort();
    give(async () => {
      await pieces?.return?.();
    });
    port.close();
  };
  port.addEventListener("message", ({ data }: MessageEvent<Asked>) => {
    if (data === "end") return end();
    give(async () => {
      const next = await pieces?.next();
      if (ending.signal.aborted) return;
      if (next === undefined || next.done === true) return say({ end: true });
      const piece = new Uint8Array(next.value);
      say({ piece }, [piece.buffer]);
    });
  });
  // Some browsers report with this event that the other side is gone.
  port.addEventListener("close", end);
  port.start();
  give(async () => {
    const opened = await open(ending.signal);
    pieces = opened.pieces[Symbol.asyncIterator]();
    say({ head: opened.head });
  });
}

/** Data received over a port. */
export interface Received<H> {
  readonly head: H;
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** Receives data from {@link sendOver}. Rejects with a {@link ThreadError}. */
export function receiveOver<H>(port: MessagePort): Promise<Received<H>> {
  return new Promise((resolve, reject) => {
    let waiting: ((answer: Answered<H>) => void) | undefined;
    const ask = () =>
      new Promise<Answered<H>>((answer) => {
        waiting = answer;
        port.postMessage("more" satisfies Asked);
      });
    const end = () => {
      port.postMessage("end" satisfies Asked);
      port.close();
    };
    port.addEventListener("message", ({ data }: MessageEvent<Answered<H>>) => {
      if ("head" in data) {
        resolve({
          head: data.head,
          stream: new ReadableStream({
            async pull(controller) {
              const answer = await ask();
              if ("piece" in answer) return controller.enqueue(answer.piece);
              end();
              if ("fault" in answer) {
                controller.error(new ThreadError(answer.fault));
              } else controller.close();
            },
            cancel: end,
          }, { highWaterMark: 1 }),
        });
      } else if (waiting === undefined && "fault" in data) {
        end();
        reject(new ThreadError(data.fault));
      } else waiting?.(data);
    });
    port.start();
  });
}
