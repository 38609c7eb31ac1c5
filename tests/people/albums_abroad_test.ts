/**
 * An album that people of two servers share, from the command line: the card,
 * the invitation, reading, and the end of it (protocol/albums-abroad.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { sampleBytes } from "../support/samples.ts";
import {
  type Machine,
  newAccount,
  signInWithWords,
  type Town,
  withTown,
} from "../support/people_commands.ts";

const FEDERATES = { STRONGROOM_FEDERATION: "on" };

/** Ada on one server and Bob on another. */
async function withTwoTowns(
  test: (people: {
    readonly a: Town;
    readonly b: Town;
    readonly ada: Machine;
    readonly bob: Machine;
    readonly bobsWords: string;
  }) => Promise<void>,
): Promise<void> {
  await withTown(async (a) => {
    await withTown(async (b) => {
      const ada = await a.machine("ada");
      const bob = await b.machine("bob");
      await newAccount(a, ada, "ada@example.org");
      const bobsWords = await newAccount(b, bob, "bob@example.org");
      await test({ a, b, ada, bob, bobsWords });
    }, FEDERATES);
  }, FEDERATES);
}

const LINK = /https?:\/\/\S+\/#\/(?:contact|pickup)\/[0-9a-f]{32}\.[\w-]{43}/;
const NUMBER = /(?:\d{5} ){11}\d{5}/;

const linkIn = (text: string): string => LINK.exec(text)?.[0] ?? "";
const numberIn = (text: string): string => NUMBER.exec(text)?.[0] ?? "";

/** Bob's card comes to Ada, and he is in the album of this title. */
async function letIn(ada: Machine, bob: Machine, title: string) {
  const card = linkIn(await bob.done("contact", "card", "--name", "Bob"));
  const added = await ada.done("contact", "add", card);
  const invited = await ada.done("album", "invite", title, "Bob");
  const pickup = linkIn(invited);
  const accepted = await bob.done("album", "accept", pickup);
  return { card, added, invited, pickup, accepted };
}

Deno.test("a person of another server is let into an album by their card, reads it, and reads nothing that came after their removal", async () => {
  await withTwoTowns(async ({ a, ada, bob }) => {
    await ada.done("album", "new", "Bornholm");
    await ada.write("in/first.txt", "for both of us");
    await ada.done("push", ada.path("in"), "--album", "Bornholm");
    const { added, invited, accepted } = await letIn(ada, bob, "Bornholm");

    // Both see the number that they have to compare.
    const number = numberIn(added);
    assert.match(number, NUMBER);
    assert.match(invited, /Not compared/);
    assert.equal(numberIn(accepted), number);
    await ada.done("contact", "compare", "Bob", "--same");
    assert.match(await ada.done("contact", "ls"), /Bob .*compared 20/);

    const { host } = new URL(a.url);
    assert.match(
      await bob.done("album", "ls"),
      new RegExp(`viewer .*1 file .*2 people .*Bornholm \\(on ${host}\\)`),
    );
    await bob.done(
      "pull",
      bob.path("out"),
      "--album",
      "Bornholm",
      "--layout",
      "{name}",
    );
    assert.equal(
      await Deno.readTextFile(bob.path("out/first.txt")),
      "for both of us",
    );
    // It is no photo of his own.
    assert.doesNotMatch(await bob.done("ls"), /first/);

    // Ada's program goes on as ever, and Bob sees what is new and what is gone.
    await ada.write("in/second.txt", "came later");
    await ada.done("push", ada.path("in"), "--album", "Bornholm");
    await ada.done("rm", "first", "--yes");
    await bob.done(
      "pull",
      bob.path("out"),
      "--album",
      "Bornholm",
      "--layout",
      "{name}",
    );
    assert.equal(
      await Deno.readTextFile(bob.path("out/second.txt")),
      "came later",
    );
    assert.match(await bob.done("album", "ls"), /1 file /);

    await ada.done("album", "remove", "Bornholm", "Bob");
    await ada.write("in/third.txt", "for me alone");
    await ada.done("push", ada.path("in"), "--album", "Bornholm");
    const { stdout, stderr } = await bob.run("album", "ls");
    assert.match(stderr, /paused: its owner ended it/);
    // He keeps what he had.
    assert.match(stdout, /1 file .*Bornholm/);
    await bob.done("album", "leave", "Bornholm");
    assert.match(await bob.done("album", "ls"), /^0 albums/m);
  });
});

Deno.test("another device of a member has the album without a new invitation", async () => {
  await withTwoTowns(async ({ b, ada, bob, bobsWords }) => {
    await ada.done("album", "new", "Bornholm");
    await ada.write("in/first.txt", "for both of us");
    await ada.done("push", ada.path("in"), "--album", "Bornholm");
    await letIn(ada, bob, "Bornholm");
    const laptop = await b.machine("bob's laptop");
    await signInWithWords(b, laptop, "bob@example.org", bobsWords);
    assert.match(await laptop.done("album", "ls"), /1 file .*Bornholm/);
  });
});

