/**
 * Looking users up by address and by handle, and the budget of lookups
 * (protocol/discovery.md#people).
 *
 * @module
 */
import assert from "node:assert/strict";
import { toBase64 } from "../../src/core/bytes.ts";
import { mint, provisionAlbum, publishRoster } from "../support/albums.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import {
  expectEmpty,
  expectJson,
  expectProblem,
  type Json,
} from "../support/expect.ts";
import {
  PASSWORD,
  type Person,
  publishDirectory,
  registerPerson,
  registerWriter,
  uuidOf,
} from "../support/people.ts";
import {
  expectSameAnswers,
  suspend,
  withFaultlessApp,
} from "../support/api.ts";
import { lookup, withAdaAndBob } from "../support/lookup.ts";

const RECORD = "/v1/auth/profile/public-record";

const SECOND = 1_000;

async function optIn(app: TestApp, person: Person, handle: string) {
  // Writing needs a directory; one of a later version stays as it is.
  const published = await publishDirectory(app, person, 1);
  await published.body?.cancel();
  await expectJson(
    await app.send("PUT", RECORD, { token: person.token, json: { handle } }),
    200,
  );
}

Deno.test("a user is found by address, with nothing that the user does not have", async () => {
  await withAdaAndBob(async (app, ada, bob) => {
    const found = await expectJson(
      await lookup(app, bob, { address: ada.address }),
      200,
    );
    assert.deepEqual(found, { user_id: ada.userId });
  });
});

Deno.test("a user's name, handle, directory version and identity key are told", async () => {
  await withAdaAndBob(async (app, ada, bob) => {
    await expectJson(await publishDirectory(app, ada, 3), 200);
    await optIn(app, ada, "ada_l");
    await expectJson(
      await app.send("PATCH", "/v1/auth/profile", {
        token: ada.token,
        json: { display_name: "Ada Ł." },
      }),
      200,
    );
    for (const wanted of [{ address: ada.address }, { handle: "ada_l" }]) {
      const found = await expectJson(await lookup(app, bob, wanted), 200);
      assert.deepEqual(found, {
        user_id: ada.userId,
        display_name: "Ada Ł.",
        handle: "ada_l",
        directory_version: 3,
        identity_key: toBase64(ada.signer.publicKey),
      });
    }
  });
});

Deno.test("a directory without an anchor has a version and no identity key", async () => {
  await withAdaAndBob(async (app, ada, bob) => {
    await app.app.db.updateTable("account").set({ directory_version: 1 })
      .where("address", "=", ada.address).execute();
    const found = await expectJson(
      await lookup(app, bob, { address: ada.address }),
      200,
    );
    assert.deepEqual(found, { user_id: ada.userId, directory_version: 1 });
  });
});

Deno.test("one may look oneself up", async () => {
  await withAdaAndBob(async (app, ada) => {
    const found = await expectJson(
      await lookup(app, ada, { address: ada.address }),
      200,
    );
    assert.equal(found.user_id, ada.userId);
  });
});

Deno.test("addresses are compared NFC-normalised and lowercased", async () => {
  await withFaultlessApp(async (app) => {
    const bob = await registerPerson(app, "bob");
    const zoe = await registerPerson(app, "zo\u00eb");
    for (
      const address of [
        "ZO\u00cb@Example.ORG",
        "zoe\u0308@example.org",
        "ZOE\u0308@EXAMPLE.ORG",
      ]
    ) {
      const found = await expectJson(await lookup(app, bob, { address }), 200);
      assert.equal(found.user_id, zoe.userId);
    }
  });
});

