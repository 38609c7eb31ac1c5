/**
 * What a server is called where it listens on every address, and a certificate
 * of one's own making, as the page about TLS says.
 *
 * @module
 */
import assert from "node:assert/strict";
import { freePort } from "../../src/server/free_port.ts";
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

/** Runs the commands of a page about TLS that write a file, up to its name. */
async function followPage(
  name: string,
  written: string,
  directory: string,
): Promise<void> {
  const page = await Deno.readTextFile(
    new URL(`../../src/docs/tls/${name}.md`, import.meta.url),
  );
  const block = page.split("```").find((text) =>
    text.includes(`-out ${written}\n`)
  );
  const commands = block?.slice(block.indexOf("openssl"));
  const end = commands?.indexOf(`-out ${written}\n`) ?? -1;
  assert.ok(commands !== undefined && end > 0, `${written} is not in the page`);
  const { success, stderr } = await new Deno.Command("sh", {
    args: ["-ec", `${commands.slice(0, end)}-out ${written}`],
    cwd: directory,
  }).output();
  assert(success, new TextDecoder().decode(stderr));
}

Deno.test("devices that trust the authority that the page about TLS makes reach the server by its name", async () => {
  await withDataDir(async (outside) => {
    await followPage("own-authority", "server.pem", outside);
    const port = freePort();
    const server = await serveHere({
      STRONGROOM_DATA_DIR: `${outside}/data`,
      STRONGROOM_LISTEN: `127.0.0.1:${port}`,
      STRONGROOM_BASE_URL: `https://strongroom.local:${port}`,
      STRONGROOM_TLS_CERT: `${outside}/server.pem`,
      STRONGROOM_TLS_KEY: `${outside}/server.key`,
    });
    try {
      const reached = async (name: string) =>
        (await new Deno.Command("curl", {
          args: [
            ...["--silent", "--fail", "--cacert", `${outside}/home-ca.pem`],
            ...["--resolve", `${name}:${port}:127.0.0.1`],
            `https://${name}:${port}/v1/version`,
          ],
        }).output()).success;
      assert(await reached("strongroom.local"));
      assert(!await reached("other.local"));
    } finally {
      assert.equal(await server.stop(), 0, await server.complaint());
    }
  });
});

Deno.test("the certificate that the page about TLS makes is taken by healthcheck and doctor", async () => {
  await withDataDir(async (outside) => {
    await followPage("files", "tls.pem", outside);
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
