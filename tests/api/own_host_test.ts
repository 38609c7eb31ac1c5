/**
 * Which `Host` signs in and registers (protocol/transport.md#host).
 *
 * @module
 */
import assert from "node:assert/strict";
import { ownHosts } from "../../src/http/own_host.ts";
import { makeRequest, type TestApp, withTestApp } from "../support/app.ts";
import { expectProblem } from "../support/expect.ts";
import { SPEC } from "../support/spec.ts";

const SIGNING_IN = [
  "/v1/auth/register",
  "/v1/invitations/redeem",
  "/v1/auth/login",
  "/v1/auth/login/verify-totp",
  "/v1/auth/oidc/authorize",
  "/v1/auth/oidc/callback",
];

const AT_HOME = {
  settings: {
    STRONGROOM_BASE_URL: "https://photos.example.org",
    STRONGROOM_LISTEN: "192.168.1.5:8470,[2001:db8::5]:8470,unix:/run/a.sock",
  },
};

function ask(
  app: TestApp,
  path: string,
  host: string | undefined,
  target = "http://192.168.1.5:8470",
): Promise<Response> {
  const headers: Record<string, string> = host === undefined ? {} : { host };
  const json = { address: "ada", password: "short" };
  const request = makeRequest("POST", path, { headers, json }, target);
  return app.fetch(request, { clientAddress: "192.0.2.1" });
}

async function codeOf(answer: Response): Promise<string> {
  const { code } = await answer.json();
  return code;
}

Deno.test("every operation that signs in or registers refuses another server's Host, before all else that is wrong", async () => {
  await withTestApp(async (app) => {
    for (const path of SIGNING_IN) {
      await expectProblem(
        await ask(app, path, "evil.example"),
        "error.request.host",
      );
      // As HTTP/2 names it, and as a request to a proxy does.
      await expectProblem(
        await ask(app, path, undefined, "http://evil.example"),
        "error.request.host",
      );
      await expectProblem(
        await ask(app, path, "photos.example.org", "http://evil.example"),
        "error.request.host",
      );
      const own = await ask(app, path, "photos.example.org");
      assert.notEqual(await codeOf(own), "error.request.host", path);
    }
  }, AT_HOME);
});

Deno.test("a refused Host is a warning that names the setting, without the Host", async () => {
  await withTestApp(async (app) => {
    await ask(app, "/v1/auth/login", "evil.example");
    const line = app.logged.find(({ level }) => level === "warn");
    assert.equal(line?.properties.code, "error.request.host");
    assert.match(String(line?.properties.cause), /STRONGROOM_BASE_URL/);
    assert.ok(!JSON.stringify(app.logged).includes("evil.example"));
  }, AT_HOME);
});

Deno.test("a Host is this server's whatever its port, its capitals and its final dot", async () => {
  await withTestApp(async (app) => {
    const own = [
      "photos.example.org",
      "photos.example.org:443",
      "photos.example.org:8471",
      "PHOTOS.Example.org.",
      "192.168.1.5:8470",
      "[2001:db8::5]:8470",
      "[2001:DB8:0:0::5]",
      "[::ffff:192.168.1.5]",
      "localhost",
      "localhost.:8470",
      undefined,
    ];
    for (const host of own) {
      const code = await codeOf(await ask(app, "/v1/auth/register", host));
      assert.equal(code, "error.request.invalid", host);
    }
    const others = [
      "",
      "evil.example",
      "photos.example.org.evil.example",
      "photos.example.org..",
      "evil.example:443",
      "photos.example.org, evil.example",
      "photos.example.org@evil.example",
      "evil.example/photos.example.org",
      "photos.example.org#",
      "photos.example.org:evil",
      "192.168.1.6",
      "127.0.0.1",
      "0.0.0.0",
      "[::1]",
      "[2001:db8::5",
      "2001:db8::5",
      "evil.localhost",
    ];
    for (const host of others) {
      const code = await codeOf(await ask(app, "/v1/auth/register", host));
      assert.equal(code, "error.request.host", host);
    }
  }, AT_HOME);
});

Deno.test("what a proxy says of the client's Host elsewhere counts for nothing", async () => {
  await withTestApp(async (app) => {
    const json = { address: "ada", password: "short" };
    for (const name of ["x-forwarded-host", "forwarded"]) {
      const headers = {
        host: "evil.example",
        [name]: name === "forwarded"
          ? "host=photos.example.org"
          : "photos.example.org",
      };
      const request = makeRequest("POST", "/v1/auth/login", { headers, json });
      await expectProblem(
        await app.fetch(request, { clientAddress: "192.0.2.1" }),
        "error.request.host",
      );
    }
  }, { settings: { ...AT_HOME.settings, STRONGROOM_TRUSTED_PROXIES: "unix" } });
});

Deno.test("a server that listens on every address has those that its machine has at the moment", () => {
  for (const every of ["0.0.0.0", "::"]) {
    const machine = ["127.0.0.1", "192.168.1.5", "fd00::5"];
    const isOwn = ownHosts(["strongroom.local", every], () => machine);
    for (const host of [...machine, "[fd00:0::5]", "strongroom.local"]) {
      assert.ok(isOwn(host), host);
    }
    for (const host of ["192.168.1.6", "evil.example", "0.0.0.0", "[::]"]) {
      assert.ok(!isOwn(host), host);
    }
    machine.push("192.168.1.6");
    assert.ok(isOwn("192.168.1.6"));
  }
});

Deno.test("a server that listens on one address does not have its machine's others", () => {
  const isOwn = ownHosts(["192.168.1.5"], () => ["192.168.1.5", "10.0.0.5"]);
  assert.ok(!isOwn("10.0.0.5"));
});

Deno.test("no other operation asks for the Host", async () => {
  await withTestApp(async (app) => {
    for (const op of SPEC) {
      if (SIGNING_IN.includes(op.path)) continue;
      const request = makeRequest(op.method, op.path, {
        headers: { host: "evil.example" },
      });
      const answer = await app.fetch(request, { clientAddress: "192.0.2.1" });
      if (answer.status !== 400) await answer.body?.cancel();
      else assert.notEqual(await codeOf(answer), "error.request.host", op.path);
    }
  }, AT_HOME);
});
