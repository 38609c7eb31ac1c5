/**
 * The library as a folder: what `curl` and Debian's `rclone`, `cadaver` and
 * `davfs2` read of it.
 *
 * @module
 */
import { debianProgram, done } from "../support/debian.ts";
import assert from "node:assert/strict";
import {
  newAccount,
  settingsOf,
  withTown,
} from "../support/people_commands.ts";
import { programCommand } from "../support/program.ts";
import { mayMount } from "../support/small_disk.ts";

const RCLONE = await debianProgram("rclone", "rclone");
const CADAVER = await debianProgram("cadaver", "cadaver");
const DAVFS = await debianProgram("mount.davfs", "davfs2");
const CAN_MOUNT = await mayMount();

function bytes(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, at) => (at * 7 + (at >> 8)) & 0xff);
}

async function withFolder(
  test: (url: string, folder: string) => Promise<void>,
): Promise<void> {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    await laptop.write("in/2024/video.mp4", bytes(9_000_000));
    await laptop.write("in/2024/a & b <c>.txt", "odd name");
    await laptop.write("in/empty.txt", "");
    for (const [name, as] of [["heic", "HEIC"], ["mov", "MOV"]] as const) {
      const media = name === "heic" ? "camera.heic" : "iphone.mov";
      await laptop.write(
        `in/IMG_1.${as}`,
        await Deno.readFile(
          new URL(`../support/media/${media}`, import.meta.url),
        ),
      );
    }
    await laptop.done("push", laptop.path("in"));
    const command = programCommand([
      ...["webdav", "--listen", "127.0.0.1:0", "--layout", "{path}/{name}"],
    ]);
    const child = new Deno.Command(command.program, {
      args: command.args,
      cwd: new URL("../../", import.meta.url),
      env: settingsOf(laptop.home),
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const reader = child.stdout.pipeThrough(new TextDecoderStream())
      .getReader();
    try {
      let said = "";
      while (!said.includes("\n")) {
        const { done, value } = await reader.read();
        assert(!done, said);
        said += value;
      }
      await test(said.trim(), laptop.path("in"));
    } finally {
      child.kill("SIGINT");
      while (!(await reader.read()).done);
      assert.equal((await child.status).code, 130);
    }
  });
}

Deno.test("a folder, its files and their ranges are served, decrypted, to clients with the token", async () => {
  await withFolder(async (url) => {
    const list = await fetch(url, {
      method: "PROPFIND",
      headers: { Depth: "1" },
    });
    assert.equal(list.status, 207);
    const xml = await list.text();
    assert.match(xml, /<D:href>\/[0-9a-f]{32}\/2024\/<\/D:href>/);
    assert.match(xml, /<D:collection\/>/);
    const below = await fetch(`${url}2024/`, {
      method: "PROPFIND",
      headers: { Depth: "1" },
    });
    const named = await below.text();
    assert.match(named, /<D:displayname>a &amp; b _c_\.txt</);
    assert.match(named, /<D:getcontentlength>9000000</);
    const video = bytes(9_000_000);
    const whole = await fetch(`${url}2024/video.mp4`);
    assert.deepEqual(await whole.bytes(), video);
    for (
      const [range, first, last] of [
        ["bytes=0-0", 0, 0],
        ["bytes=4194300-4194310", 4_194_300, 4_194_310],
        ["bytes=8999990-", 8_999_990, 8_999_999],
        ["bytes=-5", 8_999_995, 8_999_999],
      ] as const
    ) {
      const part = await fetch(`${url}2024/video.mp4`, {
        headers: { Range: range },
      });
      assert.equal(part.status, 206, range);
      assert.equal(
        part.headers.get("content-range"),
        `bytes ${first}-${last}/9000000`,
      );
      assert.deepEqual(await part.bytes(), video.slice(first, last + 1), range);
    }
    const beyond = await fetch(`${url}2024/video.mp4`, {
      headers: { Range: "bytes=9000000-" },
    });
    assert.equal(beyond.status, 416);
    await beyond.body?.cancel();
    // The video of a live photo is next to its still.
    const beside = await fetch(`${url}IMG_1.MOV`);
    assert.deepEqual(
      await beside.bytes(),
      await Deno.readFile(
        new URL("../support/media/iphone.mov", import.meta.url),
      ),
    );
    const empty = await fetch(`${url}empty.txt`);
    assert.equal(await empty.text(), "");
  });
});