Deno.test("a handle is found while it is opted into, and exactly as it is written", async () => {
  await withAdaAndBob(async (app, ada, bob) => {
    const byHandle = (handle: string) => lookup(app, bob, { handle });
    await expectProblem(await byHandle("ada"), "error.user.not_found");
    await optIn(app, ada, "ada");
    await expectJson(await byHandle("ada"), 200);
    for (
      const other of ["", "Ada", "ada ", "@ada", "ad", "a%", "ada\u0000", "𝒳"]
    ) await expectProblem(await byHandle(other), "error.user.not_found");
    await optIn(app, ada, "ada_l");
    await expectProblem(await byHandle("ada"), "error.user.not_found");
    await expectJson(await byHandle("ada_l"), 200);
    await expectEmpty(
      await app.send("DELETE", RECORD, { token: ada.token }),
      204,
    );
    await expectProblem(await byHandle("ada_l"), "error.user.not_found");
    // The address does not depend on it.
    const found = await expectJson(
      await lookup(app, bob, { address: ada.address }),
      200,
    );
    assert.equal(found.user_id, ada.userId);
    assert.equal(found.handle, undefined);
  });
});

Deno.test("the answer is the same for every account that is not found", async () => {
  await withAdaAndBob(async (app, ada, bob) => {
    await optIn(app, ada, "ada");
    await app.send("DELETE", RECORD, { token: ada.token });
    const body = await expectSameAnswers({
      "an unknown address": await lookup(app, bob, { address: "eve@x.org" }),
      "no address at all": await lookup(app, bob, { address: "" }),
      "more than the address": await lookup(app, bob, {
        address: `${ada.address}\u0000`,
      }),
      "a handle as address": await lookup(app, bob, { address: "ada" }),
      "an unknown handle": await lookup(app, bob, { handle: "eve" }),
      "a withdrawn handle": await lookup(app, bob, { handle: "ada" }),
      "an address as handle": await lookup(app, bob, { handle: ada.address }),
      "the longest address": await lookup(app, bob, {
        address: "𝒳".repeat(254),
      }),
    });
    assert.equal(JSON.parse(body).code, "error.user.not_found");
  });
});

Deno.test("an account without an address is found by its handle alone", async () => {
  await withAdaAndBob(async (app, ada, bob) => {
    await optIn(app, ada, "ada");
    await app.app.db.updateTable("account").set({ address: null })
      .where("address", "=", ada.address).execute();
    for (const address of [ada.address, "null", ""]) {
      await expectProblem(
        await lookup(app, bob, { address }),
        "error.user.not_found",
      );
    }
    const found = await expectJson(
      await lookup(app, bob, { handle: "ada" }),
      200,
    );
    assert.equal(found.user_id, ada.userId);
  });
});

Deno.test("exactly one of address, handle and user_id is wanted", async () => {
  await withAdaAndBob(async (app, ada, bob) => {
    const all = ["/address", "/handle", "/user_id"];
    const { userId } = ada;
    const address = ada.address;
    const refused: readonly (readonly [Json, readonly string[]])[] = [
      [{}, all],
      [{ address, handle: "ada" }, all],
      [{ address, user_id: userId }, all],
      [{ handle: "ada", user_id: userId }, all],
      [{ address, handle: "ada", user_id: userId }, all],
      [{ address: null }, ["/address"]],
      [{ address, handle: null }, ["/handle"]],
      [{ address: 7 }, ["/address"]],
      [{ address: [address] }, ["/address"]],
      [{ handle: { eq: "ada" } }, ["/handle"]],
      [{ address: "a\ud800@example.org" }, ["/address"]],
      [{ address: "x".repeat(255) }, ["/address"]],
      [{ id: userId }, ["/id", ...all]],
      [{ address, limit: 1 }, ["/limit"]],
      [[], [""]],
      ["ada", [""]],
      [null, [""]],
    ];
    for (const [json, paths] of refused) {
      const { errors } = await expectProblem(
        await lookup(app, bob, json),
        "error.request.invalid",
      );
      assert.deepEqual(
        errors.map((one: Json) => one.path),
        paths,
        JSON.stringify(json),
      );
    }
  });
});

