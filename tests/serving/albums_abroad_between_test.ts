/**
 * A host that something stands in front of: what a member's program makes of
 * answers that it changes, and removals whose program is killed there
 * (protocol/albums-abroad.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  acceptAbroad,
  addContact,
  followAbroad,
  inviteAbroad,
  makeCard,
  pickupLinkOf,
  readPickup,
} from "../../src/library/abroad/abroad.ts";
import { DAY, take } from "../support/abroad.ts";
import { photo } from "../support/album_cast.ts";
import { beginLibrary, deviceAt, wholeOf } from "../support/library.ts";
import {
  newAccount,
  openMachine,
  settingsOf,
} from "../support/people_commands.ts";
import {
  programCommand,
  type RunningServer,
  serveHere,
  withDataDir,
} from "../support/program.ts";

/** What becomes of an answer on its way; undefined passes it on. */
type Change = (
  request: { readonly method: string; readonly path: string },
  honest: Response,
) => Promise<Response | undefined> | Response | undefined;

interface World {
  /** The host, behind what stands between, and the home server. */
  readonly host: string;
  readonly home: string;
  readonly folder: string;
  readonly change: (change: Change | undefined) => void;
}

/** Two servers, the first of which is known by the address of a third. */
async function withSomethingBetween(
  test: (world: World) => Promise<void>,
): Promise<void> {
  await withDataDir(async (folder) => {
    const socket = join(folder, "host.sock");
    // The host listens on a socket that no other program knows.
    using client = Deno.createHttpClient({
      proxy: { transport: "unix", path: socket },
    });
    let change: Change | undefined;
    const ended = new AbortController();
    const between = Deno.serve({
      hostname: "127.0.0.1",
      port: 0,
      onListen: () => undefined,
      onError: () => new Response(null, { status: 502 }),
    }, async (request) => {
      const { pathname: path } = new URL(request.url);
      const { method } = request;
      const headers = new Headers(request.headers);
      headers.set("Accept-Encoding", "identity");
      const honest = await fetch(request.url, {
        client,
        method,
        headers,
        body: request.body,
        redirect: "manual",
        signal: ended.signal,
      });
      return await change?.({ method, path }, honest) ?? honest;
    });
    const running: RunningServer[] = [];
    const start = async (name: string, more: Record<string, string> = {}) => {
      const server = await serveHere({
        STRONGROOM_DATA_DIR: join(folder, name),
        STRONGROOM_FEDERATION: "on",
        // A log goes on with the server's time, which a test does not move.
        STRONGROOM_LOGS: "off",
        STRONGROOM_REGISTRATION: "open",
        STRONGROOM_ARGON2_MEMORY_KIB: "8",
        STRONGROOM_ARGON2_PASSES: "1",
        ...more,
      });
      running.push(server);
      return server.url;
    };
    try {
      const host = `http://127.0.0.1:${between.addr.port}`;
      await start("host", {
        STRONGROOM_BASE_URL: host,
        STRONGROOM_LISTEN: `unix:${socket}`,
      });
      const home = await start("home");
      await test({ host, home, folder, change: (next) => change = next });
    } finally {
      ended.abort();
      await between.shutdown();
      for (const server of running) await server.stop();
    }
  });
}

/** The endpoints that a member's program reads, by what their answers are. */
const ENDPOINTS = {
  info: /server-info$/,
  roster: /\/roster$/,
  feed: /^\/v1\/sync$/,
  photos: /assets\/query$/,
  bytes: /\/blobs\/[0-9a-f]{64}$/,
  refresh: /\/refresh$/,
} as const;
type Endpoint = keyof typeof ENDPOINTS;

const endpointOf = (path: string) =>
  Object.entries(ENDPOINTS).find(([, of]) => of.test(path))?.[0];

/** What a host was seen to answer. */
class Seen {
  readonly #answers = new Map<string, Response>();

  /** Keeps the newest answer of each endpoint. */
  readonly watch: Change = async ({ path }, honest) => {
    const endpoint = endpointOf(path);
    if (endpoint === undefined || !honest.ok) return undefined;
    const bytes = await honest.bytes();
    this.#answers.set(endpoint, new Response(bytes, honest));
    return new Response(bytes, honest);
  };

  answer(endpoint: Endpoint): Response {
    const held = this.#answers.get(endpoint);
    assert.ok(held !== undefined, `no answer of ${endpoint} was seen`);
    return held.clone();
  }
}

const text = (replace: (text: string) => string) => async (honest: Response) =>
  new Response(replace(await honest.text()), honest);

const flipped = async (honest: Response) => {
  const bytes = await honest.bytes();
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return new Response(bytes, honest);
};

const out = () => new Response(null, { status: 404 });

