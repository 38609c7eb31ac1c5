/**
 * Conditional and range requests against nginx: the same bytes, the same
 * request, the same answer, except where the specification says otherwise.
 *
 * @module
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { PROTOCOL } from "../support/app.ts";
import { debianProgram } from "../support/debian.ts";
import { withNginx } from "../support/nginx.ts";
import { REQUESTS, type Row, withoutHeaders } from "../support/oracle_rows.ts";
import { createAsset, hashOf, registerWriter } from "../support/people.ts";
import { exchange, type WireAnswer, withSocket } from "../support/socket.ts";
import { issueShare } from "../support/api.ts";

/** Where nginx is; empty on a machine that has none. */
const NGINX = await debianProgram("nginx", "nginx") ?? "";
/** A byte, a blob that is read at once, and two that are streamed. */
const LENGTHS = [1, 1_000, 300 * 1024, 1024 * 1024] as const;

/** What has to be the same. */
interface Answer {
  readonly status: number;
  readonly body: string;
  readonly contentRange: string | null;
  readonly contentLength: string | null;
  readonly acceptRanges: string | null;
  readonly hasEtag: boolean;
  readonly hasLastModified: boolean;
  readonly isMultipart: boolean;
}

/** Sends a request whose placeholders stand for the server's own words. */
type Ask = (method: string, lines: readonly string[]) => Promise<Answer>;

/** One blob at nginx, and on each of our paths. */
interface Shelf {
  readonly length: number;
  readonly nginx: Ask;
  readonly ours: Readonly<Record<string, Ask>>;
}

async function withShelves(
  test: (shelves: readonly Shelf[]) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "strongroom-oracle-" });
  try {
    await withNginx(NGINX, folder, async (connectNginx) => {
      await withSocket(async (app, origin) => {
        const connect = () => {
          const { hostname, port } = new URL(origin);
          return Deno.connect({ hostname, port: Number(port) });
        };
        // Stored within a second: its date has none of the rest.
        app.clock.advance(678);
        const ada = await registerWriter(app, "ada");
        const shelves: Shelf[] = [];
        for (const length of LENGTHS) {
          const name = `blob of ${length}`;
          const { assetId, original } = await createAsset(app, ada, name, {
            length,
          });
          const hash = hashOf(original);
          await Deno.writeFile(`${folder}/${hash}`, original);
          const link = await issueShare(app, ada, name, [hash]);
          shelves.push({
            length,
            nginx: await asking(connectNginx, `/${hash}`),
            ours: {
              share: await asking(connect, `/s/${link}/blob/${hash}`),
              asset: await asking(
                connect,
                `/v1/assets/${assetId}/blobs/${hash}`,
                [
                  `Authorization: Bearer ${ada.token}`,
                  `X-Service-Protocol: ${PROTOCOL}`,
                ],
              ),
            },
          });
        }
        await test(shelves);
      });
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function asking(
  connect: () => Promise<Deno.Conn>,
  path: string,
  always: readonly string[] = [],
): Promise<Ask> {
  const send = async (method: string, lines: readonly string[]) =>
    await exchange(await connect(), method, path, [...always, ...lines]);
  const words = wordsOf(await send("HEAD", []));
  return async (method, lines) => {
    const filled = lines.map((line) =>
      line.replace(/<(\w+)>/g, (_, word) => {
        const value = words[word];
        assert(value !== undefined, line);
        return value;
      })
    );
    return readAnswer(await send(method, filled));
  };
}

/** What a placeholder stands for at a server. */
function wordsOf({ header }: WireAnswer): Readonly<Record<string, string>> {
  const date = header("Last-Modified") ?? "";
  const moved = (seconds: number) =>
    new Date(Date.parse(date) + seconds * 1_000).toUTCString();
  const [weekday = "", day = "", month = "", year = "", time = ""] = date
    .replace(",", "").split(" ");
  const longDay = new Date(date).toLocaleDateString("en", {
    weekday: "long",
    timeZone: "UTC",
  });
  const length = Number(header("Content-Length"));
  return {
    etag: header("ETag") ?? "",
    date,
    older: moved(-1),
    newer: moved(1),
    rfc850: `${longDay}, ${day}-${month}-${year.slice(2)} ${time} GMT`,
    asctime: `${weekday} ${month} ${day.replace(/^0/, " ")} ${time} ${year}`,
    length: String(length),
    last: String(length - 1),
    half: String(Math.floor(length / 2)),
  };
}

function readAnswer({ status, header, body }: WireAnswer): Answer {
  const type = header("Content-Type") ?? "";
  return {
    status,
    body: `${body.length} ${hashOf(body)}`,
    contentRange: header("Content-Range"),
    contentLength: header("Content-Length"),
    // nginx leaves it out of a part, where ours has it
    // (protocol/transport.md#conditions-and-ranges).
    acceptRanges: status === 206 ? "bytes" : header("Accept-Ranges"),
    hasEtag: header("ETag") !== null,
    hasLastModified: header("Last-Modified") !== null,
    isMultipart: type.startsWith("multipart/"),
  };
}

/** Expects of both of our paths what nginx answers, or what a row says. */
async function compare(
  shelf: Shelf,
  { method, lines, differs }: Row,
  found: string[],
): Promise<boolean> {
  const theirs = await shelf.nginx(method, lines);
  const isOther = differs?.where(theirs) ?? false;
  const expected = differs !== undefined && isOther
    ? await shelf.nginx(method, differs.asIf(lines))
    : theirs;
  for (const [path, ask] of Object.entries(shelf.ours)) {
    const [ours, nginx] = [await ask(method, lines), expected]
      .map((answer) => JSON.stringify(answer));
    if (ours !== nginx) {
      const request = `${method} ${lines.join("; ")}`;
      found.push(
        `${path}, ${shelf.length} bytes, ${request}: ${ours}, not ${nginx}`,
      );
    }
  }
  return isOther;
}

Deno.test({
  name: "a table of conditional and range requests is answered as by nginx",
  ignore: NGINX === "",
  fn: async () => {
    await withShelves(async (shelves) => {
      const found: string[] = [];
      for (const row of REQUESTS) {
        let differed = false;
        for (const shelf of shelves) {
          if (await compare(shelf, row, found)) differed = true;
        }
        if (differed !== (row.differs !== undefined)) {
          found.push(`nothing to excuse: ${row.lines.join("; ")}`);
        }
      }
      assert.equal(found.join("\n"), "");
    });
  },
});

const SEED = 9110;
const RUNS = 200;

/** Positions near the bounds of a blob, within it, and far outside. */
function position(length: number): fc.Arbitrary<number> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.nat(length) },
    { weight: 2, arbitrary: fc.constantFrom(0, 1, length - 1, length) },
    { weight: 1, arbitrary: fc.maxSafeNat() },
  );
}

