/**
 * What a telephone may rely on that sends to `strongroom receive`: what was
 * acknowledged is kept, sealed, and arrives once.
 *
 * @module
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { DAY_MS } from "../../src/core/time.ts";
import { platform } from "../../main.ts";
import { SafeList } from "../../src/cli/receive/safe_list.ts";
import { SftpFile } from "../../src/cli/receive/sftp_file.ts";
import {
  bytesIn,
  LINK_MS,
  PHONE,
  withTelephone,
} from "../support/telephone.ts";
import { runInProcess } from "../support/in_process.ts";
import { ciphertext } from "../support/people.ts";

/** Bytes that would be found on a disk if they lay there. */
function photo(name: string, length: number): Uint8Array<ArrayBuffer> {
  const bytes = ciphertext(name, length);
  bytes.set(new TextEncoder().encode("EXPOSED"), length >> 1);
  return bytes;
}

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", bytes);
  return new Uint8Array(hash).toHex();
}

function holds(all: Uint8Array, text: string): boolean {
  const hay = new TextDecoder("latin1").decode(all);
  return hay.includes(text);
}

Deno.test("a photo is sealed before it reaches the disk, and arrives with its name and date", async () => {
  await withTelephone(async (town) => {
    const still = photo("still", 200_000);
    assert.equal(await town.status("/DCIM", { method: "MKCOL" }), 201);
    assert.equal(await town.status("/DCIM/IMG_1.heic", { body: still }), 201);
    const dated = await town.ask("/DCIM/SEASIDE.mov", {
      body: photo("video", 70_000),
      headers: { "X-OC-MTime": "1717236000" },
    });
    assert.equal(dated.status, 201);
    assert.equal(dated.headers.get("x-oc-mtime"), "accepted");
    for (const bytes of await bytesIn(town.root)) {
      for (const text of ["EXPOSED", "IMG_1", "SEASIDE", "DCIM", "heic"]) {
        assert.ok(!holds(bytes, text), `${text} lies on the disk`);
      }
    }
    assert.equal((await town.deliver()).sent, 2);
    const [first, second] = await town.inbox();
    assert.ok(first !== undefined && second !== undefined);
    assert.equal(first.file?.name, "IMG_1.heic");
    assert.equal(first.file?.mime, "image/heic");
    assert.deepEqual(await town.peek(first), still);
    assert.equal(second.file?.modified_at, "2024-06-01T10:00:00.000Z");
    // Nothing of it stays, and the telephone still finds what it sent.
    assert.deepEqual(
      await Array.fromAsync(Deno.readDir(`${town.root}/sealed`)),
      [],
    );
    const head = await town.ask("/DCIM/IMG_1.heic", { method: "HEAD" });
    assert.equal(head.headers.get("content-length"), "200000");
  });
});

Deno.test("what was acknowledged survives a kill, a server that is away, and comes once", async () => {
  await withTelephone(async (town) => {
    assert.equal(
      await town.status("/a.jpg", { body: photo("a", 90_000) }),
      201,
    );
    await town.kill();
    town.wire.intercept = () => {
      throw new TypeError("no route to host");
    };
    const away = await town.deliver();
    assert.match(away.fault ?? "", /cannot be reached/);
    // The answer of the server is lost, and then the program is killed.
    town.wire.intercept = async (request, pass) => {
      const answer = await pass(request);
      if (!/uploads\/[^/]+$/.test(request.url)) return answer;
      await answer.body?.cancel();
      throw new TypeError("connection reset");
    };
    await town.deliver();
    await town.kill();
    town.wire.intercept = undefined;
    assert.equal((await town.deliver()).sent, 1);
    assert.equal((await town.deliver()).sent, 0);
    const waiting = await town.inbox();
    assert.deepEqual(waiting.map(({ file }) => file?.name), ["a.jpg"]);
  });
});

