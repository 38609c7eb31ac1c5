/**
 * How many of the program's functions run, and of how many files: in the server
 * for one PUT of 3 MB, on the command line for `push` of one file.
 *
 *     deno task bench functions [--list]
 *
 * V8 counts calls of each function. Of the server's, those count whose calls
 * grow by the same number with a second and a third PUT; of the command line's,
 * all that ran. The body of a module is no function.
 *
 * @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { signedIn, writeFiles } from "./client_push.ts";
import {
  originalOf,
  repeated,
  say,
  startOurs,
  withScratch,
} from "./support.ts";

const SOURCE = new URL("../../src/", import.meta.url).href;
/** Where the runtime writes what V8 counted. */
const COUNTED = "DENO_COVERAGE_DIR";
const PUT_BYTES = 3_000_000;
const FILE_BYTES = 100_000;

/** Calls of each function, by its file and place. */
type Calls = ReadonlyMap<string, number>;

const { values } = parseArgs({ options: { list: { type: "boolean" } } });

await withScratch(async (scratch) => {
  const runs: Calls[] = [];
  for (const puts of [1, 2, 3]) {
    runs.push(await serverCalls(join(scratch, `puts-${puts}`), puts));
  }
  const [one = new Map(), two = new Map(), three = new Map()] = runs;
  const more = (after: Calls, before: Calls, place: string) =>
    (after.get(place) ?? 0) - (before.get(place) ?? 0);
  tell(
    "PUT of 3 MB, in the server",
    [...three.keys()].filter((place) => {
      const grown = more(three, two, place);
      return grown > 0 && grown === more(two, one, place);
    }),
  );
  const pushed = await pushCalls(join(scratch, "push"));
  tell("push of one file, on the command line", [...pushed.keys()]);
});

function tell(what: string, places: readonly string[]): void {
  const files = new Set(places.map((place) => place.split(" ")[0]));
  say(`${what}: ${places.length} functions of ${files.size} files`);
  if (values.list) { for (const place of places.toSorted()) say(`  ${place}`); }
}

/** What ran in a server from its start to its end, with so many PUTs. */
async function serverCalls(scratch: string, puts: number): Promise<Calls> {
  const counted = join(scratch, "counted");
  await Deno.mkdir(counted, { recursive: true });
  const { server, account } = await startOurs(scratch, { [COUNTED]: counted });
  try {
    for (let put = 0; put < 3; put++) {
      const blob = repeated(1, PUT_BYTES);
      const { upload_id: id } = await account.createUpload(
        originalOf(account, blob),
      );
      if (put < puts) await account.putUpload(id, blob.piece);
    }
  } finally {
    await server.stop();
  }
  return await callsIn(counted);
}

/** What ran in a `push` of one file. */
async function pushCalls(scratch: string): Promise<Calls> {
  const counted = join(scratch, "counted");
  await Deno.mkdir(counted, { recursive: true });
  const ours = await startOurs(scratch);
  try {
    const machine = await signedIn(ours, join(scratch, "home"));
    const folder = join(scratch, "photos");
    await writeFiles(folder, 1, FILE_BYTES);
    await machine.runWith({ [COUNTED]: counted }, ["push", folder]);
  } finally {
    await ours.server.stop();
  }
  return await callsIn(counted);
}

/** A script of V8's precise coverage. */
interface Script {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly {
      readonly startOffset: number;
      readonly endOffset: number;
      readonly count: number;
    }[];
  }[];
}

async function callsIn(folder: string): Promise<Calls> {
  const calls = new Map<string, number>();
  for await (const { name } of Deno.readDir(folder)) {
    const script: Script = JSON.parse(
      await Deno.readTextFile(join(folder, name)),
    );
    if (!script.url.startsWith(SOURCE)) continue;
    for (const { functionName, ranges: [whole] } of script.functions) {
      if (whole === undefined || whole.count === 0) continue;
      if (functionName === "" && whole.startOffset === 0) continue;
      const path = script.url.slice(SOURCE.length);
      const place = `${path} ${functionName} ${whole.startOffset}`;
      calls.set(place, (calls.get(place) ?? 0) + whole.count);
    }
  }
  return calls;
}
