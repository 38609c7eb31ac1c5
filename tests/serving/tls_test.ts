/**
 * Serving https from files (tls/files.md): HTTP/2 and HTTP/1.1, and a
 * certificate that changes under a server that runs.
 *
 * @module
 */
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { factsOf } from "../../src/server/tls/certificate_facts.ts";
import { type Authority, makeAuthority } from "../support/certificates.ts";
import {
  type KillableProgram,
  type RunningServer,
  serveHere,
  startKillable,
  withDataDir,
} from "../support/program.ts";
import { until } from "../support/until.ts";

interface Served {
  readonly program: KillableProgram;
  readonly authority: Authority;
  readonly files: { readonly cert: string; readonly key: string };
  readonly directory: string;
}

/** A server whose certificate is called `first`. */
async function withTls(
  test: (served: Served) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  await withDataDir(async (directory) => {
    const authority = await makeAuthority(directory);
    const files = {
      cert: `${directory}/tls.pem`,
      key: `${directory}/tls.key`,
    };
    await authority.issue("first", files);
    const program = await startKillable({
      STRONGROOM_DATA_DIR: `${directory}/data`,
      STRONGROOM_TLS_CERT: files.cert,
      STRONGROOM_TLS_KEY: files.key,
      STRONGROOM_LOG_FORMAT: "json",
      ...settings,
    });
    try {
      assert.match(program.url, /^https:\/\/127\.0\.0\.1:\d+$/);
      await test({ program, authority, files, directory });
    } finally {
      assert.equal(await program.stop(), 0, await program.complaint());
    }
  });
}

/** What a handshake with the server comes to. */
async function handshake(
  url: string,
  { pem }: Authority,
  protocols = ["h2", "http/1.1"],
): Promise<{ name: string; protocol: string | false | null }> {
  const socket = await new Promise<TLSSocket>((resolve, reject) => {
    const made = connectTls({
      host: "127.0.0.1",
      port: Number(new URL(url).port),
      ca: pem,
      ALPNProtocols: protocols,
    }, () => resolve(made));
    made.on("error", reject);
  });
  const name = String(socket.getPeerCertificate().subject.CN);
  const protocol = socket.alpnProtocol;
  socket.destroy();
  return { name, protocol };
}

/** Waits until the server shows a certificate of that name. */
async function showsName(
  { program, authority }: Served,
  name: string,
): Promise<void> {
  const shown = async () => {
    try {
      return (await handshake(program.url, authority)).name;
    } catch {
      // The port is being handed on.
      return undefined;
    }
  };
  await until<string | undefined>(shown, name);
}

