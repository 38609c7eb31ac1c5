/**
 * `deno task release`: what it writes is verified with the programs that people
 * have: sha256sum, ssh-keygen, tar and dpkg-deb.
 *
 * @module
 */
import assert from "node:assert/strict";
import manifest from "../../deno.json" with { type: "json" };
import { ROOT, run } from "../../scripts/packaging/release.ts";
import { debianProgram, done } from "../support/debian.ts";
import { withDataDir } from "../support/program.ts";
import { LOCKED } from "../../scripts/locked.ts";

const KEYGEN = await debianProgram("ssh-keygen", "openssh-client");
const BUILDER = await debianProgram("dpkg-deb", "dpkg");
const { version } = manifest;
const TARGETS = [
  ...["linux-x64", "linux-arm64", "macos-x64", "macos-arm64", "windows-x64"],
];
/** What needs nothing but this checkout and Debian. */
const MADE = [
  `strongroom-${version}-linux-x64`,
  `strongroom-${version}-linux-arm64`,
  `strongroom-${version}-bundle.tar.gz`,
  `strongroom-${version}-container.tar.gz`,
  `strongroom-${version}-source.tar.gz`,
  `strongroom-${version}.cdx.json`,
  `strongroom-client-${version}.tgz`,
  `strongroom_${version}_amd64.deb`,
  `strongroom_${version}_arm64.deb`,
];

async function release(args: string[], env: Record<string, string> = {}) {
  return await run(Deno.execPath(), [
    ...["run", ...LOCKED, "--allow-all", "scripts/release.ts", ...args],
  ], {
    SOURCE_DATE_EPOCH: "1795000000",
    // A port that no program listens on, in the place of the network.
    HTTPS_PROXY: "http://127.0.0.1:9",
    NPM_CONFIG_OFFLINE: "true",
    ...env,
  });
}

