/**
 * How much a page has to load before it can do anything with the library.
 *
 * @module
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { LOCKED } from "../../scripts/locked.ts";

const KIB = 1_024;
const MOST_BYTES = 100 * KIB;
/** Texts of the word list, WebAssembly, Ed25519, the ceremony of a device. */
const RARE = ["abandon", "AGFzbQ", "0x52036cee2b6f", "service-enroll-words/v1"];

/** The files of a bundle that are loaded with its entry, and those later. */
async function bundled(entry: string) {
  const folder = await Deno.makeTempDir();
  try {
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["bundle", "--quiet", ...LOCKED, "--platform=browser", "--minify"],
        ...["--code-splitting", "--outdir", folder, entry],
      ],
      env: { NO_COLOR: "1" },
    }).output();
    assert(success, new TextDecoder().decode(stderr));
    const texts = new Map<string, string>();
    for await (const { name } of Deno.readDir(folder)) {
      texts.set(name, await Deno.readTextFile(`${folder}/${name}`));
    }
    const first = new Set<string>(["mod.js"]);
    for (const name of first) {
      const text = texts.get(name) ?? "";
      for (
        const [, next] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)
      ) {
        if (next !== undefined) first.add(next);
      }
    }
    return { texts, first };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("the library takes a page at most 100 KiB, gzipped, and loads the rest when it needs it", async () => {
  const { texts, first } = await bundled(
    fileURLToPath(
      new URL("../../src/library/mod.ts", import.meta.url),
    ),
  );
  let bytes = 0;
  for (const name of first) {
    bytes += gzipSync(texts.get(name) ?? "", { level: 9 }).length;
  }
  assert(bytes <= MOST_BYTES, `${bytes} bytes, more than ${MOST_BYTES}`);
  const now = [...first].map((name) => texts.get(name)).join("\n");
  const all = [...texts.values()].join("\n");
  for (const rare of RARE) {
    assert(all.includes(rare), `${rare} is nowhere`);
    assert(!now.includes(rare), `${rare} is loaded at once`);
  }
});
