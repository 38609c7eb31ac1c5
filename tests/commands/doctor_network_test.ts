/**
 * `strongroom doctor` as a process: what it finds by asking (base URL, TLS,
 * forwarding headers, identity provider, clock).
 *
 * @module
 */
import assert from "node:assert/strict";
import manifest from "../../deno.json" with { type: "json" };
import { freePort } from "../../src/server/free_port.ts";
import {
  type Examination,
  examine,
  expectFinding,
  expectWell,
} from "../support/doctor.ts";
import { makeAuthority } from "../support/pki.ts";
import { runProgram, serveHere, withDataDir } from "../support/program.ts";
import { withProvider } from "../support/provider.ts";
import { until as comesTo } from "../support/until.ts";

/** A server over a directory of its own. */
async function withServer(
  test: (server: { dataDir: string; url: string }) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  await withDataDir(async (dataDir) => {
    const server = await serveHere({
      STRONGROOM_DATA_DIR: dataDir,
      ...settings,
    });
    await test({ dataDir, url: server.url });
    assert.equal(await server.stop(), 0);
  });
}

/** Something else that answers; `origin` names it by `localhost`. */
async function withStandIn(
  options: Pick<Deno.ServeTcpOptions, "hostname"> & {
    readonly cert?: string;
    readonly key?: string;
  },
  answer: (request: Request) => Response | Promise<Response>,
  test: (origin: string) => Promise<void>,
): Promise<void> {
  const { cert, key } = options;
  const place = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  const server = cert === undefined || key === undefined
    ? Deno.serve(place, answer)
    : Deno.serve({ ...place, cert, key }, answer);
  const scheme = cert === undefined ? "http" : "https";
  try {
    await test(`${scheme}://localhost:${server.addr.port}`);
  } finally {
    await server.shutdown();
  }
}

const at = (dataDir: string, baseUrl: string, more = {}) =>
  examine(dataDir, { STRONGROOM_BASE_URL: baseUrl, ...more });

function expectBaseUrlFault(examined: Examination, detail: RegExp): string {
  return expectFinding(examined, "base_url", "fault", detail);
}

Deno.test("a base URL that reaches another strongroom is a fault", async () => {
  await withServer(async ({ dataDir }) => {
    await withServer(async (other) => {
      const mend = expectBaseUrlFault(
        await at(dataDir, other.url),
        new RegExp(`another strongroom answers at .*: ${other.url}`),
      );
      assert.match(mend, /--data-dir/);
    });
  });
});

Deno.test("a server that runs under another base URL is a fault", async () => {
  await withServer(async ({ dataDir, url }) => {
    const mend = expectBaseUrlFault(
      await at(dataDir, url),
      /reaches this server, which calls itself https:\/\/old\.example/,
    );
    assert.match(mend, /STRONGROOM_BASE_URL=https:\/\/old\.example/);
  }, { STRONGROOM_BASE_URL: "https://old.example" });
});

