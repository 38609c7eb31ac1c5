/**
 * Certificates of an authority (`STRONGROOM_ACME`,
 * tls/certificate.md#a-certificate-by-itself), from pebble: Let's Encrypt's own
 * server for tests, with its refusals.
 *
 * @module
 */
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { freePort } from "../../src/server/free_port.ts";
import { debianProgram } from "../support/debian.ts";
import {
  type RunningProgram,
  runProgram,
  startProgram,
} from "../support/program.ts";
import { until } from "../support/until.ts";

const PEBBLE = await debianProgram("pebble", "pebble") ?? "";
const DNS = await debianProgram("pebble-challtestsrv", "pebble") ?? "";
const OPENSSL = await debianProgram("openssl", "openssl") ?? "";
const NAME = "photos.example.org";

/** Pebble, and what its tests need. */
interface World {
  readonly directory: string;
  readonly caPath: string;
  readonly challengePort: number;
  readonly dataDir: string;
}

/** Starts pebble with an environment of its own. */
async function withPebble(
  environment: Record<string, string>,
  test: (world: World) => Promise<void>,
): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "pebble-" });
  const children: Deno.ChildProcess[] = [];
  try {
    await makePki(dir);
    const [port, management, http, tls, dns, dnsManagement] = Array.from(
      { length: 6 },
      () => freePort(),
    );
    await Deno.writeTextFile(
      `${dir}/pebble.json`,
      JSON.stringify({
        pebble: {
          listenAddress: `127.0.0.1:${port}`,
          managementListenAddress: `127.0.0.1:${management}`,
          certificate: `${dir}/pebble.pem`,
          privateKey: `${dir}/pebble.key`,
          httpPort: http,
          tlsPort: tls,
        },
      }),
    );
    children.push(
      begin(DNS, [
        "-defaultIPv4=127.0.0.1",
        "-defaultIPv6=",
        `-dns01=127.0.0.1:${dns}`,
        "-http01=",
        "-https01=",
        "-tlsalpn01=",
        `-management=127.0.0.1:${dnsManagement}`,
      ], {}),
      begin(PEBBLE, [
        "-config",
        `${dir}/pebble.json`,
        "-dnsserver",
        `127.0.0.1:${dns}`,
      ], {
        PEBBLE_VA_NOSLEEP: "1",
        PEBBLE_AUTHZREUSE: "0",
        ...environment,
      }),
    );
    using client = Deno.createHttpClient({
      caCerts: [await Deno.readTextFile(`${dir}/ca.pem`)],
    });
    const directory = `https://localhost:${port}/dir`;
    await until(async () => {
      try {
        const answer = await fetch(directory, { client });
        await answer.body?.cancel();
        return answer.ok;
      } catch {
        return false;
      }
    }, true);
    await test({
      directory,
      caPath: `${dir}/ca.pem`,
      challengePort: http ?? 0,
      dataDir: `${dir}/data`,
    });
  } finally {
    for (const child of children) {
      child.kill("SIGKILL");
      await child.status;
    }
    await Deno.remove(dir, { recursive: true });
  }
}

