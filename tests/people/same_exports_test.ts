/**
 * An export of everything is the same from the app as from the command.
 *
 * @module
 */
import assert from "node:assert/strict";
import { utf8 } from "../../src/core/bytes.ts";
import {
  type Library,
  openLibrary,
  plainOf,
  recoverVault,
  type Row,
} from "../../src/library/mod.ts";
import { readZip } from "../../src/media/zip.ts";
import { eachOnce } from "../../src/web/workers/media/zip_plan.ts";
import { expectBytes } from "../support/api.ts";
import { deviceAt, enter, wholeOf } from "../support/library.ts";
import { PASSWORD } from "../support/people.ts";
import { type Machine, withTown } from "../support/people_commands.ts";
import { type Photographer, photographer } from "../support/web_people.ts";

/** What this test calls. The module itself wants the types of a browser. */
type ZipStream = (
  context: unknown,
  rows: readonly Row[],
  options: { readonly isExport: true },
  signal: AbortSignal,
  watcher: object,
) => Promise<AsyncIterable<Uint8Array>>;

const ZIPS = new URL("../../src/web/workers/media/zips.ts", import.meta.url);
const { zipStream }: { zipStream: ZipStream } = await import(ZIPS.href);

type Files = ReadonlyMap<string, Uint8Array>;

/** The library on another device. */
async function onPhone(
  url: string,
  { words }: Photographer,
): Promise<Library> {
  const phone = deviceAt(url, "phone", {
    fetch: (input, init) => fetch(input, init),
    now: () => Date.now(),
  });
  const vault = await recoverVault(await enter(phone, "ada"), words);
  const library = await openLibrary(vault, phone.store);
  await library.sync();
  return library;
}

/** What the app puts into its zip. */
async function byApp(library: Library, address: string): Promise<Files> {
  const { session } = library.vault;
  const context = {
    opened: () => library,
    signedIn: () => ({ userId: session.userId, address }),
    server: session.server,
    platform: session.platform,
    presence: { worked() {} },
  };
  const nothing = () => {};
  const zip = await wholeOf(
    await zipStream(
      context,
      eachOnce(library.list(), library.vault),
      { isExport: true },
      new AbortController().signal,
      {
        unread: (name: string) => assert.fail(name),
        read: nothing,
        written: nothing,
      },
    ),
  );
  const { entries } = await readZip(plainOf(zip));
  return new Map(
    await Promise.all(
      entries.map(async (entry) =>
        [entry.path, await wholeOf(entry.read())] as const
      ),
    ),
  );
}

/** What the command writes of the same account, on a machine of its own. */
async function byCommand(
  machine: Machine,
  url: string,
  { address, words }: Photographer,
): Promise<Files> {
  await machine.done(
    ...["login", url, "--address", address, "--password-file"],
    await machine.write("password", `${PASSWORD}\n`),
    ...["--words-file", await machine.write("words", `${words}\n`)],
  );
  const out = machine.path("out");
  await machine.done("export-all", out);
  const files = new Map<string, Uint8Array>();
  const walk = async (folder: string): Promise<void> => {
    for await (
      const { name, isDirectory } of Deno.readDir(`${out}/${folder}`)
    ) {
      const path = `${folder}${name}`;
      if (isDirectory) await walk(`${path}/`);
      else files.set(path, await Deno.readFile(`${out}/${path}`));
    }
  };
  await walk("");
  return files;
}

const textOf = (files: Files, path: string) =>
  new TextDecoder().decode(files.get(path));

/** A file as the listing has it. */
interface Listed {
  readonly asset_id: string;
  readonly path: string;
}

/** The listing in the order of ids, without the time at which it was written. */
function listingIn(
  files: Files,
  isAsked: (path: string) => boolean = () => true,
) {
  const { exported_at: _, albums, files: listed, ...rest } = JSON.parse(
    textOf(files, "strongroom-export.json"),
  );
  return {
    ...rest,
    albums: albums.map(({ title, role }: Record<string, unknown>) => [
      title,
      role,
    ]),
    files: listed.filter(({ path }: Listed) => isAsked(path))
      .sort((a: Listed, b: Listed) => a.asset_id < b.asset_id ? -1 : 1),
  };
}

Deno.test("an export of everything has the same paths, bytes and listing from the app as from the command", async () => {
  await withTown(async (town) => {
    const ada = await photographer(town.url, "ada");
    const { library } = ada;
    const taken_at = "2024-06-12T10:00:00Z";
    const take = async (
      name: string,
      mime: string,
      text: string,
      more: {
        caption?: string;
        motion?: readonly [mime: string, name: string];
      } = {},
    ) => {
      const { motion, ...about } = more;
      const { row } = await library.take({
        source: plainOf(utf8(text)),
        about: { name, mime, taken_at, ...about },
        ...(motion && {
          derivatives: [{
            kind: "motion",
            mime: motion[0],
            name: motion[1],
            bytes: utf8(`the video of ${text}`),
          }],
        }),
      });
      return row;
    };
    const cat = await take("cat.jpg", "image/jpeg", "a cat", {
      caption: "Chelsea",
    });
    // Two live photos of one name, and one whose video has its own.
    const one = await take("IMG_1.jpg", "image/jpeg", "a coffee", {
      motion: ["video/quicktime", "IMG_1.MOV"],
    });
    await take("IMG_1.jpg", "image/jpeg", "a rocket", {
      motion: ["video/mp4", "IMG_1.mp4"],
    });
    await take("beach.jpg", "image/jpeg", "a beach", {
      motion: ["video/quicktime", "beach_HEVC.mov"],
    });
    await take("clip.mp4", "video/mp4", "a clip");
    await take("notes.txt", "text/plain", "notes");
    const empty = await take("empty.dat", "application/x-any", "");
    const away = await take("away.jpg", "image/jpeg", "put away");
    await library.collections.create("Best", [cat.id, one.id]);
    const { id: sea } = await library.albums.create({ title: "Sea" });
    await library.copyInto(one.id, sea);
    await library.flags.change([cat.id], { favourite: true });
    await library.flags.change([empty.id], { hidden: true });
    await library.flags.change([away.id], { archived: true });
    const theirs = new Map(
      await byCommand(await town.machine("laptop"), town.url, ada),
    );
    // A browser has none of the receipts, and each photo once.
    assert.ok(theirs.delete("strongroom-receipts.cborseq"));
    const copies = [...theirs.keys()].filter((path) =>
      path.startsWith("albums/Sea/")
    );
    assert.equal(copies.length, 4);
    for (const path of copies) theirs.delete(path);

    const files = await byApp(await onPhone(town.url, ada), ada.address);
    assert.deepEqual([...files.keys()].sort(), [...theirs.keys()].sort());
    assert.equal(files.size, 8 * 3 + 3 + 2);
    for (const [path, bytes] of files) {
      if (!path.startsWith("strongroom-")) {
        expectBytes(theirs.get(path) ?? new Uint8Array(1), bytes, path);
      }
    }
    const isHere = (path: string) => files.has(path);
    assert.deepEqual(listingIn(files), listingIn(theirs, isHere));
    const sumsIn = (all: Files) =>
      textOf(all, "strongroom-export.sha256").split("\n")
        .filter((line) => isHere(line.replace(/^\w+ {2}/, ""))).sort();
    assert.deepEqual(sumsIn(files), sumsIn(theirs));
    assert.equal(sumsIn(files).length, 8 + 3);
  });
});
