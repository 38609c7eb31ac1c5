/**
 * `strongroom backup` and `restore` as processes, while a server takes uploads
 * (backup.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { verifyReceiptChain } from "../../src/crypto/receipt_chain.ts";
import {
  backUp,
  backUpBeside,
  BASE_URL,
  faultsOf,
  filesUnder,
  placesIn,
  publishedBy,
  receiptsOf,
  restore,
  type Running,
  signIn,
  startServer,
  verifyBackup,
  withRoom,
  withServer,
} from "../support/backups.ts";
import { examine, expectFinding, expectWell } from "../support/doctor.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  patchBytes,
  type Person,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import { runProgram } from "../support/program.ts";
import { expectBytes, readBlob } from "../support/api.ts";

/** Uploads one blob after the other until it is told to stop. */
function uploading(server: Running, person: Person) {
  let stopped = false;
  let count = 0;
  const run = async () => {
    while (!stopped) {
      const word = `under load ${count++}`;
      const bytes = ciphertext(word, 3_000);
      await uploadBlob(server, person, bytes, { fileId: uuidOf(word) });
    }
  };
  const ended = run();
  return {
    stop: async () => {
      stopped = true;
      await ended;
      return count;
    },
  };
}

Deno.test("a server is backed up while it takes uploads, and restored: every blob, every receipt, every reference", async () => {
  await withRoom(async (room) => {
    const { data, backup, restored } = placesIn(room);
    const server = await startServer(data);
    const ada = await registerWriter(server, "ada");
    const bob = await registerWriter(server, "bob");
    const asset = await createAsset(server, ada, "photo");
    const half = ciphertext("half", 500);
    const { upload_id } = await createUpload(server, ada, half, {
      fileId: uuidOf("half"),
    });
    await patchBytes(server, ada, upload_id, 0, half.slice(0, 200));

    const load = [ada, bob].map((person) => uploading(server, person));
    const first = await backUpBeside(data, backup);
    assert(first.linked >= 3);
    assert.deepEqual([first.copied, first.kept], [0, 0]);
    assert.equal(first.blobs.count, first.linked);
    const second = await backUpBeside(data, backup);
    const counts = await Promise.all(load.map(({ stop }) => stop()));
    assert(counts.every((count) => count > 5), `${counts}`);
    assert.equal(second.kept, first.linked);
    assert(second.linked > 0);
    assert.equal(second.blobs.count, second.kept + second.linked);
    assert.equal(second.removed, 0);
    const published = await publishedBy(server);
    assert.equal(await server.program.stop(), 0);

    const verified = await verifyBackup(backup);
    assert.deepEqual(verified.findings, []);
    assert.equal(verified.leftovers, 0);
    assert.deepEqual(verified.blobs, second.blobs);
    assert.equal(verified.server_id, "https://photos.example.org");

    const before = await filesUnder(backup);
    const answer = await restore(backup, restored);
    assert.deepEqual(await filesUnder(backup), before);
    assert.deepEqual(answer.blobs, second.blobs);
    assert.equal(answer.sessions_closed, 2);
    // Hers, and what was under way at that moment.
    assert(answer.uploads_dropped >= 1 && answer.uploads_dropped <= 3);
    assert.equal(answer.server_faults, 0);
    assert.deepEqual(await faultsOf(restored), []);
    // Not one file of the restored server is the backup's.
    const inodes = new Set(before.values());
    for (const [path, inode] of await filesUnder(restored)) {
      assert(!inodes.has(inode), path);
    }

    const chain = await receiptsOf(restored);
    assert.equal(answer.receipts, chain.length);
    assert.deepEqual((await verifyReceiptChain(chain, published)).ok, true);
    await withServer(restored, async (server) => {
      const after = await publishedBy(server);
      const verdict = await verifyReceiptChain(chain, after);
      assert(verdict.ok && verdict.count === chain.length);
      const again = await signIn(server, ada);
      const hash = hashOf(asset.original);
      const read = await readBlob(server, again, asset.assetId, hash);
      expectBytes(await read.arrayBuffer(), asset.original);
    });
  });
});