/** OpenSSH's answer to whether a file is what the key's owner signed. */
async function verifies(folder: string, sums: string): Promise<boolean> {
  const child = new Deno.Command(KEYGEN ?? "", {
    args: [
      ...["-Y", "verify", "-f", `${folder}/allowed_signers`],
      ...["-I", "strongroom", "-n", "file"],
      ...["-s", `${folder}/out/SHA256SUMS.sig`],
    ],
    stdin: "piped",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(sums));
  await writer.close();
  return (await child.status).success;
}

Deno.test({
  name:
    "a release has every file that can be made, sums that sha256sum checks, a signature that OpenSSH verifies, and the names of what it lacks",
  ignore: KEYGEN === undefined || BUILDER === undefined,
  fn: () =>
    withDataDir(async (folder) => {
      const runtime = `${folder}/runtime`;
      await Deno.writeTextFile(
        runtime,
        `#!/bin/sh\nexec '${Deno.execPath()}' "$@"\n`,
      );
      await done(KEYGEN, [
        ...["-q", "-t", "ed25519", "-N", "", "-f", `${folder}/key`],
      ]);
      const out = `${folder}/out`;
      const { status, stdout, stderr } = await release([
        ...["--trial", "--fast", "--output", out, "--key", `${folder}/key`],
        ...["--runtime", `amd64=${runtime}`, "--runtime", `arm64=${runtime}`],
        ...["--notes", "https://photos.example.org/news"],
      ]);
      // Executables are made where their base runtimes are in the cache.
      const made = (await Array.fromAsync(Deno.readDir(out)))
        .map(({ name }) => name).toSorted();
      const lacking = TARGETS.filter((target) =>
        !made.some((name) => name.startsWith(`strongroom-${version}-${target}`))
      );
      assert.equal(status, lacking.length === 0 ? 0 : 3, stderr);
      for (const target of lacking) {
        const line = `not made  strongroom-${version}-${target}: the base `;
        assert(stdout.includes(line), stdout);
      }
      assert.equal(
        stdout.match(/^not made {2}/gm)?.length ?? 0,
        lacking.length,
        stdout,
      );
      for (const name of [...MADE, "SHA256SUMS", "SHA256SUMS.sig"]) {
        assert(made.includes(name), name);
        assert(stdout.includes(`made      ${out}/${name} (`), stdout);
      }

      const sums = await Deno.readTextFile(`${out}/SHA256SUMS`);
      const checked = await run(
        "sha256sum",
        ["--check", "SHA256SUMS"],
        {},
        out,
      );
      assert.equal(checked.status, 0);
      for (const name of MADE) {
        assert(checked.stdout.includes(`${name}: OK\n`), name);
      }
      const [, signer = ""] = /^signed as (.+)$/m.exec(stdout) ?? [];
      await Deno.writeTextFile(`${folder}/allowed_signers`, `${signer}\n`);
      assert(await verifies(folder, sums));
      assert(!await verifies(folder, `${sums}\n`), "one byte more");
      await done(KEYGEN, [
        ...["-q", "-t", "ed25519", "-N", "", "-f", `${folder}/another`],
      ]);
      const other = await Deno.readTextFile(`${folder}/another.pub`);
      await Deno.writeTextFile(
        `${folder}/allowed_signers`,
        `strongroom namespaces="file" ${other}`,
      );
      assert(!await verifies(folder, sums), "the key is not any key");

      await bundleRuns(folder, out, runtime);
      const deb = `${out}/strongroom_${version}_arm64.deb`;
      const field = ["--field", deb, "Architecture", "Version"];
      assert.equal(
        await done(BUILDER, field),
        `Architecture: arm64\nVersion: ${version}\n`,
      );
      assert.deepEqual(
        JSON.parse(await Deno.readTextFile(`${out}/latest.json`)),
        {
          version,
          released: "2026-11-18",
          notes: "https://photos.example.org/news",
        },
      );
      await containerIsWhole(out, folder);
      await billIsWhole(out, folder);
      const source = await done("tar", [
        ...["--list", "--file", `${out}/strongroom-${version}-source.tar.gz`],
      ]);
      assert.match(source, /^strongroom-[\d.]+-source\/main\.ts$/m);
      assert.doesNotMatch(source, /\/dist\/|\/\.git\//);

      const again = await release([
        ...["--trial", "--output", out],
      ]);
      assert.equal(again.status, 1);
      assert.match(again.stderr, /out is not empty: it has /);
    }),
});

Deno.test({
  name: "two clones of a commit make the same release, byte for byte",
  ignore: BUILDER === undefined,
  fn: () =>
    withDataDir(async (folder) => {
      const sums: string[] = [];
      for (const name of ["one", "the-other-of-them"]) {
        const clone = `${folder}/${name}`;
        await done("git", ["clone", "--quiet", ROOT, clone]);
        const { status, stderr } = await run(
          Deno.execPath(),
          [
            ...["run", "--lock=deno.lock", "--frozen", "--allow-all"],
            ...["scripts/release.ts", "--trial", "--fast"],
          ],
          {},
          clone,
        );
        assert(status === 0 || status === 3, stderr);
        const made = await Deno.readTextFile(
          `${clone}/dist/release/SHA256SUMS`,
        );
        sums.push(made);
        await Deno.remove(clone, { recursive: true });
      }
      assert.equal(sums[0], sums[1]);
      for (const name of MADE) assert(sums[0]?.includes(`  ${name}\n`), name);
    }),
});

/** The bundle of the archive, run by the runtime that was put next to it. */
async function bundleRuns(folder: string, out: string, runtime: string) {
  const name = `strongroom-${version}-bundle`;
  await done("tar", [
    ...["--extract", "--file", `${out}/${name}.tar.gz`],
    ...["--directory", folder],
  ]);
  await Deno.rename(runtime, `${folder}/${name}/deno`);
  await Deno.chmod(`${folder}/${name}/deno`, 0o755);
  assert.equal(
    await done(`${folder}/${name}/strongroom`, ["--version"]),
    `${version}\n`,
  );
}

/** The bill names what the licences of the bundle name, each with its hash. */
async function billIsWhole(out: string, folder: string) {
  const bill = JSON.parse(
    await Deno.readTextFile(`${out}/strongroom-${version}.cdx.json`),
  );
  assert.equal(bill.bomFormat, "CycloneDX");
  assert.equal(bill.specVersion, "1.6");
  assert.match(bill.serialNumber, /^urn:uuid:[\da-f]{8}-[\da-f]{4}-8/);
  assert.equal(bill.metadata.timestamp, "2026-11-18T11:06:40.000Z");
  assert.equal(bill.metadata.component.version, version);
  const licences = await Deno.readTextFile(
    `${folder}/strongroom-${version}-bundle/THIRD-PARTY-LICENSES`,
  );
  const inBundle = [...licences.matchAll(/^(\S+) (\S+)\n=+$/gm)]
    .map(([, name, of]) => `${name}@${of}`);
  assert(inBundle.length > 30, licences.slice(0, 1_000));
  const named = new Map<string, { type: string; hashes?: unknown[] }>();
  for (const part of bill.components) {
    named.set(`${part.name}@${part.version}`, part);
    assert.match(part.licenses[0]?.expression ?? "", /\w/, part.name);
    assert.equal(
      decodeURIComponent(part.purl),
      `pkg:npm/${part.name}@${part.version}`,
    );
  }
  const platform = named.get(`deno@${Deno.version.deno}`);
  assert.equal(platform?.type, "platform");
  for (const name of inBundle) {
    assert.equal(named.get(name)?.hashes?.length, 1, name);
  }
  assert.equal(named.size, new Set(inBundle).size + 1);
}

/** The context has a program for both processors, and a private volume. */
async function containerIsWhole(out: string, folder: string) {
  const name = `strongroom-${version}-container`;
  const listed = await done("tar", [
    ...["--list", "--verbose", "--numeric-owner"],
    ...["--file", `${out}/${name}.tar.gz`],
  ]);
  for (
    const entry of [
      /^-rw-r--r-- 0\/0 .*-container\/Containerfile$/m,
      /^-rw-r--r-- 0\/0 .*-container\/compose\.yaml$/m,
      /^drwx------ 0\/0 .*-container\/volume\/data\/$/m,
    ]
  ) assert.match(listed, entry);
  await done("tar", [
    ...["--extract", "--file", `${out}/${name}.tar.gz`],
    ...["--directory", folder],
  ]);
  for (const architecture of ["amd64", "arm64"]) {
    assert.equal(
      await done(`${folder}/${name}/${architecture}/usr/bin/strongroom`, [
        "--version",
      ]),
      `${version}\n`,
    );
  }
}

Deno.test("without --trial only a clean commit with the version's tag is released", async () => {
  await withDataDir(async (folder) => {
    const { status, stderr } = await release([
      ...["--output", `${folder}/out`],
    ]);
    assert.equal(status, 1);
    assert.match(stderr, /changes that no commit has|has no tag v/);
    await assert.rejects(Deno.stat(`${folder}/out`));
  });
});

Deno.test("a wrong use of the release script is told so", async () => {
  for (const args of [["--colour"], ["--runtime", "amiga=/x"], ["x"]]) {
    const { status, stderr } = await release(args);
    assert.equal(status, 2, args.join(" "));
    assert.match(stderr, /usage: deno task release/);
  }
  const { status } = await release([], { DENORT_BIN: "/nowhere" });
  assert.equal(status, 2);
});
