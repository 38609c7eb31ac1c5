/**
 * Where links with secrets stand, against a server that names a host of its
 * choice.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  adoptMasterKey,
  enrollDevice,
  joinAccount,
  type Library,
  openLibrary,
  OriginRefused,
} from "../../src/library/mod.ts";
import { linkOriginOf } from "../../src/library/trust/origins.ts";
import { ORIGIN, withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  enter,
  fileOf,
  type TestDevice,
  type Wire,
  wireTo,
} from "../support/library.ts";
import { ciphertext } from "../support/people.ts";

const EVIL = "https://evil.example";

/** Lets the server name another origin in every answer of server-info. */
function lieOf(wire: Wire, told: string): void {
  wire.intercept = (request, pass) =>
    new URL(request.url).pathname.endsWith("/server-info")
      ? (async () => {
        const answer = await pass(request);
        const info = await answer.json();
        const { headers } = answer;
        return Response.json({ ...info, api_base_url: told }, { headers });
      })()
      : undefined;
}

/** Waiting lets the other side have its turn. */
function patient(device: TestDevice): TestDevice {
  const wait = () => new Promise<void>((done) => setTimeout(done, 1));
  return { ...device, platform: { ...device.platform, wait } };
}

/** The origins of a new link of each kind, and of those that are listed. */
async function originsOf(library: Library): Promise<string[]> {
  const { row } = await library.take(fileOf("a.jpg", ciphertext("a", 50)));
  const made = [
    await library.share({ assetIds: [row.id] }),
    await library.share({ assetIds: [row.id], passphrase: "a long phrase" }),
    await library.request({
      expiresAt: "2026-11-25T00:00:00.000Z",
      maxBytes: 100,
      maxFiles: 1,
    }),
  ];
  const shown = Promise.withResolvers<string>();
  const stop = new AbortController();
  const enrolling = enrollDevice(library.vault, {
    trust: library.trust,
    origin: library.origins.links,
    show: ({ link }) => shown.resolve(link),
    compare: () => Promise.resolve(false),
    signal: stop.signal,
  });
  const link = await shown.promise;
  stop.abort();
  await assert.rejects(enrolling);
  const listed = [...await library.shares(), ...await library.requests()];
  return [...made, ...listed].map(({ url }) => new URL(url ?? "").origin)
    .concat(new URL(link).origin);
}

Deno.test("links with secrets stand where the person signed in, whatever the server says", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    lieOf(wire, EVIL);
    const library = await beginLibrary(patient(deviceOf(wire, "ada")), "ada");
    assert.deepEqual(new Set(await originsOf(library)), new Set([ORIGIN]));
    assert.equal(library.origins.confirmed, undefined);
    assert.equal(await library.origins.suggested(), EVIL);
  });
});

Deno.test("an origin that the person confirmed once is that of all links, on all devices, and stays when the server names another", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const name = "https://photos.example.org";
    lieOf(wire, name);
    const device = patient(deviceOf(wire, "ada"));
    const library = await beginLibrary(device, "ada");
    await library.origins.confirm(name);
    lieOf(wire, EVIL);
    assert.deepEqual(new Set(await originsOf(library)), new Set([name]));
    assert.equal(library.origins.confirmed, name);
    assert.equal(await library.origins.suggested(), EVIL);
    const phone = deviceOf(wire, "phone");
    const vault = await adoptMasterKey(
      await enter(phone, "ada"),
      library.vault.session.masterKey() ?? new Uint8Array(),
    );
    const other = await openLibrary(vault, phone.store);
    await other.sync();
    assert.equal(other.origins.links, name);
    await library.origins.confirm(ORIGIN);
    assert.deepEqual(new Set(await originsOf(library)), new Set([ORIGIN]));
  });
});

Deno.test("an origin that the account's state names is not that of links unless the trust record has it", async () => {
  await withTestApp(async (app) => {
    const library = await beginLibrary(deviceOf(wireTo(app), "ada"), "ada");
    await library.state.change((held) => ({
      ...held,
      settings: {
        ...held.settings,
        "link-origin": {
          value: EVIL,
          at: new Date(app.clock.now).toISOString(),
        },
      },
    }));
    assert.equal(library.origins.confirmed, undefined);
    assert.equal(library.origins.links, ORIGIN);
  });
});

Deno.test("an address that opens on one computer alone, is unencrypted or no origin is neither suggested nor confirmed", async () => {
  const https = "https://photos.example";
  const refused: readonly (readonly [opened: string, told: string])[] = [
    [https, "http://photos.example"],
    [https, "http://192.168.1.2:8470"],
    [https, "https://127.0.0.1:8470"],
    ["http://photos.lan:8470", "http://localhost:8470"],
    ["http://photos.lan:8470", "http://[::1]:8470"],
    [https, "javascript:alert(1)"],
    [https, "https://evil.example/#/join/"],
    [https, "https://ada@evil.example"],
    [https, "blob:https://evil.example"],
    [https, "photos"],
    [https, ""],
  ];
  for (const [opened, told] of refused) {
    assert.throws(() => linkOriginOf(opened, told), OriginRefused, told);
  }
  assert.equal(linkOriginOf("http://photos.lan:8470", https), https);
  assert.equal(
    linkOriginOf("http://127.0.0.1:8470", "http://127.0.0.1:8470"),
    "http://127.0.0.1:8470",
  );
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "ada"), "ada");
    for (const told of ["http://localhost:1", "javascript:1", "", ORIGIN]) {
      lieOf(wire, told);
      assert.equal(await library.origins.suggested(), undefined, told);
    }
    await assert.rejects(
      library.origins.confirm("http://localhost:1"),
      OriginRefused,
    );
    assert.equal(library.origins.links, ORIGIN);
  });
});

Deno.test("a link of another origin than the opened one is asked of the opened one, and always wants the four words", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = patient(deviceOf(wire, "laptop"));
    const phone = patient(deviceOf(wire, "phone"));
    const library = await beginLibrary(laptop, "ada");
    const run = async (opened: string | undefined, origin: string) => {
      // The server takes the channel that was opened last.
      app.clock.advance(1_000);
      const compared: string[] = [];
      const shown = Promise.withResolvers<string>();
      const old = enrollDevice(library.vault, {
        trust: library.trust,
        origin,
        show: ({ link }) => shown.resolve(link),
        compare: () => {
          compared.push("old");
          return Promise.resolve(true);
        },
      });
      const joined = await joinAccount(phone.platform, {
        link: await shown.promise,
        ...(opened === undefined ? {} : { opened }),
        device: phone.entrance.device,
        compare: (words, foreign) => {
          compared.push(`${words.length} ${foreign}`);
          return Promise.resolve(true);
        },
      });
      await old;
      assert.equal(joined.server, ORIGIN);
      return compared.toSorted();
    };
    assert.deepEqual(await run(ORIGIN, EVIL), [`4 ${EVIL}`, "old"]);
    assert.deepEqual(await run(ORIGIN, ORIGIN), []);
    assert.deepEqual(await run(undefined, ORIGIN), []);
  });
});
