/**
 * What it takes to read what photos and videos say of themselves: dates, places,
 * cameras, sides.
 *
 *     deno task bench facts [--files N] [--beside CHECKOUT]
 *
 * The files are the samples of the tests in turn, each with a name of its own:
 * JPEG, PNG, WebP, GIF, TIFF, HEIC, AVIF, MP4 and QuickTime, with dates and
 * without. The contenders take turns over the same folder: this program, that of
 * another checkout, and exiftool with `-fast` in one process (apt-get install
 * libimage-exiftool-perl). What a program takes to start, which an empty folder
 * tells, does not count.
 *
 * @module
 */
import { extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { liveStill, liveVideo } from "../../tests/support/live_pairs.ts";
import { LOCKED } from "../locked.ts";
import { endedSeconds, noteRatio, say, withScratch } from "./support.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SAMPLES = ["tests/support/media", "tests/pictures", "tests/samples"];
const KINDS = /^\.(jpg|png|webp|gif|tiff?|heic|avif|mp4|mov)$/;
/** Where versions have it, the newest first. */
const MODULES = ["src/media/exif/mod.ts", "src/client/exif/mod.ts"];
const EXIFTOOL = "exiftool";
const ROUNDS = 3;

interface Contender {
  readonly name: string;
  /** Reads a folder; what it printed. */
  readonly read: (folder: string) => Promise<string>;
  /** Of the processor, over all rounds. */
  seconds: number;
}

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "3000" },
    beside: { type: "string" },
  },
});
const count = Number(values.files);

await withScratch(async (scratch) => {
  const [full, empty] = [join(scratch, "full"), join(scratch, "empty")];
  for (const folder of [full, empty]) await Deno.mkdir(folder);
  const bytes = await writeFiles(full);
  say(`${count} files, ${Math.round(bytes / count / 1_000)} KB each`);
  const contenders = [
    await strongroom("strongroom", ROOT),
    ...values.beside === undefined
      ? []
      : [await strongroom("beside", resolve(values.beside))],
    ...await has(EXIFTOOL) ? [exiftool()] : [],
  ];
  for (const { name, read } of contenders) {
    // The first run of a version compiles it.
    const dated = await read(full);
    if (dated !== "") say(`${name}: ${dated} of them state a date`);
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const contender of contenders) {
      contender.seconds += await cost(contender, full) -
        await cost(contender, empty);
    }
  }
  const [own] = contenders;
  for (const { name, seconds } of contenders) {
    const rate = ROUNDS * count / seconds;
    const ratio = (own?.seconds ?? NaN) / seconds;
    const isPeer = name !== own?.name;
    if (isPeer) noteRatio({ what: "facts of files", peer: name, ratio });
    say(
      `${name}: ${Math.round(rate).toLocaleString("en")} files a second of ` +
        `processor, ${(10_000 / rate).toFixed(1)} s for 10,000` +
        (isPeer ? `; CPU ÷ peer ${ratio.toFixed(2)}` : ""),
    );
  }
});

/** Writes the samples in turn; how many bytes they have together. */
async function writeFiles(folder: string): Promise<number> {
  const samples: (readonly [end: string, bytes: Uint8Array])[] = [];
  for (const place of SAMPLES) {
    for await (const { name } of Deno.readDir(join(ROOT, place))) {
      if (!KINDS.test(extname(name))) continue;
      const bytes = await Deno.readFile(join(ROOT, place, name));
      samples.push([extname(name), bytes]);
    }
  }
  samples.push([".jpg", liveStill("bench", "bench-1111")]);
  samples.push([".mov", liveVideo("bench", "bench-1111")]);
  let sum = 0;
  for (let n = 0; n < count; n++) {
    const [end, bytes] = samples[n % samples.length] ?? ["", new Uint8Array()];
    await Deno.writeFile(join(folder, `DSC_${n}${end}`), bytes);
    sum += bytes.length;
  }
  return sum;
}

/** This program, or an older version of it. */
async function strongroom(name: string, root: string): Promise<Contender> {
  const there: string[] = [];
  for (const path of MODULES) {
    const whole = join(root, path);
    if (await Deno.stat(whole).then(() => true, () => false)) there.push(whole);
  }
  const [module] = there;
  if (module === undefined) throw new Error(`${root} reads no facts`);
  const reader = fileURLToPath(new URL("facts_reader.ts", import.meta.url));
  return {
    name,
    seconds: 0,
    read: (folder) =>
      output(Deno.execPath(), [
        ...["run", "--quiet", ...LOCKED, "--no-check", "--allow-read"],
        ...[reader, `file://${module}`, folder],
      ]),
  };
}

function exiftool(): Contender {
  return {
    name: `${EXIFTOOL} -fast`,
    seconds: 0,
    async read(folder) {
      await output(EXIFTOOL, ["-fast", "-q", "-q", "-json", "-r", folder]);
      return "";
    },
  };
}

async function has(program: string): Promise<boolean> {
  const is = await new Deno.Command(program, { args: ["-ver"] }).output()
    .then(({ success }) => success, () => false);
  if (!is) say(`${program} is not installed: there is no peer`);
  return is;
}

async function output(
  program: string,
  args: readonly string[],
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
  }).output();
  const text = new TextDecoder().decode(success ? stdout : stderr);
  // exiftool reads no file of an empty folder, and says so by its status.
  if (!success && program !== EXIFTOOL) throw new Error(text);
  return text;
}

/** Seconds of the processor that reading a folder takes. */
async function cost({ read }: Contender, folder: string): Promise<number> {
  const before = await endedSeconds();
  await read(folder);
  return await endedSeconds() - before;
}
