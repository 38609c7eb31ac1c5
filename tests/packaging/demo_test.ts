/**
 * The demo as a process: what it prints is checked as a person would read it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { extentOf, mediaTypeOf } from "../../scripts/demo/media.ts";
import {
  column,
  formatBytes,
  printable,
  progressBar,
} from "../../scripts/demo/screen.ts";
import { differenceFrom } from "../../scripts/demo/viewer.ts";
import {
  StreamError,
  type StreamFault,
} from "../../src/client/stream/stream.ts";
import { utf8 } from "../../src/core/bytes.ts";
import { startProgram, withDataDir } from "../support/program.ts";
import { LOCKED } from "../../scripts/locked.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SAMPLES = `${ROOT}tests/samples`;

interface DemoRun {
  readonly code: number;
  readonly out: string;
  readonly complaint: string;
}

/** The permissions of `deno task demo`. */
const PERMISSIONS = [
  "--allow-read",
  "--allow-write",
  "--allow-env",
  "--allow-net=127.0.0.1",
  "--allow-run",
];

/** Runs the demo to its end; what it leaves behind goes into `scratch`. */
async function runDemo(scratch: string, args: string[]): Promise<DemoRun> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      ...LOCKED,
      "--no-prompt",
      ...PERMISSIONS,
      `${ROOT}scripts/demo.ts`,
      ...args,
    ],
    cwd: ROOT,
    env: { TMPDIR: scratch, STRONGROOM_REGISTRATION: "closed" },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return {
    code,
    out: decoder.decode(stdout),
    complaint: decoder.decode(stderr),
  };
}

Deno.test("the demo stores the sample photographs and a stranger views them", async () => {
  await withDataDir(async (scratch) => {
    const { code, out, complaint } = await runDemo(scratch, []);
    assert.equal(code, 0, complaint);
    assert.equal(complaint, "");
    assert.match(out, /^Storing 5 files, encrypted:$/m);
    for (
      const [name, receipts] of [["cat", "1 to 4"], ["rocket", "17 to 20"]]
    ) {
      assert.match(
        out,
        new RegExp(
          `^  ${name}\\.jpg +[\\d.]+ KiB \\+ [\\d.]+ KiB thumbnail +` +
            `[0-9a-f]{12}  receipts ${receipts}$`,
          "m",
        ),
      );
    }
    assert.match(out, /^23 receipts verified offline: /m);
    assert.match(
      out,
      /decrypted 5 files and 5 thumbnails: equal byte for byte\.$/m,
    );
    // No bar, and nothing else that only a terminal understands.
    assert(!out.includes("\r") && !out.includes("\u{1b}"));
    await assertLinkLivesAgain(out);
  });
});

/** Serves what the demo left, with the settings of the line that it printed. */
async function assertLinkLivesAgain(out: string): Promise<void> {
  const link = /^The link: (http:\S+)$/m.exec(out)?.[1] ?? "";
  const [, dataDir = "", listen = ""] =
    /STRONGROOM_DATA_DIR=(\S+) STRONGROOM_LISTEN=(\S+) .*task start$/m
      .exec(out) ?? [];
  await assert.rejects(fetch(link), TypeError);
  const program = await startProgram({
    STRONGROOM_DATA_DIR: dataDir,
    STRONGROOM_LISTEN: listen,
  });
  try {
    assert.equal(`${program.url}/`, new URL("/", link).href);
    const view = await fetch(link, { headers: { Accept: "application/json" } });
    assert.equal(view.status, 200);
    assert.equal((await view.json()).passphrase_protected, false);
  } finally {
    await program.stop();
  }
}

Deno.test("the demo takes names in any script, empty files and large ones", async () => {
  await withDataDir(async (scratch) => {
    const folder = `${scratch}/möbel und größen`;
    await Deno.mkdir(`${folder}/日本/thumbnails`, { recursive: true });
    const large = new Uint8Array(3_000_000);
    for (let at = 0; at < large.length; at += 65_536) {
      crypto.getRandomValues(large.subarray(at, at + 65_536));
    }
    await Deno.writeFile(`${folder}/three megabytes.bin`, large);
    await Deno.writeFile(`${folder}/empty`, new Uint8Array());
    await Deno.writeFile(
      `${folder}/one chunk exactly.txt`,
      new Uint8Array(65_536),
    );
    await Deno.writeTextFile(`${folder}/bell\x07and\nline.txt`, "ding");
    await Deno.copyFile(`${SAMPLES}/cat.jpg`, `${folder}/日本/猫 🐈.jpg`);
    await Deno.copyFile(
      `${SAMPLES}/thumbnails/cat.jpg`,
      `${folder}/日本/thumbnails/猫 🐈.jpg`,
    );
    const { code, out, complaint } = await runDemo(scratch, [folder]);
    assert.equal(code, 0, complaint);
    assert.match(out, /^Storing 5 files, encrypted:$/m);
    assert.match(out, /^ {2}three megabytes\.bin +2\.9 MiB /m);
    assert.match(out, /^ {2}empty +0 B /m);
    assert.match(out, /^ {2}bell�and�line\.txt +4 B /m);
    assert.match(
      out,
      /^ {2}日本\/猫 🐈\.jpg +35\.6 KiB \+ 12\.6 KiB thumbnail /m,
    );
    assert.match(out, /5 files and 1 thumbnail: equal byte for byte\.$/m);
  });
});

