/**
 * `strongroom receive` as a process, and what Debian's `rclone`,
 * `nextcloudcmd`, `curl`, `cadaver`, `lftp`, `davfs2` and `litmus` make of it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { debianProgram, done } from "../support/debian.ts";
import { type Machine, settingsOf } from "../support/people_commands.ts";
import { type Phone, withPhone } from "../support/receive.ts";
import { mayMount } from "../support/small_disk.ts";

const RCLONE = await debianProgram("rclone", "rclone");
const CURL = await debianProgram("curl", "curl");
const CADAVER = await debianProgram("cadaver", "cadaver");
const LFTP = await debianProgram("lftp", "lftp");
const NEXTCLOUD = await debianProgram("nextcloudcmd", "nextcloud-desktop-cmd");
const SFTP = await debianProgram("sftp", "openssh-client");
const DAVFS = await debianProgram("mount.davfs", "davfs2");
const GIO = await debianProgram("gio", "libglib2.0-bin");
const SESSION = await debianProgram("dbus-run-session", "dbus");
const HAS_GVFS = await debianProgram(
  "../libexec/gvfsd-dav",
  "gvfs-backends",
);
const LITMUS = await debianProgram("litmus", "litmus");
const CAN_MOUNT = await mayMount();

async function folderOf(laptop: Machine): Promise<string> {
  await laptop.write("DCIM/Camera/IMG_1.jpg", bytes(200_000));
  await laptop.write("DCIM/Camera/a & b <c> ü.jpg", bytes(300));
  await laptop.write("DCIM/VID_1.mp4", bytes(9_000_000));
  return laptop.path("DCIM");
}

const NAMES = ["IMG_1.jpg", "VID_1.mp4", "a & b <c> ü.jpg"];

function bytes(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, at) => (at * 7 + (at >> 8)) & 0xff);
}

Deno.test({
  name:
    "rclone copies a folder of a camera, again and with kills, and it comes into the library once",
  ignore: RCLONE === undefined,
  async fn() {
    await withPhone(async ({ laptop, phone, restart, arrived, spool }) => {
      const folder = await folderOf(laptop);
      const obscured = await done(RCLONE, ["obscure", phone.password]);
      const copy = () =>
        done(RCLONE, [
          ...["copy", folder, ":webdav:DCIM", "--webdav-url", phone.address],
          ...["--webdav-vendor", "other", "--webdav-user", phone.name],
          ...["--webdav-pass", obscured.trim(), "--config", "/dev/null"],
        ]);
      await copy();
      // Names settle for a while: nothing was handed over yet.
      await restart("SIGKILL");
      await copy();
      assert.deepEqual(await arrived(3), NAMES);
      await restart("SIGINT");
      await copy();
      assert.deepEqual(await arrived(0), NAMES);
      const events = await laptop.events("receive", "status", "--spool", spool);
      assert.equal(events[0]?.["delivered"], 3, JSON.stringify(events));
      assert.equal(events[0]?.["waiting"], 0);
      // Her laptop accepts it by itself, and writes it into her folder.
      const home = laptop.path("Pictures");
      await Deno.mkdir(home);
      const synced = await laptop.events(
        ...["sync", home, "--layout", "{path}/{name}"],
      );
      const end = synced.at(-1);
      assert.equal(end?.["accepted"], 3, JSON.stringify(synced));
      assert.deepEqual(
        await Deno.readFile(`${home}/DCIM/VID_1.mp4`),
        await Deno.readFile(`${folder}/VID_1.mp4`),
      );
      assert.deepEqual(await arrived(0), []);
    });
  },
});

Deno.test({
  name: "nextcloudcmd sends a folder of a camera, in pieces where it is large",
  ignore: NEXTCLOUD === undefined,
  async fn() {
    await withPhone(async ({ laptop, phone, arrived }) => {
      const folder = await folderOf(laptop);
      await laptop.write("DCIM/VID_2.mp4", bytes(45_000_000));
      const send = () =>
        done(NEXTCLOUD, [
          ...["--non-interactive", "--user", phone.name],
          ...["--password", phone.password, folder, phone.address],
        ]);
      await send();
      assert.deepEqual(await arrived(4), [...NAMES, "VID_2.mp4"].toSorted());
      // Whatever it asks again, it sends nothing twice.
      await send();
      assert.deepEqual(await arrived(0), [...NAMES, "VID_2.mp4"].toSorted());
    });
  },
});

Deno.test({
  name: "curl, cadaver, lftp, gvfs and davfs2 send, each in its own way",
  ignore: CURL === undefined,
  async fn() {
    await withPhone(async ({ laptop, phone, arrived }) => {
      const folder = await folderOf(laptop);
      const sent: string[] = [];
      const user = `${phone.name}:${phone.password}`;
      const photo = async (name: string) => {
        sent.push(name);
        const own = bytes(1_000 + sent.length);
        return await laptop.write(`one/${name}`, own);
      };
      await done(CURL, [
        ...["-sS", "--fail", "-u", user, "-T", await photo("curl put.jpg")],
        `${phone.address}curl%20put.jpg`,
      ]);
      if (CADAVER !== undefined) {
        await laptop.write(
          ".netrc",
          `machine 127.0.0.1 login ${phone.name} password ${phone.password}\n`,
        );
        const said = await done(
          CADAVER,
          [phone.address],
          [
            "mkcol cadaver",
            "cd cadaver",
            `put ${await photo("cadaver.jpg")}`,
            "lock cadaver.jpg",
            "unlock cadaver.jpg",
            "move cadaver.jpg moved.jpg",
            "ls",
            "quit",
            "",
          ].join("\n"),
          { HOME: laptop.home },
        );
        assert.match(said, /moved\.jpg +1002 /);
        // It was renamed before it went on.
        sent[sent.indexOf("cadaver.jpg")] = "moved.jpg";
      }
      if (LFTP !== undefined) {
        const path = await photo("lftp.jpg");
        await done(
          LFTP,
          [
            "-c",
            `open -u ${phone.name},${phone.password} ${phone.address}; put ${path} -o lftp.jpg`,
          ],
          "",
          { HOME: laptop.home },
        );
      }
      if (
        GIO !== undefined && SESSION !== undefined && HAS_GVFS !== undefined
      ) {
        const to = phone.address.replace("http:", "dav:");
        // Its user and password are asked for.
        await done(
          SESSION,
          [
            ...["--", "sh", "-c", 'gio mount "$1" && gio copy "$2" "$1"'],
            ...["sh", to, await photo("gvfs.jpg")],
          ],
          `${phone.name}\n${phone.password}\n`,
          { HOME: laptop.home },
        );
      }
      if (DAVFS !== undefined && CAN_MOUNT) {
        await byDavfs(laptop, phone, await photo("davfs.jpg"));
      }
      await done(CURL, [
        ...["-sS", "--fail", "-u", user, "-T", `${folder}/VID_1.mp4`],
        `${phone.address}last.mp4`,
      ]);
      sent.push("last.mp4");
      assert.deepEqual(await arrived(sent.length), sent.toSorted());
    });
  },
});

/** What takes a wrong password, several times, for an answer. */
const ASKED = (password: string) => `#!/bin/sh\necho '${password}'\n`;

