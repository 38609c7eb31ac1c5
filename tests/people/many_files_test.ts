/**
 * A library of many generated files, with duplicates, and names in every script
 * and of every malice, byte for byte as it was after `pull`. `TEST_FILES` says
 * how many; the nightly run takes 10,000.
 *
 * @module
 */
import assert from "node:assert/strict";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import {
  newAccount,
  signInWithWords,
  withTown,
} from "../support/people_commands.ts";

const FILES = Number(Deno.env.get("TEST_FILES") ?? 60);

/** What people, cameras and enemies call files; a disk takes all of them. */
const NAMES: readonly ((at: number) => string)[] = [
  (at) => `IMG_${String(at).padStart(4, "0")}.jpg`,
  (at) => `Ünïcödé ${at} 写真 📷.heic`,
  // The same to the eye, in two ways of writing it.
  (at) => `${at % 2 ? "e\u0301te\u0301" : "\u00e9t\u00e9"} ${at >> 1}.png`,
  (at) => `${"long ".repeat(47)}${at}.jpg`,
  (at) => `CON.${at}`,
  (at) => `-rf ${at}`,
  (at) => `${at}\u202egpj.exe`,
  (at) => `line\nbreak\t${at}\u0007.txt`,
  (at) => `up\\..\\..\\${at}.txt`,
  (at) => `%2e%2e%2f${at}.txt`,
  (at) => `trailing dot ${at}.`,
  (at) => `${at % 2 ? "Case" : "case"} ${at >> 1}.TXT`,
  (at) => `$(reboot) \`${at}\` "quoted" 'it'.txt`,
  (at) => `no end ${at}`,
];
const FOLDERS = ["", "2024/06", "a/b/c/d/e", "Ω/ß", "two  spaces/ lead"];

function contentOf(at: number): Uint8Array<ArrayBuffer> {
  // Every tenth has the bytes of the one before.
  const seed = at % 10 === 9 ? at - 1 : at;
  const length = seed % 7 === 0 ? 0 : (seed * 7_919) % 20_000;
  const bytes = new Uint8Array(length + 4);
  let word = seed + 1;
  for (let i = 0; i < bytes.length; i++) {
    word = (Math.imul(word, 1_103_515_245) + 12_345) >>> 0;
    bytes[i] = word >>> 16;
  }
  return bytes;
}

/** SHA-256 and dates of every file below a folder. */
async function lookedAt(folder: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) {
      for (const [hash, at] of await lookedAt(path)) found.set(hash, at);
    } else {
      // Whatever else it may be, this file system takes it.
      assert.doesNotMatch(name, /[\p{Cc}\p{Cf}/]|^[.-]|\.part$/u);
      const hash = sha256Hex(await Deno.readFile(path));
      assert(!found.has(hash), `${path} is there twice`);
      found.set(hash, (await Deno.stat(path)).mtime?.getTime() ?? 0);
    }
  }
  return found;
}

Deno.test(`${FILES} files with duplicates and malicious names come back byte for byte`, async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    const words = await newAccount(town, laptop, "ada@example.org");
    const wanted = new Map<string, number>();
    for (let at = 0; at < FILES; at++) {
      const name = NAMES[at % NAMES.length]?.(at) ?? "";
      const folder = FOLDERS[at % FOLDERS.length] ?? "";
      const bytes = contentOf(at);
      const path = await laptop.write(`in/${folder}/${name}`, bytes);
      const taken = Date.UTC(2000, 0, 1 + at % 9_000);
      await Deno.utime(path, new Date(taken), new Date(taken));
      const hash = sha256Hex(bytes);
      if (!wanted.has(hash)) wanted.set(hash, taken);
    }
    const end = (await laptop.events("push", laptop.path("in"))).at(-1);
    assert.equal(end?.["failed"], 0);
    assert.equal(end?.["kept"], wanted.size);
    assert.equal(end?.["known"], FILES - wanted.size);

    const empty = await town.machine("empty");
    await signInWithWords(town, empty, "ada@example.org", words);
    const back = empty.path("back");
    const layout = ["--layout", "{path}/{name}"];
    await empty.done("pull", back, ...layout);
    const got = await lookedAt(back);
    assert.deepEqual([...got.keys()].sort(), [...wanted.keys()].sort());
    // Of two of the same bytes the date is that of whichever came first.
    const dated = [...got].filter(([hash, at]) => wanted.get(hash) === at);
    assert(dated.length >= 0.85 * wanted.size);
    // Nothing is outside of the folder, and the second time nothing is new.
    const beside = await Array.fromAsync(Deno.readDir(empty.home));
    assert.deepEqual(
      beside.map(({ name }) => name).filter((name) => !name.startsWith(".")),
      ["back"],
    );
    assert.match(await empty.done("pull", back, ...layout), /^0 files written/);
  });
});
