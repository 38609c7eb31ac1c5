/**
 * The fixes that clients and server have against lies, hostile members and
 * hostile guests: for each, how it is taken out, and what has to fail then.
 *
 * | Attack                                       | Found by                                                                     |
 * | -------------------------------------------- | ---------------------------------------------------------------------------- |
 * | A1 a key of the server's for an album        | the walk; `tests/clients/library_trust_test.ts`                              |
 * | A2 the key goes to a host that is named      | the walk; `tests/clients/library_origins_test.ts`                            |
 * | A3 an older roster after hiding              | `tests/clients/library_trust_test.ts`                                        |
 * | A4 photos of a viewer or a removed member    | the walk                                                                     |
 * | A5 photos vanish                             | the walk                                                                     |
 * | A6 a new device forgets what was compared    | `tests/clients/library_trust_status_test.ts`                                     |
 * | A6 and what is hidden                        | `tests/clients/library_state_copies_test.ts`                                 |
 * | A7 a script of a stranger's                  | `tests/app/lightbox_test.ts`, `tests/pages/headers_test.ts`                  |
 * | A8 times, names and media types              | `tests/malicious_input/metadata_test.ts`, `tests/people/malicious_metadata_test.ts`    |
 * | A9 false sizes                               | the walk; `tests/api/upload_limits_test.ts`, `src/media/exif`            |
 * | A10 XML of an object store                   | `src/core/xml_test.ts`                                                              |
 * | A11 one account makes the others wait        | `tests/api/share_writes_test.ts`, `tests/api/contributions_test.ts`  |
 * | A12 secrets in arguments, and no consent     | `tests/people/others_test.ts`, `tests/clients/library_invitations_test.ts`   |
 * | A13 logs that differ, stand still or lie      | `tests/adversary/logs_test.ts`                                               |
 *
 * @module
 */

/** A test that has to fail. */
export interface TestProof {
  readonly test: string;
  readonly filter?: string;
}

/** What has to fail: histories from a seed on, or tests of a file. */
export type Proof = { readonly walk: number } | TestProof;

/** A fix, and how it is taken out. */
export interface Fix {
  /** The attack that it answers, of the table above. */
  readonly attack: `A${number}`;
  readonly name: string;
  /** Each text stands in its file once, and is replaced. */
  readonly without: readonly {
    readonly file: string;
    readonly text: string;
    readonly by: string;
  }[];
  readonly found: Proof;
}

const LIBRARY = "src/library/";
const CLIENTS = "tests/clients/";
const API = "tests/api/";