Deno.test({
  name:
    "rclone, lftp and OpenSSH's sftp send by SFTP, with names and dates, and read nothing back",
  ignore: RCLONE === undefined || LFTP === undefined || SFTP === undefined,
  async fn() {
    await withPhone(async ({ laptop, phone, spool, arrived }) => {
      const folder = await folderOf(laptop);
      const taken = new Date("2024-06-01T10:00:00Z");
      await Deno.utime(`${folder}/VID_1.mp4`, taken, taken);
      const [host = "", port = ""] = phone.sftp.split(":");
      const obscured = await done(RCLONE, ["obscure", phone.password]);
      const rclone = (...args: readonly string[]) =>
        done(RCLONE, [
          ...args,
          ...["--sftp-host", host, "--sftp-port", port],
          ...["--sftp-user", phone.name, "--sftp-pass", obscured.trim()],
          ...["--config", "/dev/null"],
        ]);
      await rclone("copy", folder, ":sftp:DCIM");
      // It finds sizes and dates as it left them, and sends nothing again.
      const said = await rclone("lsl", ":sftp:DCIM");
      assert.match(said, /9000000 2024-06-01 .*VID_1\.mp4/);
      await done(
        LFTP,
        [
          "-c",
          "set sftp:auto-confirm yes; set net:max-retries 1; " +
          `open -u ${phone.name},${phone.password} sftp://${phone.sftp}; ` +
          `put ${await laptop.write("lftp.jpg", bytes(70_000))}`,
        ],
        "",
        { HOME: laptop.home },
      );
      const ask = async (password: string) => {
        const path = await laptop.write("ask.sh", ASKED(password));
        await Deno.chmod(path, 0o700);
        return {
          HOME: laptop.home,
          SSH_ASKPASS: path,
          SSH_ASKPASS_REQUIRE: "force",
          DISPLAY: "none",
        };
      };
      const known = await laptop.write("known_hosts", "");
      const sftp = async (batch: string, password = phone.password) => {
        const { success, stderr } = await new Deno.Command(SFTP ?? "", {
          args: [
            ...["-P", port, "-o", "StrictHostKeyChecking=accept-new"],
            ...["-o", `UserKnownHostsFile=${known}`],
            ...["-o", "FingerprintHash=sha256", "-o", "LogLevel=DEBUG1"],
            ...["-o", "BatchMode=no", "-b", await laptop.write("b", batch)],
            `${phone.name}@${host}`,
          ],
          env: await ask(password),
          stdin: "null",
        }).output();
        return { success, said: new TextDecoder().decode(stderr) };
      };
      const openssh = await laptop.write("ssh.jpg.part", bytes(300_000));
      const sent = await sftp([
        "mkdir Camera",
        `put -p ${openssh} Camera/ssh.jpg.part`,
        "rename Camera/ssh.jpg.part Camera/ssh.jpg",
        "ls -l Camera",
      ].join("\n"));
      assert.ok(sent.success, sent.said);
      assert.ok(sent.said.includes(phone.sftpKey), sent.said);
      for (const refused of ["get Camera/ssh.jpg", "rm Camera/ssh.jpg"]) {
        const { success } = await sftp(refused);
        assert.equal(success, false, refused);
      }
      // But for the list of what is proven, which no client can write.
      const hash = new Uint8Array(
        await crypto.subtle.digest("SHA-256", bytes(300_000)),
      ).toHex();
      const list = await laptop.write(
        "list.txt",
        "# strongroom: safe to delete, looked at 2026-11-24T10:00:00.000Z\n" +
          `${hash}  elsewhere.jpg\n`,
      );
      await laptop.done(
        ...["receive", "safe", phone.name, list, "--spool", spool],
      );
      const found = laptop.path("found.txt");
      const got = await sftp(`get SAFE-TO-DELETE.txt ${found}`);
      assert.ok(got.success, got.said);
      assert.match(
        await Deno.readTextFile(found),
        new RegExp(`^${hash}  Camera/ssh\\.jpg$`, "m"),
      );
      const put = await sftp(`put ${found} SAFE-TO-DELETE.txt`);
      assert.equal(put.success, false);
      assert.equal((await sftp("ls", "guess")).success, false);
      const names = [...NAMES, "lftp.jpg", "ssh.jpg"].toSorted();
      assert.deepEqual(await arrived(names.length), names);
      const home = laptop.path("Pictures");
      await Deno.mkdir(home);
      await laptop.events("sync", home, "--layout", "{path}/{name}");
      const film = `${home}/DCIM/VID_1.mp4`;
      assert.deepEqual(
        await Deno.readFile(film),
        await Deno.readFile(`${folder}/VID_1.mp4`),
      );
      assert.deepEqual((await Deno.stat(film)).mtime, taken);
    });
  },
});

