/**
 * Files of strangers through an upload link, what the programs of one account
 * share, and the two ways out: of every session, and of the server.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  changedAt,
  DamagedBlob,
  deleteAccount,
  EscrowError,
  newRecoveryWords,
  NotSignedIn,
  NoWayBack,
  openGuestBox,
  openLibrary,
  openVault,
  PHRASE_LABEL,
  plainOf,
  recoverVault,
  resumeSession,
  signOutEverywhere,
  WORDS_LABEL,
} from "../../src/library/mod.ts";
import { sealingKeyPairFromSeed } from "../../src/client/keys/sealing.ts";
import { parseUploadLink } from "../../src/client/documents/upload_link.ts";
import { toBase64 } from "../../src/core/bytes.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { seededRandom, withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  enter,
  fileOf,
  platformOn,
  wholeOf,
  wireTo,
} from "../support/library.ts";
import { acceptMine } from "../../src/library/sharing/accept_mine.ts";
import { concatBytes } from "../../src/core/bytes.ts";
import { ciphertext } from "../support/people.ts";

const EXPIRES = "2026-12-01T00:00:00Z";
const REQUEST = { expiresAt: EXPIRES, maxBytes: 1_000_000, maxFiles: 5 };

function guestFile(name: string, bytes: Uint8Array<ArrayBuffer>) {
  const about = { name, mime: "image/jpeg", taken_at: "2026-06-01T10:00:00Z" };
  return { source: plainOf(bytes), about };
}

Deno.test("a guest's file waits, is looked at, and becomes a photo without being sent again", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { url } = await library.request(REQUEST);
    const camera = platformOn({ fetch: wire.fetch, now: () => 0 }, "camera");
    const box = await openGuestBox(camera, url);
    const photo = ciphertext("of the camera", 90_000);
    await box.send(guestFile("gate.jpg", photo));
    await box.send(guestFile("spam.jpg", ciphertext("spam", 10)));
    assert.equal((await box.left()).files, 3);

    assert.equal((await library.sync()).contributions, true);
    const waiting = await library.inbox();
    assert.deepEqual(
      waiting.map(({ file }) => [file?.name, file?.size]),
      [["gate.jpg", 90_000], ["spam.jpg", 10]],
    );
    const [gate, spam] = waiting;
    assert.ok(gate !== undefined && spam !== undefined);
    const sent = wire.sent.length;
    const { row } = await library.accept(gate.opaqueId, gate.uploadId);
    assert.ok(wire.sent.slice(sent).every((one) => !/PUT .*upload/.test(one)));
    await library.refuse(spam.opaqueId, spam.uploadId);
    assert.deepEqual(await library.inbox(), []);
    assert.deepEqual(await wholeOf(library.read(row.id)), photo);
    assert.equal(row.metadata?.taken_at, "2026-06-01T10:00:00Z");
    assert.equal((await library.take(fileOf("x.jpg", photo))).outcome, "known");

    // Another device reads it as well, and hands the link out again.
    const phrase = "grandmother's apple cake";
    await library.vault.escrow({ label: PHRASE_LABEL, passphrase: phrase });
    const phone = deviceOf(wire, "phone");
    const vault = await recoverVault(await enter(phone, "ada"), phrase);
    const other = await openLibrary(vault, phone.store);
    await other.sync();
    assert.deepEqual(await wholeOf(other.read(row.id)), photo);
    assert.deepEqual((await other.requests()).map((one) => one.url), [url]);
  });
});

Deno.test("the media type of a guest's file is read from its bytes, whatever the guest claims, also by a link of one's own", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { url } = await library.request({ ...REQUEST, maxFiles: 6 });
    const camera = platformOn({ fetch: wire.fetch, now: () => 0 }, "camera");
    const box = await openGuestBox(camera, url);
    const turned = await Deno.readFile(
      new URL("../support/media/turned.jpg", import.meta.url),
    );
    const sendAll = async (names: readonly string[], seed: number) => {
      for (const [at, name] of names.entries()) {
        const body = name === "page"
          ? ciphertext(`page ${seed}`, 500)
          : concatBytes(turned, new Uint8Array([seed, at]));
        const about = { name, mime: "video/mp4" };
        await box.send({ source: plainOf(body), about });
      }
    };
    const types = () =>
      new Map(
        library.list().map(({ metadata }) => [
          metadata?.name,
          metadata?.mime,
        ]),
      );
    await sendAll(["a.jpg", "b.mov", "c", "page"], 1);
    for (const { opaqueId, uploadId } of await library.inbox()) {
      await library.accept(opaqueId, uploadId);
    }
    assert.deepEqual(
      [...types()].toSorted(),
      [
        ["a.jpg", "image/jpeg"],
        ["b.mov", "image/jpeg"],
        ["c", "image/jpeg"],
        ["page", "application/octet-stream"],
      ],
    );

    const [link] = await library.requests();
    await library.markMine(link?.opaque_id ?? "", true);
    await sendAll(["d.jpg", "e.mov"], 2);
    const pictured: string[] = [];
    await acceptMine(library, {
      picture(_source, mime) {
        pictured.push(mime);
        return Promise.resolve({ derivatives: [] });
      },
    });
    assert.deepEqual(pictured, ["image/jpeg", "image/jpeg"]);
    assert.equal(types().get("d.jpg"), "image/jpeg");
    assert.equal(types().get("e.mov"), "image/jpeg");
    const row = library.list().find(({ metadata }) =>
      metadata?.name === "e.mov"
    );
    assert.ok(row?.metadata?.width !== undefined);
  });
});

Deno.test("a guest that was killed goes on with the same upload, and knows what was sent", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { url } = await library.request(REQUEST);
    const camera = platformOn({ fetch: wire.fetch, now: () => 0 }, "camera");
    const held = new Map<string, Uint8Array>();
    const journal = {
      read: (name: string) => Promise.resolve(held.get(name)),
      write: (name: string, entry: Uint8Array) => {
        held.set(name, entry);
        return Promise.resolve();
      },
    };
    const photo = guestFile("gate.jpg", ciphertext("of the camera", 90_000));
    wire.intercept = (request) => {
      if (request.method !== "PUT") return undefined;
      throw new Error("killed");
    };
    const killed = await openGuestBox(camera, url, undefined, journal);
    await assert.rejects(killed.send(photo));
    wire.intercept = undefined;
    const begun = [...held.values()][0] ?? new Uint8Array();
    const { open } = JSON.parse(new TextDecoder().decode(begun));

    const box = await openGuestBox(camera, url, undefined, journal);
    const sha256 = sha256Hex(ciphertext("of the camera", 90_000));
    assert.equal(await box.wasSent(sha256), false);
    await box.send(photo);
    assert.equal(await box.wasSent(sha256), true);
    const sessions = wire.sent.filter((one) => /^POST .*\/uploads$/.test(one));
    assert.equal(sessions.length, 1, wire.sent.join("\n"));
    // One file waits, and it opens; its key is not here any more.
    const [waiting, ...others] = await library.inbox();
    assert.ok(waiting !== undefined && others.length === 0);
    const { row } = await library.accept(waiting.opaqueId, waiting.uploadId);
    assert.deepEqual(
      await wholeOf(library.read(row.id)),
      ciphertext("of the camera", 90_000),
    );
    const after = new TextDecoder().decode([...held.values()][0]);
    assert.ok(!after.includes(open.key) && !after.includes(open.sealed));
    // Another link knows nothing of it.
    const second = await library.request(REQUEST);
    const other = await openGuestBox(camera, second.url, undefined, journal);
    assert.equal(await other.wasSent(sha256), false);
  });
});

Deno.test("a guest sends nothing to a key that is not the owner's, and a blob that does not open is not accepted", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { url } = await library.request(REQUEST);
    const camera = platformOn({ fetch: wire.fetch, now: () => 0 }, "camera");
    const liar = sealingKeyPairFromSeed(seededRandom("liar")(32));
    wire.intercept = (request, pass) =>
      !/\/u\/[0-9a-f]+$/.test(request.url)
        ? undefined
        : pass(request).then(async (answer) =>
          Response.json({
            ...await answer.json(),
            recipient_key: toBase64(liar.publicKey),
          })
        );
    await assert.rejects(openGuestBox(camera, url), /not that of the link/);
    wire.intercept = undefined;

    const box = await openGuestBox(camera, url);
    await box.send(guestFile("a.jpg", ciphertext("a", 5_000)));
    const [waiting] = await library.inbox();
    assert.ok(waiting !== undefined);
    wire.intercept = (request, pass) =>
      !request.url.endsWith("/blob")
        ? undefined
        : pass(request).then(async (answer) => {
          const bytes = new Uint8Array(await answer.arrayBuffer());
          bytes[100] = 1 ^ (bytes[100] ?? 0);
          return new Response(bytes, { headers: answer.headers });
        });
    await assert.rejects(
      library.accept(waiting.opaqueId, waiting.uploadId),
      DamagedBlob,
    );
    assert.deepEqual(library.list(), []);
  });
});

Deno.test("a link behind a passphrase opens for a guest who has it", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const passphrase = "the dog's name";
    const { url } = await library.request({ ...REQUEST, passphrase });
    assert.equal(parseUploadLink(url)?.fingerprint?.length, 32);
    const camera = platformOn({ fetch: wire.fetch, now: () => 0 }, "camera");
    await assert.rejects(openGuestBox(camera, url), /wants its passphrase/);
    await assert.rejects(openGuestBox(camera, url, "no"), EscrowError);
    const box = await openGuestBox(camera, url, passphrase);
    await box.send(guestFile("a.jpg", ciphertext("a", 5_000)));
    const [waiting] = await library.inbox();
    assert.equal(waiting?.file?.name, "a.jpg");
    // The owner hands out the same link again, not one that opens without.
    assert.deepEqual((await library.requests()).map((one) => one.url), [url]);
  });
});

Deno.test("two programs of an account change what they share, and neither undoes the other", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = deviceOf(wire, "laptop");
    const library = await beginLibrary(laptop, "ada");
    const session = await resumeSession(laptop.platform, laptop.entrance);
    const other = await openLibrary(await openVault(session), laptop.store);
    const now = app.clock.now;
    const name = (value: string) => ({ value, at: changedAt(undefined, now) });
    await library.state.change((state) => ({
      ...state,
      settings: { ...state.settings, one: name("of the laptop") },
    }));
    let first = true;
    await library.state.change((state) => {
      if (first) {
        first = false;
        // In between: the other program writes.
        wire.intercept = (request, pass) => {
          if (request.method !== "PUT") return undefined;
          wire.intercept = undefined;
          return other.state.change((theirs) => ({
            ...theirs,
            settings: { ...theirs.settings, two: name("of the other") },
          })).then(() => pass(request));
        };
      }
      return {
        ...state,
        settings: { ...state.settings, three: name("again") },
      };
    });
    const { settings } = await other.state.read();
    const names = Object.keys(settings).filter((name) => !name.includes("/"));
    assert.deepEqual(names.sort(), ["one", "three", "two"]);
    const { slots } = await library.sync();
    // The other's directory counts its writes, and it noted that it published.
    assert.deepEqual(slots, ["published", "library"]);
  });
});

Deno.test("signing out everywhere and deleting the account want the master key, and leave nothing here", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = deviceOf(wire, "laptop");
    const library = await beginLibrary(laptop, "ada");
    const phone = deviceOf(wire, "phone");
    const session = await enter(phone, "ada");
    // No words and no sentence are kept: signing out may lose the keys.
    await assert.rejects(signOutEverywhere(library.vault), NoWayBack);
    await session.account.profile();
    assert.notEqual(await laptop.credentials.read(), undefined);
    const words = await newRecoveryWords(laptop.platform.random);
    await library.vault.escrow({ label: WORDS_LABEL, passphrase: words });
    assert.equal(await signOutEverywhere(library.vault), 2);
    await assert.rejects(session.account.profile());
    assert.equal(await laptop.credentials.read(), undefined);
    await assert.rejects(
      resumeSession(laptop.platform, laptop.entrance),
      NotSignedIn,
    );

    const bob = deviceOf(wire, "bob's");
    const theirs = await beginLibrary(bob, "bob");
    await theirs.take(fileOf("a.jpg", ciphertext("a", 10)));
    app.clock.advance(10 * 60_000);
    await deleteAccount(theirs.vault);
    assert.equal(await bob.credentials.read(), undefined);
    await assert.rejects(enter(bob, "bob"), {
      code: "error.auth.credentials_invalid",
    });
  });
});

Deno.test("a guest's file can be stopped and gone on with, or taken back: its room is free again", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const { url } = await library.request({ ...REQUEST, maxFiles: 1 });
    const camera = platformOn({ fetch: wire.fetch, now: () => 0 }, "camera");
    const held = new Map<string, Uint8Array>();
    const box = await openGuestBox(camera, url, undefined, {
      read: (name) => Promise.resolve(held.get(name)),
      write: (name, entry) => {
        held.set(name, entry);
        return Promise.resolve();
      },
    });
    const bytes = ciphertext("of a video", 90_000);
    const sha256 = sha256Hex(bytes);
    assert.equal(await box.wasBegun(sha256), false);
    const stopping = new AbortController();
    wire.intercept = (request) => {
      if (request.method !== "PUT") return undefined;
      stopping.abort();
      throw new Error("stopped");
    };
    const video = guestFile("video.mp4", bytes);
    await assert.rejects(
      box.send(video, { signal: stopping.signal }),
      { name: "AbortError" },
    );
    wire.intercept = undefined;
    assert.equal(await box.wasBegun(sha256), true);
    assert.equal((await box.left()).files, 0);
    await box.giveUp(sha256);
    assert.equal(await box.wasBegun(sha256), false);
    assert.equal((await box.left()).files, 1);
    await box.send(guestFile("other.mp4", ciphertext("another", 10)));
    const waiting = await library.inbox();
    assert.deepEqual(waiting.map(({ file }) => file?.name), ["other.mp4"]);
  });
});
