/**
 * The devices of one account: a second factor, a device that another one lets
 * in, and an empty machine with nothing but 24 words.
 *
 * @module
 */
import assert from "node:assert/strict";
import { TOTP } from "otpauth";
import { fromBase64, fromUtf8, toBase64, utf8 } from "../../src/core/bytes.ts";
import {
  adoptJoined,
  enrollDevice,
  EscrowError,
  joinAccount,
  type Library,
  newRecoveryWords,
  NotSignedIn,
  openLibrary,
  openVault,
  ownDevices,
  PHRASE_LABEL,
  recoverVault,
  registerAccount,
  resumeSession,
  signIn,
  UnexpectedAnswer,
  VaultError,
  WORDS_LABEL,
} from "../../src/library/mod.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import {
  addressOf,
  beginLibrary,
  deviceOf,
  enter,
  fileOf,
  type TestDevice,
  wholeOf,
  wireTo,
} from "../support/library.ts";
import { ciphertext, PASSWORD } from "../support/people.ts";

const PHOTO = ciphertext("a photo", 5_000);

async function expectSameLibrary(other: Library, id: string): Promise<void> {
  await other.sync();
  assert.deepEqual(other.list().map((row) => row.id), [id]);
  assert.deepEqual(await wholeOf(other.read(id)), PHOTO);
}

/** Waiting lets the other side have its turn. */
function patient(device: TestDevice): TestDevice {
  const wait = () => new Promise<void>((done) => setTimeout(done, 1));
  return { ...device, platform: { ...device.platform, wait } };
}

for (const scanned of [true, false]) {
  const how = scanned ? "a link that it scans" : "a code and words that agree";
  Deno.test(`a second device joins by ${how}`, async () => {
    await withTestApp(async (app) => {
      const wire = wireTo(app);
      const laptop = patient(deviceOf(wire, "laptop"));
      const library = await beginLibrary(laptop, "ada");
      const { row } = await library.take(fileOf("a.jpg", PHOTO));
      // Long ago that the password was presented.
      app.clock.advance(10 * 60_000);

      const phone = patient(deviceOf(wire, "phone"));
      const shown = Promise.withResolvers<{ link: string; code: string }>();
      const seen: (readonly string[])[] = [];
      const asked: (readonly string[])[] = [];
      const old = enrollDevice(library.vault, {
        trust: library.trust,
        show: shown.resolve,
        compare: (words) => {
          asked.push(words);
          // A slip first, then right.
          return Promise.resolve(asked.length > 1);
        },
      });
      const { link, code } = await shown.promise;
      const joining = joinAccount(phone.platform, {
        link: scanned ? link : { server: phone.entrance.server, code },
        device: phone.entrance.device,
        compare: (words) => {
          seen.push(words);
          return Promise.resolve(true);
        },
      });
      const [device, joined] = await Promise.all([old, joining]);
      assert.equal(device.name, "phone's machine");
      if (scanned) {
        assert.deepEqual([seen, asked], [[], []]);
      } else {
        assert.equal(seen[0]?.length, 4);
        assert.deepEqual(asked, [seen[0], seen[0]]);
      }

      const session = await signIn(phone.platform, {
        ...phone.entrance,
        device: joined.device,
        address: joined.account.address ?? "",
        password: PASSWORD,
      });
      const vault = await adoptJoined(session, joined);
      const other = await openLibrary(vault, phone.store);
      await expectSameLibrary(other, row.id);
      // And it writes.
      await other.take(fileOf("b.jpg", ciphertext("b", 10)));
      await library.sync();
      assert.equal(library.list().length, 2);

      const stranger = await beginLibrary(deviceOf(wire, "other"), "bob");
      await assert.rejects(
        adoptJoined(stranger.vault.session, joined),
        VaultError,
      );
    });
  });
}

