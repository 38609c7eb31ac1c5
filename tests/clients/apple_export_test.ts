/**
 * The copy of iCloud Photos that Apple sends: its tables, and whom they tell of.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  readAppleAlbum,
  readAppleDetails,
} from "../../src/media/exports/apple_csv.ts";
import { APPLE } from "../../src/media/exports/apple_export.ts";
import { planExport } from "../../src/media/exports/export_kind.ts";

const HEAD =
  "imgName,fileChecksum,favorite,hidden,deleted,originalCreationDate,viewCount,importDate";
const row = (name: string, date: string, marks = "no,no,no") =>
  `${name},AfQj57ORF2JIumUCjO,${marks},"${date}",10,"${date}"`;

Deno.test("a table's dates are read, in the morning, at noon and at midnight", () => {
  const dates = readAppleDetails([
    HEAD,
    row("a.HEIC", "Saturday June 4,2022 12:11 PM GMT"),
    row("b.HEIC", "Saturday June 4,2022 12:11 AM GMT"),
    row("c.HEIC", "Thursday August 29,2013 7:08 AM GMT"),
    row("d.HEIC", "Wednesday October 11,2017 3:53\u202fPM GMT"),
    row("e.HEIC", "Wednesday Octember 11,2017 3:53 PM GMT"),
    row("f.HEIC", ""),
  ].join("\r\n"));
  assert.deepEqual(dates?.map(({ takenAt }) => takenAt), [
    "2022-06-04T12:11:00.000Z",
    "2022-06-04T00:11:00.000Z",
    "2013-08-29T07:08:00.000Z",
    "2017-10-11T15:53:00.000Z",
    undefined,
    undefined,
  ]);
});

Deno.test("a table with quotes, without an end or of other columns is read or refused", () => {
  const quoted = readAppleDetails(
    `${HEAD}\n"a ""b"", c.jpg",x,yes,yes,no,"Saturday June 4,2022 12:11 PM GMT",1,x\n`,
  );
  assert.deepEqual(quoted, [{
    name: 'a "b", c.jpg',
    takenAt: "2022-06-04T12:11:00.000Z",
    favourite: true,
    hidden: true,
    deleted: false,
  }]);
  assert.equal(readAppleDetails("a,b\n1,2\n"), undefined);
  assert.equal(readAppleDetails(`${HEAD}\n"never closed`), undefined);
  assert.equal(readAppleDetails(",".repeat(1_000_000)), undefined);
  assert.deepEqual(readAppleAlbum("imageName\na.HEIC\nb.HEIC\n"), [
    "a.HEIC",
    "b.HEIC",
  ]);
  assert.equal(readAppleAlbum("imageName,x\na.HEIC,1\n"), undefined);
});

Deno.test("photos of one name get the date of their own zip, and albums take no photo by chance", async () => {
  const first = "iCloud Photos Part 1 of 2.zip";
  const second = "iCloud Photos Part 2 of 2.zip";
  const texts: Readonly<Record<string, string>> = {
    [`${first}/Photos/Photo Details.csv`]: [
      HEAD,
      row("IMG_1.HEIC", "Thursday August 29,2013 7:08 AM GMT", "yes,no,no"),
      row("IMG_3.HEIC", "Thursday August 29,2013 7:08 AM GMT", "no,no,yes"),
      row("IMG_9.HEIC", "Thursday August 29,2013 7:08 AM GMT"),
    ].join("\n"),
    [`${second}/Photos/Photo Details-1.csv`]: [
      HEAD,
      row("IMG_1.HEIC", "Wednesday October 11,2017 3:53 PM GMT", "no,yes,no"),
    ].join("\n"),
    [`${second}/Albums/Lake 2017.csv`]: "imageName\nIMG_1.HEIC\nIMG_2.JPG\n",
    [`${second}/Memories/Summer.csv`]: "imageName\nIMG_2.JPG\n",
  };
  const others = [
    `${first}/Photos/IMG_1.HEIC`,
    `${first}/Photos/IMG_3.HEIC`,
    `${second}/Photos/IMG_1.HEIC`,
    `${second}/Photos/IMG_2.JPG`,
    `${second}/Recently Deleted/IMG_4.JPG`,
    `${second}/iCloud Shared Albums.zip`,
  ];
  const files = [...Object.keys(texts), ...others].map((whole) => {
    const [within = "", ...path] = whole.split("/");
    return { path: path.join("/"), within, size: 1, whole };
  });
  const plan = await planExport(
    APPLE,
    files,
    {
      textOf: ({ whole }) => Promise.resolve(texts[whole] ?? ""),
      identifierOf: () => Promise.resolve(undefined),
    },
  );
  assert.deepEqual(plan.passed.map(({ file, why }) => [file.whole, why]), [
    [`${second}/Recently Deleted/IMG_4.JPG`, "trashed"],
    [`${second}/Memories/Summer.csv`, "describes"],
    [`${first}/Photos/IMG_3.HEIC`, "trashed"],
    [`${second}/iCloud Shared Albums.zip`, "archive"],
  ]);
  assert.deepEqual(
    plan.items.map(({ file, matched, albums }) => [
      file.whole,
      matched?.sidecar.facts.takenAt,
      matched?.sidecar.facts.favourite,
      matched?.sidecar.facts.hidden,
      albums.flatMap((key) => plan.albums.get(key) ?? []),
    ]),
    [
      [
        `${first}/Photos/IMG_1.HEIC`,
        "2013-08-29T07:08:00.000Z",
        true,
        undefined,
        [],
      ],
      [
        `${second}/Photos/IMG_1.HEIC`,
        "2017-10-11T15:53:00.000Z",
        false,
        true,
        [],
      ],
      [
        `${second}/Photos/IMG_2.JPG`,
        undefined,
        undefined,
        undefined,
        ["Lake 2017"],
      ],
    ],
  );
  assert.deepEqual(plan.unused.map(({ path }) => path), [
    "Photos/Photo Details.csv: IMG_9.HEIC",
  ]);
});