/** What stands between answers, and what the member's program makes of it. */
interface Lie {
  readonly endpoint: Endpoint;
  readonly how: "older" | "another's" | "left out" | "rewritten";
  /** Unless it is what was seen before, or of another album. */
  readonly answer?: (honest: Response) => Promise<Response> | Response;
  /** What the album says, of `HOST`; undefined if it goes on. */
  readonly paused?: string;
  /** Whether the photo that is new meanwhile is there; not if not said. */
  readonly isNewSeen?: true;
  /** What is told if the photo's bytes are read. */
  readonly read?: string;
}

const GONE = "its server answers with an error: status 404 without a problem";
const OLDER = "the server shows an older list of members than before";

const LIES: readonly Lie[] = [
  { endpoint: "info", how: "older", isNewSeen: true },
  {
    endpoint: "info",
    how: "another's",
    answer: text((info) => info.replaceAll("127.0.0.1", "127.0.0.2")),
    paused: "the server at HOST has another address",
  },
  { endpoint: "info", how: "left out", answer: out, paused: GONE },
  {
    endpoint: "info",
    how: "rewritten",
    answer: text((info) => info.replace(/"federation_url":"[^"]*"/, '"x":1')),
    paused: "HOST does not share with other servers",
  },
  { endpoint: "roster", how: "older", paused: OLDER },
  { endpoint: "roster", how: "another's", paused: OLDER },
  { endpoint: "roster", how: "left out", answer: out, paused: GONE },
  {
    endpoint: "roster",
    how: "rewritten",
    answer: flipped,
    paused: "roster is not signed by this identity",
  },
  { endpoint: "feed", how: "older" },
  { endpoint: "feed", how: "another's" },
  {
    endpoint: "feed",
    how: "left out",
    answer: text((page) =>
      JSON.stringify({ ...JSON.parse(page), entries: [] })
    ),
  },
  {
    endpoint: "feed",
    how: "rewritten",
    answer: text((page) => page.replace(/"entries":\[/, '"entries":[{},')),
    paused: "its server answers with an error: answer /entries/0/sync_seq: " +
      "Invalid input: expected number, received undefined",
  },
  {
    endpoint: "feed",
    how: "rewritten",
    answer: text((page) =>
      JSON.stringify({ ...JSON.parse(page), entries: [], next_after: 1e9 })
    ),
  },
  { endpoint: "refresh", how: "older", isNewSeen: true },
  {
    endpoint: "refresh",
    how: "another's",
    paused: "the token is for something else",
  },
  { endpoint: "refresh", how: "left out", answer: out, paused: GONE },
  {
    endpoint: "refresh",
    how: "rewritten",
    answer: text((token) =>
      token.replace(/"token":"[^"]+"/, '"token":"x.y.z"')
    ),
    paused: "the token is for something else",
  },
  { endpoint: "photos", how: "older" },
  { endpoint: "photos", how: "another's" },
  {
    endpoint: "photos",
    how: "left out",
    answer: text(() => JSON.stringify({ assets: [] })),
  },
  {
    endpoint: "photos",
    how: "rewritten",
    answer: text((page) =>
      page.replace(/"metadata":"([^"]{40})../, '"metadata":"$1AA')
    ),
  },
  {
    endpoint: "bytes",
    how: "another's",
    isNewSeen: true,
    read: "what was served does not open: the blob belongs to another key",
  },
  {
    endpoint: "bytes",
    how: "left out",
    answer: out,
    isNewSeen: true,
    read: "status 404 without a problem",
  },
  {
    endpoint: "bytes",
    how: "rewritten",
    answer: flipped,
    isNewSeen: true,
    read: "what was served does not open: chunk 0 is not authentic",
  },
];

