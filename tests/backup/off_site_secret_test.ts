/**
 * What a backup off the premises is sealed by, and what it says to whoever
 * does not have that (backup-off-site.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { faultsOf, receiptsOf } from "../support/backups.ts";
import {
  doneOn,
  keysOf,
  refusedOn,
  withPassphrase,
} from "../support/off_site.ts";
import { backUp, story } from "../support/off_site_stories.ts";
import { hashOf } from "../support/people.ts";

story(
  "neither a content address nor a byte of a blob, a receipt or an address is in what leaves",
  async (world) => {
    const { place, data, photo, ada } = world;
    await backUp(world);
    const keys = await place.keys();
    const hashes = [photo.original, photo.metadata, photo.manifest].map(hashOf);
    const [receipt = new Uint8Array()] = await receiptsOf(data);
    const texts = [
      ada.address,
      "SQLite format",
      ...[photo.original.subarray(500, 532), receipt.subarray(20, 52)]
        .map((bytes) => bytes.toHex()),
      ...hashes,
    ];
    for (const key of keys) {
      assert(!hashes.some((hash) => key.includes(hash)), key);
      const bytes = await Deno.readFile(place.fileOf(key));
      const hex = bytes.toHex();
      for (const text of texts) {
        assert(!hex.includes(text), `${key} has ${text}`);
        assert(!hex.includes(new TextEncoder().encode(text).toHex()), key);
      }
    }
    // Sealed twice it is another object, though of the same name.
    const [object = ""] = await keysOf(place, "objects/");
    const before = await Deno.readFile(place.fileOf(object));
    await Deno.remove(place.fileOf(object));
    await backUp(world);
    assert.notDeepEqual(await Deno.readFile(place.fileOf(object)), before);
  },
);

story(
  "another passphrase, a key file in its place, or none opens nothing",
  async (given) => {
    const world = { ...given, place: withPassphrase(given.place) };
    const { place, data } = world;
    await backUp(world);
    const before = await place.keys();
    const { STRONGROOM_BACKUP_PASSPHRASE: _, ...open } = place.settings;
    const keyFile = `${place.room}/key`;
    await Deno.writeTextFile(keyFile, "ab".repeat(32), { mode: 0o600 });
    const others: readonly [Record<string, string>, RegExp][] = [
      [
        { STRONGROOM_BACKUP_PASSPHRASE: "twelve tame owls on a wirE" },
        /sealed by another passphrase/,
      ],
      [{ STRONGROOM_BACKUP_KEY_FILE: keyFile }, /sealed by a passphrase/],
      [{}, /no terminal to ask for the passphrase on/],
    ];
    for (const [secret, complaint] of others) {
      const other = { ...place, settings: { ...open, ...secret } };
      for (
        const args of [
          ["backup", place.name, "--data-dir", data],
          ["backup", "list", place.name],
          ["backup", "verify", place.name],
          ["backup", "prune", place.name, "--keep-last", "1"],
          ["backup", "unlock", place.name],
          ["restore", place.name, "--data-dir", `${place.room}/new`],
        ]
      ) assert.match(await refusedOn(other, ...args), complaint);
    }
    assert.deepEqual(await place.keys(), before);
  },
);

story(
  "a key file seals and opens, if it is its owner's alone",
  async (world) => {
    const { place, data } = world;
    const { STRONGROOM_BACKUP_KEY_FILE: _, ...open } = place.settings;
    const keyFile = `${place.room}/key`;
    const settings = { ...open, STRONGROOM_BACKUP_KEY_FILE: keyFile };
    const args = ["backup", place.name, "--data-dir", data] as const;
    await Deno.writeTextFile(keyFile, `${"0f".repeat(32)}\n`, { mode: 0o644 });
    assert.match(await refusedOn({ settings }, ...args), /chmod 600/);
    await Deno.chmod(keyFile, 0o600);
    await doneOn({ settings }, ...args);
    await doneOn(
      { settings },
      "restore",
      place.name,
      "--data-dir",
      `${place.room}/new`,
    );
    assert.deepEqual(await faultsOf(`${place.room}/new`), []);
    await Deno.writeTextFile(keyFile, "1f".repeat(32));
    assert.match(await refusedOn({ settings }, ...args), /another key file/);
    await Deno.writeTextFile(keyFile, "short");
    assert.match(await refusedOn({ settings }, ...args), /64 hex digits/);
  },
);

story(
  "the passphrase of a new backup is no short one, and may stand in a credential of systemd's",
  async (world) => {
    const { place, data } = world;
    const { STRONGROOM_BACKUP_KEY_FILE: _, ...open } = place.settings;
    const args = ["backup", place.name, "--data-dir", data] as const;
    const short = { ...open, STRONGROOM_BACKUP_PASSPHRASE: "sesame" };
    assert.match(await refusedOn({ settings: short }, ...args), /longer one/);
    const credentials = `${place.room}/credentials`;
    await Deno.mkdir(credentials);
    await Deno.writeTextFile(`${credentials}/phrase`, "twelve tame owls\n", {
      mode: 0o440,
    });
    const settings = {
      ...open,
      STRONGROOM_BACKUP_PASSPHRASE_FILE: "phrase",
      CREDENTIALS_DIRECTORY: credentials,
    };
    await doneOn({ settings }, ...args);
    const typed = { ...open, STRONGROOM_BACKUP_PASSPHRASE: "twelve tame owls" };
    await doneOn({ settings: typed }, "backup", "list", place.name);
  },
);
