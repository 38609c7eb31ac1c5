/**
 * https of `strongroom receive` with a certificate that it makes for itself.
 *
 * @module
 */
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { DAY_MS } from "../../src/core/time.ts";
import { ownCertificate } from "../../src/cli/receive/own_certificate.ts";
import { gatheredStreams, runInProcess } from "../support/in_process.ts";
import { platform } from "../../main.ts";
import { runProgram } from "../../src/cli/program.ts";
import { PHONE, requestOf, withTelephone } from "../support/telephone.ts";
import { withDataDir } from "../support/program.ts";
import { until } from "../support/until.ts";

const NOW = Date.UTC(2026, 10, 24);
const NAMES = ["home.example.org", "192.0.2.4", "localhost"];

Deno.test("an own certificate is for the receiver's names, is no authority, and lives no longer than phones accept", async () => {
  await withDataDir(async (folder) => {
    const made = await ownCertificate(folder, NAMES, NOW);
    const certificate = new X509Certificate(made.cert);
    assert.equal(certificate.ca, false);
    assert.equal(certificate.checkHost("home.example.org"), "home.example.org");
    assert.equal(certificate.checkHost("example.org"), undefined);
    assert.equal(certificate.checkIP("192.0.2.4"), "192.0.2.4");
    const { validFromDate: from, validToDate: to } = certificate;
    assert(from.getTime() < NOW && to.getTime() > NOW + 700 * DAY_MS);
    assert(to.getTime() - from.getTime() <= 825 * DAY_MS);
    const key = `${folder}/own_certificate.key`;
    const { mode } = await Deno.stat(key);
    assert.equal((mode ?? 0) & 0o777, 0o600);
  });
});

Deno.test("an own certificate stays until it ends soon or another name is asked for, and its key always", async () => {
  await withDataDir(async (folder) => {
    const made = await ownCertificate(folder, NAMES, NOW);
    const again = (names: readonly string[], days: number) =>
      ownCertificate(folder, names, NOW + days * DAY_MS);
    assert.equal((await again(NAMES, 700)).cert, made.cert);
    const late = await again(NAMES, 800);
    assert.notEqual(late.cert, made.cert);
    assert.equal(late.key, made.key);
    const other = await again(["photos.home", ...NAMES], 800);
    assert.notEqual(other.cert, late.cert);
    assert.equal(other.key, made.key);
  });
});

/** Runs `receive` over a spool while something is done, in this process. */
async function whileReceiving(
  spool: string,
  options: readonly string[],
  work: (url: string) => Promise<void>,
): Promise<void> {
  const { streams, ended } = gatheredStreams();
  const told = Promise.withResolvers<void>();
  const done = runProgram(
    [
      ...["receive", "--spool", spool, "--listen", "127.0.0.1:0"],
      ...["--keep-free", "0", ...options],
    ],
    platform,
    {
      streams,
      environment: {},
      host: {
        signals: () => ({
          stop: told.promise,
          hurry: new Promise(() => {}),
          onReload: () => {},
        }),
        startLogging: () => Promise.resolve(),
        descriptorLimit: () => Infinity,
      },
    },
  );
  const urlOf = () => /serving (\S+)/.exec(ended(0).stdout)?.[1] ?? "";
  try {
    await until(() => Promise.resolve(urlOf()), (url) => url !== "");
    await work(urlOf());
  } finally {
    told.resolve();
    assert.equal(await done, 0, ended(0).stderr);
  }
}

Deno.test("receive serves https with its own certificate, and add shows what to trust", async () => {
  await withTelephone(async (town) => {
    const add = async (name: string) => {
      const { url } = await town.library.request({
        expiresAt: town.spool.device(PHONE.name)?.expires_at ?? "",
        maxBytes: 1_000_000,
        maxFiles: 10,
      });
      const added = await runInProcess(
        ["receive", "add", name, "--spool", town.root, "--to", url],
        {},
        new Uint8Array(),
        {
          ...platform,
          fetch: (input, init) => town.wire.fetch(String(input), init ?? {}),
        },
      );
      assert.equal(added.status, 0, added.stderr);
      return added.stdout;
    };
    await whileReceiving(town.root, ["--tls-own"], async (url) => {
      assert.match(url, /^https:/);
      const pem = await Deno.readTextFile(`${town.root}/own_certificate.pem`);
      const body = new Uint8Array(900);
      const { headers } = requestOf("/a.jpg", { body });
      using client = Deno.createHttpClient({ caCerts: [pem] });
      const sent = { method: "PUT", headers, body };
      const answer = await fetch(`${url}a.jpg`, { ...sent, client });
      await answer.body?.cancel();
      assert.equal(answer.status, 201);
      // Nobody else vouches for it.
      await assert.rejects(fetch(`${url}a.jpg`, sent), TypeError);
      const { fingerprint256 } = new X509Certificate(pem);
      assert((await add("Bob")).includes(fingerprint256));
    });
    await whileReceiving(town.root, [], async () => {
      assert.doesNotMatch(await add("Cyd"), /SHA-256/);
    });
  });
});

Deno.test("an own certificate and another one are not both", async () => {
  await withDataDir(async (folder) => {
    const both = await runInProcess(
      [
        ...["receive", "--spool", `${folder}/spool`, "--tls-own"],
        ...["--tls-cert", "a.pem", "--tls-key", "a.key"],
      ],
      {},
      new Uint8Array(),
    );
    assert.equal(both.status, 1);
    assert.match(both.stderr, /--tls-own goes without --tls-cert/);
  });
});
