/**
 * Answers that are changed on their way, and errors that name it.
 *
 * @module
 */
import { type Wire } from "./library.ts";

/** Changes the JSON of answers whose path fits. */
export function changeJson(
  wire: Wire,
  path: RegExp,
  // deno-lint-ignore no-explicit-any -- whatever the server answers
  change: (json: any, request: Request) => unknown,
): void {
  wire.intercept = (request, pass) => {
    if (!path.test(new URL(request.url).pathname)) return undefined;
    return pass(request).then(async (answer) => {
      if (!answer.ok || answer.status === 204) return answer;
      const { status, headers } = answer;
      const json = await change(await answer.json(), request);
      const kept = new Headers(headers);
      kept.delete("Content-Length");
      return new Response(JSON.stringify(json), { status, headers: kept });
    });
  };
}
