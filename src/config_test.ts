import assert from "node:assert/strict";
import {
  canonicalOrigin,
  oidcSettings,
  readSettings,
  settingPages,
} from "./config.ts";
import { ConfigFault, parseEnvFile } from "./core/settings.ts";
import { readConfig } from "../tests/support/config.ts";

Deno.test("no configuration at all serves on 127.0.0.1:8470 out of ./data", () => {
  const config = readConfig({});
  assert.deepEqual(config.STRONGROOM_LISTEN, [
    { kind: "tcp", hostname: "127.0.0.1", port: 8470 },
  ]);
  assert.equal(config.STRONGROOM_DATA_DIR, "./data");
});

Deno.test("the listener takes several places, IPv6 and sockets among them", () => {
  const { STRONGROOM_LISTEN } = readConfig({
    STRONGROOM_LISTEN: "[::1]:80, unix:/run/s.sock",
  });
  assert.deepEqual(STRONGROOM_LISTEN, [
    { kind: "tcp", hostname: "::1", port: 80 },
    { kind: "unix", path: "/run/s.sock" },
  ]);
});

const RELYING_PARTY = {
  OIDC_ISSUER: "https://id.example.org",
  OIDC_CLIENT_ID: "strongroom",
};

Deno.test("half a relying party is refused by the name of what is missing", () => {
  for (const name of ["OIDC_ISSUER", "OIDC_CLIENT_ID"]) {
    assert.throws(
      () => readConfig({ ...RELYING_PARTY, [name]: undefined }),
      (fault) => fault instanceof ConfigFault && fault.message.includes(name),
    );
  }
  assert.deepEqual(oidcSettings(readConfig(RELYING_PARTY)), {
    issuer: "https://id.example.org",
    clientId: "strongroom",
    clientSecret: undefined,
    redirectUrl: undefined,
    allowLoopbackRedirect: false,
  });
  assert.equal(oidcSettings(readConfig({})), undefined);
});

const OIDC_FAULTS: readonly [string, string][] = [
  ["OIDC_ISSUER", "http://id.example.org"],
  ["OIDC_ISSUER", "http://localhost:9000"],
  ["OIDC_ISSUER", "http://127.1:9000"],
  ["OIDC_ISSUER", "http://0x7f000001"],
  ["OIDC_ISSUER", "http://[0:0:0:0:0:0:0:1]"],
  ["OIDC_ISSUER", "https://user@id.example.org"],
  ["OIDC_ISSUER", "https://id.example.org/#x"],
  ["OIDC_ISSUER", "https://id.example.org/?x"],
  ["OIDC_REDIRECT_URL", "http://photos.example.org/callback"],
  ["OIDC_REDIRECT_URL", "app:/callback"],
  ["OIDC_ALLOW_LOOPBACK_REDIRECT", "yes"],
  ["OIDC_ALLOW_LOOPBACK_REDIRECT", "true"],
];

for (const [name, value] of OIDC_FAULTS) {
  Deno.test(`configuration: ${name}="${value}" is refused by name`, () => {
    assert.throws(
      () => readConfig({ ...RELYING_PARTY, [name]: value }),
      (fault) => fault instanceof ConfigFault && fault.message.includes(name),
    );
  });
}

const FAULTS: readonly [string, string][] = [
  ["STRONGROOM_LISTEN", ""],
  ["STRONGROOM_LISTEN", "127.0.0.1"],
  ["STRONGROOM_LISTEN", "127.0.0.1:99999"],
  ["STRONGROOM_BASE_URL", "photos.example.org"],
  ["STRONGROOM_BASE_URL", "https://photos.example.org/path"],
  ["STRONGROOM_BASE_URL", "ftp://photos.example.org"],
  ["STRONGROOM_CORS_ORIGINS", "https://a.example,b"],
  ["STRONGROOM_REGISTRATION", "a@b"],
  ["STRONGROOM_REGISTRATION", "localhost"],
  ["STRONGROOM_REGISTRATION", "example.org,.net"],
  ["STRONGROOM_MAX_BLOB_BYTES", "5GB"],
  ["STRONGROOM_MAX_BLOB_BYTES", "9999999TiB"],
  ["STRONGROOM_MAX_BODY_BYTES", "1GiB"],
  ["STRONGROOM_MAX_BLOB_BYTES", "0"],
  ["STRONGROOM_MAX_BLOB_BYTES", "1e9"],
  ["STRONGROOM_MAX_BLOB_BYTES", "99999999999999999999"],
  ["STRONGROOM_ACCOUNT_QUOTA_BYTES", "-1"],
  ["STRONGROOM_LOG_LEVEL", "loud"],
  ["STRONGROOM_NO_SUCH_THING", "1"],
];