for (
  const [name, answer] of [["old says no", false], [
    "old says yes",
    true,
  ]] as const
) {
  Deno.test(`a server that removes the proof of a scanned link gets words asked on old alone, and new takes nothing: ${name}`, async () => {
    await withTestApp(async (app) => {
      const wire = wireTo(app);
      const laptop = patient(deviceOf(wire, "laptop"));
      const library = await beginLibrary(laptop, "ada");
      wire.intercept = async (request, pass) => {
        const { pathname } = new URL(request.url);
        if (request.method !== "POST" || !/\/channel\//.test(pathname)) {
          return await pass(request);
        }
        const sent = await request.clone().json();
        const { mac, ...message } = JSON.parse(
          fromUtf8(fromBase64(sent.payload) ?? new Uint8Array()) ?? "{}",
        );
        if (message.step !== "reveal") return await pass(request);
        assert(mac !== undefined);
        const payload = toBase64(utf8(JSON.stringify(message)));
        const { headers } = request;
        const body = JSON.stringify({ ...sent, payload });
        return await pass(
          new Request(request.url, { method: "POST", headers, body }),
        );
      };
      const phone = patient(deviceOf(wire, "phone"));
      const shown = Promise.withResolvers<string>();
      let asked = 0;
      const old = enrollDevice(library.vault, {
        trust: library.trust,
        show: ({ link }) => shown.resolve(link),
        compare: () => {
          asked += 1;
          return Promise.resolve(answer);
        },
      });
      const joining = joinAccount(phone.platform, {
        link: await shown.promise,
        device: phone.entrance.device,
        compare: () => assert.fail("it scanned the link"),
      });
      const [one, other] = await Promise.allSettled([old, joining]);
      assert.equal(asked, answer ? 1 : 2);
      assert(other.status === "rejected");
      if (!answer) {
        assert(one.status === "rejected");
        assert.equal(one.reason.fault, "words_differ");
        assert.equal((await ownDevices(library.vault)).length, 1);
        return;
      }
      assert.equal(other.reason.fault, "not_the_other_device");
      assert.match(other.reason.message, /removed on the way.*scanned code/);
    });
  });
}

/** A photo that a laptop keeps, and the words that open its account. */
async function keptUnderWords(app: TestApp) {
  const wire = wireTo(app);
  const laptop = deviceOf(wire, "laptop");
  const library = await beginLibrary(laptop, "ada");
  const { row } = await library.take(fileOf("a.jpg", PHOTO));
  const words = await newRecoveryWords(laptop.platform.random);
  await library.vault.escrow({ label: WORDS_LABEL, passphrase: words });
  return { wire, laptop, library, row, words };
}

Deno.test("words that differ twice end the enrollment, and no key is handed over", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(
      patient(deviceOf(wire, "laptop")),
      "ada",
    );
    const phone = patient(deviceOf(wire, "phone"));
    const shown = Promise.withResolvers<{ code: string }>();
    const old = enrollDevice(library.vault, {
      trust: library.trust,
      show: shown.resolve,
      compare: () => Promise.resolve(false),
    });
    const { code } = await shown.promise;
    const joining = joinAccount(phone.platform, {
      link: { server: phone.entrance.server, code },
      device: phone.entrance.device,
      compare: () => Promise.resolve(true),
    });
    const [one, other] = await Promise.allSettled([old, joining]);
    assert.equal(one.status === "rejected" && one.reason.fault, "words_differ");
    assert.equal(
      other.status === "rejected" && other.reason.code,
      "error.enrollment.channel_not_found",
    );
    const { account, userId } = library.vault.session;
    assert.ok((await account.directory(userId)).bytes.length > 0);
  });
});

for (const code of ["ABCDE", "ABCDE-FGHJK.AAAAAAAAAAAAAAAAAAAAAA", "/#/x"]) {
  Deno.test(`a code that no link can carry, ${code}, is refused before it is shown`, async () => {
    await withTestApp(async (app) => {
      const wire = wireTo(app);
      const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
      wire.intercept = async (request, pass) => {
        const answer = await pass(request);
        if (!request.url.endsWith("/enroll/code")) return answer;
        const { expires_at } = await answer.json();
        return Response.json({ code, expires_at });
      };
      const old = enrollDevice(library.vault, {
        trust: library.trust,
        show: ({ link }) => assert.fail(`shown: ${link}`),
        compare: () => Promise.resolve(false),
      });
      await assert.rejects(old, UnexpectedAnswer);
    });
  });
}

