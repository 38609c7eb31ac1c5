/**
 * A file that is too long to be held: it is read as the browser takes it, when
 * it is the turn of the browser's address.
 *
 * @module
 */
import type { Raise } from "../../core/problem.ts";
import { MINUTE_MS, SECOND_MS } from "../../core/time.ts";
import type { RequestInfo } from "../../http/route.ts";
import type { App } from "../app.ts";

/** What a file of the app's can be refused with. */
export const LONG_FILE_PROBLEMS = [
  "error.request.route_unknown",
  "error.account.rate_limited",
] as const;

/** `open` says undefined where the file is not there. */
export async function longFile(
  { unread }: Pick<App, "unread">,
  request: RequestInfo,
  raise: Raise<(typeof LONG_FILE_PROBLEMS)[number]>,
  open: () =>
    | ReadableStream<Uint8Array>
    | undefined
    | Promise<ReadableStream<Uint8Array> | undefined>,
): Promise<ReadableStream<Uint8Array>> {
  const turn = await unread.turn(request);
  if (turn === undefined) {
    const retryAfterSeconds = MINUTE_MS / SECOND_MS;
    throw raise("error.account.rate_limited", { retryAfterSeconds });
  }
  try {
    const source = await open();
    if (source === undefined) throw raise("error.request.route_unknown");
    return turn.send(source);
  } catch (thrown) {
    turn.end();
    throw thrown;
  }
}
