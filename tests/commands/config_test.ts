/**
 * `strongroom config` as a process (configuration.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { settingPages } from "../../src/config.ts";
import { makeAuthority } from "../support/pki.ts";
import { runProgram, serveHere, withDataDir } from "../support/program.ts";

const SECRET = "hunter2-hunter2";

Deno.test("without any setting the configuration has no fault, in one line", async () => {
  await withDataDir(async (dataDir) => {
    const { status, stdout, stderr } = await runProgram(
      ["config", "check", "--data-dir", `${dataDir}/data`],
    );
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^the configuration has no errors \([^\n]+\)\n$/);
    assert.equal(stderr, "");
  });
});

Deno.test("what the server refuses to start with is a fault for config check and for the doctor", async () => {
  await withDataDir(async (dataDir) => {
    const settings = {
      STRONGROOM_DATA_DIR: `${dataDir}/data`,
      STRONGROOM_LISTEN: "0.0.0.0:0",
    };
    const served = await serveHere(settings);
    assert.equal(await served.exited, 1);
    const refusal = /STRONGROOM_BASE_URL is not set, and 0\.0\.0\.0:0 is every/;
    assert.match(await served.complaint(), refusal);
    for (const command of [["config", "check"], ["doctor"]]) {
      const { status, stdout } = await runProgram(command, settings);
      assert.equal(status, 1, stdout);
      assert.match(stdout, refusal);
    }
  });
});

Deno.test("every fault of the file and the environment is named at once, with its place", async () => {
  await withDataDir(async (dataDir) => {
    const file = `${dataDir}/strongroom.env`;
    await Deno.writeTextFile(
      file,
      "STRONGROOM_DATA_DIR=./data\nSTRONGROOM_LISTEN=nowhere\nSTRONGROOM_TRASH_DAYS=1\n" +
        "STRONGROOM_TRASH_DAYS=2\nwhat is this\nSTRONGROOM_TRASH_DAYZ=3\n" +
        `OIDC_CLIENT_SECRTE=${SECRET}\nOIDC_ISSUER=http://idp.example\n` +
        "STRONGROOM_MAX_BLOB_BYTES=many\n",
    );
    const settings = {
      STRONGROOM_COLOUR: "blue",
      STRONGROOM_LOG_LEVEL: "loud",
      STRONGROOM_TLS_CERT: `${dataDir}/missing.pem`,
      STRONGROOM_MAX_BLOB_BYTES: "5",
    };
    const args = ["config", "check", "--data-dir", `${dataDir}/data`];
    const { status, stdout, stderr } = await runProgram(args, settings);
    assert.equal(status, 1);
    assert.equal(stderr, "");
    assert.deepEqual(
      stdout.trim().split("\n").toSorted(),
      [
        `STRONGROOM_TRASH_DAYS: stands in line 3 already: keep one of the two (line 4 of ${file})`,
        `wants NAME=value (line 5 of ${file})`,
        `STRONGROOM_TRASH_DAYZ: there is no such setting; is STRONGROOM_TRASH_DAYS meant? (line 6 of ${file})`,
        "STRONGROOM_COLOUR: there is no such setting (environment)",
        `STRONGROOM_LISTEN: wants host:port or unix:/path, comma-separated (line 2 of ${file})`,
        `OIDC_ISSUER: wants an https URL, or http on the literal 127.0.0.1 or [::1] (line 8 of ${file})`,
        "STRONGROOM_LOG_LEVEL: wants one of debug, info, warning, error (environment)",
        "OIDC_CLIENT_ID: goes with OIDC_ISSUER",
        "STRONGROOM_TLS_KEY: goes with STRONGROOM_TLS_CERT",
      ].map((line) => `fault: ${line}`).concat(
        `warning: OIDC_CLIENT_SECRTE: there is no such setting; is OIDC_CLIENT_SECRET meant? (line 7 of ${file})`,
      ).toSorted(),
    );
    const json = await runProgram([...args, "--json"], settings);
    assert.equal(json.status, 1);
    const { sound, faults, warnings } = JSON.parse(json.stdout);
    assert.equal(sound, false);
    assert.equal(faults.length, 9);
    assert.equal(warnings.length, 1);
    assert(!(stdout + json.stdout).includes(SECRET));
  });
});

Deno.test("a file that was named and is not there is a fault", async () => {
  const { status, stdout } = await runProgram(
    ["config", "check", "--env-file", "/nonexistent.env"],
  );
  assert.equal(status, 1);
  assert.match(stdout, /^fault: \/nonexistent\.env: cannot be read/);
});

Deno.test("legal settings that are hardly ever meant are warned of, and no fault", async () => {
  await withDataDir(async (dataDir) => {
    const { status, stdout } = await runProgram(
      ["config", "check", "--data-dir", `${dataDir}/data`],
      {
        STRONGROOM_BASE_URL: "http://photos.example.org",
        STRONGROOM_METRICS_LISTEN: "0.0.0.0:9000",
        STRONGROOM_TRUSTED_PROXIES: "0.0.0.0/0",
        STRONGROOM_CORS_ORIGINS: "*",
        STRONGROOM_ARGON2_MEMORY_KIB: "8",
        STRONGROOM_RESERVED_DISK_BYTES: "0",
        OIDC_ISSUER: "https://idp.example.org",
        OIDC_CLIENT_ID: "strongroom",
      },
    );
    assert.equal(status, 0);
    const warned = stdout.trim().split("\n")
      .map((line) => /^warning: ([A-Z0-9_]+): /.exec(line)?.[1]);
    assert.deepEqual(warned.pop(), undefined);
    assert.deepEqual(warned, [
      "STRONGROOM_BASE_URL",
      "STRONGROOM_METRICS_LISTEN",
      "STRONGROOM_TRUSTED_PROXIES",
      "STRONGROOM_CORS_ORIGINS",
      "STRONGROOM_RESERVED_DISK_BYTES",
      "STRONGROOM_ARGON2_MEMORY_KIB",
      "OIDC_REDIRECT_URL",
    ]);
  });
});

Deno.test("the files of TLS and of the provider's authorities are read and judged", async () => {
  await withDataDir(async (dataDir) => {
    const { ca, issue } = await makeAuthority(dataDir);
    const one = await issue("DNS:localhost", 30);
    const other = await issue("DNS:localhost", 30);
    const broken = `${dataDir}/broken.pem`;
    await Deno.writeTextFile(broken, "no PEM\n");
    const check = async (cert: string, key: string, bundle = ca) => {
      const { status, stdout } = await runProgram(
        ["config", "check", "--data-dir", `${dataDir}/data`],
        {
          STRONGROOM_TLS_CERT: cert,
          STRONGROOM_TLS_KEY: key,
          STRONGROOM_BASE_URL: "https://localhost",
          OIDC_CA_BUNDLE: bundle,
        },
      );
      assert.equal(status, stdout.startsWith("fault: ") ? 1 : 0);
      return stdout;
    };
    const missing = `${dataDir}/missing`;
    assert.match(await check(one.cert, one.key), /^the configuration has no/);
    assert.match(
      await check(missing, missing, missing),
      /OIDC_CA_BUNDLE: .*missing.*\n.*TLS_CERT: .*missing cannot be read.*\n.*TLS_KEY: .*missing cannot be read/,
    );
    assert.match(
      await check(one.cert, other.key),
      /TLS_KEY: .* is not the key/,
    );
    assert.match(await check(broken, broken), /TLS_CERT: .*holds no cert/);
    assert.match(
      await check(one.cert, one.cert),
      /TLS_KEY: .*holds no private/,
    );
    assert.match(await check(one.cert, one.key, broken), /OIDC_CA_BUNDLE: /);
    const late = await issue("DNS:localhost", -1);
    assert.match(
      await check(late.cert, late.key),
      /^fault: STRONGROOM_TLS_CERT: the certificate expired on 2\S+: renew it/,
    );
    const strange = await issue("DNS:other.example", 30);
    assert.match(
      await check(strange.cert, strange.key),
      /^fault: STRONGROOM_TLS_CERT: .*other\.example, not for localhost/,
    );
    const soon = await issue("DNS:localhost", 5);
    assert.match(
      await check(soon.cert, soon.key),
      /^warning: STRONGROOM_TLS_CERT: the certificate expires on 2/,
    );
  });
});

Deno.test("each value is shown with its source, the command line above all, and no secret", async () => {
  await withDataDir(async (dataDir) => {
    const file = `${dataDir}/strongroom.env`;
    await Deno.writeTextFile(
      file,
      `STRONGROOM_TRASH_DAYS=7\nOIDC_CLIENT_SECRET=${SECRET}\n` +
        "STRONGROOM_LOG_LEVEL=error\nSTRONGROOM_DATA_DIR=./data\n",
    );
    const args = ["config", "show", "--data-dir", `${dataDir}/data`];
    const settings = {
      STRONGROOM_LOG_LEVEL: "debug",
      STRONGROOM_DATA_DIR: "/elsewhere",
    };
    const { status, stdout, stderr } = await runProgram(args, settings);
    assert.equal(status, 0, stderr);
    const lines = stdout.trim().split("\n")
      .map((line) => line.replace(/ {2,}/g, " "));
    assert.equal(lines.length, settingPages.length);
    for (
      const line of [
        `STRONGROOM_TRASH_DAYS 7 [line 1 of ${file}]`,
        `OIDC_CLIENT_SECRET (set, hidden) [line 2 of ${file}]`,
        "STRONGROOM_LOG_LEVEL debug [environment]",
        `STRONGROOM_DATA_DIR ${dataDir}/data [command line]`,
        "STRONGROOM_LISTEN 127.0.0.1:8470 [default]",
        "OIDC_ISSUER (not set) [default]",
      ]
    ) assert(lines.includes(line), line);

    const json = await runProgram([...args, "--json"], settings);
    const shown = JSON.parse(json.stdout);
    assert.equal(shown.env_file, file);
    assert.deepEqual(shown.faults, []);
    assert.equal(shown.settings.length, settingPages.length);
    const held = (name: string) =>
      shown.settings.find((one: { name: string }) => one.name === name);
    const { documentation, ...secret } = held("OIDC_CLIENT_SECRET");
    assert.match(documentation, /client's secret/);
    assert.deepEqual(secret, {
      name: "OIDC_CLIENT_SECRET",
      value: null,
      hidden: true,
      source: "file",
      file,
      line: 2,
      default: "",
    });
    assert.equal(held("STRONGROOM_DATA_DIR").source, "command_line");
    assert(!(stdout + json.stdout).includes(SECRET));
  });
});

Deno.test("faults do not keep the settings from being shown", async () => {
  const { status, stdout, stderr } = await runProgram(["config", "show"], {
    STRONGROOM_LISTEN: "nowhere\x1b[2J",
  });
  assert.equal(status, 1);
  assert.match(
    stdout,
    /^STRONGROOM_LISTEN +nowhere\uFFFD\[2J {2}\[environment\]/,
  );
  assert.match(stderr, /^strongroom: STRONGROOM_LISTEN: wants [^\n]+\n$/);
});

Deno.test("each command of the configuration has help with an example", async () => {
  for (const command of ["check", "show"]) {
    const { status, stdout } = await runProgram(["config", command, "--help"]);
    assert.equal(status, 0);
    assert(stdout.includes(`Example:\n  strongroom config ${command}`));
  }
  assert.equal((await runProgram(["config"])).status, 2);
});