Deno.test("a base URL that nothing answers is a fault while the server runs", async () => {
  await withServer(async ({ dataDir }) => {
    expectBaseUrlFault(
      await at(dataDir, `http://127.0.0.1:${freePort()}`),
      /cannot be reached from here, although the server runs \(.*refused/,
    );
    expectBaseUrlFault(await at(dataDir, "http://nowhere.invalid"), /dns/);
  });
});

Deno.test("a base URL that redirects, or that something else answers, is a fault", async () => {
  await withServer(async ({ dataDir }) => {
    await withStandIn(
      {},
      () => Response.redirect("https://elsewhere.example/x", 301),
      async (origin) => {
        expectBaseUrlFault(
          await at(dataDir, origin),
          /redirects to https:\/\/elsewhere\.example\/x \(301\)/,
        );
      },
    );
    await withStandIn({}, () => new Response("Welcome!"), async (origin) => {
      expectBaseUrlFault(
        await at(dataDir, origin),
        /something else answers at .* \(200/,
      );
    });
  });
});

Deno.test("a proxy that changes lengths or tags is a warning, and one that changes nothing is not", async () => {
  let server = "";
  let change = (response: Response) => response;
  const forward = async ({ url, headers }: Request) => {
    const { pathname, search } = new URL(url);
    const answer = await fetch(`${server}${pathname}${search}`, { headers });
    return change(answer);
  };
  await withStandIn({}, forward, async (origin) => {
    await withServer(async ({ dataDir, url }) => {
      server = url;
      expectWell(await at(dataDir, origin), "base_url");
      change = ({ status, headers, body }) => {
        const changed = new Headers(headers);
        changed.delete("Content-Length");
        return new Response(body, { status, headers: changed });
      };
      expectFinding(
        await at(dataDir, origin),
        "base_url",
        "warning",
        /removes the length of files/,
      );
      change = ({ status, headers, body }) => {
        const changed = new Headers(headers);
        const tag = headers.get("ETag");
        if (tag !== null) changed.set("ETag", `W/${tag}`);
        return new Response(body, { status, headers: changed });
      };
      expectFinding(
        await at(dataDir, origin),
        "base_url",
        "warning",
        /changes the entity tags of files/,
      );
    }, { STRONGROOM_BASE_URL: origin });
  });
});

Deno.test("what is wrong with the base URL's certificate is named", async () => {
  await withServer(async ({ dataDir }) => {
    const { ca, issue } = await makeAuthority(dataDir);
    const serve = async (
      name: string,
      days: number,
      detail: RegExp,
      more = {},
    ) => {
      const { cert, key } = await issue(name, days);
      const files = {
        cert: await Deno.readTextFile(cert),
        key: await Deno.readTextFile(key),
      };
      await withStandIn(files, () => new Response(), async (origin) => {
        expectBaseUrlFault(await at(dataDir, origin, more), detail);
      });
    };
    const trusted = { DENO_CERT: ca };
    await serve("DNS:localhost", 30, /authority that is not trusted/);
    await serve("DNS:localhost", -1, /has expired/, trusted);
    await serve("DNS:other.example", 30, /for another name/, trusted);
    await withStandIn({}, () => new Response(), async (origin) => {
      expectBaseUrlFault(
        await at(dataDir, origin.replace("http:", "https:")),
        /does not speak TLS/,
      );
    });
  });
});

Deno.test("a key that is gone is one fault, and no other server is suspected for it", async () => {
  await withServer(async ({ dataDir, url }) => {
    await Deno.remove(`${dataDir}/keys/access.json`);
    const { checks } = await at(dataDir, url);
    const faults = checks.filter(({ status }) => status === "fault");
    assert.deepEqual(faults.map(({ check }) => check), ["keys"]);
  });
});

Deno.test("the files of TLS are judged by pairing, dates and names", async () => {
  await withDataDir(async (place) => {
    const dataDir = `${place}/data`;
    const { issue } = await makeAuthority(place);
    await (await serveHere({ STRONGROOM_DATA_DIR: dataDir })).stop();
    const files = (cert: string, key: string) =>
      at(dataDir, "https://localhost:1", {
        STRONGROOM_TLS_CERT: cert,
        STRONGROOM_TLS_KEY: key,
      });
    const sound = await issue("DNS:localhost", 60);
    expectWell(await files(sound.cert, sound.key), "tls");
    const soon = await issue("DNS:localhost", 5);
    const late = await issue("DNS:localhost", -1);
    const other = await issue("DNS:other.example", 60);
    const rows = [
      ["warning", soon.cert, soon.key, /expires on/],
      ["fault", late.cert, late.key, /expired on/],
      ["fault", other.cert, other.key, /for DNS:other\.example, not for local/],
      ["fault", sound.cert, other.key, /is not the key of/],
      ["fault", `${place}/none`, sound.key, /TLS_CERT: .* cannot be read/],
    ] as const;
    for (const [how, cert, key, detail] of rows) {
      expectFinding(await files(cert, key), "tls", how, detail);
    }
    await Deno.chmod(sound.key, 0o644);
    expectFinding(
      await files(sound.cert, sound.key),
      "permissions",
      "warning",
      /contains a secret and is open to all \(644\)/,
    );
  });
});

Deno.test("forwarding headers of a proxy that is not trusted are a warning", async () => {
  await withServer(async ({ dataDir, url }) => {
    const look = (more = {}) => at(dataDir, url, more);
    expectWell(await look(), "proxy_headers");
    const response = await fetch(`${url}/v1/version`, {
      headers: { "X-Forwarded-For": "203.0.113.77" },
    });
    await response.body?.cancel();
    await until(() => exists(`${dataDir}/forwarded.json`));
    const mend = expectFinding(
      await look(),
      "proxy_headers",
      "warning",
      /came from 127\.0\.0\.1, last seen at .* is not in STRONGROOM/,
    );
    assert.match(mend, /STRONGROOM_TRUSTED_PROXIES=127\.0\.0\.1\)/);
    // A header's value may be personal data, so it is not recorded.
    const note = await Deno.readTextFile(`${dataDir}/forwarded.json`);
    assert(!note.includes("203.0.113"));
    const trusted = { STRONGROOM_TRUSTED_PROXIES: "127.0.0.0/8" };
    expectWell(await look(trusted), "proxy_headers");
  });
});

Deno.test("a trusted proxy that names its clients in the other header is a warning", async () => {
  const trusted = { STRONGROOM_TRUSTED_PROXIES: "127.0.0.1" };
  await withServer(async ({ dataDir, url }) => {
    const response = await fetch(`${url}/v1/version`, {
      headers: { Forwarded: "for=203.0.113.77" },
    });
    await response.body?.cancel();
    await until(() => exists(`${dataDir}/forwarded.json`));
    const mend = expectFinding(
      await at(dataDir, url, trusted),
      "proxy_headers",
      "warning",
      /127\.0\.0\.1 sends client addresses in forwarded and not in x-forwarded-for/,
    );
    assert.match(mend, /STRONGROOM_PROXY_HEADER=forwarded /);
    const told = { ...trusted, STRONGROOM_PROXY_HEADER: "forwarded" };
    expectWell(await at(dataDir, url, told), "proxy_headers");
  }, trusted);
});

Deno.test("a trusted proxy leaves no note, and a new start takes an old one away", async () => {
  await withDataDir(async (dataDir) => {
    const ask = async (settings: Record<string, string>) => {
      const server = await serveHere({
        STRONGROOM_DATA_DIR: dataDir,
        ...settings,
      });
      const response = await fetch(`${server.url}/v1/version`, {
        headers: { Forwarded: "for=203.0.113.77" },
      });
      await response.body?.cancel();
      if (settings.STRONGROOM_TRUSTED_PROXIES === undefined) {
        await until(() => exists(`${dataDir}/forwarded.json`));
      }
      assert.equal(await server.stop(), 0);
      return await server.complaint();
    };
    assert.match(await ask({}), /forwarding headers are ignored/);
    assert(exists(`${dataDir}/forwarded.json`));
    const log = await ask({
      STRONGROOM_TRUSTED_PROXIES: "127.0.0.1",
      STRONGROOM_PROXY_HEADER: "forwarded",
    });
    assert.doesNotMatch(log, /forwarding headers/);
    assert(!exists(`${dataDir}/forwarded.json`));
  });
});

Deno.test("a provider that cannot be discovered is a fault with its fix", async () => {
  await withServer(async ({ dataDir, url }) => {
    await withProvider(async (provider) => {
      const mend = expectFinding(
        await at(dataDir, url, {
          ...provider.settings,
          OIDC_ISSUER: `${provider.issuer}/`,
        }),
        "oidc",
        "fault",
        /expected .*, received/,
      );
      assert.match(mend, /OIDC_ISSUER must be exactly the issuer/);
    });
    expectFinding(
      await at(dataDir, url, {
        OIDC_ISSUER: "https://idp.example",
        OIDC_CLIENT_ID: "x",
        OIDC_CA_BUNDLE: `${dataDir}/none.pem`,
      }),
      "oidc",
      "fault",
      /OIDC_CA_BUNDLE: .*none\.pem/,
    );
  });
});

Deno.test("a clock that differs from an answer's date is a warning, or a fault", async () => {
  await withServer(async ({ dataDir }) => {
    for (const [how, seconds] of [["warning", 20], ["fault", 600]] as const) {
      const answer = () =>
        new Response("", {
          headers: {
            Date: new Date(Date.now() + seconds * 1_000).toUTCString(),
          },
        });
      await withStandIn({}, answer, async (origin) => {
        expectFinding(
          await at(dataDir, origin),
          "clock",
          how,
          new RegExp(`^\\d+ s behind localhost:`),
        );
      });
    }
  });
});

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

async function until(holds: () => boolean): Promise<void> {
  await comesTo(() => Promise.resolve(holds()), true);
}

/** A request for the latest release. */
interface Asked {
  readonly method: string;
  readonly search: string;
  readonly headers: Headers;
}

/** What `doctor` and `doctor --updates` find, and what the address was asked. */
async function withReleases(
  answer: () => Response,
  test: (examined: {
    asked: Asked[];
    updates: (...more: string[]) => Promise<{ status: number; text: string }>;
  }) => Promise<void>,
): Promise<void> {
  const asked: Asked[] = [];
  const releases = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => {
      const { method, headers } = request;
      const { search } = new URL(request.url);
      asked.push({ method, search, headers: new Headers(headers) });
      return answer();
    },
  );
  try {
    await withServer(async ({ dataDir, url }) => {
      await test({
        asked,
        updates: async (...more) => {
          const { status, stdout, stderr } = await runProgram([
            ...["doctor", "--data-dir", dataDir, ...more],
          ], {
            STRONGROOM_RESERVED_DISK_BYTES: "1048576",
            STRONGROOM_BASE_URL: url,
            STRONGROOM_UPDATES_URL:
              `http://127.0.0.1:${releases.addr.port}/latest.json`,
          });
          assert.equal(stderr, "");
          return { status, text: stdout };
        },
      });
    });
  } finally {
    await releases.shutdown();
  }
}