Deno.test("the same bytes come once, whatever they are called and whenever they come", async () => {
  await withTelephone(async (town) => {
    const same = photo("same", 50_000);
    const [one, two] = await Promise.all([
      town.status("/one.jpg", { body: same }),
      town.status("/two.jpg", { body: same }),
    ]);
    assert.deepEqual([one, two], [201, 201]);
    await town.deliver();
    assert.equal(await town.status("/one.jpg", { body: same }), 204);
    await town.kill();
    assert.equal(await town.status("/three.jpg", { body: same }), 201);
    assert.equal((await town.deliver()).sent, 0);
    assert.equal((await town.inbox()).length, 1);
    // The server may have deleted it, because it was not accepted.
    town.now += 31 * DAY_MS;
    assert.equal(await town.status("/four.jpg", { body: same }), 201);
    assert.equal((await town.deliver()).sent, 1);
  });
});

Deno.test("a file of a name that is there already is another file", async () => {
  await withTelephone(async (town) => {
    assert.equal(await town.status("/a.jpg", { body: photo("a", 900) }), 201);
    const before = await town.ask("/a.jpg", { method: "HEAD" });
    assert.equal(await town.status("/a.jpg", { body: photo("b", 901) }), 204);
    const after = await town.ask("/a.jpg", { method: "HEAD" });
    assert.notEqual(before.headers.get("etag"), after.headers.get("etag"));
    for (
      const [headers, status] of [
        [{ "If-None-Match": "*" }, 412],
        [{ "If-Match": before.headers.get("etag") ?? "" }, 412],
        [{ "If-Match": after.headers.get("etag") ?? "" }, 204],
        [{ "If-Match": "*" }, 204],
      ] as const
    ) {
      const body = photo("c", 902);
      assert.equal(await town.status("/a.jpg", { body, headers }), status);
    }
    assert.equal(
      await town.status("/new.jpg", {
        body: photo("d", 903),
        headers: { "If-None-Match": "*" },
      }),
      201,
    );
    await town.deliver();
    assert.deepEqual(
      (await town.inbox()).map(({ file }) => file?.size).toSorted(),
      [900, 901, 902, 903],
    );
  });
});

Deno.test("a broken file is gone on with, and after a kill it is begun again", async () => {
  await withTelephone(async (town) => {
    const video = photo("video", 300_000);
    const piece = (first: number, last: number) => ({
      body: video.slice(first, last + 1),
      headers: { "Content-Range": `bytes ${first}-${last}/300000` },
    });
    assert.equal(await town.status("/f.mp4", piece(0, 99_999)), 204);
    const head = await town.ask("/f.mp4", { method: "HEAD" });
    assert.equal(head.headers.get("content-length"), "100000");
    const leap = await town.ask("/f.mp4", piece(150_000, 199_999));
    assert.equal(leap.status, 416);
    assert.equal(leap.headers.get("content-range"), "bytes */100000");
    for (const bytes of await bytesIn(town.root)) {
      assert.ok(!holds(bytes, "EXPOSED"));
    }
    // A connection that breaks keeps what came.
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(video.slice(100_000, 160_000));
      },
      pull(controller) {
        controller.error(new Error("connection reset"));
      },
    });
    assert.equal(
      await town.status("/f.mp4", {
        body: broken,
        headers: { "Content-Range": "bytes 100000-299999/300000" },
      }),
      400,
    );
    assert.equal(await town.status("/f.mp4", piece(160_000, 299_999)), 201);
    assert.equal(await town.status("/g.mp4", piece(0, 99_999)), 204);
    await town.kill();
    // Its key was in memory alone.
    assert.equal(await town.status("/g.mp4", { method: "HEAD" }), 404);
    assert.equal(await town.status("/g.mp4", piece(100_000, 299_999)), 416);
    assert.deepEqual(
      await Array.fromAsync(Deno.readDir(`${town.root}/incoming`)),
      [],
    );
    await town.deliver();
    const [waiting] = await town.inbox();
    assert.ok(waiting !== undefined);
    assert.deepEqual(await town.peek(waiting), video);
  });
});