async function byDavfs(
  laptop: Machine,
  { address, name, password }: Phone,
  file: string,
): Promise<void> {
  const place = laptop.path("mount");
  await Deno.mkdir(place);
  const secrets = await laptop.write(
    "davfs2.secrets",
    `${place} ${name} ${password}\n`,
  );
  await Deno.chmod(secrets, 0o600);
  const settings = await laptop.write(
    "davfs2.conf",
    `secrets ${secrets}\ndelay_upload 0\n`,
  );
  await done(DAVFS, [address, place, "-o", `conf=${settings}`]);
  try {
    await Deno.copyFile(file, `${place}/davfs.jpg`);
  } finally {
    // It has sent everything when it is unmounted.
    await done("umount", [place]);
  }
}

const NOT_DONE = [
  // It gives nothing back, and copies nothing.
  "basic: put_get",
  "basic: put_get_utf8_segment",
  "copymove: copy_simple",
  "copymove: copy_overwrite",
  "copymove: copy_coll",
  "copymove: copy_shallow",
  // A folder with received files is not written over.
  "copymove: move_coll",
  // PROPFIND's body is not read, and no property is stored.
  "props: propfind_invalid",
  "props: propfind_invalid2",
  "props: propset",
  "props: propmanyns",
  "props: propget",
  "locks: owner_modify",
  "locks: copy",
  // Locks are exclusive.
  "locks: lock_shared",
  "locks: owner_modify",
];

/**
 * What fails is what the receiver does not do: it gives nothing back, removes
 * nothing, copies nothing and keeps no properties.
 */
Deno.test({
  name: "litmus finds nothing wrong but what the receiver does not do",
  ignore: LITMUS === undefined || CURL === undefined,
  async fn() {
    await withPhone(async ({ laptop, phone }) => {
      const failed: string[] = [];
      for (const suite of ["basic", "copymove", "props", "locks", "http"]) {
        await done(CURL, [
          ...["-sS", "--fail", "-X", "MKCOL", `${phone.address}${suite}`],
          ...["-u", `${phone.name}:${phone.password}`],
        ]);
        const { stdout } = await new Deno.Command(LITMUS ?? "", {
          args: [
            ...["-k", `${phone.address}${suite}/`],
            ...[phone.name, phone.password],
          ],
          env: { ...settingsOf(laptop.home), TESTS: suite },
          cwd: laptop.home,
          stdin: "null",
          stdout: "piped",
          stderr: "piped",
        }).output();
        const said = new TextDecoder().decode(stdout).replace(/^.*\r/gm, "");
        for (const line of said.split("\n")) {
          const [, name] = /^\s*\d+\. (\w+)\.* FAIL/.exec(line) ?? [];
          if (name !== undefined) failed.push(`${suite}: ${name}`);
        }
      }
      assert.deepEqual(failed, NOT_DONE);
    });
  },
});
