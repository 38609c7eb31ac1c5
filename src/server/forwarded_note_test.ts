import assert from "node:assert/strict";
import { parseTrusted } from "../http/client_address.ts";
import { denoFiles } from "../store/files/deno_files.ts";
import {
  ForwardedNote,
  type Forwarder,
  noted,
  readNote,
} from "./forwarded_note.ts";
import { scopeOf } from "../http/address_scope.ts";

const HOSTS: readonly [string, ReturnType<typeof scopeOf>][] = [
  ["127.0.0.1", "machine"],
  ["127.9.9.9", "machine"],
  ["[::1]", "machine"],
  ["localhost", "machine"],
  ["photos.localhost", "machine"],
  ["192.168.1.4", "network"],
  ["172.31.0.1", "network"],
  ["fd00::1", "network"],
  ["nas", "network"],
  ["nas.local", "network"],
  ["photos.home.arpa", "network"],
  ["172.32.0.1", "anybody"],
  ["0.0.0.0", "anybody"],
  ["::", "anybody"],
  ["[2001:db8::1]", "anybody"],
  ["photos.example.org", "anybody"],
];

Deno.test("who reaches a host is told by its address or name", () => {
  for (const [host, reach] of HOSTS) assert.equal(scopeOf(host), reach, host);
});

Deno.test("a full note keeps the proxy next door, and drops the oldest stranger", () => {
  const strangers: Forwarder[] = Array.from({ length: 7 }, (_, at) => ({
    from: `203.0.${at}.0/24`,
    at,
  }));
  const next = { from: "10.0.0.5", at: 0 };
  const full = [next, ...strangers];
  const more = noted(full, { from: "198.51.100.0/24", at: 9 });
  assert.equal(more.length, 8);
  assert(more.includes(next));
  assert(!more.some(({ from }) => from === "203.0.0.0/24"));
  const again = noted(full, { ...next, at: 10 });
  assert.equal(again.length, 8);
  assert.deepEqual(again.at(-1), { from: "10.0.0.5", at: 10 });
});

Deno.test("a note is taken once a minute, of no public address and no trusted proxy", async () => {
  const root = await Deno.makeTempDir();
  const clock = { now: 1_000_000 };
  let told = 0;
  const failures: unknown[] = [];
  const note = new ForwardedNote({
    root,
    files: denoFiles,
    trusted: parseTrusted(["10.0.0.1"]),
    noted: "x-forwarded-for",
    now: () => clock.now,
    onFirst: () => told += 1,
    onFailure: (cause) => failures.push(cause),
  });
  const forwarded = (name: string) =>
    name === "x-forwarded-for" ? "192.0.2.9" : null;
  const held = async () => {
    await note.settled();
    return readNote(denoFiles, root);
  };
  await note.begin();
  note.see("198.51.100.7", () => null);
  note.see("10.0.0.1", forwarded);
  assert.deepEqual(await held(), []);
  note.see("198.51.100.7", forwarded);
  note.see("10.0.0.2", forwarded);
  const first = { from: "198.51.100.0/24", at: clock.now };
  assert.deepEqual(await held(), [first]);
  clock.now += 60_000;
  note.see("2001:db8:1:2::3", forwarded);
  const second = { from: "2001:db8:1::/48", at: clock.now };
  assert.deepEqual(await held(), [first, second]);
  assert.equal(told, 1);
  assert.deepEqual(failures, []);
  await Deno.writeTextFile(`${root}/forwarded.json`, "{");
  assert.deepEqual(await held(), []);
  await Deno.remove(root, { recursive: true });
});
