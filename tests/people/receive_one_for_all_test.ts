/**
 * What one phone, or a stranger, asks of `receive` keeps no other phone from
 * being answered.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  holds,
  LOCK_XML_LIMITS,
  lockInfoOf,
} from "../../src/cli/receive/locks.ts";
import { XmlScanner } from "../../src/core/xml.ts";
import { type Asked, type Town, withTelephone } from "../support/telephone.ts";

/** Bodies whose beginnings have no end, of which a search reads all the rest. */
const ENDLESS = [
  "<a>" + "<owner".repeat(10_900),
  "<owner>".repeat(9_000),
  "<owner><owner ".repeat(4_600),
  "<D:owner>" + "</D:owne>".repeat(7_000),
  "<".repeat(65_000),
  "<owner" + " ".repeat(65_000),
  "<x:".repeat(20_000) + "shared",
];

Deno.test("a LOCK body is read once from its beginning to its end, whatever it holds", () => {
  for (const body of ENDLESS) {
    const scanner = new XmlScanner(body, LOCK_XML_LIMITS);
    assert.ok([...scanner.parts()].length <= 1 + body.length / 2);
    assert.ok(scanner.looked <= 3 * body.length);
    assert.ok(lockInfoOf(body).owner.length <= 1_024);
  }
});

Deno.test("a LOCK body says whose lock it is, and whether it is shared", () => {
  const body = (scope: string, owner: string) =>
    `<?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:${scope}/>` +
    `</D:lockscope><D:locktype><D:write/></D:locktype>${owner}</D:lockinfo>`;
  const href = "<D:owner a='b'> <D:href>mailto:ada</D:href></D:owner>";
  assert.deepEqual(lockInfoOf(body("exclusive", href)), {
    isShared: false,
    owner: "mailto:ada",
  });
  assert.equal(lockInfoOf(body("exclusive", "")).owner, "");
  assert.equal(lockInfoOf(body("exclusive", "<owner>ada")).owner, "");
  assert.equal(lockInfoOf("<owner>ada</owner>").owner, "ada");
  assert.equal(lockInfoOf("<owner>A &amp; B</owner>").owner, "A & B");
  assert.ok(lockInfoOf(body("shared", href)).isShared);
  assert.ok(!lockInfoOf("<owner>shared</owner>").isShared);
});

Deno.test("a phone that locks with such bodies gets its locks", async () => {
  await withTelephone(async (town) => {
    for (const [at, body] of ENDLESS.entries()) {
      assert.equal(await town.status(`/${at}`, { method: "LOCK", body }), 201);
    }
  });
});

Deno.test("an If header of beginnings without ends holds for nothing", () => {
  const given = {
    path: [],
    at: () => ({ token: undefined, tag: '"a"' }),
    pathOf: () => undefined,
  };
  for (const part of ["<", "(", "(<", "([", "(Not ", "<a>\t", "([<"]) {
    assert.equal(holds(part.repeat(4_096), given), false, part);
  }
  assert.equal(holds('(["a"])', given), true);
  assert.equal(holds('(Not ["b"]) (["c"])', given), true);
});

/** Makes so many empty files in a folder. */
async function fill(town: Town, folder: string, count: number): Promise<void> {
  assert.equal(await town.status(folder, { method: "MKCOL" }), 201);
  for (let at = 0; at < count; at += 1) {
    const name = `${String(at).padStart(5, "0")}.jpg`;
    const put = { method: "PUT", body: new Uint8Array() };
    assert.equal(await town.status(`${folder}/${name}`, put), 201);
  }
}

/** The pieces of an answer as they come, and what else is asked in between. */
async function piecesOf(
  answer: Response,
  between: () => Promise<void>,
): Promise<string[]> {
  const pieces: string[] = [];
  if (answer.body === null) return pieces;
  for await (const piece of answer.body) {
    pieces.push(new TextDecoder().decode(piece));
    await between();
  }
  return pieces;
}

