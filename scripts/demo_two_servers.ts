/**
 * `deno task demo:two-servers`: two servers as two processes on this machine,
 * and an album that people of both share. It says what it does, and ends by
 * itself: 0 when all came out as it should, 1 otherwise.
 *
 * @module
 */
import { join } from "node:path";
import { nativePrimitives } from "../src/client/keys/native.ts";
import {
  type Library,
  type LibraryPlatform,
  memoryCredentialStore,
  memoryStore,
  openLibrary,
  openVault,
  plainOf,
  registerAccount,
} from "../src/library/mod.ts";
import {
  acceptAbroad,
  addContact,
  followAbroad,
  inviteAbroad,
  makeCard,
  pickupLinkOf,
  readPickup,
  removeAbroad,
} from "../src/library/abroad/abroad.ts";
import { openScreen } from "./demo/screen.ts";
import { startServer } from "./demo/server.ts";

const screen = openScreen();
const SETTINGS = {
  STRONGROOM_FEDERATION: "on",
  STRONGROOM_REGISTRATION: "open",
};
const TITLE = "Bornholm";

const platform: LibraryPlatform = {
  fetch: (input, init) => fetch(input, init),
  now: () => Date.now(),
  random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  wait: (ms) => new Promise((done) => setTimeout(done, ms)),
  clientVersion: "strongroom-demo/1",
  primitives: nativePrimitives,
};

/** A new account with an empty library. */
async function newcomer(server: string, name: string): Promise<Library> {
  const password = crypto.randomUUID();
  const session = await registerAccount(platform, {
    server,
    address: `${name}@example.org`,
    password,
    device: { name: "demo", platform: "linux" },
    credentials: memoryCredentialStore(),
    present: () => Promise.resolve(password),
  });
  return await openLibrary(await openVault(session), memoryStore());
}

async function put(ada: Library, albumId: string, name: string, text: string) {
  const source = plainOf(new TextEncoder().encode(text));
  const about = { name, mime: "text/plain" };
  await ada.take({ source, about }, { albumId });
}

/** What Bob reads of the album: the text of each file, by its name. */
async function readAll(bob: Library, id: string): Promise<Map<string, string>> {
  const { rows, reading } = await followAbroad(bob, id);
  const texts = new Map<string, string>();
  for (const { id, metadata } of rows) {
    const pieces = [];
    for await (const piece of reading.read(id)) pieces.push(piece);
    texts.set(metadata?.name ?? "", await new Blob(pieces).text());
  }
  return texts;
}

let failures = 0;
function expect(holds: boolean, what: string): void {
  screen.say(`   ${holds ? "✓" : "✗"} ${what}`);
  if (!holds) failures += 1;
}

async function story(hostOrigin: string, homeOrigin: string): Promise<void> {
  const ada = await newcomer(hostOrigin, "ada");
  const bob = await newcomer(homeOrigin, "bob");
  screen.say(`Ada has an account on ${hostOrigin}, Bob on ${homeOrigin}.`);

  screen.say("\n1. Bob makes a contact card and gives Ada its link:");
  const card = await makeCard(bob, { name: "Bob" });
  screen.say(`   ${card.link}`);

  screen.say("\n2. Ada reads the card and lets Bob into her album:");
  const { id: albumId } = await ada.albums.create({ title: TITLE });
  await put(ada, albumId, "first.txt", "The ferry leaves at nine.");
  const contact = await addContact(ada, card.link);
  const link = await inviteAbroad(ada, albumId, contact.member);
  screen.say(`   ${link}`);

  screen.say("\n3. Bob accepts. Both see the same number to compare:");
  const read = await readPickup(bob, pickupLinkOf(link));
  screen.say(`   ${read.safetyNumber}`);
  expect(read.safetyNumber === contact.safetyNumber, "the numbers are equal");
  await acceptAbroad(bob, read);

  screen.say("\n4. Bob reads the album from Ada's server, without an account:");
  const before = await readAll(bob, read.id);
  const first = before.get("first.txt") ?? "";
  screen.say(`   first.txt: “${first}”`);
  expect(first === "The ferry leaves at nine.", "the text is Ada's");
  expect(bob.list().length === 0, "nothing of it is in Bob's own library");

  screen.say("\n5. Ada adds a file. Bob sees it without a new link:");
  await put(ada, albumId, "second.txt", "Bring a jacket.");
  const after = await readAll(bob, read.id);
  expect(after.size === 2, `Bob sees ${after.size} files`);

  screen.say("\n6. Someone else on Bob's server tries the link:");
  const eve = await newcomer(homeOrigin, "eve");
  const refusal = await readPickup(eve, pickupLinkOf(link))
    .then(() => undefined, (error: Error) => error.message);
  expect(refusal !== undefined, `refused: ${refusal ?? "it opened"}`);

  screen.say("\n7. Ada removes Bob. The album gets a new key:");
  await removeAbroad(ada, albumId, contact.member);
  await put(ada, albumId, "third.txt", "For me alone.");
  const { paused, rows } = await followAbroad(bob, read.id);
  expect(paused?.reason === "ended", `Bob's program says: ${paused?.text}`);
  expect(rows.length === 2, "he keeps the two files that he had");
}

async function main(): Promise<number> {
  const place = await Deno.makeTempDir({ prefix: "strongroom-demo-" });
  const start = (name: string) =>
    startServer({
      dataDir: join(place, name),
      logFile: join(place, `${name}.log`),
      settings: SETTINGS,
    });
  try {
    const host = await start("host");
    try {
      const home = await start("home");
      try {
        await story(host.origin, home.origin);
      } finally {
        await home.stop();
      }
    } finally {
      await host.stop();
    }
  } catch (error) {
    screen.complain(`what the servers said is in ${place}`);
    throw error;
  }
  await Deno.remove(place, { recursive: true });
  screen.say(
    failures === 0
      ? "\nAll of it came out as it should. Both servers have stopped."
      : `\n${failures} of these did not come out as they should.`,
  );
  return failures === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main());
