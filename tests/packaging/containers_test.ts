/**
 * The container's file and the examples for what stands in front: what of them
 * can be held to account without a registry and without the world.
 *
 * @module
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import manifest from "../../deno.json" with { type: "json" };
import { run } from "../../scripts/packaging/release.ts";
import { debianProgram } from "../support/debian.ts";
import { withDataDir } from "../support/program.ts";

const PACKAGING = fileURLToPath(
  new URL("../../scripts/packaging/", import.meta.url),
);
const PKI = fileURLToPath(new URL("../support/pki/", import.meta.url));

const NGINX = await debianProgram("nginx", "nginx");
const CADDY = await debianProgram("caddy", "caddy");

Deno.test("the container takes the executable of this version, has no shell, and probes itself", async () => {
  const file = await Deno.readTextFile(`${PACKAGING}Containerfile`);
  assert(file.includes(`ARG VERSION=${manifest.version}\n`));
  const [, , last = ""] = file.split(/^FROM /m);
  assert.match(last, /^gcr\.io\/distroless\/cc-debian12:nonroot\n/);
  // Without a shell only the forms in brackets can be run.
  for (const word of ["CMD", "ENTRYPOINT"]) {
    const forms = last.match(new RegExp(`\\b${word} \\S`, "g")) ?? [];
    assert(forms.length > 0 && forms.every((one) => one.endsWith("[")), word);
  }
  assert.match(
    last,
    /HEALTHCHECK [^[]*CMD \["\/usr\/bin\/strongroom", "healthcheck"\]/,
  );
  assert.match(last, /^USER \d+:\d+$/m);
  assert.match(last, /^VOLUME \/data$/m);
  assert.doesNotMatch(last, /^RUN/m);
});

Deno.test("the compose file builds that container and waits for it to drain", async () => {
  const file = await Deno.readTextFile(`${PACKAGING}compose.yaml`);
  const [, context = "", containerfile = ""] =
    /context: (\S+)\n\s+dockerfile: (\S+)/.exec(file) ?? [];
  await Deno.stat(`${PACKAGING}${context}/${containerfile}`);
  const [, seconds] = /stop_grace_period: (\d+)s/.exec(file) ?? [];
  assert(Number(seconds) > 20);
});

Deno.test({
  name: "nginx takes the example, whole and with the unix socket",
  ignore: NGINX === undefined,
  fn: () =>
    withDataDir(async (folder) => {
      const example = await Deno.readTextFile(
        `${PACKAGING}examples/nginx.conf`,
      );
      const socket = example.replace("    server 127.0.0.1:8470;\n", "")
        .replace("    # server unix:", "    server unix:");
      assert.notEqual(socket, example);
      for (const server of [example, socket]) {
        const config = server
          .replace(
            "/etc/ssl/photos.example.org/fullchain.pem",
            `${PKI}server.pem`,
          )
          .replace(
            "/etc/ssl/photos.example.org/privkey.pem",
            `${PKI}server-key.pem`,
          );
        await Deno.writeTextFile(
          `${folder}/nginx.conf`,
          `pid ${folder}/pid; error_log stderr; events {}
           http { access_log off; ${config} }`,
        );
        const { status, stderr } = await run(NGINX ?? "", [
          ...["-t", "-q", "-p", folder, "-e", "stderr"],
          ...["-c", `${folder}/nginx.conf`],
        ]);
        assert.equal(stderr, "");
        assert.equal(status, 0);
      }
    }),
});

Deno.test({
  name: "caddy takes the example, whole and with the unix socket",
  ignore: CADDY === undefined,
  fn: () =>
    withDataDir(async (folder) => {
      const example = await Deno.readTextFile(`${PACKAGING}examples/Caddyfile`);
      const socket = example.replace(
        "reverse_proxy 127.0.0.1:8470",
        "reverse_proxy unix//run/strongroom/strongroom.sock",
      );
      assert.notEqual(socket, example);
      for (const config of [example, socket]) {
        await Deno.writeTextFile(`${folder}/Caddyfile`, config);
        const { status, stderr } = await run(CADDY ?? "", [
          ...["validate", "--adapter", "caddyfile"],
          ...["--config", `${folder}/Caddyfile`],
        ], {
          HOME: folder,
          XDG_CONFIG_HOME: folder,
          XDG_DATA_HOME: folder,
        });
        assert.equal(status, 0, stderr);
        assert.doesNotMatch(stderr, /"level":"(warn|error)"/);
      }
    }),
});

Deno.test("no proxy passes on what a client claims to be forwarded for", async () => {
  const nginx = await Deno.readTextFile(`${PACKAGING}examples/nginx.conf`);
  assert.match(nginx, /proxy_set_header Forwarded "";/);
  assert.match(nginx, /proxy_set_header X-Forwarded-For \$remote_addr;/);
  const caddy = await Deno.readTextFile(`${PACKAGING}examples/Caddyfile`);
  assert.match(caddy, /header_up -Forwarded/);
});