Deno.test("how old the last backup is, the doctor and the metrics can tell", async () => {
  await withRoom(async (room) => {
    const { data, backup } = placesIn(room);
    const metrics = `unix:${room}/metrics`;
    const server = await startServer(data, {
      STRONGROOM_METRICS_LISTEN: metrics,
    });
    const scraped = async () => {
      using connection = await Deno.connect({
        transport: "unix",
        path: `${room}/metrics`,
      });
      await connection.write(new TextEncoder().encode(
        "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      ));
      const text = await new Response(connection.readable).text();
      const [, value] =
        /^strongroom_backup_last_success_timestamp_seconds (\S+)$/m
          .exec(text) ?? [];
      return Number(value);
    };
    const ada = await registerWriter(server, "ada");
    await createAsset(server, ada, "photo");
    assert.equal(await scraped(), 0);
    const none = await examine(data);
    const mend = expectFinding(
      none,
      "backup",
      "warning",
      /was never backed up/,
    );
    assert.match(mend, /strongroom backup DIR/);
    const { made_at } = await backUp(data, backup);
    assert.equal(await scraped(), Date.parse(made_at) / 1_000);
    const now = await examine(data);
    expectWell(now, "backup");
    assert.match(now.text, new RegExp(`less than a day old, in ${backup}`));
    const note = `${data}/backup.json`;
    const noted = JSON.parse(await Deno.readTextFile(note));
    noted.made_at -= 9 * 24 * 3_600_000;
    await Deno.writeTextFile(note, JSON.stringify(noted));
    expectFinding(await examine(data), "backup", "warning", /is 9 days old/);
    noted.made_at -= 357 * 24 * 3_600_000;
    await Deno.writeTextFile(note, JSON.stringify(noted));
    expectFinding(await examine(data), "backup", "fault", /is 366 days old/);
    assert.equal(await server.program.stop(), 0);
  });
});

Deno.test("a restore writes the backup's settings into a file next to the data, without secrets", async () => {
  await withRoom(async (room) => {
    const { data } = placesIn(room);
    const settings = {
      STRONGROOM_TRASH_DAYS: "90",
      STRONGROOM_REGISTRATION: "closed",
      OIDC_ISSUER: "https://idp.example",
      OIDC_CLIENT_ID: "photos",
      OIDC_CLIENT_SECRET: "do-not-tell-anybody",
      STRONGROOM_BACKUP_PASSPHRASE: "a long passphrase",
    };
    await withServer(data, () => Promise.resolve());
    for (const place of [`${room}/backup`, `file://${room}/off`]) {
      const made = await runProgram(
        ["backup", place, "--data-dir", data],
        settings,
      );
      assert.equal(made.status, 0, made.stderr);
      const home = `${room}/restored-${place.length}`;
      const to = `${home}/data`;
      const { status, stdout, stderr } = await runProgram(
        ["restore", place, "--data-dir", to],
        { STRONGROOM_BACKUP_PASSPHRASE: "a long passphrase" },
      );
      assert.equal(status, 0, stderr);
      const file = `${home}/strongroom.env`;
      assert.match(stdout, /^OIDC_CLIENT_SECRET: .* no secrets/m);
      assert.doesNotMatch(stdout, /do-not-tell|PASSPHRASE|8470/);
      assert.equal(
        stdout.trimEnd().split("\n").at(-1),
        `start it with: strongroom serve --env-file ${file}`,
      );
      assert.equal(((await Deno.stat(file)).mode ?? 0) & 0o777, 0o600);
      assert.deepEqual(
        given(await Deno.readTextFile(file)),
        [
          `STRONGROOM_BASE_URL=${BASE_URL}`,
          `STRONGROOM_DATA_DIR=${to}`,
          "STRONGROOM_REGISTRATION=closed",
          "STRONGROOM_TRASH_DAYS=90",
          "OIDC_ISSUER=https://idp.example",
          "OIDC_CLIENT_ID=photos",
        ].toSorted(),
      );
    }
    const files = await filesUnder(`${room}/backup`);
    for (const path of files.keys()) {
      const text = await Deno.readFile(`${room}/backup/${path}`);
      assert(!new TextDecoder().decode(text).includes("do-not-tell"), path);
    }
  });
});

Deno.test("a restore keeps an environment file that is there, and says what the backup has otherwise", async () => {
  await withRoom(async (room) => {
    const { data, backup } = placesIn(room);
    await withServer(data, () => Promise.resolve());
    const made = await runProgram(
      ["backup", backup, "--data-dir", data],
      { STRONGROOM_BASE_URL: BASE_URL, STRONGROOM_REGISTRATION: "closed" },
    );
    assert.equal(made.status, 0, made.stderr);
    const to = `${room}/new/data`;
    const file = `${room}/new/strongroom.env`;
    const text = `STRONGROOM_DATA_DIR=${to}\nSTRONGROOM_BASE_URL=${BASE_URL}\n`;
    await Deno.mkdir(`${room}/new`);
    await Deno.writeTextFile(file, text);
    const kept = await runProgram(["restore", backup, "--data-dir", to]);
    assert.equal(kept.status, 0, kept.stderr);
    assert.equal(await Deno.readTextFile(file), text);
    assert.match(
      kept.stdout,
      /was kept; .*:\n {2}STRONGROOM_REGISTRATION=closed\n/,
    );
    assert.doesNotMatch(kept.stdout, /^ {2}STRONGROOM_BASE_URL/m);
    assert.equal(
      kept.stdout.trimEnd().split("\n").at(-1),
      `start it with: strongroom serve --env-file ${file} --data-dir ${to}`,
    );
    // That file is another server's.
    const other = `${room}/new/other`;
    const beside = await runProgram(["restore", backup, "--data-dir", other]);
    assert.equal(await Deno.readTextFile(file), text);
    assert.equal(
      beside.stdout.trimEnd().split("\n").at(-1),
      `start it with: strongroom serve --env-file ${other}.env`,
    );
  });
});

/** The settings that an environment file sets, sorted. */
function given(text: string): string[] {
  return text.split("\n").filter((line) => /^[A-Z]/.test(line)).toSorted();
}
