/**
 * What a server is called where it listens on every address, and a certificate
 * of one's own making, as the page about TLS says.
 *
 * @module
 */
import assert from "node:assert/strict";
import { freePort } from "../../scripts/demo/server.ts";
import { runProgram, serveHere, withDataDir } from "../support/program.ts";

for (const listen of ["0.0.0.0:0", "[::]:0", "127.0.0.1:0,0.0.0.0:0"]) {
  Deno.test(`listening on ${listen} is refused without a base URL, and nothing is made`, async () => {
    await withDataDir(async (outside) => {
      const settings = {
        STRONGROOM_DATA_DIR: `${outside}/data`,
        STRONGROOM_LISTEN: listen,
      };
      const refused = await serveHere(settings);
      assert.equal(refused.line, "");
      assert.notEqual(await refused.exited, 0);
      assert.match(
        await refused.complaint(),
        /^strongroom: STRONGROOM_BASE_URL is not set, [^\n]+: set it to [^\n]+\n$/,
      );
      assert.deepEqual(await Array.fromAsync(Deno.readDir(outside)), []);
      const checked = await runProgram(["config", "check"], {
        ...settings,
        STRONGROOM_LISTEN: listen.replaceAll(/:0(,|$)/g, ":8470$1"),
      });
      assert.notEqual(checked.status, 0);
      assert.match(
        checked.stdout,
        /^fault: STRONGROOM_BASE_URL is not set, [^\n]+: set it to [^\n]+$/m,
      );
    });
  });
}

Deno.test("the certificate that the page about TLS makes is taken by healthcheck and doctor", async () => {
  const page = await Deno.readTextFile(
    new URL("../../src/docs/tls.md", import.meta.url),
  );
  const recipe = /^openssl req (?:.*\\\n)+.*$/m.exec(page)?.[0];
  assert.ok(recipe);
  await withDataDir(async (outside) => {
    const { success } = await new Deno.Command("sh", {
      args: ["-c", recipe],
      cwd: outside,
    }).output();
    assert(success);
    const port = freePort();
    const settings = {
      STRONGROOM_DATA_DIR: `${outside}/data`,
      STRONGROOM_LISTEN: `127.0.0.1:${port}`,
      STRONGROOM_TLS_CERT: `${outside}/tls.pem`,
      STRONGROOM_TLS_KEY: `${outside}/tls.key`,
    };
    const server = await serveHere(settings);
    try {
      const well = await runProgram(["healthcheck"], settings);
      assert.equal(well.status, 0, well.stderr);
      const doctor = await runProgram(["doctor"], {
        ...settings,
        DENO_CERT: `${outside}/tls.pem`,
      });
      assert.match(doctor.stdout, /^ok +base url: /m);
      assert.match(doctor.stdout, /^(ok|warning) +tls: /m);
      const curl = await new Deno.Command("curl", {
        args: [
          ...["--silent", "--fail", "--cacert", `${outside}/tls.pem`],
          `https://localhost:${port}/v1/version`,
        ],
      }).output();
      assert(curl.success);
    } finally {
      assert.equal(await server.stop(), 0);
    }
  });
});