/** Looks ada up that often, and expects every answer to be of that status. */
async function spend(app: TestApp, looker: Person, times: number) {
  for (let n = 0; n < times; n++) {
    const json = n % 2 === 0
      ? { address: looker.address }
      : { handle: "nobody" };
    const response = await lookup(app, looker, json);
    await response.body?.cancel();
    assert.equal(response.status, n % 2 === 0 ? 200 : 404, String(n));
  }
}

async function expectLimited(app: TestApp, looker: Person): Promise<number> {
  const response = await lookup(app, looker, { address: looker.address });
  const seconds = Number(response.headers.get("retry-after"));
  await expectProblem(response, "error.user.rate_limited");
  return seconds;
}

Deno.test("an account looks 60 users up a minute, found or not", async () => {
  await withAdaAndBob(async (app, ada, bob) => {
    await expectProblem(
      await lookup(app, ada, {}),
      "error.request.invalid",
    );
    await spend(app, ada, 60);
    app.clock.advance(15 * SECOND);
    assert.equal(await expectLimited(app, ada), 45);
    // Another account has its own; another session of the same one has not.
    await spend(app, bob, 1);
    const { access_token: token } = await expectJson(
      await app.send("POST", "/v1/auth/login", {
        json: {
          address: ada.address,
          password: PASSWORD,
        },
      }),
      200,
    );
    await expectLimited(app, { ...ada, token });
    app.clock.advance(45 * SECOND);
    await spend(app, ada, 60);
    await expectLimited(app, ada);
  });
});

Deno.test("the budget is a setting", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    await spend(app, ada, 2);
    await expectLimited(app, ada);
  }, { settings: { STRONGROOM_LIMIT_LOOKUP: "2" } });
});

Deno.test("a suspended account may look up and be looked up: it is a read", async () => {
  await withAdaAndBob(async (app, ada, bob) => {
    await suspend(app, ada);
    for (const looker of [ada, bob]) {
      const found = await expectJson(
        await lookup(app, looker, { address: ada.address }),
        200,
      );
      assert.deepEqual(found, { user_id: ada.userId });
    }
  });
});

Deno.test("a lookup is authenticated", async () => {
  await withAdaAndBob(async (app, ada, bob) => {
    const json = { address: ada.address };
    await expectProblem(
      await app.send("POST", "/v1/users/lookup", { json }),
      "error.auth.token_missing",
    );
    await expectEmpty(
      await app.send("POST", "/v1/auth/logout", { token: bob.token }),
      204,
    );
    await expectProblem(
      await lookup(app, bob, json),
      "error.auth.token_invalid",
    );
  });
});

Deno.test("the bearers of a peer's capabilities share 60 lookups a minute", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const albumId = await provisionAlbum(app, ada, "shared");
    const members = ["carol", "dave", "erin"].map((name) =>
      `${uuidOf(name)}@https://${name === "erin" ? "other" : "peer"}.example`
    );
    await publishRoster(
      app,
      ada,
      albumId,
      1,
      members.map((member) => ({ member })),
    );
    const [carol = "", dave = "", erin = ""] = await Promise.all(
      members.map(async (member) => {
        const peer = member.slice(member.indexOf("@") + 1);
        const minted = await mint(app, ada, albumId, { member, peer });
        return (await expectJson(minted, 201)).token as string;
      }),
    );
    const look = (token: string) =>
      app.send("POST", "/v1/users/lookup", {
        token,
        json: { address: ada.address },
      });
    for (let n = 0; n < 60; n++) {
      const found = await expectJson(await look(carol), 200);
      assert.equal(found.user_id, ada.userId);
    }
    const refused = await look(dave);
    assert.equal(refused.headers.get("retry-after"), "60");
    await expectProblem(refused, "error.user.rate_limited");
    await expectJson(await look(erin), 200);
    await spend(app, ada, 1);
    app.clock.advance(60 * SECOND);
    await expectJson(await look(dave), 200);
    await publishRoster(app, ada, albumId, 2, []);
    await expectProblem(
      await look(dave),
      "error.federation.capability_invalid",
    );
  }, { settings: { STRONGROOM_FEDERATION: "on" } });
});