Deno.test("nothing is served without the token, nothing can be changed, and infinite depth is refused", async () => {
  await withFolder(async (url) => {
    const { origin } = new URL(url);
    for (const path of ["/", "/2024/video.mp4", `/${"0".repeat(32)}/`]) {
      const answer = await fetch(`${origin}${path}`);
      assert.equal(answer.status, 404, path);
      await answer.body?.cancel();
    }
    for (const method of ["PUT", "DELETE", "MKCOL", "PROPPATCH", "LOCK"]) {
      const answer = await fetch(`${url}2024/video.mp4`, { method });
      assert.equal(answer.status, 405, method);
      await answer.body?.cancel();
    }
    const deep = await fetch(url, { method: "PROPFIND" });
    assert.equal(deep.status, 403);
    await deep.body?.cancel();
    for (const path of ["%2e%2e/%2e%2e/etc/passwd", "%zz", "2024/none.mp4"]) {
      const answer = await fetch(`${url}${path}`);
      assert.equal(answer.status, 404, path);
      await answer.body?.cancel();
    }
  });
});

/** Programs that read the folder into another one, as far as they are here. */
const READERS: readonly ((url: string, copy: string) => Promise<void>)[] = [
  ...RCLONE === undefined ? [] : [byRclone],
  ...CADAVER === undefined ? [] : [byCadaver],
  ...DAVFS === undefined || !CAN_MOUNT ? [] : [byDavfs],
];
if (DAVFS !== undefined && !CAN_MOUNT) {
  await Deno.stderr.write(
    new TextEncoder().encode("davfs2 MOUNTS NOTHING HERE: this needs root\n"),
  );
}

Deno.test({
  name: "rclone, cadaver and davfs2 find every byte of every file",
  ignore: READERS.length === 0,
  async fn() {
    await withFolder(async (url, folder) => {
      for (const read of READERS) {
        const copy = await Deno.makeTempDir({ prefix: "strongroom-webdav-" });
        try {
          await read(url, copy);
          assert.deepEqual(
            await Deno.readFile(`${copy}/2024/video.mp4`),
            await Deno.readFile(`${folder}/2024/video.mp4`),
            read.name,
          );
          assert.equal(
            await Deno.readTextFile(`${copy}/2024/a & b _c_.txt`),
            "odd name",
          );
          assert.equal(await Deno.readTextFile(`${copy}/empty.txt`), "");
        } finally {
          await Deno.remove(copy, { recursive: true });
        }
      }
    });
  },
});

async function byRclone(url: string, copy: string): Promise<void> {
  await done(RCLONE, [
    ...["copy", ":webdav:", copy, "--webdav-url", url],
    ...["--webdav-vendor", "other", "--config", "/dev/null"],
  ]);
}

/** It looks into folders, and fetches what it was told. */
async function byCadaver(url: string, copy: string): Promise<void> {
  await Deno.mkdir(`${copy}/2024`);
  const said = await done(
    CADAVER,
    [url],
    [
      "ls",
      `get empty.txt ${copy}/empty.txt`,
      "cd 2024",
      "ls",
      `get video.mp4 ${copy}/2024/video.mp4`,
      `get "a & b _c_.txt" "${copy}/2024/a & b _c_.txt"`,
      "quit",
      "",
    ].join("\n"),
  );
  assert.match(said, /Coll: {3}2024 /);
  assert.match(said, /video\.mp4 +9000000 /);
}

/**
 * Mounted by the kernel. Names are asked for one by one: with Linux 6 davfs2
 * 1.6 lists no folder of anybody's (EINVAL), whatever its server says.
 */
async function byDavfs(url: string, copy: string): Promise<void> {
  const place = `${copy}/mount`;
  await Deno.mkdir(place);
  const settings = `${copy}/davfs2.conf`;
  await Deno.writeTextFile(settings, "ask_auth 0\nuse_locks 0\n");
  await done(DAVFS, [url, place, "-o", `ro,conf=${settings}`]);
  try {
    await Deno.mkdir(`${copy}/2024`);
    for (const name of ["empty.txt", "2024/video.mp4", "2024/a & b _c_.txt"]) {
      await Deno.copyFile(`${place}/${name}`, `${copy}/${name}`);
    }
    await assert.rejects(Deno.writeTextFile(`${place}/new.txt`, "no"));
  } finally {
    await done("umount", [place]);
  }
}
