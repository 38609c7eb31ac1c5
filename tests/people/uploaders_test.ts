/**
 * The requests that uploaders on telephones are known to make, as their
 * documentation and the logs of other servers show them. No app itself runs
 * here.
 *
 * @module
 */
import assert from "node:assert/strict";
import { ciphertext } from "../support/people.ts";
import { PHONE, type Town, withTelephone } from "../support/telephone.ts";

const FILES = `/remote.php/dav/files/${PHONE.name}`;
const UPLOADS = `/remote.php/dav/uploads/${PHONE.name}`;

async function names(town: Town): Promise<(string | undefined)[]> {
  await town.deliver();
  return (await town.inbox()).map(({ file }) => file?.name);
}

/** A request without a user's name. */
async function asStranger(
  town: Town,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  return await town.receiver.answer(
    new Request(`http://127.0.0.1:8473${path}`, init),
    "192.0.2.7",
  );
}

/**
 * docs.nextcloud.com, developer manual 30, client APIs: "Login flow v2" and
 * "OCS API overview".
 */
Deno.test("Nextcloud's apps sign in by the browser, and find a server that they know", async () => {
  await withTelephone(async (town) => {
    const status = await (await asStranger(town, "/status.php")).json();
    assert.equal(status.installed, true);
    const begun = await asStranger(town, "/index.php/login/v2", {
      method: "POST",
    });
    const { poll, login } = await begun.json();
    const asked = () =>
      asStranger(town, new URL(poll.endpoint).pathname, {
        method: "POST",
        body: new URLSearchParams({ token: poll.token }),
      });
    assert.equal((await asked()).status, 404);
    const page = new URL(login).pathname;
    assert.match(await (await asStranger(town, page)).text(), /<form/);
    const entered = async (password: string) => {
      const answer = await asStranger(town, page, {
        method: "POST",
        body: new URLSearchParams({ name: PHONE.name, password }),
      });
      return answer.status;
    };
    assert.equal(await entered("guess"), 401);
    assert.equal((await asked()).status, 404);
    assert.equal(await entered(PHONE.password), 200);
    const given = await (await asked()).json();
    assert.deepEqual(given, {
      server: "http://127.0.0.1:8473",
      loginName: PHONE.name,
      appPassword: PHONE.password,
    });
    // It is told once.
    assert.equal((await asked()).status, 404);
    const ocs = async (path: string) =>
      await (await town.ask(path, {
        method: "GET",
        headers: { "OCS-APIRequest": "true" },
      })).json();
    const able = await ocs("/ocs/v1.php/cloud/capabilities?format=json");
    assert.equal(able.ocs.meta.statuscode, 100);
    assert.equal(able.ocs.data.capabilities.files.bigfilechunking, true);
    const user = await ocs("/ocs/v2.php/cloud/user?format=json");
    assert.equal(user.ocs.data.id, PHONE.name);
    const stranger = await asStranger(town, "/ocs/v1.php/cloud/user");
    assert.equal(stranger.status, 401);
    // Guesses at the page count as all others do.
    const again = await asStranger(town, "/index.php/login/v2", {
      method: "POST",
    });
    const other = new URL((await again.json()).login).pathname;
    for (let tries = 0; tries < 10; tries++) {
      await asStranger(town, other, {
        method: "POST",
        body: new URLSearchParams({ name: PHONE.name, password: "x" }),
      });
    }
    const list = { method: "PROPFIND", headers: { Depth: "0" } };
    assert.equal(await town.status("/", list), 429);
  });
});

/** The same manual: "Basic WebDAV operations". */
Deno.test("Nextcloud's apps find the folder missing, make it, and send a photo with its date", async () => {
  await withTelephone(async (town) => {
    const look = (path: string, depth = "0") =>
      town.ask(`${FILES}${path}`, {
        method: "PROPFIND",
        headers: { Depth: depth },
      });
    assert.equal((await look("/")).status, 207);
    assert.equal((await look("/InstantUpload")).status, 404);
    const folder = `${FILES}/InstantUpload`;
    assert.equal(await town.status(folder, { method: "MKCOL" }), 201);
    const put = await town.ask(`${folder}/a%20b.jpg`, {
      body: ciphertext("a", 900),
      headers: { "X-OC-Mtime": "1717236000", "OC-Total-Length": "900" },
    });
    assert.equal(put.status, 201);
    assert.match(put.headers.get("oc-fileid") ?? "", /^\d+$/);
    assert.equal(put.headers.get("x-oc-mtime"), "accepted");
    const listed = await (await look("/InstantUpload", "1")).text();
    assert.ok(listed.includes(`${folder}/a%20b.jpg</D:href>`), listed);
    assert.ok(listed.includes(`>${put.headers.get("oc-fileid")}</oc:fileid>`));
    // No other folder is there, and the plain path shows the same.
    const elses = "/remote.php/dav/files/bob/x.jpg";
    assert.equal(await town.status(elses, { body: ciphertext("x", 9) }), 404);
    const plain = "/InstantUpload/a%20b.jpg";
    assert.equal(await town.status(plain, { method: "HEAD" }), 200);
    await town.deliver();
    const [waiting] = await town.inbox();
    assert.equal(waiting?.file?.path, "InstantUpload");
    assert.equal(waiting?.file?.modified_at, "2024-06-01T10:00:00.000Z");
  });
});

