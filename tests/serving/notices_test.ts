/**
 * Notices to the operator and mail to people (notices.md), by a real mail
 * server and a real HTTP receiver.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { lookAround } from "../../src/features/notices/conditions.ts";
import { writeBackupNote } from "../../src/features/backup/note.ts";
import { delivering } from "../../src/server/deliver.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { expectEmpty, expectJson } from "../support/expect.ts";
import {
  createAsset,
  hashOf,
  PASSWORD,
  registerPerson,
  registerWriter,
} from "../support/people.ts";
import { departureRequest } from "../support/proofs.ts";
import {
  type Mail,
  type MailServer,
  type Receiver,
  withMailServer,
  withReceiver,
} from "../support/targets.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const deliver = delivering({ fetch });

/** Sends what is due. */
function send({ app }: TestApp): Promise<unknown> {
  return app.notices.sendDue(deliver);
}

/** What the operator's mails said, one subject each. */
function subjects(mails: readonly Mail[]): string[] {
  return mails.map(({ subject }) => subject.replace("127.0.0.1:8470: ", ""));
}

async function withMail(
  test: (app: TestApp, mail: MailServer) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  await withMailServer((mail) =>
    withTestApp((app) => test(app, mail), {
      settings: { ...settings, STRONGROOM_NOTIFY: mail.target },
    })
  );
}

async function withWebhook(
  test: (app: TestApp, receiver: Receiver) => Promise<void>,
): Promise<void> {
  await withReceiver((receiver) =>
    withTestApp((app) => test(app, receiver), {
      settings: {
        STRONGROOM_NOTIFY: `${receiver.origin}/hook/T0PSECRET#shared%20secret`,
      },
    })
  );
}

Deno.test("trouble is told once, once a day while it lasts, and once that it ended", async () => {
  await withMail(async (app, mail) => {
    const { notices } = app.app;
    await notices.raise("backup_failed");
    await notices.raise("backup_failed");
    await send(app);
    app.clock.advance(12 * HOUR);
    await notices.raise("backup_failed");
    await send(app);
    assert.deepEqual(subjects(mail.mails), ["A backup failed"]);
    app.clock.advance(12 * HOUR);
    await notices.raise("backup_failed");
    await send(app);
    app.clock.advance(HOUR);
    await notices.end("backup_failed");
    await notices.end("backup_failed");
    await send(app);
    assert.deepEqual(subjects(mail.mails), [
      "A backup failed",
      "A backup failed",
      "A backup succeeded again",
    ]);
    const [first] = mail.mails;
    assert.equal(first?.from, "server@home.example");
    assert.deepEqual(first?.to, ["keeper@home.example"]);
    assert.equal(first?.user, "keeper");
    assert.match(first?.headers ?? "", /^Auto-Submitted: auto-generated\r?$/m);
    assert.match(first?.text ?? "", /Run strongroom backup by hand/);
  });
});

Deno.test("trouble that comes and goes is told of once a day, and its end only where it was", async () => {
  await withMail(async (app, mail) => {
    const { notices } = app.app;
    for (let time = 0; time < 5; time += 1) {
      await notices.raise("disk_low", { free: "1 GiB" });
      await notices.end("disk_low");
    }
    await send(app);
    assert.deepEqual(subjects(mail.mails), [
      "The disk is filling up: 1 GiB free",
      "The disk has room again",
    ]);
  });
});

Deno.test("a webhook gets JSON with a signature over its very bytes", async () => {
  await withWebhook(async (app, receiver) => {
    await app.app.notices.raise("blob_missing", { count: 3 });
    await send(app);
    const [posted] = receiver.posted;
    assert(posted !== undefined);
    assert.equal(posted.path, "/hook/T0PSECRET");
    assert.equal(
      posted.headers.get("x-strongroom-signature"),
      `sha256=${
        createHmac("sha256", "shared secret").update(posted.body).digest("hex")
      }`,
    );
    const { text, ...said } = JSON.parse(posted.body);
    assert.match(text, /^Stored files are missing: 3\.\n/);
    assert.deepEqual(said, {
      version: 1,
      server_id: "http://127.0.0.1:8470",
      event: "blob_missing",
      state: "began",
      since: "2026-11-21T12:00:00.000Z",
      at: "2026-11-21T12:00:00.000Z",
      facts: { count: 3 },
      title: "127.0.0.1:8470: Stored files are missing: 3",
    });
  });
});

Deno.test("ntfy gets a title, a text and a priority, with its token", async () => {
  await withReceiver((receiver) =>
    withTestApp(async (app) => {
      await app.app.notices.raise("disk_full", { free: "0 bytes" });
      await send(app);
      const [posted] = receiver.posted;
      assert.equal(posted?.path, "/photos");
      assert.equal(posted?.headers.get("authorization"), "Bearer tk_abc");
      assert.equal(posted?.headers.get("priority"), "high");
      assert.match(posted?.headers.get("title") ?? "", /The disk is full/);
      assert.match(posted?.body ?? "", /Make room/);
    }, {
      settings: {
        STRONGROOM_NOTIFY: `ntfy+${
          receiver.origin.replace("//", "//:tk_abc@")
        }/photos`,
      },
    })
  );
});

