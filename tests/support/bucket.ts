/**
 * A bucket for a test: s3rver, which knows neither conditions nor hashes, and
 * between it and the application a fault injector.
 *
 * @module
 */
import { createHash } from "node:crypto";
import process from "node:process";
import S3rver from "s3rver";
import { OBJECT_SUFFIX } from "./object_suffix.ts";

// s3rver's file library asks for the mask at each folder that it makes. Asking
// sets it to 0 for a moment, for the whole process: two threads of tests that
// ask at once leave it so, and then every file is for everybody.
process.umask = () => 0o022;

const BUCKET = "photos";
const OWNER = "owner.json";

/** What may become of a request on its way, or of its answer. */
export const INJECTED_FAULTS = [
  /** Nothing arrives. */
  "refused",
  /** It is carried out, and its answer lost. */
  "lost",
  /** The answer breaks off in its middle. */
  "cut",
  /** The answer comes later than anybody waits. */
  "late",
  /** It is carried out twice, one right after the other. */
  "repeated",
  /** Another server answers: a page that says all is well. */
  "wrong 200",
  /** Another server answers: a page that says there is nothing. */
  "wrong 404",
  /** A bit of what is sent is another when it arrives. */
  "spoilt",
  /** The store has no time. */
  "slow down",
] as const;
export type InjectedFault =
  | typeof INJECTED_FAULTS[number]
  /** What it stores and acknowledges, it loses the end of. */
  | "shortened";

const ALL = Deno.env.get("TEST_FAULTS") === "all";

/** By night a fault meets every request, by day every seventh. */
export const STRIDE = ALL ? 1 : 7;

/** The first request that a fault meets: another one for each fault. */
export function firstMet(how: InjectedFault): number {
  const at = INJECTED_FAULTS.findIndex((one) => one === how);
  return 1 + Math.max(0, at) % STRIDE;
}

export interface TestBucket {
  /** For an application that places blobs in it. */
  readonly settings: Record<string, string>;
  readonly fetch: typeof fetch;
  /**
   * Injects a fault into the n-th request from now on (1 is the next), once.
   */
  readonly injectFault: (n: number, how: InjectedFault) => void;
  /** Whether that has happened. */
  readonly faultHappened: () => boolean;
  /** Lets every request fail until it is told otherwise. */
  goAway: (isAway: boolean) => void;
  /** Requests since the last {@link injectFault}, as `PUT key`. */
  readonly seen: () => readonly string[];
  /** The keys of its objects, in order, but for {@link owner}. */
  readonly keys: () => Promise<string[]>;
  /** The claim of a data directory, to look at, to replace, or to sweep away. */
  readonly owner: {
    readonly read: () => Promise<string>;
    readonly write: (text: string) => Promise<void>;
    readonly remove: () => Promise<void>;
  };
  /** The file of a blob's object, to look into or to spoil. */
  readonly fileOf: (hash: string) => string;
  /** The file of any object, by its key. */
  readonly pathOf: (key: string) => string;
  /** Where objects lie, each under its key and a suffix. */
  readonly root: string;
}

interface BucketOptions {
  /** It keeps conditions and holds bodies to their hashes, as Ceph does. */
  readonly strict?: boolean;
  /** It compares tags without their quotes, as Ceph 16 does. */
  readonly bareTags?: boolean;
}

/** Starts one, hands it to a test, and ends it. */
export async function withBucket(
  test: (bucket: TestBucket) => Promise<void>,
  options: BucketOptions = {},
): Promise<void> {
  const { bucket, close, remove } = await startBucket(options);
  try {
    await test(bucket);
  } finally {
    await close();
    remove();
  }
}

/** Starts one, which whoever starts it ends and removes. */
export async function startBucket(options: BucketOptions = {}) {
  const directory = await Deno.makeTempDir({ prefix: "strongroom-bucket-" });
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  // It tidies empty directories away, and where two removals do so at once it
  // says of one that it failed.
  Object.assign(server.store, { deleteObject: removeFiles });
  const { port } = await server.run();
  return {
    bucket: bucketAt(`http://127.0.0.1:${port}`, directory, options),
    close: async () => {
      const closed = server.close();
      server.httpServer.closeAllConnections();
      await closed;
    },
    remove: () => Deno.removeSync(directory, { recursive: true }),
  };
}

/** Removes an object of s3rver's store, and leaves its directory. */
async function removeFiles(
  this: { getResourcePath: (...parts: string[]) => string },
  bucket: string,
  key: string,
): Promise<void> {
  await removeParts((part) => this.getResourcePath(bucket, key, part));
}

async function removeParts(pathOf: (part: string) => string): Promise<void> {
  for (const part of ["object", "object.md5", "metadata.json"]) {
    await Deno.remove(pathOf(part)).catch((cause) => {
      if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    });
  }
}

