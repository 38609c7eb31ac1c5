/**
 * The container's file and the examples for what stands in front: what of them
 * can be held to account without a registry and without the world.
 *
 * @module
 */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import manifest from "../../deno.json" with { type: "json" };
import { freePort } from "../../src/server/free_port.ts";
import { run } from "../../scripts/packaging/release.ts";
import { debianProgram, done } from "../support/debian.ts";
import { withDataDir } from "../support/program.ts";
import { LOCKED } from "../../scripts/locked.ts";

const PACKAGING = fileURLToPath(
  new URL("../../scripts/packaging/", import.meta.url),
);
const PKI = fileURLToPath(new URL("../support/pki/", import.meta.url));

const NGINX = await debianProgram("nginx", "nginx");
const PODMAN = await debianProgram("podman", "podman");
const COMPOSE = await debianProgram("podman-compose", "podman-compose");
const CADDY = await debianProgram("caddy", "caddy");

Deno.test("the container takes the executable of this version, has no shell, and probes itself", async () => {
  const file = await Deno.readTextFile(`${PACKAGING}Containerfile`);
  assert(file.includes(`ARG VERSION=${manifest.version}\n`));
  assert.match(file, /^ARG BASE=gcr\.io\/distroless\/cc-debian12:nonroot\n/m);
  const [, last = "", ...more] = file.split(/^FROM /m);
  assert.equal(more.length, 0);
  assert.match(last, /^\$\{BASE\}\n/);
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
  // `deno task container` makes it.
  assert.equal(context, "../../dist/container");
  assert.equal(containerfile, "Containerfile");
  const [, seconds] = /stop_grace_period: (\d+)s/.exec(file) ?? [];
  assert(Number(seconds) > 20);
  // It starts as it is, and then only this machine reaches it.
  assert.match(file, /: \$\{STRONGROOM_BASE_URL:-http:\/\/localhost:8470\}$/m);
  assert.match(file, /^ {6}- "127\.0\.0\.1:8470:8470"$/m);
  // A backup has temporary files, which that root does not take.
  assert.match(file, /^ {4}read_only: true\n {4}tmpfs: \[\/tmp\]$/m);
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

/** Programs that the bundle's launcher runs, and the libraries of Deno. */
const OF_DEBIAN = ["/bin/sh", "/usr/bin/dirname", "/usr/bin/readlink"];

/** A base as small as it can be, of this machine's files. */
async function makeBase(folder: string, archive: string): Promise<void> {
  const root = `${folder}/base`;
  const wanted = [...OF_DEBIAN, Deno.execPath()];
  const libraries = (await done("ldd", wanted)).matchAll(/(\/\S+\.so\S*) \(/g);
  const files = [...OF_DEBIAN, ...libraries.map(([, path = ""]) => path)];
  for (const path of new Set(files)) {
    await Deno.mkdir(`${root}${dirname(path)}`, { recursive: true });
    await Deno.copyFile(path, `${root}${path}`);
  }
  for (const place of ["dev", "proc", "tmp", "backup"]) {
    await Deno.mkdir(`${root}/${place}`);
  }
  await done("tar", [
    ...["--create", `--file=${archive}`, `--directory=${root}`],
    ...["--mode=a+rX", "."],
  ]);
}

/**
 * Runs the image's own command as podman would: with a read-only root, a volume,
 * the image's user and no capabilities. It sets no namespaces and no limits,
 * because not every machine grants them.
 */
function inImage(
  root: string,
  { data, backup, user }: Record<"data" | "backup" | "user", string>,
  env: Record<string, string>,
  command: readonly string[],
): Deno.ChildProcess {
  const mounts = [
    'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0"',
    `mount --bind '${data}' "$0/data" && mount --bind '${backup}' "$0/backup"`,
    // As podman does with --read-only, and compose.yaml says.
    'mount -t tmpfs tmpfs "$0/tmp"',
    'mount --rbind /dev "$0/dev" && mount --rbind /proc "$0/proc"',
    `exec chroot --userspec='${user}' --groups= "$0" "$@"`,
  ].join(" && ");
  return new Deno.Command("unshare", {
    args: ["--mount", "sh", "-c", mounts, root, ...command],
    clearEnv: true,
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

Deno.test({
  name:
    "podman builds the image of the context; it serves from a read-only root as its user, finds itself well, and backs up while it runs",
  ignore: PODMAN === undefined || Deno.uid() !== 0,
  fn: () =>
    withDataDir(async (folder) => {
      const context = `${folder}/context`;
      await done(Deno.execPath(), [
        ...[
          "run",
          ...LOCKED,
          "--allow-all",
          `${PACKAGING}container.ts`,
          "--bundled",
        ],
        ...["--runtime", Deno.execPath(), "--output", context],
      ]);
      await makeBase(folder, `${folder}/base.tar`);
      const podman = (...args: string[]) =>
        done(PODMAN, [
          ...["--root", `${folder}/images`, "--runroot", `${folder}/run`],
          ...["--storage-driver", "vfs", ...args],
        ]);
      await podman("import", "--quiet", `${folder}/base.tar`, "base");
      await podman(
        ...["build", "--quiet", "--isolation", "chroot"],
        ...["--format", "docker", "--build-arg", "BASE=localhost/base"],
        ...["--tag", "strongroom", context],
      );
      const [image] = JSON.parse(await podman("inspect", "strongroom"));
      const { Config, HealthCheck = image.Healthcheck } = image;
      assert.equal(Config.User, "65532:65532");
      assert.deepEqual(Config.Entrypoint, ["/usr/bin/strongroom"]);
      assert.deepEqual(Config.Cmd, ["serve"]);
      assert.deepEqual(Object.keys(Config.Volumes), ["/data"]);
      assert.equal(Config.StopSignal, "SIGTERM");
      const [kind, ...probe] = HealthCheck.Test;
      assert.equal(kind, "CMD");

      const root = (await podman("image", "mount", "strongroom")).trim();
      const volume = await done("stat", ["--format=%u:%g %a", `${root}/data`]);
      assert.equal(volume, "65532:65532 700\n");
      const places = {
        data: `${folder}/data`,
        backup: `${folder}/backup`,
        user: Config.User,
      };
      for (const place of [places.data, places.backup]) {
        await Deno.mkdir(place, { mode: 0o700 });
        await Deno.chown(place, 65532, 65532);
      }
      await Deno.chmod(folder, 0o755);
      const given = Config.Env.map((one: string) => one.split("=", 2));
      const port = freePort();
      const env = {
        ...Object.fromEntries(given),
        STRONGROOM_LISTEN: `127.0.0.1:${port}`,
        STRONGROOM_BASE_URL: `http://127.0.0.1:${port}`,
      };
      const runs = async (...command: string[]) => {
        const child = inImage(root, places, env, command);
        const { code, stdout, stderr } = await child.output();
        const text = [stdout, stderr].map((one) =>
          new TextDecoder().decode(one)
        ).join("");
        assert.equal(code, 0, text);
        return text;
      };
      const server = inImage(root, places, env, [
        ...Config.Entrypoint,
        ...Config.Cmd,
      ]);
      const errors = new Response(server.stderr).text();
      const reader = server.stdout.getReader();
      try {
        const { value } = await reader.read();
        const line = new TextDecoder().decode(value);
        assert.match(line, /strongroom is serving/, line);
        assert.match(await runs(...probe), /is well/);
        const [program = ""] = Config.Entrypoint;
        await runs(program, "backup", "/backup/strongroom");
        await runs(program, "backup", "verify", "/backup/strongroom");
        // A root that has no place for temporary files is named, with the fix.
        const without = inImage(root, places, { ...env, TMPDIR: "/nowhere" }, [
          ...[program, "backup", "/backup/strongroom"],
        ]);
        const { code, stderr } = await without.output();
        assert.equal(code, 1);
        assert.match(
          new TextDecoder().decode(stderr),
          /temporary files cannot be written: name a directory .*TMPDIR/,
        );
      } finally {
        server.kill("SIGTERM");
        await reader.cancel();
        const { code } = await server.status;
        assert.equal(code, 0, await errors);
      }
      await runWithPodman({ podman: PODMAN ?? "", folder, env, places });
      const foreign = await done("find", [
        ...[places.data, places.backup, "-not", "-uid", "65532"],
      ]);
      assert.equal(foreign, "");
    }),
});

/**
 * Starts a container of the image with podman itself, as the compose file says,
 * where the machine grants what podman asks of the kernel; elsewhere a line says
 * that this part was passed over. crun takes no machine with both kinds of
 * cgroups: it gets to see none.
 */
async function runWithPodman(
  { podman, folder, env, places }: {
    readonly podman: string;
    readonly folder: string;
    readonly env: Readonly<Record<string, string>>;
    readonly places: Readonly<Record<"data" | "backup", string>>;
  },
): Promise<void> {
  const global = `--root ${folder}/images --runroot ${folder}/run ` +
    "--storage-driver vfs --cgroup-manager cgroupfs";
  const granted = "--cgroups disabled --network host " +
    "--security-opt seccomp=unconfined " +
    "--ulimit nofile=4096:4096 --ulimit nproc=4096:4096";
  const within = (story: string) =>
    run("unshare", [
      ...["--mount", "sh", "-c"],
      `set -e; mount -t tmpfs tmpfs /sys/fs/cgroup
       podman() { ${podman} ${global} "$@"; }
       ${story}`,
    ]);
  const probe = await within(
    `podman run --rm ${granted} localhost/base /bin/sh -c :`,
  );
  if (probe.status !== 0) {
    await Deno.stderr.write(new TextEncoder().encode(
      `podman starts no container here (${probe.stderr.trim()}): that part ` +
        "is passed over\n",
    ));
    return;
  }
  const variables = Object.entries(env)
    .map(([name, value]) => `--env '${name}=${value}'`).join(" ");
  await runWithCompose({ podman: `${podman} ${global}`, granted, folder, env });
  const { status, stdout, stderr } = await within(`
    podman run --detach --name server ${granted} --read-only --cap-drop all \\
      --security-opt no-new-privileges --tmpfs /tmp \\
      --volume ${places.data}:/data --volume ${places.backup}:/backup \\
      ${variables} localhost/strongroom > /dev/null
    trap 'podman rm --force --time 0 server > /dev/null' EXIT
    again=0
    until podman exec server /usr/bin/strongroom healthcheck; do
      again=$((again + 1)); [ $again -lt 60 ]; sleep 1
    done
    podman exec server /usr/bin/strongroom backup /backup/strongroom
    podman stop --time 60 server > /dev/null
    podman inspect --format 'ended with {{.State.ExitCode}}' server
    podman logs server`);
  assert.equal(status, 0, stdout + stderr);
  assert.match(stdout, /is well/);
  assert.match(stdout, /^ended with 0$/m);
}

/**
 * Starts the compose file with the host's network, because this machine cannot
 * publish the ports of another one.
 */
async function runWithCompose({ podman, granted, folder, env }: {
  /** The program with its options. */
  readonly podman: string;
  /** Options of its `run`. */
  readonly granted: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}): Promise<void> {
  if (COMPOSE === undefined) return;
  const here = `${folder}/compose`;
  await Deno.mkdir(here);
  await Deno.writeTextFile(
    `${here}/podman`,
    `#!/bin/bash
     # Debian's podman-compose adds a network of its own to the host's.
     if [ "$1" = run ]; then
       shift
       kept=(run ${granted})
       while [ $# -gt 0 ]; do
         case $1 in
           --net | --network | --network-alias) shift 2 ;;
           *) kept+=("$1"); shift ;;
         esac
       done
       set -- "\${kept[@]}"
     fi
     exec ${podman} "$@"\n`,
    { mode: 0o755 },
  );
  const { STRONGROOM_LISTEN, STRONGROOM_BASE_URL } = env;
  await Deno.writeTextFile(
    `${here}/here.yaml`,
    JSON.stringify({
      services: {
        strongroom: {
          network_mode: "host",
          environment: { STRONGROOM_LISTEN, STRONGROOM_BASE_URL },
        },
      },
    }),
  );
  // An own one has a network of its own, with a port of this machine.
  const file = (await Deno.readTextFile(`${PACKAGING}compose.yaml`))
    .replace(/^ {4}ports:\n(?: {6}.*\n)+/m, "");
  await Deno.writeTextFile(`${here}/compose.yaml`, file);
  const compose =
    `${COMPOSE} --podman-path ${here}/podman --project-name here ` +
    `--file ${here}/compose.yaml --file ${here}/here.yaml`;
  const { status, stdout, stderr } = await run("unshare", [
    ...["--mount", "sh", "-c"],
    `set -e; mount -t tmpfs tmpfs /sys/fs/cgroup
     podman() { ${here}/podman "$@"; }
     ${compose} up --detach
     server=$(podman ps --quiet)
     trap 'podman rm --force --time 0 $server > /dev/null' EXIT
     again=0
     until podman exec $server /usr/bin/strongroom healthcheck; do
       again=$((again + 1)); [ $again -lt 60 ]; sleep 1
     done
     podman inspect --format 'root {{.HostConfig.ReadonlyRootfs}}' $server
     podman inspect --format 'bounding {{.BoundingCaps}}' $server
     ${compose} stop
     podman inspect --format 'ended with {{.State.ExitCode}}' $server`,
  ]);
  assert.equal(status, 0, stdout + stderr);
  assert.match(stdout, /is well/);
  assert.match(stdout, /^root true$/m);
  assert.match(stdout, /^bounding \[\]$/m);
  assert.match(stdout, /^ended with 0$/m);
}
