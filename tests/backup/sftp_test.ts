/**
 * Backups over SSH (backup-off-site.md), to OpenSSH's own server: whom it
 * believes, and what becomes of a connection that breaks off. The stories of
 * `remote_backup_test.ts` and its neighbours are told of it too.
 *
 * @module
 */
import assert from "node:assert/strict";
import { faultsOf, withServer } from "../support/backups.ts";
import {
  doneOn,
  foundOn,
  refusedOn,
  withPlace,
} from "../support/remote_backup.ts";
import { createAsset, registerWriter } from "../support/people.ts";
import { mayMount, withSmallDisk } from "../support/small_disk.ts";
import { hasSshd, withSshd } from "../support/sshd.ts";

const canMount = await mayMount();

Deno.test({
  name:
    "a host with another key than the one that is pinned is sent nothing, and neither is one of whom none is known",
  ignore: !hasSshd(),
  fn: async () => {
    await withPlace("a machine over SSH", async (place) => {
      const data = `${place.room}/data`;
      await withServer(data, () => Promise.resolve());
      const args = ["backup", place.name, "--data-dir", data] as const;
      const { STRONGROOM_BACKUP_SFTP_HOST_KEY: key = "", ...none } =
        place.settings;
      assert.match(
        await refusedOn({ settings: none }, ...args),
        /STRONGROOM_BACKUP_SFTP_HOST_KEY/,
      );
      const other = `SHA256:${"A".repeat(43)}`;
      const settings = { ...none, STRONGROOM_BACKUP_SFTP_HOST_KEY: other };
      const complaint = await refusedOn({ settings }, ...args);
      assert(complaint.includes(key), complaint);
      assert.match(complaint, /another machine/);
      await assert.rejects(Deno.stat(`${place.room}/remote`));
    });
  },
});