Deno.test("the demo refuses what it cannot use with one line and status 1", async () => {
  await withDataDir(async (scratch) => {
    const folders = {
      missing: `${scratch}/missing`,
      empty: `${scratch}/empty`,
      dangling: `${scratch}/dangling`,
    };
    await Deno.mkdir(`${folders.empty}/thumbnails`, { recursive: true });
    await Deno.mkdir(folders.dangling);
    await Deno.symlink("nowhere", `${folders.dangling}/photo.jpg`);
    for (
      const [folder, wanted] of [
        [folders.missing, `there is no folder ${folders.missing}`],
        [folders.empty, `${folders.empty} holds no files`],
        [
          folders.dangling,
          `cannot read photo.jpg (it is not there) in ${folders.dangling}`,
        ],
        [`${SAMPLES}/cat.jpg`, `${SAMPLES}/cat.jpg is not a folder`],
      ] as const
    ) {
      const { code, out, complaint } = await runDemo(scratch, [folder]);
      assert.deepEqual({ code, out, complaint }, {
        code: 1,
        out: "",
        complaint: `demo: ${wanted}\n`,
      });
    }
    const { code, complaint } = await runDemo(scratch, ["--loud"]);
    assert.equal(code, 2);
    assert.match(complaint, /^usage: deno task demo /);
  });
});

/** Plaintext as it comes from the network; in the end it may be refused. */
async function* arriving(pieces: readonly string[], fault?: StreamFault) {
  for (const piece of pieces) yield await Promise.resolve(utf8(piece));
  if (fault !== undefined) throw new StreamError(fault, "no chunk after 3");
}

Deno.test("a file that does not come back byte for byte is told apart", async () => {
  await withDataDir(async (scratch) => {
    const path = `${scratch}/file`;
    await Deno.writeTextFile(path, "0123456789");
    const differences: [readonly string[], string | undefined][] = [
      [["01234", "56789"], undefined],
      [["0123", "45678", "9"], undefined],
      [["01234", "56780"], "differs from the file near byte 5"],
      [["01234"], "ends at byte 5, before the file does"],
      [[], "ends at byte 0, before the file does"],
      [["0123456789", "0"], "is longer than the file, which ends at 10"],
    ];
    for (const [pieces, difference] of differences) {
      assert.equal(await differenceFrom(path, arriving(pieces)), difference);
    }
    assert.equal(
      await differenceFrom(path, arriving(["012"], "truncated")),
      "cannot be decrypted: no chunk after 3",
    );
  });
});

Deno.test("the extent of an image is read from its first bytes, or not at all", async () => {
  const png = await Deno.readFile(`${SAMPLES}/julia.png`);
  const jpeg = await Deno.readFile(`${SAMPLES}/rocket.jpg`);
  assert.deepEqual(extentOf(png), { width: 1200, height: 800 });
  assert.deepEqual(extentOf(jpeg), { width: 640, height: 427 });
  for (const [image, enough] of [[png, 24], [jpeg, jpeg.length]] as const) {
    for (let cut = 0; cut < Math.min(enough, 1_000); cut++) {
      const extent = extentOf(image.subarray(0, cut));
      assert(extent === undefined || extent.width > 300, `${cut}`);
    }
  }
  assert.equal(extentOf(utf8("\xff\xd8 not a picture at all")), undefined);
  assert.equal(
    extentOf(Uint8Array.of(0xff, 0xd8, 0xff, 0xda, 0, 2)),
    undefined,
  );
  assert.equal(mediaTypeOf("walk.JPG"), "image/jpeg");
  assert.equal(mediaTypeOf("constructor.toString"), "application/octet-stream");
});

Deno.test("lines keep their columns and harmless characters whatever a name holds", () => {
  assert.equal(printable("a\x1b[2Jb\u{202e}c\ud800"), "a�[2Jb�c�");
  assert.equal(column("猫.jpg", 8), "猫.jpg  ");
  assert.equal(column("a name that is long", 8), "a name …");
  assert.equal(progressBar(1, 3), "[########----------------]  33%");
  assert.equal(progressBar(0, 0), `[${"#".repeat(24)}] 100%`);
  assert.deepEqual(
    [0, 1_023, 1_024, 1_048_575, 1_048_576, 5_000_000_000].map(formatBytes),
    ["0 B", "1023 B", "1.0 KiB", "1.0 MiB", "1.0 MiB", "4.7 GiB"],
  );
});
