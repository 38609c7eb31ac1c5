/**
 * Disks without permissions, real ones: `serve`, `backup DIR`, `restore` and the
 * doctor say that keys can be read there, and photos are stored all the same
 * (install.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { debianProgram } from "../support/debian.ts";
import { examine, expectFinding } from "../support/doctor.ts";
import { createAsset, registerWriter } from "../support/people.ts";
import { makeRequest } from "../support/app.ts";
import { runProgram, serveHere, withDataDir } from "../support/program.ts";
import { mayMount, withoutPermissions } from "../support/small_disk.ts";

const canMount = await mayMount();
const PROGRAMS = {
  ntfs: [await debianProgram("ntfs-3g", "ntfs-3g")],
  exfat: [
    await debianProgram("mount.exfat-fuse", "exfat-fuse"),
    await debianProgram("mkfs.exfat", "exfatprogs"),
  ],
} as const;
const SAID = /is on a disk without permissions .*can read the keys there; use/;

for (const kind of ["ntfs", "exfat"] as const) {
  Deno.test({
    name:
      `on ${kind}, serve, backup, restore and the doctor say that keys can be read by everyone, and photos are kept`,
    ignore: !canMount || PROGRAMS[kind].includes(undefined),
    fn: () =>
      withDataDir(async (good) => {
        await withoutPermissions(kind, async (disk) => {
          const dataDir = `${disk}/data`;
          const server = await serveHere({
            STRONGROOM_DATA_DIR: dataDir,
            STRONGROOM_BLOBS: "directory",
            STRONGROOM_RESERVED_DISK_BYTES: "0",
          });
          const sender = {
            send: (method: string, path: string, options = {}) =>
              fetch(makeRequest(method, path, options, server.url)),
          };
          const ada = await registerWriter(sender, "ada");
          await createAsset(sender, ada, "photo");
          assert.equal(await server.stop(), 0);
          const log = await server.complaint();
          assert.equal(log.split("\n").filter((it) => SAID.test(it)).length, 1);

          const examined = await examine(dataDir);
          const mend = expectFinding(
            examined,
            "permissions",
            "fault",
            /disk without permissions/,
          );
          assert.match(mend, /umask=077/);
          assert(!examined.text.includes("chmod"), "no mode takes there");
          const hasLinks = kind === "ntfs";
          const said = examined.checks.filter(({ check, status }) =>
            check === "disk" && status === "warning"
          ).map(({ detail }) => detail);
          const unlinked = said.filter((it) =>
            /does not support hard/.test(it)
          );
          assert.equal(unlinked.length, hasLinks ? 0 : 1, said.join());
          assert(
            !examined.checks.some(({ check, status }) =>
              check === "disk" && status === "fault"
            ),
          );

          const told = async (...args: string[]) => {
            const { status, stdout, stderr } = await runProgram(args, {});
            assert.equal(status, 0, stdout + stderr);
            return stderr;
          };
          const backedUp = ["backup", `${good}/backup`, "--data-dir", dataDir];
          assert.doesNotMatch(await told(...backedUp), SAID);
          const again = ["backup", `${disk}/backup`, "--data-dir", dataDir];
          assert.match(await told(...again), SAID);
          for (
            const [place, isOpen] of [[good, false], [disk, true]] as const
          ) {
            const restored = await told(
              ...["restore", `${good}/backup`],
              ...["--data-dir", `${place}/restored`],
            );
            assert.equal(SAID.test(restored), isOpen);
          }
        });
      }),
  });
}
