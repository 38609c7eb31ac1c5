/**
 * `deno task bench [--beside CHECKOUT] [--bundle FOLDER] [NAME]…`: the
 * benchmarks one after the other, or those that are named, and one table of all ratios of processor time at the end.
 * `--beside` names the checkout of an older version and `--bundle` the folder
 * of its bundle, which take turns with this one where a benchmark allows it.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Ratio, RATIOS_FILE, say } from "./support.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { beside: { type: "string" }, bundle: { type: "string" } },
});
const beside = values.beside === undefined ? [] : ["--beside", values.beside];
const bundle = values.bundle === undefined ? [] : ["--beside", values.bundle];

const BENCHES: readonly (readonly [string, ...string[]])[] = [
  ["upload", ...beside],
  ["download"],
  ["auth"],
  ["reads", ...beside],
  ["photo", ...beside],
  ["rest", ...bundle],
  ["client", "--files=200", "--rounds=2", "--assets=0", "--large=0"],
  ["sizes"],
];

const ratios = await Deno.makeTempFile({ prefix: "strongroom-ratios-" });
try {
  for (const [name, ...args] of BENCHES) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    say(`== bench:${name} ${args.join(" ")}`.trimEnd());
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--allow-all"],
        fileURLToPath(new URL(`${name}.ts`, import.meta.url)),
        ...args,
      ],
      env: { [RATIOS_FILE]: ratios },
      stdin: "null",
    }).spawn().status;
    if (!success) Deno.exitCode = 1;
  }
  printRatios(await Deno.readTextFile(ratios));
} finally {
  await Deno.remove(ratios);
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