/** The same manual: "Chunked file upload", version 2. */
Deno.test("Nextcloud's apps send a film in numbered pieces, and go on after a piece that broke", async () => {
  await withTelephone(async (town) => {
    const film = ciphertext("film", 300_000);
    const Destination = `http://127.0.0.1:8473${FILES}/film.mp4`;
    const headers = { Destination, "OC-Total-Length": "300000" };
    const upload = `${UPLOADS}/web-file-upload-1`;
    const piece = (name: string, body: Uint8Array<ArrayBuffer>) =>
      town.status(`${upload}/${name}`, { body, headers });
    const begin = () => town.status(upload, { method: "MKCOL", headers });
    assert.equal(await begin(), 201);
    assert.equal(await piece("00001", film.slice(0, 100_000)), 201);
    const breaks = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(film.slice(100_000, 130_000)),
      pull: (controller) => controller.error(new Error("connection reset")),
    });
    assert.equal(
      await town.status(`${upload}/00002`, { body: breaks, headers }),
      400,
    );
    const end = () =>
      town.status(`${upload}/.file`, {
        method: "MOVE",
        headers: { ...headers, "X-OC-Mtime": "1717236000" },
      });
    assert.equal(await end(), 400);
    assert.equal(await piece("00003", film.slice(200_000)), 409);
    assert.equal(await piece("00002", film.slice(100_000, 200_000)), 201);
    // Its answer was lost.
    assert.equal(await piece("00002", film.slice(100_000, 200_000)), 201);
    assert.equal(await piece("00003", film.slice(200_000)), 201);
    assert.equal(await town.status("/film.mp4", { method: "HEAD" }), 404);
    assert.equal(await end(), 201);
    assert.equal(await end(), 404);
    assert.deepEqual(await names(town), ["film.mp4"]);
    const [waiting] = await town.inbox();
    assert.ok(waiting !== undefined);
    assert.equal(waiting.file?.modified_at, "2024-06-01T10:00:00.000Z");
    assert.deepEqual(await town.peek(waiting), film);

    // A kill forgets the keys of unfinished uploads: the app starts over.
    assert.equal(await begin(), 201);
    assert.equal(await piece("00001", film.slice(0, 100_000)), 201);
    await town.kill();
    assert.equal(await piece("00002", film.slice(100_000)), 404);
    assert.equal(await begin(), 201);
    assert.equal(await town.status(upload, { method: "DELETE" }), 204);
    assert.deepEqual(
      await Array.fromAsync(Deno.readDir(`${town.root}/incoming`)),
      [],
    );
  });
});

/**
 * PhotoSync tests a target by PROPFIND and wants 207 of it
 * (github.com/photoprism/photoprism/issues/1228,
 * github.com/rigon/photo-gallery/issues/44).
 */
Deno.test("PhotoSync finds its target, makes folders and sends", async () => {
  await withTelephone(async (town) => {
    const list = { method: "PROPFIND", headers: { Depth: "1" } };
    assert.equal(await town.status("/", list), 207);
    assert.equal(await town.status("/Album/", { method: "MKCOL" }), 201);
    assert.equal(await town.status("/Album/", { method: "MKCOL" }), 405);
    assert.equal(await town.status("/Album/IMG_1.HEIC", list), 404);
    const body = ciphertext("a", 900);
    assert.equal(await town.status("/Album/IMG_1.HEIC", { body }), 201);
    assert.equal(await town.status("/Album/IMG_1.HEIC", list), 207);
    assert.deepEqual(await names(town), ["IMG_1.HEIC"]);
  });
});

/**
 * FolderSync sends under a temporary name and renames what is whole
 * (www.tacit.dk/foldersync/help, "Use temp-file scheme").
 */
Deno.test("FolderSync sends under a temporary name, and the photo arrives under its own", async () => {
  await withTelephone(async (town) => {
    const part = "/IMG_1.jpg.tacitpart";
    assert.equal(await town.status(part, { body: ciphertext("a", 900) }), 201);
    // Longer than any other name settles.
    town.now += 60_000;
    await town.receiver.taking.tidy();
    const moved = await town.status(part, {
      method: "MOVE",
      headers: { Destination: "http://127.0.0.1:8473/IMG_1.jpg" },
    });
    assert.equal(moved, 201);
    assert.deepEqual(await names(town), ["IMG_1.jpg"]);
  });
});

/**
 * The Finder and gvfs make an empty file, lock it, and then write it
 * (github.com/pydio/pydio-core/issues/581 has the log of WebDAVFS 3.0.1).
 */
Deno.test("an empty file that is locked and then written is one photo", async () => {
  await withTelephone(async (town) => {
    const path = "/verkkolevy.jpg";
    const empty = new Uint8Array();
    assert.equal(await town.status(path, { method: "PROPFIND" }), 404);
    assert.equal(await town.status(path, { body: empty }), 201);
    const body = '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/>' +
      "</D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>";
    const taken = await town.ask(path, { method: "LOCK", body });
    assert.equal(taken.status, 200);
    const token = taken.headers.get("lock-token") ?? "";
    assert.equal(await town.status(path, { method: "GET" }), 200);
    const named = { If: `(${token})` };
    const photo = ciphertext("a", 900);
    const put = { body: photo, headers: named };
    assert.equal(await town.status(path, put), 204);
    assert.equal(
      await town.status(path, {
        method: "UNLOCK",
        headers: { "Lock-Token": token },
      }),
      204,
    );
    assert.deepEqual(await names(town), ["verkkolevy.jpg"]);
  });
});