function bucketAt(
  endpoint: string,
  directory: string,
  { strict = false, bareTags = false }: BucketOptions,
): TestBucket {
  let countdown = Infinity;
  let how: InjectedFault = "refused";
  let happened = false;
  let isAway = false;
  let seen: string[] = [];
  const fileOfKey = (key: string) =>
    `${directory}/${BUCKET}/${key}${OBJECT_SUFFIX}`;

  /** The store itself. */
  async function store(request: Request): Promise<Response> {
    const { method } = request;
    const { pathname, search } = new URL(request.url);
    const key = pathname.slice(BUCKET.length + 2);
    const body = new Uint8Array(await request.arrayBuffer());
    if (strict && method === "PUT") {
      const sha256 = createHash("sha256").update(body).digest("hex");
      if (sha256 !== request.headers.get("x-amz-content-sha256")) {
        return refusal(400, "XAmzContentSHA256Mismatch");
      }
      if (request.headers.get("if-none-match") === "*" && exists(key)) {
        return refusal(412, "PreconditionFailed");
      }
      const tag = request.headers.get("if-match");
      const held = bareTags ? tagOf(key)?.replaceAll('"', "") : tagOf(key);
      if (tag !== null && tag !== held) {
        return exists(key)
          ? refusal(412, "PreconditionFailed")
          : refusal(404, "NoSuchKey");
      }
    }
    const headers = new Headers(request.headers);
    return await fetch(`${endpoint}${pathname}${search}`, {
      method,
      headers,
      ...(body.length === 0 ? {} : { body }),
    });
  }

  function exists(key: string): boolean {
    try {
      Deno.statSync(fileOfKey(key));
      return true;
    } catch {
      return false;
    }
  }

  function tagOf(key: string): string | undefined {
    if (!exists(key)) return undefined;
    return `"${md5Of(Deno.readFileSync(fileOfKey(key)))}"`;
  }

  async function withFault(request: Request): Promise<Response> {
    switch (how) {
      case "refused":
        throw new TypeError("connection refused");
      case "lost":
        await drop(await store(request));
        throw new TypeError("connection reset");
      case "cut": {
        const answer = await store(request);
        const body = new Uint8Array(await answer.arrayBuffer());
        return new Response(cutOff(body), answer);
      }
      case "late":
        await drop(await store(request));
        await untilAborted(request.signal);
        throw request.signal.reason;
      case "repeated":
        await drop(await store(request.clone()));
        return await store(request);
      case "spoilt":
        return await store(await spoilt(request));
      case "wrong 200":
        return new Response("<html>Welcome</html>");
      case "wrong 404":
        return new Response("<html>Not here</html>", { status: 404 });
      case "slow down":
        return refusal(503, "SlowDown");
      case "shortened": {
        const answer = await store(request);
        const { pathname } = new URL(request.url);
        const path = fileOfKey(pathname.slice(BUCKET.length + 2));
        await Deno.truncate(path, (await Deno.stat(path)).size - 1);
        return answer;
      }
    }
  }

  return {
    settings: {
      STRONGROOM_BLOBS: "s3",
      STRONGROOM_S3_ENDPOINT: endpoint,
      STRONGROOM_S3_BUCKET: BUCKET,
      STRONGROOM_S3_ACCESS_KEY_ID: "S3RVER",
      STRONGROOM_S3_SECRET_ACCESS_KEY: "S3RVER",
      STRONGROOM_S3_TIMEOUT_SECONDS: "20",
    },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { pathname } = new URL(request.url);
      seen.push(`${request.method} ${pathname.slice(BUCKET.length + 2)}`);
      if (isAway) throw new TypeError("no route to host");
      countdown -= 1;
      if (countdown !== 0) return await store(request);
      happened = true;
      return await withFault(request);
    },
    injectFault: (n, what) => {
      countdown = n;
      how = what;
      happened = false;
      seen = [];
    },
    faultHappened: () => happened,
    goAway: (away) => {
      isAway = away;
    },
    seen: () => seen,
    keys: async () => {
      const keys: string[] = [];
      for await (const path of filesUnder(`${directory}/${BUCKET}`)) {
        if (!path.endsWith(OBJECT_SUFFIX)) continue;
        if (path === `${OWNER}${OBJECT_SUFFIX}`) continue;
        keys.push(path.slice(0, -OBJECT_SUFFIX.length));
      }
      return keys.toSorted();
    },
    owner: {
      read: () => Deno.readTextFile(fileOfKey(OWNER)),
      write: async (text) => {
        await Deno.writeTextFile(fileOfKey(OWNER), text);
        await Deno.writeTextFile(`${fileOfKey(OWNER)}.md5`, md5Of(text));
      },
      remove: () =>
        removeParts((part) =>
          `${directory}/${BUCKET}/${OWNER}._S3rver_${part}`
        ),
    },
    pathOf: fileOfKey,
    root: `${directory}/${BUCKET}`,
    fileOf: (hash) =>
      fileOfKey(`blobs/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`),
  };
}

async function* filesUnder(root: string, at = ""): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(`${root}/${at}`)) {
    const path = at === "" ? entry.name : `${at}/${entry.name}`;
    if (entry.isDirectory) yield* filesUnder(root, path);
    else yield path;
  }
}

function md5Of(data: string | Uint8Array): string {
  return createHash("md5").update(data).digest("hex");
}

function refusal(status: number, code: string): Response {
  return new Response(`<Error><Code>${code}</Code></Error>`, { status });
}

async function spoilt(request: Request): Promise<Request> {
  const body = new Uint8Array(await request.arrayBuffer());
  const [first = 0] = body;
  body[0] = first ^ 1;
  const { url, method, headers } = request;
  return new Request(url, {
    method,
    headers,
    ...(body.length === 0 ? {} : { body }),
  });
}

async function drop(answer: Response): Promise<void> {
  await answer.body?.cancel();
}

function cutOff(body: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (sent || body.length < 2) {
        controller.error(new TypeError("connection reset"));
      } else {
        controller.enqueue(body.slice(0, body.length / 2));
        sent = true;
      }
    },
  });
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
