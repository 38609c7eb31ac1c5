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
  foundOn,
  keysOf,
  refusedOn,
  withPassphrase,
} from "../support/remote_backup.ts";
import {
  ANYWHERE,
  backUp,
  restore,
  story,
} from "../support/remote_backup_tests.ts";
import { createAsset, hashOf } from "../support/people.ts";

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
        /encrypted with another passphrase/,
      ],
      [{ STRONGROOM_BACKUP_KEY_FILE: keyFile }, /encrypted with a passphrase/],
      [{}, /no terminal to ask for the passphrase/],
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
  ANYWHERE,
);

story(
  "what a passphrase file with a byte order mark encrypts, the paper opens; white space at either end is refused",
  async (given) => {
    const { place, data } = given;
    const { STRONGROOM_BACKUP_KEY_FILE: _, ...open } = place.settings;
    const file = `${place.room}/passphrase`;
    const phrase = "twelve tame owls on a wire";
    const settings = { ...open, STRONGROOM_BACKUP_PASSPHRASE_FILE: file };
    const args = ["backup", place.name, "--data-dir", data] as const;
    for (
      const text of [`${phrase} \n`, `\t${phrase}\n`, `\ufeff${phrase}\u00a0`]
    ) {
      await Deno.writeTextFile(file, text, { mode: 0o600 });
      assert.match(
        await refusedOn({ settings }, ...args),
        /passphrase has white space at its start or end/,
      );
    }
    await Deno.writeTextFile(file, `\ufeff${phrase}\r\nnot this\n`);
    await doneOn({ settings }, ...args);
    const paper = { ...open, STRONGROOM_BACKUP_PASSPHRASE: phrase };
    await doneOn({ settings: paper }, "backup", "verify", place.name);
  },
  ANYWHERE,
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
  ANYWHERE,
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
  ANYWHERE,
);

story(
  "after a change of the passphrase the new one opens every generation, and the old one none",
  async (given) => {
    const world = { ...given, place: withPassphrase(given.place) };
    const { place, data, server, ada } = world;
    await backUp(world);
    const before = await place.keys();
    const file = `${place.room}/next`;
    const change = ["backup", "passphrase", place.name] as const;
    const toFile = [...change, "--new-passphrase-file", file] as const;
    await Deno.writeTextFile(file, "sesame\n", { mode: 0o600 });
    assert.match(await refusedOn(place, ...toFile), /longer one/);
    await Deno.writeTextFile(file, "thirteen wild geese\n");
    await Deno.chmod(file, 0o640);
    assert.match(await refusedOn(place, ...toFile), /chmod 600/);
    await Deno.chmod(file, 0o600);
    assert.match(await refusedOn(place, ...change), /--new-passphrase-file/);
    const wrong = withPassphrase(place, "eleven tame owls");
    assert.match(await refusedOn(wrong, ...toFile), /another passphrase/);
    await doneOn(place, "backup", "list", place.name);

    const said = await doneOn(place, ...toFile);
    assert.deepEqual(said, { target: place.name, opened_by: "passphrase" });
    // Nothing else was written: the key of all else is what it was.
    assert.deepEqual(await place.keys(), before);
    for (
      const args of [
        ["backup", place.name, "--data-dir", data],
        ["backup", "list", place.name],
        toFile,
        ["restore", place.name, "--data-dir", `${place.room}/new`],
      ]
    ) assert.match(await refusedOn(place, ...args), /another passphrase/);
    const next = withPassphrase(place, "thirteen wild geese");
    await createAsset(server, ada, "second");
    const { generation, sent } = await backUp({ ...world, place: next });
    assert.deepEqual([generation, sent], [2, 3]);
    assert.deepEqual(await foundOn(next, "--deep"), []);
    for (const number of ["1", "2"]) {
      const to = `${place.room}/new-${number}`;
      await restore({ ...world, place: next }, to, "--generation", number);
      assert.deepEqual(await faultsOf(to), []);
    }
  },
  ANYWHERE,
);

story(
  "a key file may take the place of a passphrase, and a passphrase that of a key file",
  async (world) => {
    const { place } = world;
    await backUp(world);
    const keyFile = `${place.room}/key`;
    const phraseFile = `${place.room}/phrase`;
    await Deno.writeTextFile(keyFile, "ab".repeat(32), { mode: 0o600 });
    await Deno.writeTextFile(phraseFile, "twelve tame owls", { mode: 0o600 });
    const change = ["backup", "passphrase", place.name] as const;
    const toPhrase = ["--new-passphrase-file", phraseFile];
    const toKey = ["--new-key-file", keyFile];
    assert.match(
      await refusedOn(place, ...change, ...toPhrase, ...toKey),
      /both given/,
    );
    assert.equal(
      (await doneOn(place, ...change, ...toPhrase)).opened_by,
      "passphrase",
    );
    assert.match(
      await refusedOn(place, "backup", "list", place.name),
      /encrypted with a passphrase/,
    );
    const phrased = withPassphrase(place, "twelve tame owls");
    assert.equal(
      (await doneOn(phrased, ...change, ...toKey)).opened_by,
      "key_file",
    );
    const keyed = {
      ...place,
      settings: { ...place.settings, STRONGROOM_BACKUP_KEY_FILE: keyFile },
    };
    assert.deepEqual(await foundOn(keyed, "--deep"), []);
  },
  ANYWHERE,
);