Deno.test("answers that are older, another's, left out or rewritten take nothing from a member, add nothing, and are over once the host is heard again", async (t) => {
  await withSomethingBetween(async ({ host, home, change }) => {
    const device = (server: string, name: string) =>
      deviceAt(server, name, {
        fetch: (input, init) => fetch(input, init),
        now: () => Date.now() + (name === "bob" ? passed : 0),
      });
    let passed = 0;
    const ada = await beginLibrary(device(host, "ada"), "ada");
    const bob = await beginLibrary(device(home, "bob"), "bob");
    const { member } = await addContact(ada, (await makeCard(bob)).card);
    const letIn = async (title: string) => {
      const { id } = await ada.albums.create({ title });
      await take(ada, `first of ${title}`, id);
      const link = pickupLinkOf(await inviteAbroad(ada, id, member));
      const read = await readPickup(bob, link);
      await acceptAbroad(bob, read);
      return { albumId: id, id: read.id, link };
    };
    const one = await letIn("one");
    const other = await letIn("other");
    const follow = async (id: string) => {
      const { rows, reading, paused } = await followAbroad(bob, id);
      const names = rows.map(({ metadata }) =>
        metadata?.name.replace(".jpg", "") ?? ""
      );
      return { names, paused: paused?.text, rows, reading };
    };
    const reads = async (id: string) => {
      const { rows, reading } = await follow(id);
      for (const row of rows) {
        const name = row.metadata?.name.replace(".jpg", "") ?? "";
        assert.deepEqual(await wholeOf(reading.read(row.id)), photo(name));
      }
    };
    const [older, others] = [new Seen(), new Seen()];
    for (const wait of [0, DAY * 0.6]) {
      passed += wait;
      change(older.watch);
      await reads(one.id);
      change(others.watch);
      await reads(other.id);
    }
    change(undefined);
    await ada.albums.describe(one.albumId, { title: "one, later" });
    const expected = new Set((await follow(one.id)).names);
    for (const [at, lie] of LIES.entries()) {
      const { endpoint, how, paused, isNewSeen, read } = lie;
      await t.step(`${endpoint}: ${how}`, async () => {
        const name = `new ${at}`;
        await take(ada, name, one.albumId);
        if (endpoint === "refresh") passed += DAY * 0.6;
        let isTold = false;
        change(({ path }, honest) => {
          if (endpointOf(path) !== endpoint || !honest.ok) return undefined;
          isTold = true;
          if (lie.answer !== undefined) return lie.answer(honest);
          return (how === "older" ? older : others).answer(endpoint);
        });
        const told = await follow(one.id);
        assert.equal(told.paused?.replaceAll(host, "HOST"), paused);
        assert.deepEqual(
          new Set(told.names),
          new Set([...expected, ...isNewSeen ? [name] : []]),
        );
        if (read !== undefined) {
          const row = told.rows.find(({ metadata }) =>
            metadata?.name === `${name}.jpg`
          );
          const whole = wholeOf(told.reading.read(row?.id ?? ""));
          await assert.rejects(whole, { message: read });
        }
        assert.ok(isTold);
        change(undefined);
        // A member's program looks at the whole feed again once a day.
        passed += 2 * DAY;
        const after = await follow(one.id);
        assert.equal(after.paused, undefined);
        assert.ok(after.names.includes(name), "it never came");
        expected.add(name);
        assert.deepEqual(new Set(after.names), expected);
      });
    }
  });
});

const LINK = /https?:\/\/\S+\/#\/(?:contact|pickup)\/[0-9a-f]{32}\.[\w-]{43}/;
const linkIn = (text: string): string => LINK.exec(text)?.[0] ?? "";

/** The steps of a removal, by the requests that do them. */
const STEPS: Readonly<
  Record<string, (method: string, path: string) => boolean>
> = {
  "the revocation": (method, path) =>
    method === "DELETE" && path.includes("/capabilities/"),
  "the roster": (method, path) => method === "PUT" && path.endsWith("/roster"),
  "the pickup": (method, path) =>
    method === "PATCH" && path.startsWith("/v1/shares/"),
};

Deno.test("a removal whose program is killed after any of its steps is completed by the next run, and a removed person reads nothing meanwhile", async () => {
  await withSomethingBetween(async ({ host, home, folder, change }) => {
    const ada = await openMachine(join(folder, "ada"));
    const bob = await openMachine(join(folder, "bob"));
    await newAccount({ url: host }, ada, "ada@example.org");
    await newAccount({ url: home }, bob, "bob@example.org");
    const card = linkIn(await bob.done("contact", "card", "--name", "Bob"));
    await ada.done("contact", "add", card);
    for (const step of Object.keys(STEPS)) {
      await ada.done("album", "new", step);
      const invited = await ada.done("album", "invite", step, "Bob");
      await bob.done("album", "accept", linkIn(invited));
    }
    for (const [step, isIt] of Object.entries(STEPS)) {
      const command = programCommand(["album", "remove", step, "Bob"]);
      const child = new Deno.Command(command.program, {
        args: command.args,
        cwd: new URL("../../", import.meta.url),
        clearEnv: true,
        env: { PATH: Deno.env.get("PATH") ?? "", ...settingsOf(ada.home) },
        stdin: "null",
        stdout: "null",
        stderr: "null",
      }).spawn();
      const killed = Promise.withResolvers<void>();
      change(async ({ method, path }, honest) => {
        if (!isIt(method, path)) return undefined;
        // It is done, and the program never hears of that.
        await honest.body?.cancel();
        child.kill("SIGKILL");
        await child.status;
        killed.resolve();
        return new Response(null, { status: 502 });
      });
      await Promise.race([killed.promise, child.status]);
      assert.ok(!(await child.status).success, step);
      change(undefined);

      const seen = async () => {
        const { stderr } = await bob.run("album", "ls");
        return new RegExp(`"${step}" .* is paused: (.*)`).exec(stderr)?.[1];
      };
      assert.ok(await seen() !== undefined, step);
      assert.match(
        await ada.done("album", "ls"),
        new RegExp(`1 person .*${step}`),
      );
      assert.equal(await seen(), "its owner ended it", step);
    }
  });
});