Deno.test("a long folder is listed in pieces, between which others are answered", async () => {
  await withTelephone(async (town) => {
    await fill(town, "/DCIM", 1_234);
    const list: Asked = { method: "PROPFIND", headers: { Depth: "1" } };
    const nextOne = { method: "PROPFIND", headers: { Depth: "0" } };
    const pieces = await piecesOf(await town.ask("/DCIM", list), async () => {
      assert.equal(await town.status("/DCIM", nextOne), 207);
    });
    const countOf = (text: string) => text.match(/<D:response>/g)?.length ?? 0;
    for (const piece of pieces) assert.ok(countOf(piece) <= 50);
    const all = pieces.join("");
    const hrefs = all.match(/\/DCIM\/\d{5}\.jpg/g) ?? [];
    assert.equal(new Set(hrefs).size, 1_234);
    assert.equal(countOf(all), 1_235);
    assert.match(all, /^<\?xml[^]*<\/D:multistatus>$/);

    const shown = await piecesOf(
      await town.ask("/DCIM", { method: "GET" }),
      () => Promise.resolve(),
    );
    assert.ok(shown.length > 10);
    const names = shown.join("").trim().split("\n");
    assert.equal(new Set(names).size, 1_234);
  }, { entries: 2_000 });
});

Deno.test("no more names are opened than a client takes of a list", async () => {
  await withTelephone(async (town) => {
    await fill(town, "/DCIM", 500);
    const list: Asked = { method: "PROPFIND", headers: { Depth: "1" } };
    const reader = (await town.ask("/DCIM", list)).body?.getReader();
    await reader?.read();
    // What is gone before it is read of is not listed any more.
    assert.equal(await town.status("/DCIM", { method: "DELETE" }), 204);
    let rest = "";
    for (;;) {
      const piece = await reader?.read();
      if (piece === undefined || piece.done) break;
      rest += new TextDecoder().decode(piece.value);
    }
    assert.doesNotMatch(rest, /\.jpg/);
    assert.match(rest, /<\/D:multistatus>$/);
  }, { entries: 2_000 });
});

function stranger(
  town: Town,
  path: string,
  address: string,
  init: RequestInit = { method: "POST" },
): Promise<Response> {
  return town.receiver.answer(
    new Request(`http://127.0.0.1:8473${path}`, init),
    address,
  );
}

Deno.test("the sign-ins that an address begins have a budget, and no stranger ends another's", async () => {
  await withTelephone(async (town) => {
    const begun = await stranger(town, "/login/v2", "192.0.2.1");
    const page = new URL((await begun.json()).login).pathname;
    for (let n = 1; n < 10; n++) {
      const more = await stranger(town, "/index.php/login/v2", "192.0.2.1");
      assert.equal(more.status, 200);
    }
    const spent = await stranger(town, "/login/v2", "192.0.2.1");
    assert.equal(spent.status, 429);
    assert.equal(spent.headers.get("retry-after"), "900");

    let last = 200;
    for (let n = 0; n < 1_000 && last === 200; n++) {
      const other = `198.51.${n >> 8}.${n & 255}`;
      last = (await stranger(town, "/login/v2", other)).status;
    }
    assert.equal(last, 429);
    const still = await stranger(town, page, "192.0.2.1", { method: "GET" });
    assert.equal(still.status, 200);
    town.now += 21 * 60_000;
    const later = await stranger(town, "/login/v2", "192.0.2.1");
    assert.equal(later.status, 200);
  });
});

Deno.test("a form on a page of another site opens no session", async () => {
  await withTelephone(async (town) => {
    const post = (path: string, headers: Record<string, string>) =>
      town.status(path, {
        method: "POST",
        body: "token=a",
        headers: {
          "Content-Type": "application/x-www-form-urlencoded",
          ...headers,
        },
      });
    const others: Record<string, string>[] = [
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
      { "Sec-Fetch-Site": "cross-site", Origin: "http://127.0.0.1:8473" },
      { Origin: "https://evil.example" },
      { Origin: "http://127.0.0.1:8474" },
      { Origin: "null" },
      { Origin: "file://" },
    ];
    for (const headers of others) {
      for (const path of ["/", "/login/v2", "/login/v2/poll"]) {
        assert.equal(await post(path, headers), 403, JSON.stringify(headers));
      }
    }
    town.spool.noteFact("address", "https://home.example.org:8473");
    const own: Record<string, string>[] = [
      {},
      { "Sec-Fetch-Site": "same-origin", Origin: "null" },
      { "Sec-Fetch-Site": "none" },
      { Origin: "http://127.0.0.1:8473" },
      { Origin: "https://home.example.org:8473" },
    ];
    for (const headers of own) {
      const status = await post("/login/v2", headers);
      assert.equal(status, 200, JSON.stringify(headers));
    }
  });
});