Deno.test("a contact who is let see the small pictures pulls these, and no original, until they are removed and invited again", async () => {
  await withTwoTowns(async ({ a, ada, bob }) => {
    const { host } = new URL(a.url);
    await sharePicture(ada);
    const card = linkIn(await bob.done("contact", "card", "--name", "Bob"));
    await ada.done("contact", "add", card);
    const refused = await ada.run(
      "album",
      "invite",
      "Bornholm",
      "x@y.z",
      "--small",
    );
    assert.match(refused.stderr, /--small is for people of other servers/);
    const invite = ["album", "invite", "Bornholm", "Bob"];
    const invited = await ada.done(...invite, "--small");
    assert.match(invited, /the small pictures of "Bornholm"/);
    assert.match(invited, /Your server promises to hand them no original/);
    await bob.done("album", "accept", linkIn(invited));
    assert.match(
      await bob.done("album", "ls"),
      new RegExp(`1 file .*Bornholm \\(on ${host}, small\\)`),
    );
    const out = bob.path("out");
    const pull = ["pull", out, "--album", "Bornholm", "--layout", "{name}"];
    assert.match(await bob.done(...pull), /1 file written/);
    const small = await Deno.readFile(bob.path("out/hubble.jpg"));
    const original = await sampleBytes(PICTURE);
    assert.deepEqual([...small.subarray(0, 2)], [0xff, 0xd8]);
    assert.ok(small.length < original.length);
    assert.match(await bob.done(...pull), /1 file already there/);

    // To invite them again gives them no more; what is small stays that.
    assert.match(await ada.done(...invite), /the small pictures of/);
    await ada.done("album", "remove", "Bornholm", "Bob");
    assert.doesNotMatch(await ada.done(...invite), /small pictures/);
    assert.match(
      await bob.done("album", "ls"),
      new RegExp(`Bornholm \\(on ${host}\\)`),
    );
    await bob.done("pull", bob.path("full"), ...pull.slice(2));
    assert.deepEqual(
      await Deno.readFile(bob.path("full/hubble.jpg")),
      new Uint8Array(original),
    );
    // And the other way round, without a new link.
    await ada.done(...invite, "--small");
    await bob.done("pull", bob.path("again"), ...pull.slice(2));
    assert.deepEqual(await Deno.readFile(bob.path("again/hubble.jpg")), small);
  });
});

const PICTURE = "hubble-deep-field.jpg";

/** An album of Ada's with a picture. */
async function sharePicture(ada: Machine): Promise<void> {
  await ada.done("album", "new", "Bornholm");
  await ada.write("in/hubble.jpg", await sampleBytes(PICTURE));
  await ada.done("push", ada.path("in"), "--album", "Bornholm");
}

Deno.test("an invitation opens for the person of the card alone, and a card that was withdrawn lets no one in", async () => {
  await withTwoTowns(async ({ b, ada, bob }) => {
    await ada.done("album", "new", "Bornholm");
    const eve = await b.machine("eve");
    await newAccount(b, eve, "eve@example.org");
    const [made] = await bob.events("contact", "card", "--name", "Bob");
    await ada.done("contact", "add", String(made?.["link"]));
    const pickup = linkIn(await ada.done("album", "invite", "Bornholm", "Bob"));
    const stranger = await eve.run("album", "accept", pickup);
    assert.equal(stranger.status, 1);
    assert.match(stranger.stderr, /not for you/);

    await bob.done("contact", "rm", String(made?.["card_id"]));
    const late = await bob.run("album", "accept", pickup);
    assert.match(late.stderr, /no card of yours/);
    const dead = await ada.run("contact", "add", String(made?.["link"]));
    assert.notEqual(dead.status, 0);

    // A card of one's own server is no card for this.
    const own = linkIn(await eve.done("contact", "card"));
    const refused = await bob.run("contact", "add", own);
    assert.match(refused.stderr, /from your own server/);
  });
});

Deno.test("an invitation comes by itself, and who leaves is taken off the list by the owner's next command", async () => {
  await withTwoTowns(async ({ a, b, ada, bob }) => {
    await ada.done("album", "new", "Bornholm");
    await ada.write("in/first.txt", "for both of us");
    await ada.done("push", ada.path("in"), "--album", "Bornholm");
    const card = linkIn(await bob.done("contact", "card", "--name", "Bob"));
    await ada.done("contact", "add", card);
    const invited = await ada.done("album", "invite", "Bornholm", "Bob");
    assert.match(invited, /find the invitation by themselves/);

    const { host } = new URL(a.url);
    const listed = await bob.run("album", "ls");
    assert.match(listed.stdout, new RegExp(`invitation from .* on ${host}`));
    assert.match(listed.stderr, /you are invited to an album on/);
    const [id = ""] = /^[0-9a-f]{8}(?= {2}invitation)/m.exec(listed.stdout) ??
      [];
    const accepted = await bob.done("album", "accept", id);
    assert.match(numberIn(accepted), NUMBER);
    assert.match(await bob.done("album", "ls"), /1 file .*Bornholm/);
    // What comes by these links is no guest's file.
    assert.match(await bob.done("inbox", "ls"), /^0 files/m);
    assert.match(await ada.done("inbox", "ls"), /^0 files/m);

    assert.match(
      await bob.done("album", "leave", "Bornholm"),
      /takes you off the list/,
    );
    const { stdout, stderr } = await ada.run("album", "ls");
    const home = new URL(b.url).host;
    assert.match(stderr, new RegExp(`@http://${home} has left "Bornholm"`));
    assert.match(stdout, /1 person /);
  });
});

Deno.test("a member who was removed asks to see the album again, and the owner reads it", async () => {
  await withTwoTowns(async ({ ada, bob }) => {
    await ada.done("album", "new", "Bornholm");
    await letIn(ada, bob, "Bornholm");
    await ada.done("album", "remove", "Bornholm", "Bob");
    assert.match((await bob.run("album", "ls")).stderr, /its owner ended it/);
    const ask = ["album", "ask", "Bornholm", "--text", "Was that a mistake?"];
    assert.match(await bob.done(...ask), /its owner is asked/);
    assert.match((await bob.run(...ask)).stderr, /you have asked today/);
    const { stderr } = await ada.run("album", "ls");
    assert.match(
      stderr,
      /asks to see "Bornholm" again: "Was that a mistake\?"/,
    );
  });
});