async function curl(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command("curl", {
    args: ["--silent", "--show-error", "--max-time", "20", ...args],
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

Deno.test("with a certificate the server speaks HTTP/2 and HTTP/1.1 over TLS, and is an https origin", async () => {
  await withTls(async ({ program, authority, directory }) => {
    const ask = (...args: string[]) =>
      curl(
        ...["--cacert", `${directory}/ca.pem`, ...args],
        ...["--write-out", "\n%{http_version} %{ssl_verify_result}"],
        `${program.url}/.well-known/service/server-info`,
      );
    const plain = await ask("--http1.1");
    assert.match(plain, /\n1\.1 0$/);
    const second = await ask("--http2");
    assert.match(second, /\n2 0$/);
    assert.equal(second.replace(/.*$/, ""), plain.replace(/.*$/, ""));
    assert.deepEqual(await handshake(program.url, authority), {
      name: "first",
      protocol: "h2",
    });
    const old = await handshake(program.url, authority, ["http/1.1"]);
    assert.equal(old.protocol, "http/1.1");
    // Tokens and receipts name the server by its origin.
    assert(plain.includes(program.url), plain);
    const { port } = new URL(program.url);
    await assert.rejects(fetch(`http://127.0.0.1:${port}/v1/version`));
  });
});

for (const protocol of ["h2", "http/1.1"]) {
  Deno.test(`a certificate that changes is served to new connections, and an ${protocol} request that runs is finished`, async () => {
    await withTls(async (served) => {
      const { program, authority, files } = served;
      const client = Deno.createHttpClient({
        caCerts: [authority.pem],
        http2: protocol === "h2",
        http1: protocol !== "h2",
      });
      const body = new TransformStream<Uint8Array, Uint8Array>();
      const writer = body.writable.getWriter();
      const text = JSON.stringify({ address: "ada@example.org" });
      const running = fetch(`${program.url}/v1/auth/register`, {
        client,
        method: "POST",
        headers: {
          "X-Service-Protocol": "2026-11-01",
          "Content-Type": "application/json",
        },
        body: body.readable,
      });
      // Done once it is on its way.
      await writer.write(new TextEncoder().encode(text.slice(0, 5)));
      await authority.issue("second", files);
      await program.said("certificate changed");
      await writer.write(new TextEncoder().encode(text.slice(5)));
      await writer.close();
      const answer = await running;
      assert.equal(answer.status, 422);
      await answer.body?.cancel();
      await showsName(served, "second");
      client.close();
    });
  });
}

Deno.test("SIGHUP has the files looked at without waiting", async () => {
  await withTls(async (served) => {
    const { program, authority, files } = served;
    await authority.issue("second", files);
    for (const times of [1, 2]) {
      Deno.kill(program.pid, "SIGHUP");
      await program.said('"reloading"', times);
    }
    await showsName(served, "second");
    await program.stop();
    // At the first signal, and not when it was time for a look.
    assert.match(
      await program.log(),
      /"reloading".*\n.*"certificate changed".*\n.*"reloading"/,
    );
  });
});

Deno.test("files that cannot be used leave the old certificate in force, and the log says why once", async () => {
  await withTls(async (served) => {
    const { program, authority, files, directory } = served;
    let reloads = 0;
    const reload = async () => {
      Deno.kill(program.pid, "SIGHUP");
      // By then the files have been looked at.
      await program.said('"reloading"', ++reloads);
      return (await handshake(program.url, authority)).name;
    };
    await Deno.writeTextFile(files.cert, "no certificate\n");
    assert.equal(await reload(), "first");
    assert.equal(await reload(), "first");
    // The certificate of one key next to another key.
    await authority.issue("other", {
      cert: files.cert,
      key: `${directory}/elsewhere.key`,
    });
    assert.equal(await reload(), "first");
    await Deno.remove(files.key);
    assert.equal(await reload(), "first");
    await authority.issue("second", files);
    await reload();
    await showsName(served, "second");
    await program.stop();
    const lines = (await program.complaint()).split("\n");
    const refused = lines.filter((line) =>
      line.includes("certificate refused")
    );
    assert.equal(refused.length, 3);
    assert.match(refused[0] ?? "", /No certificates found/);
    assert.match(refused[1] ?? "", /KeyMismatch/);
    assert.match(refused[2] ?? "", /No such file/);
    assert.match(
      lines.find((line) => line.includes("certificate changed")) ?? "",
      /"not_after":"20/,
    );
  });
});

Deno.test("a certificate that has expired, is not valid yet or is for another name never replaces a good one, and is told as an error", async () => {
  await withTls(async (served) => {
    const { program, authority, files } = served;
    let reloads = 0;
    const reload = async () => {
      Deno.kill(program.pid, "SIGHUP");
      await program.said('"reloading"', ++reloads);
    };
    const bad = [
      ["expired", { to: "210101000000Z" }],
      ["early", { from: "480101000000Z" }],
      ["other", { names: "DNS:photos.example.org" }],
    ] as const;
    for (const [name, options] of bad) {
      await authority.issue(name, files, options);
      await reload();
      // Looked at again, it is told once.
      await reload();
      assert.equal((await handshake(program.url, authority)).name, "first");
    }
    await authority.issue("second", files);
    await reload();
    await showsName(served, "second");
    await program.stop();
    const lines = (await program.complaint()).split("\n");
    const refused = lines.filter((line) =>
      line.includes("certificate refused")
    );
    assert.equal(refused.length, 3, refused.join("\n"));
    for (const line of refused) assert.match(line, /"level":"ERROR"/);
    assert.match(refused[0] ?? "", /the certificate expired on 2021-01-01/);
    assert.match(refused[1] ?? "", /is valid only from 2048-01-01 on/);
    assert.match(refused[2] ?? "", /is for DNS:photos.example.org, not for/);
  });
});

Deno.test("a certificate is for the names that it lists, and for no common name", async () => {
  await withDataDir(async (directory) => {
    const authority = await makeAuthority(directory);
    const files = { cert: `${directory}/c.pem`, key: `${directory}/c.key` };
    await authority.issue("home.example", files, {
      names: "DNS:other.example,DNS:*.wild.example,IP:127.0.0.1",
    });
    const pem = await Deno.readTextFile(files.cert);
    const { covers } = factsOf(new X509Certificate(pem));
    for (const host of ["other.example", "Other.example", "a.wild.example"]) {
      assert(covers(host), host);
    }
    assert(covers("127.0.0.1"));
    for (
      const host of [
        ...["home.example", "wild.example", "a.b.wild.example", "example"],
        ...["127.0.0.2", "localhost"],
      ]
    ) assert(!covers(host), host);
  });
});

Deno.test("a server that starts with an expired certificate says so as an error and serves, and takes a better one", async () => {
  await withDataDir(async (directory) => {
    const authority = await makeAuthority(directory);
    const files = { cert: `${directory}/c.pem`, key: `${directory}/c.key` };
    await authority.issue("expired", files, { to: "210101000000Z" });
    const program = await startKillable({
      STRONGROOM_DATA_DIR: `${directory}/data`,
      STRONGROOM_TLS_CERT: files.cert,
      STRONGROOM_TLS_KEY: files.key,
      STRONGROOM_LOG_FORMAT: "json",
    });
    try {
      await program.said("clients refuse the certificate in force");
      await authority.issue("second", files);
      Deno.kill(program.pid, "SIGHUP");
      await showsName({ program, authority, files, directory }, "second");
    } finally {
      assert.equal(await program.stop(), 0);
    }
    const complaint = await program.complaint();
    const told = complaint.split("\n").filter((line) =>
      line.includes("clients refuse")
    );
    assert.equal(told.length, 1);
    assert.match(told[0] ?? "", /"level":"ERROR".*expired on 2021-01-01/);
  });
});

Deno.test("clients that never stop connecting lose one connection each to a new certificate at most", async () => {
  await withTls(async (served) => {
    const { program, authority, files } = served;
    const client = Deno.createHttpClient({
      caCerts: [authority.pem],
      poolMaxIdlePerHost: 0,
    });
    let [answered, lost, over] = [0, 0, false];
    const asking = Array.from({ length: 4 }, async () => {
      while (!over) {
        try {
          const answer = await fetch(`${program.url}/v1/version`, { client });
          await answer.body?.cancel();
          answered += 1;
        } catch {
          lost += 1;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }
    });
    for (const name of ["second", "third", "fourth"]) {
      await authority.issue(name, files);
      Deno.kill(program.pid, "SIGHUP");
      await showsName(served, name);
    }
    over = true;
    await Promise.all(asking);
    client.close();
    assert(answered > 20, `${answered} answered`);
    // At most each of the four, in the moment of each hand-over.
    assert(lost <= 12, `${lost} of ${answered + lost} lost`);
  });
});

Deno.test("a unix socket next to the port is never TLS", async () => {
  await withDataDir(async (directory) => {
    const authority = await makeAuthority(directory);
    const files = { cert: `${directory}/c.pem`, key: `${directory}/c.key` };
    await authority.issue("first", files);
    const path = `${directory}/strongroom.sock`;
    const program = await serveHere({
      STRONGROOM_DATA_DIR: `${directory}/data`,
      STRONGROOM_LISTEN: `127.0.0.1:0,unix:${path}`,
      STRONGROOM_TLS_CERT: files.cert,
      STRONGROOM_TLS_KEY: files.key,
    });
    assert.match(program.url, /^https:/);
    const version = await curl("--unix-socket", path, "http://x/v1/version");
    assert.equal(JSON.parse(version).name, "strongroom");
    assert.equal(await program.stop(), 0);
  });
});

Deno.test("a certificate that cannot be used refuses the start, and says what to do", async () => {
  await withDataDir(async (directory) => {
    const authority = await makeAuthority(directory);
    const files = { cert: `${directory}/c.pem`, key: `${directory}/c.key` };
    await authority.issue("first", files);
    const refused = async (cert: string, key: string, why: RegExp) => {
      const program: RunningServer = await serveHere({
        STRONGROOM_DATA_DIR: `${directory}/data`,
        STRONGROOM_TLS_CERT: cert,
        STRONGROOM_TLS_KEY: key,
      });
      assert.equal(await program.exited, 1);
      const complaint = await program.complaint();
      assert.match(complaint, /^strongroom: STRONGROOM_TLS_CERT, [^\n]+\n$/);
      assert.match(complaint, why);
    };
    await refused(files.cert, `${directory}/ca.key`, /KeyMismatch/);
    await refused(files.key, files.cert, /No certificates found/);
    await refused(`${directory}/none.pem`, files.key, /No such file/);
  });
});