Deno.test({
  name:
    "a private key that the host does not know, one that others may read, and a host that is not there are refused by name",
  ignore: !hasSshd(),
  fn: async () => {
    await withPlace("a machine over SSH", async (place) => {
      const data = `${place.room}/data`;
      await withServer(data, () => Promise.resolve());
      const args = ["backup", place.name, "--data-dir", data] as const;
      await withSshd(async ({ keyFile }) => {
        const path = `${place.room}/other-key`;
        await Deno.copyFile(keyFile, path);
        await Deno.chmod(path, 0o644);
        const settings = {
          ...place.settings,
          STRONGROOM_BACKUP_SFTP_KEY_FILE: path,
        };
        assert.match(await refusedOn({ settings }, ...args), /chmod 600/);
        await Deno.chmod(path, 0o600);
        assert.match(await refusedOn({ settings }, ...args), /authentication/);
      });
      const away = place.name.replace(/:\d+\//, ":1/");
      assert.match(
        await refusedOn(place, "backup", away, "--data-dir", data),
        /does not answer as expected/,
      );
    });
  },
});

Deno.test({
  name:
    "a private key with a passphrase, a public key and a malformed one are refused in one line",
  ignore: !hasSshd(),
  fn: async () => {
    await withPlace("a machine over SSH", async (place) => {
      const data = `${place.room}/data`;
      await withServer(data, () => Promise.resolve());
      const path = `${place.room}/odd-key`;
      const make = async (...args: string[]) => {
        const made = await new Deno.Command("ssh-keygen", {
          args: ["-q", "-N", "long enough", "-f", path, ...args],
        }).output();
        assert(made.success);
      };
      const refused = async (why: RegExp) => {
        const settings = {
          ...place.settings,
          STRONGROOM_BACKUP_SFTP_KEY_FILE: path,
        };
        assert.match(
          await refusedOn(
            { settings },
            "backup",
            place.name,
            "--data-dir",
            data,
          ),
          why,
        );
      };
      for (const kind of [["-t", "ed25519"], ["-t", "rsa", "-m", "PEM"]]) {
        await make(...kind);
        await refused(/odd-key .*has a passphrase.*ssh-keygen/);
        await Deno.rename(`${path}.pub`, path);
        await Deno.chmod(path, 0o600);
        await refused(/is a public key: name the file without \.pub/);
        await Deno.remove(path);
      }
      for (
        const text of ["", "garbage\n", "-----BEGIN CERTIFICATE-----\nAA\n"]
      ) {
        await Deno.writeTextFile(path, text, { mode: 0o600 });
        await refused(/is no private key that OpenSSH writes/);
      }
    });
  },
});

Deno.test({
  name:
    "a disk of another machine that is full, or read-only, is named as such",
  ignore: !hasSshd() || !canMount,
  fn: async () => {
    await withPlace("a machine over SSH", async (place) => {
      await withSmallDisk(4 * 1024 * 1024, async (disk) => {
        const data = `${place.room}/data`;
        const there = place.name.replace(
          /(:\d+)\/.*$/,
          `$1${disk.path}/backup`,
        );
        const backUp = ["backup", there, "--data-dir", data] as const;
        await withServer(data, async (server) => {
          const ada = await registerWriter(server, "ada");
          await createAsset(server, ada, "photo", { length: 5_000_000 });
        });
        assert.match(
          await refusedOn(place, ...backUp),
          /the disk of \/\S+\/backup on 127\.0\.0\.1 is full: free some space/,
        );
        await mount("remount,ro", disk.path);
        assert.match(
          await refusedOn(place, ...backUp),
          /on 127\.0\.0\.1 is read-only: mount it for writing/,
        );
        await mount("remount,rw", disk.path);
        await Deno.remove(`${disk.path}/backup`, { recursive: true });
        await mount("remount,ro", disk.path);
        assert.match(
          await refusedOn(place, ...backUp),
          /on 127\.0\.0\.1 is read-only/,
        );
      });
    });
  },
});

async function mount(options: string, path: string): Promise<void> {
  const done = await new Deno.Command("mount", { args: ["-o", options, path] })
    .output();
  assert(done.success, new TextDecoder().decode(done.stderr));
}

Deno.test({
  name:
    "a directory that is not there for the place to lie in is named, with what to do",
  ignore: !hasSshd(),
  fn: async () => {
    await withPlace("a machine over SSH", async (place) => {
      const data = `${place.room}/data`;
      await withServer(data, () => Promise.resolve());
      const away = `${place.name}/missing/strongroom`;
      const complaint = await refusedOn(
        place,
        ...["backup", away, "--data-dir", data],
      );
      assert.match(
        complaint,
        /\/remote\/missing does not exist on 127\.0\.0\.1/,
      );
      assert.match(complaint, /: create it, or mount its disk/);
      await Deno.mkdir(`${place.room}/remote/missing`, { recursive: true });
      await doneOn(place, "backup", away, "--data-dir", data);
    });
  },
});

Deno.test({
  name:
    "a connection that is cut again and again leaves what was there whole, and the next backup goes on",
  ignore: !hasSshd(),
  fn: async () => {
    await withSshd(async (sshd) => {
      await withPlace("a machine over SSH", async (place) => {
        const data = `${place.room}/data`;
        await withServer(data, async (server) => {
          const ada = await registerWriter(server, "ada");
          const backUp = ["backup", place.name, "--data-dir", data];
          await createAsset(server, ada, "first");
          await doneOn(place, ...backUp);
          for (let round = 0; round < 2; round++) {
            await createAsset(server, ada, `more ${round}`, {
              length: 2_000_000,
            });
            let isOver = false;
            const cutting = (async () => {
              while (!isOver) {
                await new Promise((resolve) => setTimeout(resolve, 150));
                await sshd.cut();
              }
            })();
            const ended = await doneOn(place, ...backUp).catch(() => undefined);
            isOver = true;
            await cutting;
            if (ended === undefined) {
              await doneOn(place, "backup", "unlock", place.name, "--force");
            }
            assert.deepEqual(await foundOn(place, "--deep"), []);
          }
          await doneOn(place, ...backUp);
        });
        const to = `${place.room}/new`;
        await doneOn(place, "restore", place.name, "--data-dir", to);
        assert.deepEqual(await faultsOf(to), []);
      }, sshd);
    });
  },
});
