/**
 * https of `strongroom receive`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { makeAuthority } from "../support/certificates.ts";
import { gatheredStreams, runInProcess } from "../support/in_process.ts";
import { platform } from "../../main.ts";
import { runProgram } from "../../src/cli/program.ts";
import { requestOf, withTelephone } from "../support/telephone.ts";
import { withDataDir } from "../support/program.ts";
import { until } from "../support/until.ts";

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

Deno.test("receive serves https with the certificate of two files", async () => {
  await withTelephone(async (town) => {
    const files = { cert: `${town.root}/a.pem`, key: `${town.root}/a.key` };
    const authority = await makeAuthority(town.root);
    await authority.issue("receive", files);
    const options = ["--tls-cert", files.cert, "--tls-key", files.key];
    await whileReceiving(town.root, options, async (url) => {
      assert.match(url, /^https:/);
      const body = new Uint8Array(900);
      const { headers } = requestOf("/a.jpg", { body });
      using client = Deno.createHttpClient({ caCerts: [authority.pem] });
      const sent = { method: "PUT", headers, body };
      const answer = await fetch(`${url}a.jpg`, { ...sent, client });
      await answer.body?.cancel();
      assert.equal(answer.status, 201);
    });
  });
});

Deno.test("a certificate without its key is refused", async () => {
  await withDataDir(async (folder) => {
    const { status, stderr } = await runInProcess(
      ["receive", "--spool", `${folder}/spool`, "--tls-cert", "a.pem"],
      {},
      new Uint8Array(),
    );
    assert.equal(status, 1);
    assert.match(stderr, /--tls-cert and --tls-key go together/);
  });
});