for (const [name, value] of FAULTS) {
  Deno.test(`configuration: ${name}="${value}" is refused by name`, () => {
    assert.throws(
      () => readConfig({ [name]: value }),
      (fault) => fault instanceof ConfigFault && fault.message.includes(name),
    );
  });
}

Deno.test("every setting has a page that says what it is for", () => {
  for (const { name, doc } of settingPages) {
    assert.match(name, /^(STRONGROOM|OIDC)_[A-Z0-9_]+$/);
    assert.ok(doc.length > 10, name);
  }
});

/** The list of configuration.md#limits, to the letter. */
const LIMITS = [
  ..."SHARE_METADATA SHARE_BLOB SHARE_SECRET ENROLL_REDEEM".split(" "),
  ..."DEEP_VERIFY_BYTES CAPABILITY_REFRESH REPORT_INTAKE".split(" "),
  ..."REPORT_ACCOUNT REPORT_PEER LOOKUP GUEST_CREATE".split(" "),
  ..."OIDC_AUTHORIZE OIDC_PENDING LOCKOUT OPEN_UPLOADS".split(" "),
];

Deno.test("every limit of the operator's list can be set, and no other", () => {
  const prefix = "STRONGROOM_LIMIT_";
  const names = settingPages.map(({ name }) => name)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
  assert.deepEqual(names.toSorted(), LIMITS.toSorted());
});

Deno.test("every setting stands in one group", () => {
  const names = settingPages.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  const read = Object.keys(readConfig({}));
  assert.deepEqual(names.toSorted(), read.toSorted());
});

Deno.test("the secrets are the client's, the stores', the backup's and the notices'", () => {
  const secrets = settingPages.filter(({ secret }) => secret);
  assert.deepEqual(secrets.map(({ name }) => name), [
    "STRONGROOM_S3_SECRET_ACCESS_KEY",
    "STRONGROOM_BACKUP_PASSPHRASE",
    "STRONGROOM_BACKUP_S3_SECRET_ACCESS_KEY",
    "OIDC_CLIENT_SECRET",
    "STRONGROOM_NOTIFY",
  ]);
});