Deno.test("doctor --updates asks the address that is set for a newer release, tells it nothing, and warns", async () => {
  await withReleases(
    () =>
      Response.json({
        version: "999.0.0",
        notes: "https://photos.example.org/news",
      }),
    async ({ asked, updates }) => {
      const plain = await updates();
      assert.equal(asked.length, 0, "the doctor asks by itself");
      assert.doesNotMatch(plain.text, /updates/);
      const { status, text } = await updates("--updates");
      assert.equal(status, 0);
      assert.match(
        text,
        /^warning {2}updates: 999\.0\.0 is released, and this is \S+: https:\/\/photos\.example\.org\/news\n {9}fix: read what is new, make a backup/m,
      );
      const [only, ...others] = asked;
      assert(only !== undefined && others.length === 0);
      assert.equal(only.method, "GET");
      assert.equal(only.search, "");
      assert.equal(only.headers.get("user-agent"), "strongroom");
      const sent = [...only.headers.keys()].toSorted();
      assert.deepEqual(sent, [
        ...["accept", "accept-encoding", "accept-language", "host"],
        "user-agent",
      ]);
    },
  );
});

Deno.test("a release that is as new or older is well, also as a forge's API says it", async () => {
  for (
    const answer of [
      { version: manifest.version },
      { tag_name: `v${manifest.version}`, html_url: "https://x.example/" },
      { version: "0.0.1" },
      { tag_name: `${manifest.version}-rc.1` },
    ]
  ) {
    await withReleases(() => Response.json(answer), async ({ updates }) => {
      const { status, text } = await updates("--updates");
      assert.equal(status, 0);
      assert.match(text, /^ok +updates: \S+ is the latest release, says 127/m);
    });
  }
});

Deno.test("an address that says no version is a warning, and none of its words are shown", async () => {
  for (
    const [answer, why] of [
      [() => new Response("no", { status: 404 }), /it answers 404$/m],
      [() => new Response("<html>\x1b[31m"), /its answer is no JSON$/m],
      [
        () => Response.json({ version: "\x1b[31mnew" }),
        /its answer names no version$/m,
      ],
      [() => new Response("1".repeat(300_000)), /its answer is too long$/m],
    ] as const
  ) {
    await withReleases(answer, async ({ updates }) => {
      const { status, text } = await updates("--updates");
      assert.equal(status, 0);
      assert.match(text, why);
      assert(!text.includes("\x1b"));
    });
  }
});

Deno.test("without an address doctor --updates says that it asked no server", async () => {
  await withServer(async ({ dataDir, url }) => {
    const { status, stdout } = await runProgram(
      ["doctor", "--updates", "--data-dir", dataDir],
      { STRONGROOM_RESERVED_DISK_BYTES: "1048576", STRONGROOM_BASE_URL: url },
    );
    assert.equal(status, 0);
    assert.match(stdout, /^warning {2}updates: not checked: .*_UPDATES_/m);
  });
});