function rangeSpec(length: number): fc.Arbitrary<string> {
  const at = position(length);
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc.tuple(at, at).map(([one, other]) =>
        `${Math.min(one, other)}-${Math.max(one, other)}`
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(at, at).map(([from, to]) => `${from}-${to}`),
    },
    { weight: 1, arbitrary: at.map((from) => `${from}-`) },
    { weight: 1, arbitrary: at.map((count) => `-${count}`) },
  );
}

/** A blob's place among the shelves, and the ranges asked of it. */
const RANDOM_RANGES = fc.integer({ min: 0, max: LENGTHS.length - 1 }).chain(
  (place) => {
    const one = rangeSpec(LENGTHS[place] ?? 1);
    return fc.tuple(
      fc.constant(place),
      fc.oneof(
        { weight: 5, arbitrary: fc.tuple(one) },
        {
          weight: 1,
          arbitrary: fc.array(one, { minLength: 2, maxLength: 4 }),
        },
      ),
    );
  },
);

Deno.test({
  name: "a random range is a part where nginx sends one, and else the whole",
  ignore: NGINX === "",
  fn: async () => {
    await withShelves(async (shelves) => {
      const met = new Map<number, number>();
      await fc.assert(
        fc.asyncProperty(RANDOM_RANGES, async ([place, specs]) => {
          const shelf = shelves[place];
          assert(shelf !== undefined);
          const lines = [`Range: bytes=${specs.join(",")}`];
          const theirs = await shelf.nginx("GET", lines);
          // Of several ranges nginx sends one if the others have no bytes.
          const isPart = theirs.status === 206 && specs.length === 1;
          const expected = isPart
            ? theirs
            : await shelf.nginx("GET", withoutHeaders("Range")(lines));
          for (const [path, ask] of Object.entries(shelf.ours)) {
            assert.deepEqual(await ask("GET", lines), expected, path);
          }
          met.set(theirs.status, (met.get(theirs.status) ?? 0) + 1);
        }),
        { seed: SEED, numRuns: RUNS },
      );
      for (const status of [206, 416]) {
        assert((met.get(status) ?? 0) >= RUNS / 10, `${status} was rare`);
      }
    });
  },
});