/** Every fix that is taken out in turn. */
export const FIXES: readonly Fix[] = [
  {
    attack: "A1",
    name: "the owner of an album is pinned",
    without: [
      {
        file: `${LIBRARY}albums/roster_judge.ts`,
        text: "const owner = this.#ownerOf(albumId) ?? named;",
        by: "const owner = named;",
      },
      {
        file: `${LIBRARY}albums/roster_judge.ts`,
        text: ": judgeRoster(this.trust.record, albumId, seen);",
        by: ": undefined;",
      },
    ],
    found: { walk: 1 },
  },
  {
    attack: "A1",
    name: "own albums are known by the account's record",
    without: [{
      file: `${LIBRARY}albums/roster_judge.ts`,
      text:
        "return this.isOwn(albumId) ? userId : this.claimOf(albumId)?.owner;",
      by: "return this.claimOf(albumId)?.owner;",
    }],
    found: { test: `${CLIENTS}library_trust_test.ts`, filter: "own album" },
  },
  {
    attack: "A2",
    name: "links begin with the address that the person opened",
    without: [{
      file: `${LIBRARY}trust/origins.ts`,
      text: "return confirmed() ?? opened;",
      by: 'return state.fresh ? "https://evil.example" : opened;',
    }],
    found: { walk: 1 },
  },
  {
    attack: "A2",
    name: "an origin of links is one that the trust record has",
    without: [{
      file: `${LIBRARY}trust/origins.ts`,
      text: "origin !== undefined && trust.isPinned(origin)",
      by: "origin !== undefined",
    }],
    found: {
      test: `${CLIENTS}library_origins_test.ts`,
      filter: "state names",
    },
  },
  {
    attack: "A2",
    name: "a link of another origin wants the four words",
    without: [{
      file: `${LIBRARY}account/devices.ts`,
      text: "if (read.origin === origin) return read;",
      by: 'if (read.origin !== "") return read;',
    }],
    found: { test: `${CLIENTS}library_origins_test.ts` },
  },
  {
    attack: "A3",
    name: "the highest roster outlives the album's record",
    without: [
      {
        file: `${LIBRARY}albums/held_albums.ts`,
        text: "const known = Math.max(had, claim?.roster_version ?? 0);",
        by: "const known = had;",
      },
      {
        file: `${LIBRARY}trust/trust_rules.ts`,
        text:
          'if (seen.version < known.roster_version) return "older_version";',
        by: "",
      },
      {
        file: `${LIBRARY}trust/trust_rules.ts`,
        text: 'if (seen.epoch < known.amk_epoch) return "older_epoch";',
        by: "",
      },
    ],
    found: { test: `${CLIENTS}library_trust_test.ts`, filter: "removed" },
  },
  {
    attack: "A3",
    name: "the owner ends a fork of an album's rosters",
    without: [{
      file: `${LIBRARY}albums/albums.ts`,
      text: "if (await rosters.supersede(albumId)) changed.push(albumId);",
      by: "void rosters;",
    }],
    found: { test: `${CLIENTS}library_trust_test.ts`, filter: "two lists" },
  },
  {
    attack: "A4",
    name: "an author is owner or contributor",
    without: [{
      file: `${LIBRARY}rows/opening.ts`,
      text: "if (isShared && !opener.mayAdd(album, author, epoch)) {",
      by: "if (isShared && opener.mayAdd === undefined) {",
    }],
    found: { walk: 1 },
  },
  {
    attack: "A5",
    name: "an own photo that the server denies stays as a row",
    without: [{
      file: `${LIBRARY}rows/losses.ts`,
      text: 'if (row.state === "removed") return index.put(row);',
      by: "return index.remove(row.id);",
    }],
    found: { walk: 1 },
  },
  {
    attack: "A5",
    name: "a trash that no one filled is told",
    without: [{
      file: `${LIBRARY}rows/losses.ts`,
      text: 'if (row?.state !== "deleted" || row.owner !== userId) return;',
      by: 'if (row?.state !== "live" || row.owner !== userId) return;',
    }],
    found: { walk: 1 },
  },
  {
    attack: "A5",
    name: "what the feed led past is found",
    without: [{
      file: `${LIBRARY}rows/sync.ts`,
      text: "if (now() - (cursor.whole_at ?? 0) > WHOLE_AFTER_MS) {",
      by: "if (now() < 0) {",
    }],
    found: { walk: 1 },
  },
  {
    attack: "A5",
    name: "a changed photo has to have a manifest",
    without: [{
      file: `${LIBRARY}rows/opening.ts`,
      text: "if (own && alone && isFirst) {",
      by: "if (own && alone) {",
    }],
    found: {
      test: `${CLIENTS}library_manifests_test.ts`,
      filter: "invented number",
    },
  },
  {
    attack: "A5",
    name: "a photo stays in its album and keeps its original",
    without: [{
      file: `${LIBRARY}rows/opening.ts`,
      text: "    isSameVersion(known, bare);",
      by: "    isSameVersion(known, known);",
    }],
    found: { test: `${CLIENTS}library_manifests_test.ts`, filter: "album" },
  },
  {
    attack: "A5",
    name: "a place later than the feed's own is given up",
    without: [{
      file: `${LIBRARY}rows/sync.ts`,
      text: "filter(({ id, seq }) => seq > (mentioned.get(id) ?? end));",
      by: "filter(({ seq }) => seq < 0);",
    }],
    found: { test: `${CLIENTS}library_feed_test.ts`, filter: "invented" },
  },
  {
    attack: "A5",
    name: "the newest receipt is known to all devices",
    without: [{
      file: `${LIBRARY}trust/custody.ts`,
      text: "trust?.noteReceipt(seen);",
      by: "",
    }],
    found: {
      test: `${CLIENTS}library_receipts_test.ts`,
      filter: "the newest receipt",
    },
  },
  {
    attack: "A5",
    name: "the server lists the newest receipt",
    without: [{
      file: `${LIBRARY}care/receipts.ts`,
      text: "if (!isListed && !denied.includes(newest)) denied.push(newest);",
      by: "void isListed;",
    }],
    found: {
      test: `${CLIENTS}library_receipts_test.ts`,
      filter: "the newest receipt",
    },
  },
  {
    attack: "A6",
    name: "a damaged trust record is stored again",
    without: [{
      file: `${LIBRARY}trust/trust.ts`,
      text:
        'const overForeign = this.#damage === "unreadable" &&\n      this.status === "whole";',
      by: "const overForeign = false;",
    }],
    found: {
      test: `${CLIENTS}library_trust_status_test.ts`,
      filter: "damaged record",
    },
  },
  {
    attack: "A6",
    name: "a paired device is handed the trust record",
    without: [{
      file: `${LIBRARY}trust/trust.ts`,
      text: "const merged = mergeTrust(record, handedBy(trust));",
      by: "const merged = mergeTrust(record, handedBy(trust && undefined));",
    }],
    found: { test: `${CLIENTS}library_trust_status_test.ts` },
  },
  {
    attack: "A6",
    name: "state that the signed directory counts has to be shown",
    without: [{
      file: `${LIBRARY}trust/trust_status.ts`,
      text: 'if (stateCounter(record) < required) return "behind";',
      by: 'if (stateCounter(record) + required < 0) return "behind";',
    }],
    found: { test: `${CLIENTS}library_trust_status_test.ts` },
  },
  {
    attack: "A6",
    name: "a new device refuses an older state than others know",
    without: [{
      file: `${LIBRARY}vault/state_copies.ts`,
      text: 'if (isBehind) return "behind";',
      by: "void isBehind;",
    }],
    found: {
      test: `${CLIENTS}library_state_copies_test.ts`,
      filter: "enrolled device to which",
    },
  },
  {
    attack: "A6",
    name: "another device vouches for the state of one that came by words",
    without: [{
      file: `${LIBRARY}trust/trust.ts`,
      text: "if (!isSure) {",
      by: "if (!isSure && copy === undefined) {",
    }],
    found: {
      test: `${CLIENTS}library_state_copies_test.ts`,
      filter: "came by words",
    },
  },
  {
    attack: "A6",
    name: "who vouches tells which writes there are",
    without: [{
      file: `${LIBRARY}vault/state_copies.ts`,
      text: "for (const [id, count] of news) slots[`${SLOT}${id}`] = count;",
      by: "void slots;",
    }],
    found: {
      test: `${CLIENTS}library_state_copies_test.ts`,
      filter: "came by words",
    },
  },
  {
    attack: "A6",
    name: "a device in doubt of its state only takes photos out of frames",
    without: [{
      file: `${LIBRARY}library_links.ts`,
      text: "removesOnly: await mayMissHiddenOnceRead(context),",
      by: "removesOnly: false,",
    }],
    found: {
      test: `${CLIENTS}library_state_copies_test.ts`,
      filter: "enrolled device to which",
    },
  },
  {
    attack: "A6",
    name: "a mark on a device in doubt undoes nothing that it does not know",
    without: [{
      file: `${LIBRARY}showing/flags.ts`,
      text: "isSure() || flags.hidden === true ? now() : 0;",
      by: "isSure() || flags.hidden !== null ? now() : 0;",
    }],
    found: {
      test: `${CLIENTS}library_state_copies_test.ts`,
      filter: "undoes no hiding",
    },
  },
  {
    attack: "A6",
    name: "what a device in doubt enrolls is in doubt too",
    without: [{
      file: `${LIBRARY}vault/state_copies.ts`,
      text: "return !isDoubted && ",
      by: "return ",
    }],
    found: {
      test: `${CLIENTS}library_state_copies_test.ts`,
      filter: "unconfirmed device enrolls",
    },
  },
  {
    attack: "A7",
    name: "the type of a Blob is found in its bytes",
    without: [{
      file: "src/web/app/addresses.ts",
      text:
        "return blob.type === type ? blob : blob.slice(0, blob.size, type);",
      by: "return blob.type === type ? blob : blob;",
    }, {
      file: "src/web/app/addresses.ts",
      text:
        'if (!SHOWN.test(blob.type)) throw new TypeError("no picture, video or sound");',
      by: "",
    }, {
      file: "src/web/app/addresses.ts",
      text: "if (!isPictureType(blob.type)) return false;",
      by: "if (blob.type !== INERT) return true;",
    }],
    found: {
      test: "tests/app/lightbox_test.ts",
      filter: "whatever a file says that it is",
    },
  },
  {
    attack: "A7",
    name: "one module makes addresses of Blobs",
    without: [{
      file: "src/web/app/saving.ts",
      text: "savedAddress(",
      by: "URL.createObjectURL(",
    }],
    found: { test: "tests/architecture/blob_addresses_test.ts" },
  },
  {
    attack: "A8",
    name: "a time goes through one parser",
    without: [{
      file: `${LIBRARY}rows/rows.ts`,
      text: "return readTime(row.metadata?.taken_at) ?? readTime(row.at) ?? 0;",
      by: "return Date.parse(row.metadata?.taken_at ?? row.at);",
    }],
    found: { walk: 1 },
  },
  {
    attack: "A8",
    name: "a name is one name on a disk",
    without: [{
      file: "src/media/exports/file_names.ts",
      text: '.replace(/^(?:[.\\s]+|-)/, "_")\n' +
        '    : accepted.replace(/^(?:\\.+|-)/, "_");',
      by: '.replace(/^(?:[.\\s]+)/, "_")\n' +
        '    : accepted.replace(/^(?:\\.+)/, "_");',
    }],
    found: { test: "tests/malicious_input/metadata_test.ts" },
  },
  {
    attack: "A8",
    name: "what XML cannot express stays out of a listing",
    without: [{
      file: "src/cli/dav/multistatus.ts",
      text: 'return escapeXml(text.replace(NOT_XML, "\\ufffd"));',
      by: "void NOT_XML;\n  return escapeXml(text);",
    }],
    found: { test: "tests/people/malicious_metadata_test.ts" },
  },
  {
    attack: "A8",
    name: "JSON on a terminal is escaped",
    without: [{
      file: "src/cli/phrasing.ts",
      text:
        "/[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Noncharacter_Code_Point}\\u2028\\u2029]/gu,",
      by: "/[\\u2028\\u2029]/gu,",
    }],
    found: { test: "tests/malicious_input/metadata_test.ts" },
  },
  {
    attack: "A9",
    name: "an answer has an end",
    without: [{
      file: "src/client/api/transport.ts",
      text: "if (length > mostBytes) {",
      by: "if (length < 0) {",
    }],
    found: { walk: 1 },
  },
  {
    attack: "A9",
    name: "metadata has at most the size that is declared",
    without: [
      {
        file: `${LIBRARY}rows/small_blob.ts`,
        text: "if (size > SMALL_MAX_BYTES) {",
        by: "if (size < 0) {",
      },
      {
        file: `${LIBRARY}rows/small_blob.ts`,
        text: "if (body.first !== 0 || body.length !== size) {",
        by: "if (body.first !== 0) {",
      },
    ],
    found: { walk: 1 },
  },
  {
    attack: "A9",
    name: "a photo has an end",
    without: [{
      file: `${LIBRARY}rows/pull.ts`,
      text: "if (at + piece.length > end) {",
      by: "if (at + piece.length < 0) {",
    }],
    found: {
      test: `${CLIENTS}library_bounds_test.ts`,
      filter: "goes on beyond",
    },
  },
  {
    attack: "A9",
    name: "a file has the size that its metadata says",
    without: [{
      file: `${LIBRARY}rows/pull.ts`,
      text: "row.metadata.size !== size",
      by: "row.metadata.size < 0",
    }],
    found: {
      test: `${CLIENTS}library_bounds_test.ts`,
      filter: "another size than its metadata",
    },
  },
  {
    attack: "A9",
    name: "the server takes 4 MiB of metadata",
    without: [{
      file: "src/features/uploads/uploads.ts",
      text: "if (!isDescribing || size <= DESCRIBING_MAX_BYTES) return;",
      by: "if (!isDescribing || size > 0) return;",
    }],
    found: { test: `${API}upload_limits_test.ts`, filter: "4 MiB" },
  },
  {
    attack: "A9",
    name: "a picture is measured before it is decoded",
    without: [{
      file: "src/media/exif/extent.ts",
      text: "return pixels > 0 && pixels <= mostPixelsOf(source, mostPixels)",
      by: "return pixels + mostPixels + source.size > 0",
    }],
    found: { test: "src/media/exif/extent_test.ts" },
  },
  {
    attack: "A10",
    name: "XML is read once",
    without: [{
      file: "src/core/xml.ts",
      text: "const tag = this.xml.slice(tagStart, this.#at - 1);",
      by: `for (let again = 0; again < 3; again++) {
        this.#at = tagStart;
        this.#skipTag();
      }
      const tag = this.xml.slice(tagStart, this.#at - 1);`,
    }],
    found: { test: "src/core/xml_test.ts" },
  },
  {
    attack: "A11",
    name: "hashes of links have a budget",
    without: [{
      file: "src/features/budgets.ts",
      text: "share_hashes: { limit: 200_000,",
      by: "share_hashes: { limit: 200_000_000,",
    }],
    found: {
      test: `${API}share_writes_test.ts`,
      filter: "hashes a minute",
    },
  },
  {
    attack: "A11",
    name: "an account makes one change of links at a time",
    without: [{
      file: "src/features/shares/changes.ts",
      text:
        "const done = signals.shareChanges.run(caller.userId, async () => {",
      by: "const done = ((run: () => Promise<T>) => run())(async () => {",
    }],
    found: { test: `${API}share_writes_test.ts`, filter: "for 30 seconds" },
  },
  {
    attack: "A11",
    name: "guests' files come in pages by bytes",
    without: [{
      file: "src/features/guests/contributions.ts",
      text:
        "const isFull = contributions.length === limit || bytes > PAGE_BYTES;",
      by:
        "const isFull = contributions.length === limit || bytes + PAGE_BYTES < 0;",
    }],
    found: { test: `${API}contributions_test.ts`, filter: "in pages" },
  },
  {
    attack: "A11",
    name: "guests' files have a budget",
    without: [{
      file: "src/features/budgets.ts",
      text: "contributions: { limit: 120,",
      by: "contributions: { limit: 120_000,",
    }],
    found: { test: `${API}contributions_test.ts`, filter: "in pages" },
  },
  {
    attack: "A12",
    name: "a link comes from standard input",
    without: [{
      file: "src/cli/person/sharing/secret_link.ts",
      text: 'if (given === "-") return await terminal.lineOf("-", "a link");',
      by: "",
    }],
    found: {
      test: "tests/people/others_test.ts",
      filter: "a link that carries a secret",
    },
  },
  {
    attack: "A12",
    name: "an invitation is asked about",
    without: [{
      file: `${LIBRARY}albums/albums.ts`,
      text: "const isInvitation = (albumId: string) =>",
      by: "const isInvitation = (albumId: string) => albumId === '' &&",
    }],
    found: { test: `${CLIENTS}library_invitations_test.ts` },
  },
  {
    attack: "A12",
    name: "invitations of a blocked person are not shown",
    without: [{
      file: `${LIBRARY}trust/trust_rules.ts`,
      text: "return isLater(person?.blocked_at, person?.unblocked_at);",
      by: "return isLater(person?.blocked_at, person?.blocked_at);",
    }],
    found: {
      test: `${CLIENTS}library_invitations_test.ts`,
      filter: "blocked",
    },
  },
  {
    attack: "A12",
    name: "an id that is taken becomes no new album",
    without: [{
      file: `${LIBRARY}albums/own_albums.ts`,
      text:
        "if ((await account.provisionAlbum(albumId)).created) return albumId;",
      by:
        "if (await account.provisionAlbum(albumId) !== undefined) return albumId;",
    }],
    found: { test: `${CLIENTS}library_trust_test.ts`, filter: "taken" },
  },
  {
    attack: "A13",
    name: "a log that was seen has one tree of a size",
    without: [{
      file: `${LIBRARY}logs/log_following.ts`,
      text: "if (equalBytes(head.root, root)) return true;",
      by: "return true;",
    }],
    found: {
      test: "tests/adversary/logs_test.ts",
      filter: "never seen the logs",
    },
  },
  {
    attack: "A13",
    name: "a larger tree goes on from the one that was seen",
    without: [{
      file: `${LIBRARY}logs/log_following.ts`,
      text: "if (verdict.ok) return true;",
      by: "if (verdict.ok || !verdict.ok) return true;",
    }],
    found: {
      test: "tests/adversary/logs_test.ts",
      filter: "is noticed on every device",
    },
  },
  {
    attack: "A13",
    name: "a log never becomes smaller",
    without: [{
      file: `${LIBRARY}logs/log_following.ts`,
      text: "if (seen !== undefined && head.size < seen.size) {",
      by: "if (seen !== undefined && head.size < seen.size - 1_000) {",
    }],
    found: {
      test: "tests/adversary/logs_test.ts",
      filter: "is noticed on every device",
    },
  },
  {
    attack: "A13",
    name: "the entries of the keys log make its root",
    without: [{
      file: `${LIBRARY}logs/log_keys.ts`,
      text: "if (!equalBytes(range.root(), head.root)) {",
      by: "if (range.root().length === 0) {",
    }],
    found: {
      test: "tests/adversary/logs_test.ts",
      filter: "is noticed on every device",
    },
  },
  {
    attack: "A13",
    name: "every witness that is needed has to have cosigned",
    without: [{
      file: "src/crypto/logs/log_policy.ts",
      text: "rule.members.filter(isMet).length >= rule.threshold",
      by: "rule.members.some(isMet)",
    }],
    found: {
      test: "tests/adversary/logs_test.ts",
      filter: "never seen the logs",
    },
  },
  {
    attack: "A13",
    name: "an entry that a restore lost is told",
    without: [{
      file: `${LIBRARY}logs/log_keys.ts`,
      text: "if (there.has(sha256)) continue;",
      by: "if (there.has(sha256) || true) continue;",
    }],
    found: {
      test: `${CLIENTS}library_log_laundering_test.ts`,
      filter: "a restore lost",
    },
  },
  {
    attack: "A13",
    name: "a retired key signs no checkpoint",
    without: [{
      file: `${LIBRARY}logs/log_following.ts`,
      text: "openHead(name, note, inForce(check, trusted))",
      by: "openHead(name, note, trusted)",
    }],
    found: {
      test: "tests/adversary/retired_keys_test.ts",
      filter: "a checkpoint that a retired key signs",
    },
  },
  {
    attack: "A13",
    name: "a retired key vouches for no other",
    without: [{
      file: `${LIBRARY}trust/pins.ts`,
      text: "if (isShown && isThere) return next;",
      by: "if (isThere) return next;",
    }],
    found: {
      test: "tests/adversary/retired_keys_test.ts",
      filter: "is not followed",
    },
  },
  {
    attack: "A13",
    name: "the time of a retired key does not go on",
    without: [{
      file: `${LIBRARY}trust/pins.ts`,
      text: "return { ...key, ...shown, activeTo };",
      by: "return { ...key, activeTo, ...shown };",
    }],
    found: {
      test: "tests/adversary/retired_keys_test.ts",
      filter: "a receipt that a retired key signs",
    },
  },
  {
    attack: "A9",
    name: "a blob commits to one key",
    without: [{
      file: "src/client/stream/stream.ts",
      text: "if (!equalBytes(cipher.head, head)) {",
      by: "if (cipher.head.length !== head.length) {",
    }],
    found: {
      test: "tests/adversary/blobs_test.ts",
      filter: "opens under two keys",
    },
  },
];
