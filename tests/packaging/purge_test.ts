/**
 * What the package's scripts leave behind, run in an /etc and a /var/lib of
 * their own.
 *
 * @module
 */
import assert from "node:assert/strict";
import { debianProgram } from "../support/debian.ts";
import { withDataDir } from "../support/program.ts";

const UNSHARE = await debianProgram("unshare", "util-linux");
const SCRIPTS = new URL("../../scripts/packaging/debian/", import.meta.url);
const ALONE = 'mount --bind "$1" /etc && mount --bind "$2" /var/lib && ' +
  'exec sh "$3" "$4"';

Deno.test({
  name: "a purge leaves no timer that was enabled, and no other's",
  ignore: UNSHARE === undefined || Deno.uid() !== 0,
  fn: () =>
    withDataDir(async (room) => {
      const [etc, state] = [`${room}/etc`, `${room}/var`];
      const wanted = `${etc}/systemd/system/timers.target.wants`;
      const stamps = `${state}/systemd/timers`;
      for (const folder of [wanted, stamps]) {
        await Deno.mkdir(folder, { recursive: true });
      }
      const ours = ["strongroom-off-site.timer", "strongroom-backup@mnt.timer"];
      for (const name of [...ours, "apt-daily.timer"]) {
        await Deno.symlink(`/usr/lib/${name}`, `${wanted}/${name}`);
        await Deno.writeTextFile(`${stamps}/stamp-${name}`, "");
      }
      const { code, stderr } = await new Deno.Command(UNSHARE ?? "", {
        args: [
          ...["--mount", "sh", "-c", ALONE, "sh", etc, state],
          ...[new URL("postrm", SCRIPTS).pathname, "purge"],
        ],
      }).output();
      assert.equal(code, 0, new TextDecoder().decode(stderr));
      const left = async (folder: string) =>
        (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
      assert.deepEqual(await left(wanted), ["apt-daily.timer"]);
      assert.deepEqual(await left(stamps), ["stamp-apt-daily.timer"]);
    }),
});
