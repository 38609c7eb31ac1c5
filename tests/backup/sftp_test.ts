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
import { hasSshd, withSshd } from "../support/sshd.ts";

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