Deno.test("a target that fails is tried for a day, is told by its name alone, and holds up no other", async () => {
  await withReceiver((receiver) =>
    withMailServer((mail) =>
      withTestApp(async (app) => {
        receiver.status = 503;
        const { notices } = app.app;
        await notices.raise("backup_old", { days: 9 });
        await send(app);
        await mail.come(1);
        const failing = async () =>
          (await notices.states()).find(({ name }) => name === receiver.origin);
        assert.deepEqual(await failing(), {
          name: receiver.origin,
          waiting: 1,
          sentAt: null,
          failingSince: app.clock.now,
          fault: "it answered 503",
        });
        // Nothing is tried before its turn.
        receiver.status = 200;
        await send(app);
        assert.equal(receiver.posted.length, 0);
        app.clock.advance(2 * 60_000);
        await send(app);
        assert.equal(receiver.posted.length, 1);
        assert.equal((await failing())?.fault, null);
        assert.equal(mail.mails.length, 1);
        // Another, which never comes through.
        receiver.status = 503;
        await notices.announce("test");
        for (let hour = 0; hour < 30; hour += 1) {
          await send(app);
          app.clock.advance(HOUR);
        }
        assert.equal((await failing())?.waiting, 0);
        assert.equal((await failing())?.fault, "it answered 503");
        const log = JSON.stringify(app.logged);
        assert.match(log, /a notice was given up/);
        assert.doesNotMatch(log, /T0PSECRET|secret-of-it|p@ss|p%40ss/);
      }, {
        settings: {
          STRONGROOM_NOTIFY:
            `${receiver.origin}/T0PSECRET#secret-of-it\n${mail.target}`,
        },
      })
    )
  );
});

Deno.test("messages that wait are sealed, and gone once they are sent", async () => {
  await withMail(async (app, mail) => {
    mail.isOpen = false;
    const link = "https://photos.example.org/#/invited/AAAAAAAAAAAAAAAAAAAAAA";
    const until = "2026-11-22T12:00:00.000Z";
    const { notices, db } = app.app;
    await notices.write("ada@example.org", { kind: "invitation", link, until });
    await send(app);
    const sealed = async () =>
      (await db.selectFrom("outgoing").select("sealed").execute())
        .map((row) => new TextDecoder().decode(row.sealed ?? undefined));
    const [waiting] = await sealed();
    assert.notEqual(waiting, "");
    assert.doesNotMatch(waiting ?? "", /invited|ada|AAAA/);
    mail.isOpen = true;
    app.clock.advance(HOUR);
    await send(app);
    assert.deepEqual(await sealed(), [""]);
    assert(mail.mails[0]?.text.includes(link));
    assert.deepEqual(mail.mails[0]?.to, ["ada@example.org"]);
  });
});

Deno.test("people are told in both languages that a new device signed in, an hour apart at least", async () => {
  await withMail(async (app, mail) => {
    await registerPerson(app, "ada");
    const login = async () =>
      await expectJson(
        await app.send("POST", "/v1/auth/login", {
          json: { address: "ada@example.org", password: PASSWORD },
          from: "192.0.2.77",
        }),
        200,
      );
    await send(app);
    assert.equal(mail.mails.length, 0, "registering is no new device");
    const tokens = await login();
    await send(app);
    await login();
    await login();
    await send(app);
    assert.equal(mail.mails.length, 1);
    const [told] = mail.mails;
    assert.deepEqual(told?.to, ["ada@example.org"]);
    assert.equal(
      told?.subject,
      "A new device signed in on 127.0.0.1:8470 / " +
        "Neues Gerät auf 127.0.0.1:8470 angemeldet",
    );
    assert.match(told?.text ?? "", /If it was you, there is nothing to do/);
    assert.match(told?.text ?? "", /Wenn nicht: Ändere dein Passwort/);
    assert.doesNotMatch(told?.text ?? "", /192\.0\.2\.77/);
    assert(!told?.text.includes(tokens.session_token));
    app.clock.advance(HOUR);
    await send(app);
    assert.equal(mail.mails.length, 2);
  });
});

Deno.test("a mail server that is away holds up no sign-in", async () => {
  await withTestApp(async (app) => {
    await registerPerson(app, "ada");
    await expectJson(
      await app.send("POST", "/v1/auth/login", {
        json: { address: "ada@example.org", password: PASSWORD },
      }),
      200,
    );
    await send(app);
    const [state] = await app.app.notices.states();
    assert.equal(state?.fault, "the mail server does not answer");
  }, {
    settings: {
      STRONGROOM_NOTIFY:
        "smtp://127.0.0.1:1?from=a@home.example&to=b@home.example",
    },
  });
});