function begin(
  program: string,
  args: readonly string[],
  env: Record<string, string>,
): Deno.ChildProcess {
  return new Deno.Command(program, {
    args: [...args],
    env,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
}

async function makePki(dir: string): Promise<void> {
  const openssl = async (...args: string[]) => {
    const { success, stderr } = await new Deno.Command(OPENSSL, {
      args,
      cwd: dir,
      stdout: "null",
      stderr: "piped",
    }).output();
    assert(success, new TextDecoder().decode(stderr));
  };
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  await openssl(
    ...["req", "-x509", ...key, "-nodes", "-days", "2", "-subj", "/CN=tests"],
    ...["-keyout", "ca.key", "-out", "ca.pem"],
  );
  await openssl(
    ...["req", ...key, "-nodes", "-subj", "/CN=localhost"],
    ...["-keyout", "pebble.key", "-out", "pebble.csr"],
  );
  await Deno.writeTextFile(
    `${dir}/names`,
    "subjectAltName=DNS:localhost,IP:127.0.0.1\nbasicConstraints=CA:FALSE\n",
  );
  await openssl(
    ...["x509", "-req", "-in", "pebble.csr", "-CA", "ca.pem", "-CAkey"],
    ...["ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"],
    ...["-out", "pebble.pem"],
  );
}

/** Settings of a server that asks pebble. */
function settingsOf(world: World, port: number): Record<string, string> {
  return {
    STRONGROOM_DATA_DIR: world.dataDir,
    STRONGROOM_LISTEN: `127.0.0.1:${port}`,
    STRONGROOM_BASE_URL: `https://${NAME}`,
    STRONGROOM_ACME: world.directory,
    STRONGROOM_ACME_EMAIL: "ada@example.org",
    STRONGROOM_ACME_CHALLENGE: `http-01:${world.challengePort}`,
    STRONGROOM_ARGON2_MEMORY_KIB: "8",
    DENO_CERT: world.caPath,
  };
}

/** Starts that server. */
async function serveWith(world: World, port: number) {
  return await startProgram(settingsOf(world, port));
}

/** What the doctor says of the server's own certificate. */
async function tlsFindings(world: World, port: number): Promise<string[]> {
  const { stdout } = await runProgram(
    ["doctor", "--json"],
    settingsOf(world, port),
  );
  const checks: Record<string, string>[] = JSON.parse(stdout).checks;
  return checks.filter(({ check }) => check === "tls")
    .map(({ status, detail, mend }) => `${status} ${detail} ${mend ?? ""}`);
}

function pebbleTest(
  name: string,
  environment: Record<string, string>,
  test: (world: World) => Promise<void>,
): void {
  Deno.test({
    name,
    ignore: PEBBLE === "" || DNS === "" || OPENSSL === "",
    fn: () => withPebble(environment, test),
  });
}

async function stopped(
  program: RunningProgram,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } finally {
    await program.stop();
  }
}

pebbleTest(
  "a server gets its certificate by itself, through nonces that are refused, and port 80 leads to https",
  { PEBBLE_WFE_NONCEREJECT: "40" },
  async (world) => {
    const port = freePort();
    const server = await serveWith(world, port);
    await stopped(server, async () => {
      const path = `${world.dataDir}/keys/acme/certificate.pem`;
      const pem = await Deno.readTextFile(path);
      const leaf = new X509Certificate(pem);
      assert.equal(leaf.checkHost(NAME), NAME);
      assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
      const redirected = await fetch(
        `http://127.0.0.1:${world.challengePort}/photos?a=b`,
        { redirect: "manual" },
      );
      await redirected.body?.cancel();
      assert.equal(redirected.status, 308);
      assert.equal(
        redirected.headers.get("location"),
        `https://${NAME}/photos?a=b`,
      );
      const other = await fetch(
        `http://127.0.0.1:${world.challengePort}/.well-known/acme-challenge/x`,
        { redirect: "manual" },
      );
      await other.body?.cancel();
      assert.equal(other.status, 308);
      await server.said("certificate got");
    });
    // With a certificate at hand no authority is asked.
    const again = await serveWith(
      { ...world, directory: "https://localhost:1/dir" },
      port,
    );
    await again.stop();
    assert.equal((await again.log()).includes("certificate got"), false);
  },
);

pebbleTest(
  "a certificate two thirds of whose life are over is renewed and put in force without a restart",
  {},
  async (world) => {
    const port = freePort();
    const directory = `${world.dataDir}/keys/acme`;
    const first = await serveWith(world, port);
    await first.stop();
    // One that was good for three days, two of which are over.
    const old = await selfSigned(NAME, -2 * 24, 24);
    await Deno.writeTextFile(`${directory}/certificate.pem`, old, {
      mode: 0o600,
    });
    const server = await serveWith(world, port);
    await stopped(server, async () => {
      await server.said("certificate changed");
      const [finding = "", ...others] = await tlsFindings(world, port);
      assert.match(finding, /^ok .*certificate\.pem is for photos\.example/);
      assert.deepEqual(others, []);
      const shown = await Deno.readTextFile(`${directory}/certificate.pem`);
      assert.notEqual(shown, old);
      assert.match(new X509Certificate(shown).issuer, /Pebble/);
    });
  },
);

pebbleTest(
  "an authority that refuses leaves a good certificate in force, and is told in the log and by the doctor",
  {},
  async (world) => {
    const port = freePort();
    const directory = `${world.dataDir}/keys/acme`;
    const first = await serveWith(world, port);
    await first.stop();
    const old = await selfSigned(NAME, -2 * 24, 24);
    await Deno.writeTextFile(`${directory}/certificate.pem`, old, {
      mode: 0o600,
    });
    // The authority looks for this server at another port, and finds nothing.
    const server = await serveWith(
      { ...world, challengePort: freePort() },
      port,
    );
    await stopped(server, async () => {
      await server.said("certificate not renewed");
      assert.equal(
        await Deno.readTextFile(`${directory}/certificate.pem`),
        old,
      );
      const note = JSON.parse(
        await Deno.readTextFile(`${directory}/last.json`),
      );
      assert.match(note.fault, /did not find this server/);
      const [finding, ...others] = await tlsFindings(world, port);
      assert.match(
        finding ?? "",
        /^fault the last certificate was refused on .*did not find this server.* the server tries again on .*as port 80 of photos\.example\.org/,
      );
      // Until it is repaired, the good one ends sooner than it should.
      assert.match(others.join(), /^warning .*certificate\.pem: .*expires/);
    });
  },
);

/** A certificate with its key, from and to so many hours from now. */
async function selfSigned(
  name: string,
  fromHours: number,
  toHours: number,
): Promise<string> {
  const dir = await Deno.makeTempDir();
  const at = (hours: number) =>
    new Date(Date.now() + hours * 3_600_000).toISOString()
      .replace(/[-:T]/g, "").replace(/\..*/, "Z");
  try {
    const run = async (...args: string[]) => {
      const { success, stderr } = await new Deno.Command(OPENSSL, {
        args,
        cwd: dir,
        stdout: "null",
        stderr: "piped",
      }).output();
      assert(success, new TextDecoder().decode(stderr));
    };
    await Deno.writeTextFile(`${dir}/ext`, `subjectAltName=DNS:${name}\n`);
    await Deno.writeTextFile(`${dir}/index`, "");
    await Deno.writeTextFile(`${dir}/serial`, "01");
    await Deno.writeTextFile(
      `${dir}/ca.conf`,
      "[ca]\ndefault_ca=own\n[own]\ndatabase=index\nserial=serial\n" +
        "new_certs_dir=.\ndefault_md=sha256\npolicy=any\n" +
        "[any]\ncommonName=optional\n",
    );
    await run(
      ...["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"],
      ...["-nodes", "-subj", "/CN=own", "-keyout", "key", "-out", "csr"],
    );
    await run(
      ...["ca", "-batch", "-config", "ca.conf", "-selfsign", "-keyfile", "key"],
      ...["-in", "csr", "-out", "cert", "-notext", "-extfile", "ext"],
      ...["-startdate", at(fromHours), "-enddate", at(toHours)],
    );
    return await Deno.readTextFile(`${dir}/cert`) +
      await Deno.readTextFile(`${dir}/key`);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}
