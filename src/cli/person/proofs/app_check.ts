/**
 * `strongroom verify --app`: whether the web app that a server hands to browsers
 * is the one that this program carries, byte for byte. The app sees the keys,
 * and whoever serves it could serve another one.
 *
 * @module
 */
import { VERSION } from "../../../core/version.ts";
import { openAppFiles } from "../../../assets/app_files.ts";
import { OperatorFault } from "../../../core/operator.ts";
import { parseOrigin } from "../../../core/origin.ts";
import { counted } from "../../../core/sizes.ts";
import { sha256Hex } from "../../../crypto/sha256.ts";
import { appManifest } from "../../../features/log/entries.ts";
import { ABROAD_THREAD, policyReaching } from "../../../http/static_file.ts";
import { printable } from "../../phrasing.ts";
import type { CliContext } from "../cli_context.ts";

/** Requests at a time. */
const AT_ONCE = 8;
/** An id that no link has. */
const NO_LINK = "0".repeat(32);
/** A larger answer is not read to its end (bytes). */
const MAX_BYTES = 16 * 1024 * 1024;

/** Compares every file; how many are not what they should be. */
export async function checkApp(
  { library, session, platform, tell, warn, signal }: CliContext,
): Promise<number> {
  const { version } = await session.client.version();
  if (version !== VERSION) {
    throw new OperatorFault(
      `the server says that it is version ${version}, but this program ` +
        `is ${VERSION}: only the web app of the same version can be ` +
        "compared",
    );
  }
  const app = openAppFiles();
  const faults: { path: string; why: string }[] = [];
  const look = async (path: string): Promise<void> => {
    const file = app.get(path);
    // The page of links is the same at the address of each, live or not.
    const isOfLinks = path.endsWith("/") && path !== "/";
    const address = isOfLinks ? `${path}${NO_LINK}` : path;
    const response = await platform.fetch(`${session.server}${address}`, {
      // As a browser asks: what it gets is what counts.
      headers: {
        Accept: "text/html,*/*;q=0.8",
        "Cache-Control": "no-cache",
        "User-Agent":
          "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
      },
      redirect: "manual",
      signal,
    });
    const bytes = await wholeOf(response);
    const why = response.status !== 200
      ? `the server answers ${response.status}`
      : bytes === undefined || sha256Hex(bytes) !== file?.hash
      ? "the file is different"
      : !isOwnPolicy(response, path, app.policy)
      ? "its security policy is different"
      : undefined;
    if (why !== undefined) faults.push({ path, why });
  };
  const paths = [...app.paths()].sort();
  const left = paths.values();
  const work = async () => {
    for (const path of left) await look(path);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const named = library.logs.last?.app;
  const own = sha256Hex(appManifest(app));
  if (named !== undefined && named !== own) {
    const why = "the public log names another one for everyone";
    faults.push({ path: "/", why });
  }
  for (const { path, why } of faults) {
    warn(`THE WEB APP IS NOT OURS: ${printable(path)}: ${why}`);
  }
  tell(
    { event: "app", build: app.build, files: paths.length, faults },
    faults.length > 0
      ? ""
      : `${
        counted(paths.length, "file")
      } of the web app served as this program carries them`,
  );
  return faults.length;
}

/**
 * Whether a file has the policy of this program. The thread that talks to other
 * servers may reach those that the operator pinned.
 */
function isOwnPolicy(
  { headers }: Response,
  path: string,
  own: string,
): boolean {
  const shown = headers.get("content-security-policy") ?? "";
  if (!path.endsWith(`/${ABROAD_THREAD}`)) return shown === own;
  const connect = shown.split("; ")
    .find((one) => one.startsWith("connect-src "));
  const origins = connect?.split(" ").slice(2) ?? [];
  return origins.every((one) => parseOrigin(one) === one) &&
    shown === policyReaching(own, origins);
}

/** Undefined where it is far too long. */
async function wholeOf(response: Response): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const piece of response.body ?? []) {
    length += piece.length;
    if (length > MAX_BYTES) return undefined;
    pieces.push(piece);
  }
  return await new Blob(pieces).bytes();
}