Deno.test("an empty machine gets everything back with 24 words, or with a phrase of the person's", async () => {
  await withTestApp(async (app) => {
    const { wire, library, row, words } = await keptUnderWords(app);
    app.clock.advance(10 * 60_000);
    // One more box wants the password again.
    const phrase = "grandmother's apple cake";
    await library.vault.escrow({ label: PHRASE_LABEL, passphrase: phrase });
    assert.deepEqual(
      [...await library.vault.escrowLabels()].sort(),
      [PHRASE_LABEL, WORDS_LABEL],
    );
    const shouted = words.toUpperCase().replaceAll(" ", "\n");
    for (const [i, typed] of [shouted, phrase].entries()) {
      const machine = deviceOf(wire, `machine ${i}`);
      const session = await enter(machine, "ada");
      await assert.rejects(
        recoverVault(session, "something else"),
        EscrowError,
      );
      const vault = await recoverVault(session, typed);
      await expectSameLibrary(await openLibrary(vault, machine.store), row.id);
    }
    const { sessions } = await library.vault.session.account.sessions();
    assert.equal(sessions.length, 3);
  });
});

Deno.test("machines that come to an account at the same moment all become its devices", async () => {
  await withTestApp(async (app) => {
    const { wire, library, row, words } = await keptUnderWords(app);
    const names = Array.from({ length: 8 }, (_, i) => `machine ${i}`);
    await Promise.all(names.map(async (name) => {
      const machine = deviceOf(wire, name);
      const vault = await recoverVault(await enter(machine, "ada"), words);
      await expectSameLibrary(await openLibrary(vault, machine.store), row.id);
    }));
    const devices = await ownDevices(library.vault);
    assert.deepEqual(
      devices.map(({ name }) => name).sort(),
      ["laptop", ...names].map((name) => `${name}'s machine`),
    );
    assert.ok(devices.every(({ session }) => session !== undefined));
  });
});

Deno.test("a second factor is asked for at sign-in, once more after a wrong code, and signing in again keeps the keys", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const laptop = deviceOf(wire, "laptop");
    const library = await beginLibrary(laptop, "ada");
    const { row } = await library.take(fileOf("a.jpg", PHOTO));
    const { session } = library.vault;
    const { secret } = await session.recently(() =>
      session.account.enrollTotp()
    );
    const codeNow = () =>
      new TOTP({ secret }).generate({ timestamp: app.clock.now });
    await session.account.confirmTotp(codeNow());
    app.clock.advance(30_000);

    const attempts: number[] = [];
    const again = await signIn(laptop.platform, {
      ...laptop.entrance,
      address: addressOf("ada"),
      password: PASSWORD,
      code: (attempt) => {
        attempts.push(attempt);
        return Promise.resolve(attempt === 1 ? "000000" : codeNow());
      },
    });
    assert.deepEqual(attempts, [1, 2]);
    assert.equal(again.device.device_id, session.device.device_id);
    const reopened = await openLibrary(await openVault(again), laptop.store);
    await expectSameLibrary(reopened, row.id);
    await assert.rejects(enter(deviceOf(wire, "other"), "ada"), NotSignedIn);

    await again.signOut();
    await assert.rejects(
      resumeSession(laptop.platform, laptop.entrance),
      NotSignedIn,
    );
  });
});

Deno.test("an interrupted setup can be finished, wherever it was interrupted", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    for (let at = 0, done = false; !done; at++) {
      const name = `ada${at}`;
      const laptop = deviceOf(wire, name);
      const session = await registerAccount(laptop.platform, {
        ...laptop.entrance,
        address: addressOf(name),
        password: PASSWORD,
      });
      let requests = 0;
      wire.intercept = (_, pass) => {
        if (requests++ < at) return undefined;
        return requests === at + 1
          ? pass(_).then(() => Promise.reject(new Error("cut off")))
          : Promise.reject(new Error("cut off"));
      };
      done = await openVault(session).then(() => true, () => false);
      wire.intercept = undefined;
      const again = await resumeSession(laptop.platform, laptop.entrance);
      const library = await openLibrary(await openVault(again), laptop.store);
      const { row } = await library.take(fileOf("a.jpg", PHOTO));
      await expectSameLibrary(library, row.id);
    }
  });
});

Deno.test("a new device knows what is hidden before it knows the first photo", async () => {
  await withTestApp(async (app) => {
    const { wire, library, row, words } = await keptUnderWords(app);
    await library.flags.change([row.id], { hidden: true });
    const phone = deviceOf(wire, "phone");
    const vault = await recoverVault(await enter(phone, "ada"), words);
    const other = await openLibrary(vault, phone.store);
    const told: boolean[] = [];
    await other.sync({
      onProgress: () =>
        told.push(...other.list().map((one) => other.flags.of(one).hidden)),
    });
    assert.ok(told.length > 0);
    assert.ok(told.every((hidden) => hidden), "it was shown");
  });
});