Deno.test("half a bucket is a fault, and so are two places for its keys", () => {
  const whole = {
    STRONGROOM_S3_ENDPOINT: "https://s3.example.org",
    STRONGROOM_S3_BUCKET: "photos",
    STRONGROOM_S3_KEYS_FILE: "/etc/strongroom/s3-keys",
  };
  readConfig({ ...whole, STRONGROOM_BLOBS: "s3" });
  const { STRONGROOM_S3_KEYS_FILE: _, ...keyless } = whole;
  for (
    const [given, fault] of [
      [{ STRONGROOM_BLOBS: "s3" }, /ENDPOINT: goes with STRONGROOM_BLOBS=s3/],
      [{ STRONGROOM_S3_BUCKET: "photos" }, /ENDPOINT: goes with .*BUCKET/],
      [keyless, /STRONGROOM_S3_ACCESS_KEY_ID: goes with/],
      [
        { ...keyless, STRONGROOM_S3_ACCESS_KEY_ID: "me" },
        /SECRET_ACCESS_KEY: goes with STRONGROOM_S3_ACCESS_KEY_ID/,
      ],
      [
        {
          ...whole,
          STRONGROOM_S3_ACCESS_KEY_ID: "me",
          STRONGROOM_S3_SECRET_ACCESS_KEY: "secret",
        },
        /keep one of the two/,
      ],
      [{ ...whole, STRONGROOM_S3_ENDPOINT: "s3.example.org/x" }, /an origin/],
      [{ ...whole, STRONGROOM_S3_BUCKET: "Photos" }, /a bucket's name/],
      [{ ...whole, STRONGROOM_S3_PREFIX: "/photos" }, /no slash in front/],
      [{ ...whole, STRONGROOM_S3_PREFIX: "a/../b" }, /STRONGROOM_S3_PREFIX/],
    ] as const
  ) {
    assert.throws(() => readConfig(given), fault);
  }
});

Deno.test("an environment file has comments, quotes and a fault per bad line", () => {
  const sound = parseEnvFile(
    "\uFEFF# no\r\n\nA=1\nexport B = 'x y'\nC=\"\"\n",
    "/x.env",
  );
  assert.deepEqual(sound.faults, []);
  assert.deepEqual(
    [...sound.values].map(([name, { text }]) => [name, text]),
    [["A", "1"], ["B", "x y"], ["C", ""]],
  );
  assert.deepEqual(sound.values.get("B")?.source, {
    kind: "file",
    path: "/x.env",
    line: 4,
  });
  assert.deepEqual(
    parseEnvFile("A=1 # one\nB='2 # two'\nC=a#b\nD=\"3\" # three", "/x.env")
      .faults.map((fault) => fault.slice(0, fault.indexOf(";"))),
    [
      "A: a comment needs a line of its own",
      "D: a comment needs a line of its own",
    ],
  );
  assert.deepEqual(parseEnvFile("A=1\nwhat\n=\nA=2", "/x.env").faults, [
    "wants NAME=value (line 2 of /x.env)",
    "wants NAME=value (line 3 of /x.env)",
    "A: stands in line 1 already: keep one of the two (line 4 of /x.env)",
  ]);
});

Deno.test("a name that is nearly a setting's is told which one is meant", () => {
  assert.throws(
    () => readConfig({ STRONGROOM_LISTNE: "127.0.0.1:1" }),
    /STRONGROOM_LISTNE: there is no such setting; is STRONGROOM_LISTEN meant\?/,
  );
  assert.throws(
    () => readConfig({ STRONGROOM_COLOUR: "blue" }),
    /STRONGROOM_COLOUR: there is no such setting \(/,
  );
});

Deno.test("a misspelt closed is no domain, and is told what may be meant", () => {
  const faultOf = (text: string) => {
    const given = { text, source: { kind: "environment" } as const };
    return readSettings(new Map([["STRONGROOM_REGISTRATION", given]])).faults;
  };
  const wants = "STRONGROOM_REGISTRATION: wants open, closed, or a list of " +
    "domains such as example.org";
  assert.deepEqual(faultOf("closd"), [
    `${wants}; closd is not one: is closed meant? (environment)`,
  ]);
  assert.deepEqual(faultOf("example.org, lan"), [
    `${wants}; lan is not one (environment)`,
  ]);
  assert.deepEqual(faultOf(","), [`${wants} (environment)`]);
  assert.deepEqual(
    readConfig({ STRONGROOM_REGISTRATION: "Example.org, a.b.example" })
      .STRONGROOM_REGISTRATION,
    new Set(["example.org", "a.b.example"]),
  );
});

Deno.test("settings that are sizes take a unit, as the quota of an account does", () => {
  const config = readConfig({
    STRONGROOM_RESERVED_DISK_BYTES: "5 GiB",
    STRONGROOM_MAX_BLOB_BYTES: "50GiB",
    STRONGROOM_MAX_BODY_BYTES: "2mib",
    STRONGROOM_ACCOUNT_QUOTA_BYTES: "1TiB",
    STRONGROOM_LIMIT_DEEP_VERIFY_BYTES: "4096",
  });
  const gib = 1024 ** 3;
  assert.equal(config.STRONGROOM_RESERVED_DISK_BYTES, 5 * gib);
  assert.equal(config.STRONGROOM_MAX_BLOB_BYTES, 50 * gib);
  assert.equal(config.STRONGROOM_MAX_BODY_BYTES, 2 * 1024 ** 2);
  assert.equal(config.STRONGROOM_ACCOUNT_QUOTA_BYTES, 1024 * gib);
  assert.equal(config.STRONGROOM_LIMIT_DEEP_VERIFY_BYTES, 4_096);
  const presets = readConfig({});
  assert.equal(presets.STRONGROOM_RESERVED_DISK_BYTES, gib / 2);
  assert.equal(presets.STRONGROOM_MAX_BLOB_BYTES, 16 * gib);
  assert.equal(presets.STRONGROOM_LIMIT_DEEP_VERIFY_BYTES, 8 * gib);
});

const ORIGINS: readonly [Record<string, string>, string | undefined][] = [
  [{}, "http://127.0.0.1:8470"],
  [{ STRONGROOM_LISTEN: "127.0.0.1:0" }, undefined],
  [{ STRONGROOM_LISTEN: "[::1]:80" }, "http://[::1]"],
  [{ STRONGROOM_LISTEN: "unix:/s,127.0.0.1:81" }, "http://127.0.0.1:81"],
  [{ STRONGROOM_LISTEN: "unix:/s" }, "http://localhost"],
  [{ STRONGROOM_BASE_URL: "https://a.example/" }, "https://a.example"],
  [{
    STRONGROOM_LISTEN: "a.example:443",
    STRONGROOM_TLS_CERT: "c",
    STRONGROOM_TLS_KEY: "k",
  }, "https://a.example"],
];

Deno.test("the canonical origin is the base URL, or the first listen address", () => {
  for (const [given, origin] of ORIGINS) {
    assert.equal(canonicalOrigin(readConfig(given)), origin);
  }
});