Deno.test("a file that is renamed once it is whole arrives under its last name", async () => {
  await withTelephone(async (town) => {
    await town.status("/IMG_1.jpg.part", { body: photo("a", 900) });
    const move = await town.status("/IMG_1.jpg.part", {
      method: "MOVE",
      headers: { Destination: "http://elsewhere.example/IMG_1.jpg" },
    });
    assert.equal(move, 201);
    // Killed before it was renamed, it arrives all the same.
    await town.status("/IMG_2.jpg.part", { body: photo("b", 901) });
    await town.kill();
    await town.deliver();
    assert.deepEqual(
      (await town.inbox()).map(({ file }) => [file?.name, file?.mime]),
      [
        ["IMG_1.jpg", "image/jpeg"],
        ["IMG_2.jpg.part", "application/octet-stream"],
      ],
    );
    const late = await town.status("/IMG_2.jpg.part", {
      method: "MOVE",
      headers: { Destination: "/IMG_2.jpg" },
    });
    assert.equal(late, 201);
    assert.equal(await town.status("/IMG_2.jpg", { method: "HEAD" }), 200);
  });
});

Deno.test("a full disk, too much that waits and a link that ended are 507, and nothing is lost", async () => {
  await withTelephone(async (town) => {
    const first = await town.ask("/a.jpg", { body: photo("a", 60_000) });
    assert.equal(first.status, 201);
    const full = await town.ask("/b.jpg", { body: photo("b", 60_000) });
    assert.equal(full.status, 507);
    assert.ok(full.headers.has("retry-after"));
    assert.equal(await town.status("/b.jpg", { method: "HEAD" }), 404);
    await town.deliver();
    assert.equal(
      await town.status("/b.jpg", { body: photo("b", 60_000) }),
      201,
    );
    await town.deliver();
    assert.equal(
      await town.status("/c.jpg", { body: photo("c", 200_000) }),
      413,
    );
    town.now += LINK_MS;
    assert.equal(await town.status("/c.jpg", { body: photo("c", 900) }), 507);
  }, { spoolBytes: 100_000, fileBytes: 150_000 });
  await withTelephone(async (town) => {
    assert.equal(await town.status("/a.jpg", { body: photo("a", 900) }), 507);
  }, { freeBytes: Number.MAX_SAFE_INTEGER });
});

Deno.test("nothing that was sealed can be read or removed, and what was not can", async () => {
  await withTelephone(async (town) => {
    await town.status("/DCIM", { method: "MKCOL" });
    await town.status("/DCIM/a.jpg", { body: photo("a", 900) });
    await town.status("/DCIM/empty.jpg", { body: new Uint8Array() });
    for (
      const [method, path] of [
        ["GET", "/DCIM/a.jpg"],
        ["DELETE", "/DCIM/a.jpg"],
        ["DELETE", "/DCIM"],
        ["DELETE", "/"],
        ["COPY", "/DCIM/a.jpg"],
      ] as const
    ) {
      assert.equal(await town.status(path, { method }), 403, method + path);
    }
    assert.equal(await town.status("/DCIM/empty.jpg", { method: "GET" }), 200);
    assert.equal(
      await town.status("/DCIM/empty.jpg", { method: "DELETE" }),
      204,
    );
    await town.deliver();
    assert.equal((await town.inbox()).length, 1);
  });
});

