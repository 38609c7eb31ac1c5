/**
 * Upload links and sessions that are not live, and contributions that are not
 * the caller's: equal in status, in every header but Date, and in body, byte
 * for byte, and asked for again as long to wait for.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type SendOptions, withTestApp } from "../support/app.ts";
import { expectEmpty } from "../support/expect.ts";
import {
  adopt,
  after,
  asGuest,
  contribute,
  createGuestUpload,
  guestRequest,
  issueLink,
  onContribution,
  revokeLink,
  sessionPath,
  viewLink,
} from "../support/guests.ts";
import { ciphertext, registerWriter, uuidOf } from "../support/people.ts";
import {
  expectSameAnswers,
  opaqueId,
  refreshed,
  suspend,
} from "../support/api.ts";
import { expectSameWork } from "../support/work.ts";

const HOUR = 3_600_000;
const BYTES = ciphertext("indistinguishable", 100);

function codeOf(body: string): string {
  return JSON.parse(body).code;
}

/** Sends one request to each of what is named and expects one answer. */
async function expectOneAnswer(
  ids: Readonly<Record<string, string>>,
  send: (id: string) => Promise<Response>,
): Promise<string> {
  const answers: Record<string, Response> = {};
  for (const [name, id] of Object.entries(ids)) answers[name] = await send(id);
  return await expectSameAnswers(answers);
}

const OCTETS = { "Content-Type": "application/octet-stream" };
const TUS = { "Content-Type": "application/offset+octet-stream" };

/** What a guest may send to a session. */
const REQUESTS: [string, string, SendOptions][] = [
  ["GET", "", {}],
  ["DELETE", "", {}],
  ["POST", "/finalize", {}],
  ["PUT", "", { headers: OCTETS, body: BYTES }],
  ["PUT", "", { headers: OCTETS, body: ciphertext("too long", 101) }],
  ["PUT", "", { headers: OCTETS, body: ciphertext("too short", 9) }],
  ["PATCH", "", { headers: { ...TUS, "Upload-Offset": "0" }, body: BYTES }],
  ["PATCH", "", { headers: { ...TUS, "Upload-Offset": "7" }, body: BYTES }],
];

Deno.test("whatever is not live about a link, its answer is one and the same", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const eve = await registerWriter(app, "eve");
    const secret = { wrapped_secret: "AAAA" };
    const issue = async (word: string, over = {}, owner = ada) => {
      const link = await issueLink(app, owner, word, { ...secret, ...over });
      const open = await createGuestUpload(app, link, BYTES);
      const done = await contribute(app, link, BYTES);
      return { link, open: open.upload_id, finalized: done.upload_id };
    };
    const live = await issue("live");
    const open = await issueLink(app, ada, "open");
    const expired = await issue("expired", { expires_at: after(HOUR) });
    const revoked = await issue("revoked");
    await expectEmpty(await revokeLink(app, ada, revoked.link), 204);
    const suspended = await issue("suspended", {}, eve);
    await suspend(app, eve);
    const lapsed = await issue("lapsed");
    app.clock.advance(HOUR);
    const cancelled = await createGuestUpload(app, live.link, BYTES);
    await expectEmpty(
      await asGuest(
        app,
        "DELETE",
        sessionPath(live.link, cancelled.upload_id),
      ),
      204,
    );
    const dead = {
      unknown: opaqueId("never issued"),
      expired: expired.link,
      revoked: revoked.link,
      "of a suspended owner": suspended.link,
    };
    const bodies = new Set<string>();
    const headers: Record<string, string>[] = [
      {},
      { Origin: "https://somewhere.example" },
    ];
    for (const one of headers) {
      const sent = { headers: one };
      const read = (suffix: string, method = "GET") => (id: string) =>
        asGuest(app, method, `${id}${suffix}`, sent);
      const secrets = { ...dead, "without a passphrase": open };
      bodies.add(await expectOneAnswer(dead, read("")));
      bodies.add(await expectOneAnswer(secrets, read("/wrapped-secret")));
      assert.equal(await expectOneAnswer(dead, read("", "HEAD")), "");
    }
    for (
      const json of [
        guestRequest(BYTES),
        // Neither the size nor the room of what is not there is told.
        guestRequest(BYTES, { size: Number.MAX_SAFE_INTEGER }),
        guestRequest(BYTES, { size: 2 ** 33 }),
      ]
    ) {
      bodies.add(
        await expectOneAnswer(
          dead,
          (id) => asGuest(app, "POST", `${id}/uploads`, { json }),
        ),
      );
    }
    // The sessions of a dead link, and those that a live one does not have.
    const sessions = {
      unknown: sessionPath(live.link, uuidOf("no session")),
      "of an unknown link": sessionPath(opaqueId("none"), live.open),
      "of another link": sessionPath(lapsed.link, live.open),
      "of another link, finalized": sessionPath(lapsed.link, live.finalized),
      cancelled: sessionPath(live.link, cancelled.upload_id),
      "of an expired link": sessionPath(expired.link, expired.open),
      "finalized, expired link": sessionPath(expired.link, expired.finalized),
      "of a revoked link": sessionPath(revoked.link, revoked.open),
      "finalized, revoked link": sessionPath(revoked.link, revoked.finalized),
      "of a suspended owner": sessionPath(suspended.link, suspended.open),
      "finalized, suspended": sessionPath(suspended.link, suspended.finalized),
    };
    const ask = async (paths: Readonly<Record<string, string>>) => {
      for (const [method, suffix, sent] of REQUESTS) {
        bodies.add(
          await expectOneAnswer(
            paths,
            (path) => asGuest(app, method, `${path}${suffix}`, sent),
          ),
        );
      }
    };
    await ask(sessions);
    app.clock.advance(24 * HOUR);
    await ask({
      unknown: sessionPath(live.link, uuidOf("no session")),
      expired: sessionPath(lapsed.link, lapsed.open),
    });
    // One 404 for all of it.
    const [body, ...others] = bodies;
    assert.deepEqual(others, []);
    assert.equal(codeOf(body ?? "{}"), "error.upload_link.not_found");
    await viewLink(app, live.link);
  });
});

