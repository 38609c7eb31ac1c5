/**
 * Whether there is a newer release: asked for only by `doctor --updates`, and
 * only at the address that the operator set.
 *
 * @module
 */
import { say } from "../../../core/sentence.ts";
import { compareVersions, validate } from "compare-versions";
import { z } from "zod";
import type { Platform } from "../../../core/platform.ts";
import { SECOND_MS } from "../../../core/time.ts";
import { type Finding, findingsOf } from "./finding.ts";
import { innermostReason } from "./network.ts";

const { ok, warning } = findingsOf("updates");
const PATIENCE_MS = 10 * SECOND_MS;
/** Far above what a release says of itself. */
const ANSWER_MAX_BYTES = 256 * 1024;

/**
 * What a release's `latest.json` says, or the API of Forgejo, Gitea or GitHub
 * of the latest release.
 */
const Latest = z.union([
  z.looseObject({ version: z.string(), notes: z.string().optional() }),
  z.looseObject({ tag_name: z.string(), html_url: z.string().optional() })
    .transform(({ tag_name, html_url }) => ({
      version: tag_name,
      notes: html_url,
    })),
]);

/**
 * Asks an address for the latest release, which it tells nothing of this one.
 */
export async function lookForUpdate(
  url: string | undefined,
  own: string,
  fetch: Platform["fetch"],
): Promise<Finding[]> {
  if (url === undefined) {
    return [warning(
      "not checked: STRONGROOM_UPDATES_URL is not set",
      "set it to the address where the people who gave you strongroom say " +
        "what their latest release is",
    )];
  }
  const host = new URL(url).host;
  let latest: z.infer<typeof Latest>;
  try {
    latest = await ask(url, fetch);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return [warning(
      say(
        "{1} does not say which release is the latest: {2}",
        host,
        innermostReason(error, PATIENCE_MS),
      ),
      "correct STRONGROOM_UPDATES_URL, or run this again when it answers",
    )];
  }
  return [judgeLatest(latest, own, host)];
}

function judgeLatest(
  { version, notes }: z.infer<typeof Latest>,
  own: string,
  host: string,
): Finding {
  const latest = version.replace(/^v/, "");
  return compareVersions(latest, own) > 0
    ? warning(
      say(
        "{1} is released, and this is {2}{3}",
        latest,
        own,
        isAddress(notes) ? `: ${notes}` : "",
      ),
      "read what is new, make a backup, verify the new files and install them",
    )
    : ok(say("{1} is the latest release, says {2}", own, host));
}

async function ask(
  url: string,
  fetch: Platform["fetch"],
): Promise<z.infer<typeof Latest>> {
  const response = await fetch(url, {
    headers: { "Accept": "application/json", "User-Agent": "strongroom" },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`it answers ${response.status}`);
  }
  const said = Latest.safeParse(await readJson(response));
  // What is printed is a version, and no text of someone else's.
  if (
    !said.success || said.data.version.length > 64 ||
    !validate(said.data.version)
  ) throw new Error("its answer names no version");
  return said.data;
}

async function readJson(response: Response): Promise<unknown> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    pieces.push(piece);
    size += piece.length;
    if (size > ANSWER_MAX_BYTES) throw new Error("its answer is too long");
  }
  try {
    return JSON.parse(await new Blob(pieces).text());
  } catch {
    throw new Error("its answer is no JSON");
  }
}

/** Of this kind alone is shown on a terminal. */
function isAddress(text: string | undefined): boolean {
  return text !== undefined && /^https?:\/\/[\x21-\x7e]{1,500}$/.test(text);
}