/** Looks around as a running server does, and returns what lasts. */
async function seen(
  app: TestApp,
  certificateEnds?: number,
): Promise<string[]> {
  await lookAround(app.app, app.app.notices, {
    files: denoFiles,
    root: app.dataDir,
    certificateEnds: () => certificateEnds,
  });
  const rows = await app.app.db.selectFrom("notice").select("event")
    .where("ended_at", "is", null).orderBy("event").execute();
  return rows.map(({ event }) => event);
}

Deno.test("a server notices a full disk, an old backup, lost blobs, an ending certificate and lockouts", async () => {
  await withMail(async (app) => {
    const { db } = app.app;
    assert.deepEqual(await seen(app), []);
    const note = (made_at: number) =>
      writeBackupNote(denoFiles, app.dataDir, {
        dir: "/mnt",
        made_at,
        damaged: 0,
        blobs: 0,
        bytes: 0,
      });
    await note(app.clock.now - 9 * DAY);
    assert.deepEqual(await seen(app), ["backup_old"]);
    await note(app.clock.now - DAY);
    assert.deepEqual(await seen(app), []);

    // Every night, until two nights were missed.
    await note(app.clock.now);
    app.clock.advance(2 * DAY);
    assert.deepEqual(await seen(app), []);
    app.clock.advance(DAY);
    assert.deepEqual(await seen(app), ["backup_old"]);
    await note(app.clock.now);

    const soon = app.clock.now + 13 * DAY;
    assert.deepEqual(await seen(app, soon), ["certificate_ending"]);
    assert.deepEqual(await seen(app, soon + 30 * DAY), []);

    const lost = (hash: string, is_damaged: 0 | 1) =>
      db.insertInto("lost_blob")
        .values({ hash: hash as never, noticed_at: 1, is_damaged }).execute();
    // Unreferenced blobs are left to gc, and cause no notice.
    await lost("a".repeat(64), 0);
    await lost("b".repeat(64), 1);
    assert.deepEqual(await seen(app), []);
    const asset = await createAsset(app, await registerWriter(app, "ada"), "x");
    await lost(hashOf(asset.original), 0);
    await lost(hashOf(asset.metadata), 1);
    assert.deepEqual(await seen(app), ["blob_damaged", "blob_missing"]);
    await db.deleteFrom("lost_blob").execute();
    assert.deepEqual(await seen(app), []);

    for (const name of ["ann", "ben", "cat", "dan", "eli"]) {
      await app.send("POST", "/v1/auth/login", {
        json: { address: `${name}@example.org`, password: "wrong, wrong" },
      });
    }
    assert.deepEqual(await seen(app), ["lockouts"]);
    app.clock.advance(HOUR);
    assert.deepEqual(await seen(app), []);
  }, { STRONGROOM_LIMIT_LOCKOUT: "1" });
  await withMail(async (app) => {
    assert.deepEqual(await seen(app), ["disk_full"]);
  }, { STRONGROOM_RESERVED_DISK_BYTES: "1000TiB" });
  // Between the reserve and twice that is left, whatever others write
  // meanwhile.
  let free = 0;
  await withMail(async (app) => {
    free = await app.app.staging.freeBytes();
  });
  const reserved = Math.floor(free * 0.7);
  await withMail(async (app) => {
    assert.deepEqual(await seen(app), ["disk_low"]);
  }, { STRONGROOM_RESERVED_DISK_BYTES: String(reserved) });
});

Deno.test("mail that waits for a person goes with the account, and no hash of the address waits with it", async () => {
  await withMail(async (app, mail) => {
    const ada = await registerWriter(app, "ada");
    await registerPerson(app, "bob");
    for (const address of [ada.address, "bob@example.org"]) {
      await expectJson(
        await app.send("POST", "/v1/auth/login", {
          json: { address, password: PASSWORD },
        }),
        200,
      );
    }
    const waiting = () =>
      app.app.db.selectFrom("outgoing").select(["about", "user_id"]).execute();
    const before = await waiting();
    assert.equal(before.length, 2);
    for (const { about } of before) {
      assert(!about?.includes(hashOf(ada.address)));
    }
    await expectEmpty(
      await app.send(
        "POST",
        "/v1/auth/account/delete",
        await departureRequest(app, ada),
      ),
      204,
    );
    assert.equal((await waiting()).length, 1);
    await send(app);
    assert.deepEqual(mail.mails.map(({ to }) => to), [["bob@example.org"]]);
  });
});

Deno.test("nothing is recorded if there is no one to notify", async () => {
  await withTestApp(async (app) => {
    const { notices, db } = app.app;
    await notices.raise("backup_failed");
    await notices.announce("test");
    assert.equal(
      await notices.write("ada@example.org", {
        kind: "signed_in",
        at: "2026-11-21T12:00:00.000Z",
      }),
      false,
    );
    for (const table of ["notice", "outgoing"] as const) {
      assert.deepEqual(await db.selectFrom(table).selectAll().execute(), []);
    }
  });
});
