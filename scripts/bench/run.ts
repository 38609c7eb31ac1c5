/**
 * `deno task bench [NAME [OPTION]…]`: one benchmark with its own options. Without a name, the benchmarks that compare
 * processor time run in turn, and one table shows all their ratios. `--beside`
 * names the checkout of an older version, and `--bundle` the folder of its
 * bundle: they take turns with this version where a benchmark allows it.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Ratio, RATIOS_FILE, say } from "./support.ts";
import { LOCKED } from "../locked.ts";

/** The file of each benchmark, by the name that people type. */
const FILES: Readonly<Record<string, string>> = {
  auth: "auth.ts",
  board: "small_board.ts",
  cold: "cold.ts",
  download: "download.ts",
  facts: "facts.ts",
  first: "first.ts",
  functions: "functions.ts",
  growth: "growth.ts",
  people: "load.ts",
  photo: "photo.ts",
  push: "client.ts",
  reads: "reads.ts",
  rest: "rest.ts",
  telephone: "telephone.ts",
  upload: "upload.ts",
  web: "web.ts",
};

const [name, ...options] = Deno.args;
if (name === undefined || name.startsWith("--")) await compareAll();
else if (Object.hasOwn(FILES, name)) {
  if (!await run(name, options, {})) Deno.exitCode = 1;
} else {
  say(`No benchmark "${name}". There are: ${Object.keys(FILES).join(", ")}.`);
  Deno.exitCode = 2;
}

async function compareAll(): Promise<void> {
  const { values } = parseArgs({
    options: { beside: { type: "string" }, bundle: { type: "string" } },
  });
  const beside = values.beside === undefined ? [] : ["--beside", values.beside];
  const bundle = values.bundle === undefined ? [] : ["--beside", values.bundle];
  const benches: readonly (readonly [string, ...string[]])[] = [
    ["upload", ...beside],
    ["download"],
    ["auth"],
    ["reads", ...beside],
    ["photo", ...beside],
    ["facts", ...beside],
    ["rest", ...bundle],
    ["push", "--files=200", "--rounds=2", "--assets=0", "--large=0"],
  ];
  const ratios = await Deno.makeTempFile({ prefix: "strongroom-ratios-" });
  try {
    for (const [each, ...args] of benches) {
      say(`== ${each} ${args.join(" ")}`.trimEnd());
      if (!await run(each, args, { [RATIOS_FILE]: ratios })) Deno.exitCode = 1;
    }
    printRatios(await Deno.readTextFile(ratios));
  } finally {
    await Deno.remove(ratios);
  }
}

async function run(
  each: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<boolean> {
  const file = FILES[each] ?? "";
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", ...LOCKED, "--allow-all"],
      fileURLToPath(new URL(file, import.meta.url)),
      ...args,
    ],
    env,
    stdin: "null",
  }).spawn().status;
  return success;
}

function printRatios(text: string): void {
  const noted: Ratio[] = text.split("\n").filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  const width = (of: (one: Ratio) => string) =>
    Math.max(...noted.map((one) => of(one).length));
  const [what, peer] = [
    width((one) => one.what),
    width((one) => one.peer),
  ];
  say("\nprocessor time of strongroom ÷ that of the other; memory alike");
  for (const one of noted) {
    say(
      `${one.what.padEnd(what)}  ${one.peer.padEnd(peer)}  ` +
        one.ratio.toFixed(2),
    );
  }
}
