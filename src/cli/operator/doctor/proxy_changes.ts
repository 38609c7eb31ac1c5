/**
 * What a proxy in front of the server changes about answers that it should pass
 * on as they are (protocol/transport.md#proxies-that-compress).
 *
 * @module
 */
import { say } from "../../../core/sentence.ts";
import * as z from "zod";
import { openAppFiles } from "../../../assets/app_files.ts";
import type { Platform } from "../../../core/platform.ts";
import { type Finding, findingsOf } from "./finding.ts";

/** An answer that every strongroom sends uncompressed, with its length. */
interface Passed {
  readonly headers: Pick<Headers, "get" | "has">;
  /** The tag that it was sent with; undefined where it has none. */
  readonly etag: string | undefined;
}

const MEND = "turn compression off for this origin in the proxy: photos are " +
  "encrypted and do not get smaller, and pages come compressed from the server";

/** Judges how answers arrived; no finding where they are as they were sent. */
export function judgeChanges(
  origin: string,
  passed: readonly Passed[],
): Finding[] {
  const { warning } = findingsOf("base_url");
  const isSome = (changed: (one: Passed) => boolean, what: string) =>
    passed.some(changed) ? [warning(say(what, origin), MEND)] : [];
  return [
    ...isSome(
      ({ headers }) => headers.has("content-encoding"),
      "a proxy in front of {1} compresses files",
    ),
    ...isSome(
      // Of what is compressed it would be another one.
      ({ headers }) =>
        !headers.has("content-length") && !headers.has("content-encoding"),
      "a proxy in front of {1} removes the length of files",
    ),
    ...isSome(
      ({ headers, etag }) => etag !== undefined && headers.get("etag") !== etag,
      "a proxy in front of {1} changes the entity tags of files",
    ),
  ];
}

/** A fault where a proxy passes on another Host than the server's own. */
export function judgeHost(origin: string, isOther: boolean): Finding[] {
  if (!isOther) return [];
  return [
    findingsOf("base_url").fault(
      say(
        "a proxy in front of {1} passes on another Host, and the server " +
          "refuses to sign anyone in",
        origin,
      ),
      "have the proxy pass on the Host that clients ask for (nginx: " +
        "proxy_set_header Host $host)",
    ),
  ];
}

/**
 * Whether a sign-in through the base URL arrives under another Host. The request
 * has no protocol date: it is refused before anything else is looked at.
 */
export async function asksAsOther(
  origin: string,
  fetch: Platform["fetch"],
  patienceMs: number,
): Promise<boolean> {
  const response = await fetch(`${origin}/v1/auth/login`, {
    method: "POST",
    redirect: "manual",
    signal: AbortSignal.timeout(patienceMs),
  });
  const answer = OtherHost.safeParse(
    await response.json().catch(() => undefined),
  );
  return answer.success;
}

const OtherHost = z.object({ code: z.literal("error.request.host") });

/**
 * Fetches, as a browser would, a picture and octets that need no credential.
 * What another version of the program does not have says nothing.
 */
export async function fetchThrough(
  origin: string,
  fetch: Platform["fetch"],
  patienceMs: number,
): Promise<Passed[]> {
  const app = openAppFiles();
  const picture = `/app/${app.build}/icon-512.png`;
  const hash = app.get(picture)?.hash;
  const asked = [
    { path: picture, etag: hash && `"${hash}"` },
    { path: "/log/keys/tile/0/000.p/1", etag: undefined },
  ];
  const answers = await Promise.all(asked.map(async ({ path, etag }) => {
    const response = await fetch(`${origin}${path}`, {
      headers: { "Accept-Encoding": "gzip" },
      redirect: "manual",
      signal: AbortSignal.timeout(patienceMs),
    });
    await response.body?.cancel();
    const { status, headers } = response;
    return status === 200 ? [{ headers, etag }] : [];
  }));
  return answers.flat();
}
