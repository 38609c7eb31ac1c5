/**
 * Names of places, from the gazetteer that the program carries.
 *
 * @module
 */
import assert from "node:assert/strict";
import { makeGazetteer } from "../../scripts/web/gazetteer.ts";
import { encodeGazetteer } from "../../src/media/places/encoding.ts";
import {
  otherNames,
  TOWN_NAMES,
  townName,
} from "../../src/media/places/exonyms.ts";
import { Gazetteer } from "../../src/media/places/gazetteer.ts";
import {
  countryName,
  countryText,
  PlaceNames,
} from "../../src/library/finding/place_names.ts";
import { DocumentError } from "../../src/client/documents/fields.ts";

const bytes = makeGazetteer();
const gazetteer = new Gazetteer(bytes);

const townAt = (latitude: number, longitude: number) => {
  const town = gazetteer.nearest({ latitude, longitude });
  return town && `${town.name}, ${town.country}`;
};

Deno.test("a place has the name of the town that it lies in, however large that is, or else of the nearest", () => {
  assert.deepEqual(
    {
      "the Eiffel tower": townAt(48.8584, 2.2945),
      "the palace of Versailles": townAt(48.8049, 2.1204),
      "Times Square": townAt(40.758, -73.9855),
      "Sydney's opera": townAt(-33.8568, 151.2153),
      "a villa at the lake of Como": townAt(45.987, 9.261),
      "the rim of the Grand Canyon": townAt(36.1, -112.1),
      "the middle of the Atlantic": townAt(30, -40),
      "the south pole": townAt(-90, 0),
    },
    {
      "the Eiffel tower": "Paris, FR",
      "the palace of Versailles": "Versailles, FR",
      "Times Square": "New York City, US",
      "Sydney's opera": "Sydney, AU",
      "a villa at the lake of Como": "Bellagio, IT",
      "the rim of the Grand Canyon": "Grand Canyon, US",
      "the middle of the Atlantic": undefined,
      "the south pole": undefined,
    },
  );
});

Deno.test("towns are found by how their names begin, with or without marks, the largest first", () => {
  const named = (text: string, most = 2) =>
    gazetteer.named(text, most).map(({ name, country }) =>
      `${name}, ${country}`
    );
  assert.deepEqual(named("zuri", 1), ["Zürich, CH"]);
  assert.deepEqual(named("ZÜRICH", 1), ["Zürich, CH"]);
  assert.deepEqual(named("paris", 1), ["Paris, FR"]);
  assert.deepEqual(named("angeles", 1), ["Los Angeles, US"]);
  assert.deepEqual(named("no town has this name"), []);
  assert.deepEqual(named("  "), []);
});

Deno.test("a search knows countries in all its languages, and towns, without marks on letters", async () => {
  const names = new PlaceNames(gazetteer);
  const zurich = { latitude: 47.378, longitude: 8.54 };
  let turns = 0;
  await names.lookUp(
    Array.from({ length: 450 }, (_, at) => ({
      latitude: 47 + at / 100,
      longitude: 8.54,
    })),
    () => {
      turns += 1;
      return Promise.resolve();
    },
  );
  assert.equal(turns, 2, "others had their turn");
  const text = names.textOf(zurich).split(" ");
  for (
    const word of [
      "zurich",
      "switzerland",
      "schweiz",
      "suisse",
      "suiza",
      "svizzera",
      "zwitserland",
      "szwajcaria",
      "suica",
    ]
  ) {
    assert(text.includes(word), word);
  }
  assert.equal(names.textOf({ latitude: 30, longitude: -40 }), "");
  assert.equal(countryName("IT", "de"), "Italien");
  // As a rule in the account's state may say it.
  for (const code of ["", "x", "PT Lisbon", "12"]) {
    assert.equal(countryName(code, "de"), code);
  }
  assert.match(countryText("CI"), /cote d.ivoire/);
});

Deno.test("a gazetteer of one town, of none large, and at the edge of the map names what is near", () => {
  const one = new Gazetteer(encodeGazetteer([{
    name: "Levuka",
    country: "FJ",
    latitude: -17.68,
    longitude: 179.99,
    population: 1_131,
  }]));
  const near = one.nearest({ latitude: -17.7, longitude: -179.98 });
  assert.equal(near?.name, "Levuka", "across the date line");
  assert.equal(near?.latitude, -17.68);
  assert.equal(one.nearest({ latitude: 0, longitude: 0 }), undefined);
});

Deno.test("bytes that are cut off are no gazetteer", () => {
  for (const length of [0, 3, 4, 1_000, bytes.length - 1_000]) {
    assert.throws(
      () => new Gazetteer(bytes.subarray(0, length)),
      DocumentError,
      `${length}`,
    );
  }
});

Deno.test("every town that people call otherwise is in the gazetteer, and has its name in each language", () => {
  const missing = [...TOWN_NAMES.keys()].map((key) => ({
    name: key.slice(0, -3),
    country: key.slice(-2),
  })).filter(({ name, country }) =>
    !gazetteer.named(name, 200).some((town) =>
      town.name === name && town.country === country
    )
  );
  assert.deepEqual(missing, []);
  const munich = { name: "Munich", country: "DE" };
  assert.deepEqual(
    ["en-GB", "de-AT", "es", "fr", "it", "nl", "pl", "pt-PT", "sv"].map((tag) =>
      townName(munich, tag)
    ),
    [
      "Munich",
      "München",
      "Múnich",
      "Munich",
      "Monaco di Baviera",
      "München",
      "Monachium",
      "Munique",
      "Munich",
    ],
  );
  // Another town of that name is not meant.
  assert.equal(townName({ name: "Munich", country: "US" }, "de"), "Munich");
});

Deno.test("a town is found by its name in any language, and shown by that of the person", () => {
  const everyName = new Gazetteer(bytes, otherNames);
  const first = (text: string) => everyName.named(text, 1)[0]?.name;
  assert.equal(first("monaco di bav"), "Munich");
  assert.equal(first("Köln"), "Köln");
  assert.equal(first("Cologne"), "Köln");
  assert.equal(first("varsovie"), "Warsaw");
  const here = { latitude: 48.137, longitude: 11.575 };
  assert.equal(everyName.around("munchen")?.(here), true);
  const names = new PlaceNames(
    everyName,
    otherNames,
    (town) => townName(town, "it"),
  );
  assert.equal(names.townOf(here)?.name, "Monaco di Baviera");
  assert.match(names.textOf(here), /munich.*munchen.*germania/s);
  // What an export says does not depend on the language.
  assert.equal(names.localityOf(here)?.city, "Munich");
});