Deno.test("the status names a phone that sent before and has been silent for a week, and no other", async () => {
  await withTelephone(async (town) => {
    const status = () =>
      runInProcess(
        ["receive", "status", "--spool", town.root],
        {},
        new Uint8Array(),
        { ...platform, now: () => town.now },
      );
    // One that has not sent yet is not silent.
    town.now += 8 * DAY_MS;
    const fresh = await status();
    assert.equal(fresh.status, 0, fresh.stderr);
    assert.doesNotMatch(fresh.stdout, /has arrived/);
    await town.status("/a.jpg", { body: photo("a", 900) });
    town.now += 7 * DAY_MS;
    const week = await status();
    assert.equal(week.status, 0, week.stdout);
    town.now += 1;
    // A sign of life that brings no photo does not count.
    await town.status("/", { method: "PROPFIND", headers: { Depth: "0" } });
    const silent = await status();
    assert.equal(silent.status, 3);
    assert.match(silent.stdout, /! nothing has arrived for 7 days/);
    await town.status("/b.jpg", { body: photo("b", 900) });
    assert.equal((await status()).status, 0);
  });
});

Deno.test("only the phone itself finds in its folder which of its files are proven", async () => {
  await withTelephone(async (town) => {
    const [first, second] = [photo("safe", 5_000), photo("other", 5_000)];
    const [safe, other] = [await hashOf(first), await hashOf(second)];
    await town.status("/DCIM", { method: "MKCOL" });
    await town.status("/DCIM/safe%5C1.jpg", { body: first });
    await town.status("/DCIM/other.jpg", { body: second });
    const listing = async () => {
      const answer = await town.ask("/DCIM/", {
        method: "PROPFIND",
        headers: { Depth: "1" },
      });
      return (await answer.text()).split("<D:response>")
        .filter((one) => one.includes("safe-to-delete"))
        .map((one) => /displayname>([^<]*)</.exec(one)?.[1]);
    };
    const list = "/SAFE-TO-DELETE.txt";
    const root = async () =>
      await (await town.ask("/", {
        method: "PROPFIND",
        headers: { Depth: "1" },
      })).text();
    assert.deepEqual(await listing(), []);
    assert.equal(await town.status(list, { method: "GET" }), 404);
    assert.doesNotMatch(await root(), /SAFE-TO-DELETE/);
    // Not even a stolen password writes one.
    const body = photo("forged", 100);
    assert.equal(await town.status(list, { body }), 403);

    const tell = (at: string, ...hashes: string[]) => {
      const proven = SafeList.parse([
        `# strongroom: safe to delete, looked at ${at}`,
        ...hashes.map((hash) => `${hash}  elsewhere.jpg`),
        `# with its video: ${other}`,
      ].join("\n"));
      const device = town.spool.device(PHONE.name);
      assert.ok(device !== undefined);
      const sealed = proven.seal(
        device.safe_key,
        PHONE.name,
        (length) => crypto.getRandomValues(new Uint8Array(length)),
      );
      town.spool.keepSafe(PHONE.name, sealed, proven.lookedAt);
    };
    const many = await Promise.all(
      Array.from({ length: 300 }, (_, at) => hashOf(photo(`${at}`, 64))),
    );
    tell("2026-11-20T10:00:00.000Z", safe, ...many);
    assert.deepEqual(await listing(), ["safe\\1.jpg"]);
    const size = /SAFE-TO-DELETE.*?getcontentlength>(\d+)</s
      .exec(await root())?.[1];
    const answer = await town.ask(list, { method: "GET" });
    const text = await answer.text();
    assert.equal(size, String(text.length));
    assert.equal(answer.headers.get("content-length"), size);
    assert.match(text, /^# strongroom: safe to delete, looked at 2026-11-20/);
    assert.deepEqual(
      text.split("\n").filter((line) => /^[^#]/.test(line)),
      [`\\${safe}  DCIM/safe\\\\1.jpg`],
    );
    for (
      const asked of [
        { body },
        { method: "DELETE" },
        { method: "LOCK", body: "<lockinfo/>" },
        { method: "MOVE", headers: { Destination: "/mine.txt" } },
      ]
    ) assert.equal(await town.status(list, asked), 403, asked.method);
    assert.equal(await town.status(list, { method: "MKCOL" }), 405);
    assert.equal(
      await town.status("/DCIM/other.jpg", {
        method: "MOVE",
        headers: { Destination: list },
      }),
      403,
    );
    const stranger = { method: "GET", password: "guess" };
    assert.equal(await town.status(list, stranger), 401);

    // A newer list takes its place, after a kill, too.
    await town.kill();
    tell("2026-11-24T10:00:00.000Z", other);
    assert.deepEqual(await listing(), ["other.jpg"]);
    const next = await town.ask(list, { method: "GET" });
    assert.match(await next.text(), new RegExp(`^${other}  DCIM/other`, "m"));

    // None of it lies open on the disk.
    const raw = [safe, other].map((hex) =>
      String.fromCharCode(
        ...hex.match(/../g)?.map((x) => parseInt(x, 16)) ?? [],
      )
    );
    for (const bytes of await bytesIn(town.root)) {
      for (const part of [safe, other, "elsewhere", "DCIM", ...raw]) {
        assert.ok(!holds(bytes, part));
      }
    }
    assert.throws(() => SafeList.parse("my own list"), /is not a list/);
  });
});

Deno.test("names of every kind arrive as they are, and none leaves the folder", async () => {
  await withTelephone(async (town) => {
    const names = [
      "a:b?.jpg",
      "👩‍👩‍👧 am Strand.jpg",
      "x".repeat(1_000),
      "back\\slash.jpg",
      "per%cent.jpg",
      "line\nbreak.jpg",
      "<b>&amp;.jpg",
    ];
    for (const [at, name] of names.entries()) {
      const path = `/${encodeURIComponent(name)}`;
      const body = photo(name, 900 + at);
      assert.equal(await town.status(path, { body }), 201, name);
    }
    for (
      const [path, status] of [
        ["/..%2f..%2fetc%2fpasswd", 400],
        ["/%2e%2e/%2e%2e/up.jpg", 201],
        ["/a%00b.jpg", 400],
        ["/%ff.jpg", 400],
        [`/${"y".repeat(1_025)}`, 414],
        ["/no/such/folder.jpg", 409],
      ] as const
    ) {
      const body = photo(path, 800);
      assert.equal(await town.status(path, { body }), status, path);
    }
    const list = await town.ask("/", {
      method: "PROPFIND",
      headers: { Depth: "1" },
    });
    assert.equal(list.status, 207);
    const xml = await list.text();
    assert.ok(xml.includes("&lt;b&gt;&amp;amp;.jpg"));
    await town.deliver();
    assert.deepEqual(
      (await town.inbox()).map(({ file }) => file?.name).toSorted(),
      [...names, "up.jpg"].toSorted(),
    );
  });
});

Deno.test("a wrong password opens nothing, and too many of them lock the name for a while", async () => {
  await withTelephone(async (town) => {
    const wrong = { method: "PROPFIND", password: "guess" };
    for (let tries = 0; tries < 10; tries++) {
      assert.equal(await town.status("/", wrong), 401);
    }
    const list = { method: "PROPFIND", headers: { Depth: "0" } };
    const locked = await town.ask("/", list);
    assert.equal(locked.status, 429);
    assert.ok(Number(locked.headers.get("retry-after")) > 0);
    // The phone goes on from an address without wrong guesses.
    const elsewhere = { ...list, address: "198.51.100.2" };
    assert.equal(await town.status("/", elsewhere), 207);
    town.now += 16 * 60_000;
    assert.equal(await town.status("/", list), 207);
    // Capitals and hyphens are what telephones make of it.
    const typed = { ...list, password: "ABCDEF GHJKMN" };
    assert.equal(await town.status("/", typed), 207);
    town.spool.removeDevice("phone");
    assert.equal(await town.status("/", list), 401);
  });
});

Deno.test("locks keep others off until they end", async () => {
  await withTelephone(async (town) => {
    const body = '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/>' +
      "</D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>";
    const taken = await town.ask("/a.jpg", {
      method: "LOCK",
      body,
      headers: { Timeout: "Second-60" },
    });
    assert.equal(taken.status, 201);
    const token = taken.headers.get("lock-token") ?? "";
    const photoA = { body: photo("a", 900) };
    assert.equal(await town.status("/a.jpg", photoA), 423);
    const named = { ...photoA, headers: { If: `(${token})` } };
    assert.equal(await town.status("/a.jpg", named), 204);
    assert.equal(await town.status("/a.jpg", { method: "LOCK", body }), 423);
    town.now += 61_000;
    assert.equal(await town.status("/a.jpg", photoA), 204);
    const again = await town.ask("/b.jpg", { method: "LOCK", body });
    assert.equal(
      await town.status("/b.jpg", {
        method: "UNLOCK",
        headers: { "Lock-Token": again.headers.get("lock-token") ?? "" },
      }),
      204,
    );
  });
});

Deno.test("a body of unknown length that falls silent is no whole file", async () => {
  await withTelephone(async (town) => {
    const asked = Promise.withResolvers<void>();
    const stalls = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(photo("a", 70_000)),
      // All that came has been read.
      pull: () => asked.resolve(),
    }, { highWaterMark: 0 });
    const answer = town.status("/a.jpg", { body: stalls });
    await asked.promise;
    town.now += 3 * 60_000;
    await town.receiver.taking.tidy();
    assert.equal(await answer, 400);
    await town.deliver();
    assert.deepEqual(await town.inbox(), []);
  });
});

Deno.test("by SFTP pieces may come early, a broken file is gone on with, and a hole is no file", async () => {
  await withTelephone(async (town) => {
    const { taking } = town.receiver;
    const admitted = town.receiver.admit(PHONE, "192.0.2.7");
    assert.ok(admitted !== undefined && "asking" in admitted);
    const { asking } = admitted;
    const film = photo("film", 300_000);
    const begin = (name: string, from = 0) =>
      new SftpFile(taking, asking, [name], {
        ...{ from, isAppended: false },
        now: () => town.now,
      });
    const piece = (file: SftpFile, first: number, end: number) =>
      file.write(first, film.subarray(first, end));

    const broken = begin("film.mp4");
    await Promise.all([
      piece(broken, 65_536, 100_000),
      piece(broken, 0, 65_536),
    ]);
    broken.breakOff();
    await assert.rejects(broken.end());
    assert.equal(taking.brokenSize(asking, ["film.mp4"]), 100_000);
    const rest = begin("film.mp4", 100_000);
    rest.modifiedAt = Date.parse("2024-06-01T10:00:00Z");
    await piece(rest, 100_000, 300_000);
    assert.equal((await rest.end()).size, 300_000);

    const holed = begin("hole.mp4");
    const early = piece(holed, 10, 20);
    await assert.rejects(holed.end());
    await assert.rejects(early);
    assert.equal(asking.folder.get(["hole.mp4"]), undefined);
    // Whoever writes backwards is told so, and nothing of it is kept.
    const backwards = begin("back.mp4");
    await piece(backwards, 0, 100);
    await assert.rejects(piece(backwards, 50, 60));
    await assert.rejects(backwards.end());
    await town.deliver();
    const [waiting, ...more] = await town.inbox();
    assert.ok(waiting !== undefined && more.length === 0);
    assert.equal(waiting.file?.modified_at, "2024-06-01T10:00:00.000Z");
    assert.deepEqual(await town.peek(waiting), film);
  });
});

Deno.test("a spool of a newer program is left as it is", async () => {
  await withTelephone(async (town) => {
    using newer = new DatabaseSync(`${town.root}/register.sqlite`);
    newer.exec("pragma user_version = 99");
    const refused = await runInProcess(
      ["receive", "status", "--spool", town.root],
      {},
      new Uint8Array(),
    );
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /written by a newer strongroom/);
  });
});
