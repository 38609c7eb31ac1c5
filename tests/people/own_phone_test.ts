/**
 * Photos that come from a telephone and from a folder of it: each is in the
 * library once, and what is proven to be kept is listed.
 *
 * @module
 */
import assert from "node:assert/strict";
import { toBase64, utf8 } from "../../src/core/bytes.ts";
import { debianProgram } from "../support/debian.ts";
import type { Machine } from "../support/people_commands.ts";
import { type Phone, withPhone } from "../support/receive.ts";

const SHA256SUM = await debianProgram("sha256sum", "coreutils");

async function media(name: string): Promise<Uint8Array<ArrayBuffer>> {
  return await Deno.readFile(
    new URL(`../support/media/${name}`, import.meta.url),
  );
}

/** Sends a file as a telephone's app does. */
async function put(
  { address, name, password }: Phone,
  path: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const answer = await fetch(new URL(path, address), {
    method: "PUT",
    body,
    headers: {
      Authorization: `Basic ${toBase64(utf8(`${name}:${password}`))}`,
    },
  });
  await answer.body?.cancel();
  assert.ok(answer.ok, `${path}: ${answer.status}`);
}

async function namesOf(laptop: Machine): Promise<readonly string[]> {
  const events = await laptop.events("ls");
  return events.flatMap((one) => one.event === "asset" ? [one["name"]] : [])
    .map(String).toSorted();
}

Deno.test("a photo that is pushed from the telephone's folder and sent by the telephone is in the library once", async () => {
  await withPhone(async ({ laptop, phone, arrived }) => {
    const files = {
      "first.jpg": await media("camera.jpg"),
      "IMG_1.HEIC": await media("camera.heic"),
      "IMG_1.MOV": await media("iphone.mov"),
      "waits.jpg": await media("turned.jpg"),
    };
    // One is pushed before the telephone sends all of them.
    await laptop.write("some/first.jpg", files["first.jpg"]);
    await laptop.done("push", laptop.path("some"));
    for (const [name, body] of Object.entries(files)) {
      if (name !== "waits.jpg") await put(phone, `/${name}`, body);
    }
    assert.equal((await arrived(3)).length, 3);
    await laptop.done("inbox", "accept", "mine");
    assert.deepEqual(await namesOf(laptop), ["IMG_1.HEIC", "first.jpg"]);

    // The telephone's whole folder is pushed; one waits to be accepted then.
    await put(phone, "/waits.jpg", files["waits.jpg"]);
    assert.deepEqual(await arrived(4), ["waits.jpg"]);
    for (const [name, body] of Object.entries(files)) {
      await laptop.write(`DCIM/${name}`, body);
    }
    await laptop.done("push", laptop.path("DCIM"));
    await laptop.done("inbox", "accept", "mine");
    const names = ["IMG_1.HEIC", "first.jpg", "waits.jpg"];
    assert.deepEqual(await namesOf(laptop), names);
    assert.deepEqual(await arrived(4), []);
    await laptop.done("push", laptop.path("DCIM"));
    assert.deepEqual(await namesOf(laptop), names);
  });
});

/** As ssh2 1.17.0 makes one of 300: its public key has 31 bytes. */
const SHORT_KEY = `-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMgAAAAtz
c2gtZWQyNTUxOQAAAB8XXf7NkXXQGojE9MYuJfK16EdisReM9iI77ddOahBdAAAA
iEhdbgVIXW4FAAAAC3NzaC1lZDI1NTE5AAAAHxdd/s2RddAaiMT0xi4l8rXoR2Kx
F4z2Ijvt105qEF0AAAA/4OYp8MzOOPuvBo748r4J3lhJ1lZppTyzCm4GR8PscAoX
Xf7NkXXQGojE9MYuJfK16EdisReM9iI77ddOahBdAAAAAAECAwQFBgc=
-----END OPENSSH PRIVATE KEY-----
`;

Deno.test("a receiver keeps its SSH key, and makes another one where it cannot be read", async () => {
  await withPhone(async ({ spool, restart }) => {
    const path = `${spool}/ssh_host_ed25519_key`;
    const first = await Deno.readTextFile(path);
    await restart("SIGINT");
    assert.equal(await Deno.readTextFile(path), first);
    await Deno.writeTextFile(path, SHORT_KEY);
    await restart("SIGINT");
    const other = await Deno.readTextFile(path);
    assert.notEqual(other, first);
    assert.notEqual(other, SHORT_KEY);
    // And with that it starts.
    await restart("SIGINT");
    assert.equal(await Deno.readTextFile(path), other);
  });
});

Deno.test({
  name:
    "what is proven to be kept is listed as safe to delete, and nothing else is",
  ignore: SHA256SUM === undefined,
  fn: async () => {
    await withPhone(async ({ laptop, phone, spool, arrived }) => {
      const kept = await media("camera.jpg");
      const trashed = await media("turned.jpg");
      await put(phone, "/kept.jpg", kept);
      await put(phone, "/trashed.jpg", trashed);
      await arrived(2);
      await laptop.done("inbox", "accept", "mine");
      // It was received, and no device of hers has accepted it.
      await put(phone, "/waits.jpg", await media("camera.png"));
      assert.deepEqual(await arrived(3), ["waits.jpg"]);
      await laptop.done("rm", "trashed");
      await laptop.write("list/kept.jpg", kept);
      const said = await laptop.done(
        "verify",
        "--safe-to-delete",
        laptop.path("list"),
      );
      assert.match(said, /^1 file safe to delete elsewhere, listed in /m);
      const path = laptop.path("list/SAFE-TO-DELETE.txt");
      const text = await Deno.readTextFile(path);
      const lines = text.split("\n").filter((line) => /^[^#]/.test(line));
      assert.equal(lines.length, 1, text);
      assert.match(text, /^[0-9a-f]{64} {2}kept\.jpg$/m);
      const { stdout } = await new Deno.Command(SHA256SUM ?? "", {
        args: ["--check", "--strict", "SAFE-TO-DELETE.txt"],
        cwd: laptop.path("list"),
      }).output();
      const checked = new TextDecoder().decode(stdout);
      assert.match(checked, /kept\.jpg: OK/);
      assert.deepEqual(
        await Deno.readFile(laptop.path("list/kept.jpg")),
        kept,
      );

      // The phone finds it in its own folder, with the names that it sent.
      await put(phone, "/again.jpg", kept);
      const told = await laptop.done(
        ...["receive", "safe", phone.name, path, "--spool", spool],
      );
      assert.match(told, /finds SAFE-TO-DELETE\.txt in its folder/);
      const shown = await fetch(`${phone.address}SAFE-TO-DELETE.txt`, {
        headers: {
          Authorization: `Basic ${btoa(`${phone.name}:${phone.password}`)}`,
        },
      });
      assert.deepEqual(
        (await shown.text()).split("\n").filter((line) => /^[^#]/.test(line))
          .map((line) => line.slice(66)),
        ["again.jpg", "kept.jpg"],
      );

      // It is written again, and over nothing else.
      await laptop.done("verify", "--safe-to-delete", laptop.path("list"));
      await Deno.writeTextFile(path, "my own list");
      const refused = await laptop.run(
        ...["verify", "--safe-to-delete", laptop.path("list")],
      );
      assert.equal(refused.status, 1);
      assert.equal(await Deno.readTextFile(path), "my own list");
    });
  },
});