Deno.test("the contributions of an unknown and of a foreign link are one and the same", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const own = await issueLink(app, ada, "own");
    const foreign = await issueLink(app, bob, "foreign");
    const { upload_id } = await contribute(app, foreign, BYTES);
    const { upload_id: adopted } = await contribute(app, own, BYTES);
    await adopt(app, ada, BYTES, adopted);
    const open = await createGuestUpload(app, own, BYTES);
    const bodies = [
      await expectOneAnswer(
        { unknown: opaqueId("none"), foreign },
        (id) =>
          app.send("GET", `/v1/upload-links/${id}/contributions`, {
            token: ada.token,
          }),
      ),
    ];
    const cases: Record<string, [string, string]> = {
      unknown: [own, uuidOf("none")],
      "of an unknown link": [opaqueId("none"), upload_id],
      foreign: [foreign, upload_id],
      "foreign, under one's own": [own, upload_id],
      open: [own, open.upload_id],
      adopted: [own, adopted],
    };
    for (const method of ["GET", "DELETE"]) {
      const answers: Record<string, Response> = {};
      for (const [name, [link, id]] of Object.entries(cases)) {
        answers[name] = await onContribution(app, ada, method, link, id);
      }
      bodies.push(await expectSameAnswers(answers));
    }
    assert.equal(new Set(bodies).size, 1);
    assert.equal(codeOf(bodies[0] ?? ""), "error.upload_link.not_found");
  });
});

Deno.test("adopting what is unknown, foreign, open, deleted or too old is one and the same", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const over = { expires_at: after(90 * 24 * HOUR) };
    const own = await issueLink(app, ada, "own", over);
    const foreign = await issueLink(app, bob, "foreign", over);
    const old = await contribute(app, own, BYTES);
    app.clock.advance(30 * 24 * HOUR);
    const now = await refreshed(app, ada);
    const deleted = await contribute(app, own, BYTES);
    await onContribution(app, now, "DELETE", own, deleted.upload_id);
    const theirs = await contribute(app, foreign, BYTES);
    const open = await createGuestUpload(app, own, BYTES);
    const body = await expectOneAnswer({
      unknown: uuidOf("none"),
      foreign: theirs.upload_id,
      open: open.upload_id,
      deleted: deleted.upload_id,
      "too old": old.upload_id,
    }, (id) => adopt(app, now, BYTES, id));
    assert.equal(codeOf(body), "error.upload.not_found");
  });
});

Deno.test("revoking one's own, a foreign, an unknown and a revoked link is one and the same", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const own = await issueLink(app, ada, "own");
    const body = await expectOneAnswer({
      own,
      "already revoked": own,
      foreign: await issueLink(app, bob, "foreign"),
      unknown: opaqueId("unknown"),
    }, (id) => revokeLink(app, ada, id));
    assert.equal(body, "");
  });
});

Deno.test("a link or session that is not, or is no more, takes the same time", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const live = await issueLink(app, ada, "live");
    const revoked = await issueLink(app, ada, "revoked");
    const open = await createGuestUpload(app, live, BYTES);
    const { upload_id } = await contribute(app, revoked, BYTES);
    await revokeLink(app, ada, revoked);
    await expectSameWork({
      unknown: () => asGuest(app, "GET", opaqueId("nobody's")),
      revoked: () => asGuest(app, "GET", revoked),
    });
    const json = guestRequest(BYTES);
    const create = (id: string) => () =>
      asGuest(app, "POST", `${id}/uploads`, { json });
    await expectSameWork({
      unknown: create(opaqueId("nobody's")),
      revoked: create(revoked),
    });
    const read = (link: string, id: string) => () =>
      asGuest(app, "GET", sessionPath(link, id));
    await expectSameWork({
      "of an unknown link": read(opaqueId("nobody's"), open.upload_id),
      "of another link": read(live, upload_id),
      "of a revoked link": read(revoked, upload_id),
      unknown: read(live, uuidOf("no session")),
    });
  }, { settings: { STRONGROOM_LIMIT_GUEST_CREATE: "100000" } });
});
