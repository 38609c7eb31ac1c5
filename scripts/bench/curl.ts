/**
 * curl as a peer of the client: it moves bytes that others sealed before, and
 * asks again what the client asked, without understanding any of it.
 *
 * @module
 */
import { join } from "node:path";

/** What curl does at a time, as the client does. */
const AT_ONCE = 4;

/** One request as it was sent. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A file that holds the body. */
  readonly bodyFile?: string;
  /** Where the answer's body is put; nowhere, if it is not needed. */
  readonly answerFile?: string;
}

/** Sends requests, four at a time; seconds. Throws where one is refused. */
export async function curl(
  scratch: string,
  requests: readonly Sent[],
): Promise<number> {
  const config = join(scratch, "curl.conf");
  const blocks = requests.map(({ method, url, headers, ...files }) =>
    [
      `url = "${url}"`,
      `request = "${method}"`,
      ...Object.entries(headers).map(([name, value]) =>
        `header = "${name}: ${value}"`
      ),
      ...files.bodyFile === undefined ? [] : [
        // A body from a file, as it lies there.
        method === "PUT"
          ? `upload-file = "${files.bodyFile}"`
          : `data-binary = "@${files.bodyFile}"`,
      ],
      `output = "${files.answerFile ?? "/dev/null"}"`,
      "fail",
      // It waits where it is told to, as the client does.
      "retry = 20",
    ].join("\n")
  );
  await Deno.writeTextFile(config, blocks.join("\nnext\n"));
  const started = performance.now();
  const { success, stderr } = await new Deno.Command("curl", {
    args: [
      ...["--silent", "--show-error", "--parallel", "--parallel-immediate"],
      ...["--parallel-max", String(AT_ONCE), "--config", config],
    ],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  const seconds = (performance.now() - started) / 1_000;
  if (!success) throw new Error(`curl: ${new TextDecoder().decode(stderr)}`);
  return seconds;
}

/** Writes down what goes through a `fetch`, for curl to ask it again. */
export function recording(scratch: string) {
  let sent: Sent[] = [];
  let bodies = 0;
  return {
    fetch: async (input: string, init: RequestInit): Promise<Response> => {
      const { body, method = "GET" } = init;
      let file: { readonly bodyFile?: string } = {};
      if (typeof body === "string" || body instanceof Uint8Array) {
        const bodyFile = join(scratch, `body-${bodies++}`);
        const bytes = new Uint8Array(
          typeof body === "string" ? new TextEncoder().encode(body) : body,
        );
        await Deno.writeFile(bodyFile, bytes);
        file = { bodyFile };
      }
      const headers = Object.fromEntries(new Headers(init.headers));
      const response = await fetch(input, init);
      // A refusal is an answer to the client, and to curl a failure.
      if (response.ok && !isOnlyOnce(method, input)) {
        sent.push({ method, url: input, headers, ...file });
      }
      return response;
    },
    /** What was sent since the last time. */
    take(): readonly Sent[] {
      const taken = sent;
      sent = [];
      return taken;
    },
  };
}

/**
 * Whether a request cannot be repeated: a write of a state slot names the
 * version that it follows, so that the same again is a conflict.
 */
function isOnlyOnce(method: string, url: string): boolean {
  return method === "PUT" && new URL(url).pathname.startsWith("/v1/state/");
}
