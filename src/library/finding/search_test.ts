import assert from "node:assert/strict";
import type { Metadata } from "../../client/documents/metadata.ts";
import type { Position } from "../../media/places/distance.ts";
import { Vocabulary } from "../base/mistyped.ts";
import type { Row } from "../rows/rows.ts";
import { type MoreKnown, queryOf, searched } from "./search.ts";
import { readAhead } from "./search_facts.ts";
import { dateOfWord, partsOfYearLike } from "./search_dates.ts";
import { thingNames } from "./thing_names.ts";
import {
  type Meaning,
  means,
  SEARCH_LANGUAGES,
  SEARCH_WORDS,
  type SearchLanguage,
  wordsFor,
} from "./search_words.ts";

/** A Tuesday. */
const NOW = Date.UTC(2026, 10, 24, 9);

function photo(name: string, change: Partial<Metadata> = {}): Row {
  return {
    id: crypto.randomUUID(),
    owner: "ada",
    head: "00".repeat(32),
    seq: 1,
    state: "live",
    at: "2020-02-02T12:00:00Z",
    blobs: [],
    epoch: 1,
    chunk_size: 65_536,
    custody: "unverified",
    metadata: {
      name,
      mime: "image/jpeg",
      size: 1,
      sha256: "00".repeat(32),
      derivatives: [],
      ...change,
    },
  };
}

/** The names of what is found. */
function find(rows: readonly Row[], text: string, more: MoreKnown = {}) {
  return searched(rows, (row) => row, text, { now: NOW, ...more })
    .map((row) => row.metadata?.name);
}

/** Photos that are called by the day when they were taken. */
const DAYS = [
  "2026-11-24",
  "2026-11-23",
  "2026-11-22",
  "2026-11-16",
  "2026-11-15",
  "2026-10-31",
  "2026-10-01",
  "2026-08-31",
  "2025-12-25",
  "2025-08-15",
  "2024-06-15",
  "2023-12-31",
  "2023-07-06",
  "2023-06-07",
  "2023-02-01",
  "2022-12-24",
  "2022-01-05",
].map((day) => photo(`of ${day}.jpg`, { taken_at: `${day}T12:00:00Z` }));

const DATES: readonly (readonly [queries: string, days: readonly string[]])[] =
  [
    ["today", ["2026-11-24"]],
    ["heute", ["2026-11-24"]],
    ["yesterday", ["2026-11-23"]],
    ["gestern", ["2026-11-23"]],
    ["this week", ["2026-11-24", "2026-11-23"]],
    ["last week", ["2026-11-22", "2026-11-16"]],
    ["letzte Woche", ["2026-11-22", "2026-11-16"]],
    ["last month", ["2026-10-31", "2026-10-01"]],
    ["letzten Monat", ["2026-10-31", "2026-10-01"]],
    ["last year", ["2025-12-25", "2025-08-15"]],
    ["letztes Jahr", ["2025-12-25", "2025-08-15"]],
    ["last summer", ["2026-08-31"]],
    ["im letzten Sommer", ["2026-08-31"]],
    ["last monday", ["2026-11-23"]],
    ["last christmas", ["2025-12-25"]],
    ["summer 2023", ["2023-07-06", "2023-06-07"]],
    ["2023 Sommer", ["2023-07-06", "2023-06-07"]],
    ["winter 2022", ["2023-02-01", "2022-12-24", "2022-01-05"]],
    ["christmas 2022", ["2022-12-24"]],
    ["an Weihnachten 2022", ["2022-12-24"]],
    ["christmas", ["2025-12-25", "2022-12-24"]],
    ["Heiligabend 2022", ["2022-12-24"]],
    ["Heiligabend", ["2022-12-24"]],
    ["wigilia", ["2022-12-24"]],
    ["Nochebuena 2025", []],
    ["06/2024", ["2024-06-15"]],
    ["6.2024", ["2024-06-15"]],
    ["2024-06", ["2024-06-15"]],
    ["15.6.2024", ["2024-06-15"]],
    ["15. 6. 2024", ["2024-06-15"]],
    ["15.06.2024", ["2024-06-15"]],
    ["2024-06-15", ["2024-06-15"]],
    ["6/15/2024", ["2024-06-15"]],
    ["15/6/2024", ["2024-06-15"]],
    // Either may be the month.
    ["6/7/2023", ["2023-07-06", "2023-06-07"]],
    ["6.7.2023", ["2023-07-06"]],
    ["31.13.2023", []],
    ["2024", ["2024-06-15"]],
    ["in 2024", ["2024-06-15"]],
    ["june", ["2024-06-15", "2023-06-07"]],
    ["Juni 2023", ["2023-06-07"]],
    ["31 december", ["2023-12-31"]],
    ["December 24th", ["2022-12-24"]],
    ["am 15. Juni", ["2024-06-15"]],
    ["le 15 juin", ["2024-06-15"]],
    ["15 de junio", ["2024-06-15"]],
    // The digits of the other name are of no day.
    ["7 june", ["2023-06-07"]],
    ["20 june", []],
    ["sunday 2023", ["2023-12-31"]],
    ["Sonntag 2023", ["2023-12-31"]],
  ];

for (const [query, days] of DATES) {
  Deno.test(`“${query}” finds what was taken then`, () => {
    assert.deepEqual(
      find(DAYS, query),
      days.map((day) => `of ${day}.jpg`),
    );
  });
}

/** What people type in each language, and what was taken then. */
const TYPED: Readonly<
  Record<SearchLanguage, readonly (readonly [string, readonly string[]])[]>
> = {
  en: [["30 december 2023", []], ["31st of December 2023", ["2023-12-31"]]],
  de: [["am 31. Dezember 2023", ["2023-12-31"]], ["Marz", []]],
  fr: [
    ["l'été dernier", ["2026-08-31"]],
    ["été 2023", ["2023-07-06", "2023-06-07"]],
    ["ete 2023", ["2023-07-06", "2023-06-07"]],
    ["noël 2022", ["2022-12-24"]],
    ["le 15 juin 2024", ["2024-06-15"]],
    ["la semaine dernière", ["2026-11-22", "2026-11-16"]],
    ["aujourd’hui", ["2026-11-24"]],
    ["dimanche 2023", ["2023-12-31"]],
  ],
  es: [
    ["el verano pasado", ["2026-08-31"]],
    ["último verano", ["2026-08-31"]],
    ["15 de junio de 2024", ["2024-06-15"]],
    ["navidad 2022", ["2022-12-24"]],
    ["la semana pasada", ["2026-11-22", "2026-11-16"]],
  ],
  it: [
    ["l'estate scorsa", ["2026-08-31"]],
    ["natale 2022", ["2022-12-24"]],
    ["15 giugno 2024", ["2024-06-15"]],
    ["l'anno scorso", ["2025-12-25", "2025-08-15"]],
  ],
  nl: [
    ["afgelopen zomer", ["2026-08-31"]],
    ["kerst 2022", ["2022-12-24"]],
    ["15 juni 2024", ["2024-06-15"]],
    ["vorige week", ["2026-11-22", "2026-11-16"]],
  ],
  pl: [
    ["zeszłego lata", ["2026-08-31"]],
    ["zeszlego lata", ["2026-08-31"]],
    ["Boże Narodzenie 2022", ["2022-12-24"]],
    ["15 czerwca 2024", ["2024-06-15"]],
    ["w zeszłym roku", ["2025-12-25", "2025-08-15"]],
  ],
  pt: [
    ["verão passado", ["2026-08-31"]],
    ["natal 2022", ["2022-12-24"]],
    ["15 de junho de 2024", ["2024-06-15"]],
    ["ontem", ["2026-11-23"]],
  ],
};

for (const language of SEARCH_LANGUAGES) {
  Deno.test(`dates are found as people type them (${language})`, () => {
    for (const [query, days] of TYPED[language]) {
      const names = days.map((day) => `of ${day}.jpg`);
      assert.deepEqual(find(DAYS, query), names, query);
    }
  });

  Deno.test(`each month and day of the week is found by its name (${language})`, () => {
    const words = SEARCH_WORDS[language];
    const year = (days: number) => new Date(Date.UTC(2024, 0, days));
    const rows = Array.from(
      { length: 366 },
      (_, at) =>
        photo(year(at + 1).toISOString().slice(0, 10), {
          taken_at: year(at + 1).toISOString(),
        }),
    );
    const dates = (query: string) =>
      find(rows, query).map((name) => new Date(`${name}T00:00:00Z`));
    for (const [at, forms] of words.months.split(" ").entries()) {
      for (const form of forms.split("|")) {
        const found = dates(`${form} 2024`);
        assert.ok(found.length >= 29 && found.length <= 31, form);
        assert.ok(found.every((date) => date.getUTCMonth() === at), form);
      }
    }
    assert.equal(words.months.split(" ").length, 12);
    for (const [at, forms] of words.weekdays.split(" ").entries()) {
      for (const form of forms.split("|")) {
        const found = dates(form);
        assert.ok(found.length >= 52, form);
        const day = (at + 1) % 7;
        assert.ok(found.every((date) => date.getUTCDay() === day), form);
      }
    }
    assert.equal(words.weekdays.split(" ").length, 7);
  });

  Deno.test(`kinds, marks and stars are found by their words (${language})`, () => {
    const words = SEARCH_WORDS[language];
    const rows = [
      photo("plain.jpg", { rating: 4 }),
      photo("moving.mp4", { mime: "video/mp4", favourite: true }),
      photo("voice.m4a", { mime: "audio/mp4" }),
      photo("bill.pdf", { mime: "application/pdf" }),
      photo("wide.jpg", { width: 9_000, height: 2_000 }),
      photo("Screenshot_1.png", { mime: "image/png" }),
      photo("away.jpg", { hidden: true }),
      photo("round.jpg", { inside: ["sphere", "other"] }),
      photo("cut.jpg", {
        inside: ["sphere"],
        edit: { crop: { x: 0, y: 0, width: 0.5, height: 1 } },
      }),
      photo("pixel.jpg", { inside: ["video"] }),
      photo("alive.heic", {
        mime: "image/heic",
        derivatives: [{
          hash: "00".repeat(32),
          kind: "motion",
          mime: "video/quicktime",
          key: new Uint8Array(32),
        }],
      }),
    ];
    const pictures = [
      "plain.jpg",
      "wide.jpg",
      "Screenshot_1.png",
      "round.jpg",
      "cut.jpg",
      "pixel.jpg",
      "alive.heic",
    ];
    const expected = [
      ["photos", pictures],
      ["videos", ["moving.mp4"]],
      ["sounds", ["voice.m4a"]],
      ["documents", ["bill.pdf"]],
      ["live", ["pixel.jpg", "alive.heic"]],
      ["panoramas", ["wide.jpg", "round.jpg"]],
      ["spheres", ["round.jpg"]],
      ["screenshots", ["Screenshot_1.png"]],
      ["favourites", ["moving.mp4"]],
      ["hidden", ["away.jpg"]],
    ] as const;
    for (const [meaning, names] of expected) {
      for (const word of words[meaning].split(" ")) {
        assert.deepEqual(find(rows, word), names, word);
      }
    }
    for (const word of words.stars.split(" ")) {
      assert.deepEqual(find(rows, `4 ${word}`), ["plain.jpg"], word);
    }
  });
}

Deno.test("easter is on another day each year", () => {
  const rows = ["2024-03-31", "2024-04-20", "2025-03-31", "2025-04-20"]
    .map((day) => photo(day, { taken_at: `${day}T12:00:00Z` }));
  assert.deepEqual(find(rows, "easter"), ["2024-03-31", "2025-04-20"]);
  assert.deepEqual(find(rows, "ostern 2025"), ["2025-04-20"]);
});

Deno.test("seasons and feasts are suggested in the language of the typed word", () => {
  const days = new Set(
    ["2023-07-06", "2022-12-24", "2022-07-01", "2020-12-25"].map((day) =>
      Date.parse(day) / 86_400_000
    ),
  );
  assert.deepEqual(partsOfYearLike("chri", days), [
    "Christmas 2022",
    "Christmas 2020",
  ]);
  assert.deepEqual(partsOfYearLike("weihn", days), [
    "Weihnachten 2022",
    "Weihnachten 2020",
  ]);
  assert.deepEqual(partsOfYearLike("ete", days), ["Été 2023", "Été 2022"]);
  assert.deepEqual(partsOfYearLike("summer 2022", days), ["Summer 2022"]);
  assert.deepEqual(partsOfYearLike("easter", days), []);
  assert.deepEqual(partsOfYearLike("chri", new Set()), []);
});

Deno.test("without a clock, today is a word as others are", () => {
  const rows = [photo("today.jpg"), ...DAYS];
  assert.deepEqual(
    rows.filter(queryOf("today")).map((row) => row.metadata?.name),
    ["today.jpg"],
  );
});

Deno.test("a day without a year is that day of every year, and no number in a name", () => {
  const rows = [
    photo("one.jpg", { taken_at: "2025-11-28T12:00:00Z" }),
    photo("IMG_0028.jpg", { taken_at: "2025-11-03T12:00:00Z" }),
    photo("two.jpg", { taken_at: "2021-11-28T12:00:00Z" }),
    photo("Party 28 November.pdf", { taken_at: "2021-12-05T12:00:00Z" }),
  ];
  const found = ["one.jpg", "two.jpg", "Party 28 November.pdf"];
  for (const query of ["28 november", "November 28", "28. Nov"]) {
    const expected = query === "28 november" ? found : found.slice(0, 2);
    assert.deepEqual(find(rows, query), expected, query);
  }
  assert.deepEqual(find(rows, "party 28 november"), ["Party 28 November.pdf"]);
});

Deno.test("the date is that of where the photo was taken", () => {
  const late = photo("late.jpg", {
    taken_at: "2024-06-14T23:30:00Z",
    taken_offset: 120,
  });
  assert.deepEqual(find([late], "15.6.2024"), ["late.jpg"]);
  assert.deepEqual(find([late], "14.6.2024"), []);
});

const LAKE = photo("P1000042.RW2", {
  mime: "image/x-panasonic-rw2",
  camera: { make: "Panasonic", model: "DC-G9" },
  caption: "Grandma at the lake",
  keywords: ["holidays"],
  rating: 4,
  taken_at: "2023-07-06T10:00:00Z",
});
const FILM = photo("rocket_start.mp4", { mime: "video/mp4", rating: 5 });
const PLAIN = photo("breakfast.jpg", { path: "2023/lisbon" });
const OTHERS = [LAKE, FILM, PLAIN];

const TEXTS: readonly (readonly [query: string, found: readonly Row[]])[] = [
  ["g9", [LAKE]],
  ["grandma lake", [LAKE]],
  ["holidays", [LAKE]],
  ["raw", [LAKE]],
  ["photos", [LAKE, PLAIN]],
  ["video", [FILM]],
  ["4 stars", [LAKE]],
  ["★★★★", [LAKE]],
  ["★★★★☆", [LAKE]],
  ["4 sterne", [LAKE]],
  ["4+ stars", [LAKE, FILM]],
  ["5★ rocket", [FILM]],
  ["1 star", []],
  ["lisbon", [PLAIN]],
  // Mistyped: a letter wrong, missing, too many, swapped, at either end.
  ["rocknt", [FILM]],
  ["roket", [FILM]],
  ["rockett", [FILM]],
  ["rokcet", [FILM]],
  ["orcket", [FILM]],
  ["xocket", [FILM]],
  ["brekfast", [PLAIN]],
  ["granmda lake", [LAKE]],
  ["grandma rockt", []],
  ["breakfst in lisbn", [PLAIN]],
  ["breakfst lisbn", [PLAIN]],
  ["panasnic 4 strs", []],
  // What begins like it was meant, as of words typed right.
  ["braekf", [PLAIN]],
  // Short words, numbers, two edits, and a word that is somewhere.
  ["laek", []],
  ["p1000043", []],
  ["rcknet", []],
  ["rocket lake", []],
  // Words that mean something.
  ["sumer 2023", [LAKE]],
  ["vidoes", [FILM]],
  // Two mistakes in a long word, and no more.
  ["brakfasst", [PLAIN]],
  ["berakfats", [PLAIN]],
  ["brkfst", []],
  ["brxxkfxst", []],
];

for (const [query, found] of TEXTS) {
  Deno.test(`“${query}” finds ${found.length}, mistyped or not`, () => {
    assert.deepEqual(
      find(OTHERS, query),
      found.map((row) => row.metadata?.name),
    );
  });
}

Deno.test("what matches exactly leaves no room for mistyped words", () => {
  const rows = [photo("stark.jpg"), photo("storm.jpg"), photo("start.jpg")];
  assert.deepEqual(find(rows, "stark"), ["stark.jpg"]);
  assert.deepEqual(find(rows, "starx"), ["stark.jpg", "start.jpg"]);
});

Deno.test("words that say nothing are left out where nothing is found with them", () => {
  const rows = [
    photo("receipt umbrella.jpg", { taken_at: "2026-10-03T12:00:00Z" }),
    photo("our cats.jpg", { taken_at: "2026-07-10T12:00:00Z" }),
    photo("cats.jpg", { taken_at: "2024-07-10T12:00:00Z" }),
  ];
  const [receipt, our, cats] = [
    "receipt umbrella.jpg",
    "our cats.jpg",
    "cats.jpg",
  ];
  const found: Readonly<Record<string, readonly string[]>> = {
    "the receipt of the umbrella": [receipt],
    "the recepit of the umbrella": [receipt],
    "our cats": [our],
    "all our cats": [our, cats],
    "alle unsere cats": [our, cats],
    "toutes nos cats": [our, cats],
    "what did we do last summer": [our],
    "was haben wir letzten Sommer gemacht": [our],
    "the dogs": [],
    "with our": [],
  };
  for (const [query, names] of Object.entries(found)) {
    assert.deepEqual(find(rows, query), names, query);
  }
});

Deno.test("words that say nothing mean nothing else", () => {
  const others = Object.keys(SEARCH_WORDS.en).filter((meaning) =>
    !["fillers", "beforeDates", "beforePeople"].includes(meaning)
  ) as Meaning[];
  for (const word of wordsFor("fillers")) {
    assert.deepEqual(
      others.filter((meaning) => means(word, meaning)),
      [],
      word,
    );
    assert.equal(dateOfWord(word, NOW), undefined, word);
  }
});

Deno.test("an album's title finds its photos, mistyped or not", () => {
  const rows = [photo("a.jpg"), photo("b.jpg")];
  const more = { told: (row: Row) => row === rows[0] ? "\nsummer 2023" : "" };
  assert.deepEqual(find(rows, "summer 2023", more), ["a.jpg"]);
  assert.deepEqual(find(rows, "sumner", more), ["a.jpg"]);
});

Deno.test("people find what a member added, with or without a word before", () => {
  const rows = [photo("a.jpg"), photo("b.jpg")];
  const more = {
    told: (row: Row) => row === rows[0] ? "\nanna muller" : "",
    people: new Set(["anna", "muller"]),
  };
  for (const query of ["anna", "by Anna", "von Anna Müller", "de annna"]) {
    assert.deepEqual(find(rows, query, more), ["a.jpg"], query);
  }
  assert.deepEqual(find(rows, "by nobody", more), []);
});

Deno.test("marks on letters do not matter", () => {
  const rows = [photo("Café in Łódź.jpg"), photo("cafe.jpg")];
  assert.deepEqual(find(rows, "CAFE"), ["Café in Łódź.jpg", "cafe.jpg"]);
  assert.deepEqual(find(rows, "café lodz"), ["Café in Łódź.jpg"]);
});

Deno.test("what is typed is compared with words, not with photos, and texts are read once", () => {
  const rows = Array.from(
    { length: 50_000 },
    (_, at) =>
      photo(`IMG_${at}.jpg`, {
        caption: `${["harbour", "mountain", "kitchen"][at % 3]} ${at}`,
      }),
  );
  const vocabulary = new Vocabulary();
  const count = (text: string) => {
    const [compared, read] = [vocabulary.compared, vocabulary.read];
    const found = find(rows, text, { vocabulary }).length;
    return [found, vocabulary.compared - compared, vocabulary.read - read];
  };
  // Three texts of letters: img, jpg and one of the words.
  assert.deepEqual(count("harbuor"), [16_667, 5, 3]);
  assert.deepEqual(count("kitchne"), [16_666, 5, 0]);
  // A long word may have two mistakes, so it is tried twice.
  assert.deepEqual(count("muontian"), [16_667, 10, 0]);
  // What matches needs no vocabulary.
  assert.deepEqual(count("mountain"), [16_667, 0, 0]);
});

Deno.test("hidden photos are found only where they are asked for", () => {
  const rows = [photo("lake.jpg"), photo("lakeside.jpg", { hidden: true })];
  assert.deepEqual(find(rows, "lake"), ["lake.jpg"]);
  assert.deepEqual(find(rows, "lakeside"), []);
  assert.deepEqual(find(rows, "laekside"), []);
  assert.deepEqual(find(rows, rows[1]?.id ?? ""), []);
  assert.deepEqual(find(rows, "hidden"), ["lakeside.jpg"]);
  assert.deepEqual(find(rows, "hidden lake"), ["lakeside.jpg"]);
  assert.deepEqual(find(rows, "ausgeblendet laekside"), ["lakeside.jpg"]);
  const shown = { showsHidden: true };
  assert.deepEqual(find(rows, "lake", shown), ["lake.jpg", "lakeside.jpg"]);
});

Deno.test("a search looks at each row once, also where words are mistyped, and reads its texts once", () => {
  let [looked, read] = [0, 0];
  const rows = Array.from({ length: 500 }, (_, at) => {
    const row = photo(`image_${at}.jpg`);
    const { metadata } = row;
    return {
      ...row,
      metadata: metadata && {
        ...metadata,
        get name() {
          read++;
          return metadata.name;
        },
      },
    };
  });
  const count = (text: string) => {
    [looked, read] = [0, 0];
    searched(
      rows,
      (row) => {
        looked++;
        return row;
      },
      text,
      { now: NOW },
    );
    return [looked / rows.length, read / rows.length];
  };
  assert.deepEqual(count("last summer"), [1, 1]);
  assert.deepEqual(count("image"), [1, 0]);
  assert.deepEqual(count("rocket breakfast"), [1, 0]);
  assert.deepEqual(count("imgae"), [1, 0]);
  assert.deepEqual(count("8472 xyz"), [1, 0]);
});

Deno.test("after reading ahead, the first search reads no text and no date, and others had their turn", async () => {
  let read = 0;
  const rows = Array.from({ length: 2_500 }, (_, at) => {
    const row = photo(`image_${at}.jpg`);
    const { metadata } = row;
    return {
      ...row,
      metadata: metadata && {
        ...metadata,
        get name() {
          read++;
          return metadata.name;
        },
        get taken_at() {
          read++;
          return "2024-06-15T12:00:00Z";
        },
      },
    };
  });
  const vocabulary = new Vocabulary();
  let pauses = 0;
  await readAhead(rows, vocabulary, () => {
    pauses++;
    return Promise.resolve();
  });
  assert.equal(pauses, 2);
  assert(read >= 2 * rows.length);
  read = 0;
  const added = vocabulary.read;
  for (const text of ["image_17.jpg", "june 2024", "imgae"]) {
    read = 0;
    const found = searched(rows, (row) => row, text, { now: NOW, vocabulary });
    assert.equal(read, 0, text);
    assert(found.length > 0, text);
  }
  assert.equal(vocabulary.read, added);
});

Deno.test("a word in a picture is found, also mistyped, and among other words of the photo", () => {
  const inPicture: Record<string, string> = {
    "receipt.jpg": "hardware\numbrella\n12,90\n2019",
    "sign.jpg": "boulangerie",
  };
  const more = {
    words: ({ metadata }: Row) => inPicture[metadata?.name ?? ""] ?? "",
  };
  const rows = [
    photo("receipt.jpg", { taken_at: "2024-06-01T10:00:00Z" }),
    photo("sign.jpg", { taken_at: "2019-06-01T10:00:00Z" }),
    photo("cat.jpg", { taken_at: "2024-06-01T10:00:00Z" }),
  ];
  assert.deepEqual(find(rows, "umbrella", more), ["receipt.jpg"]);
  assert.deepEqual(find(rows, "umbr", more), ["receipt.jpg"]);
  assert.deepEqual(find(rows, "Boulangérie", more), ["sign.jpg"]);
  assert.deepEqual(find(rows, "umbrelal", more), ["receipt.jpg"]);
  assert.deepEqual(find(rows, "umbrella 2024", more), ["receipt.jpg"]);
  assert.deepEqual(find(rows, "umbrella boulangerie", more), []);
  assert.deepEqual(find(rows, "2019", more), ["receipt.jpg", "sign.jpg"]);
  assert.deepEqual(find(rows, "june 2019", more), ["sign.jpg"]);
  assert.deepEqual(find(rows, "umbrella"), []);
});

Deno.test("a thing in a picture is found by its whole name, in any language, also mistyped", () => {
  const more = {
    things: ({ metadata }: Row) =>
      metadata?.name === "one.jpg" ? thingNames(new Uint8Array([15])) : "",
  };
  const rows = [
    photo("one.jpg", { taken_at: "2024-06-01T10:00:00Z" }),
    photo("two.jpg", { taken_at: "2024-06-01T10:00:00Z" }),
  ];
  for (
    const text of ["cat", "Cats", "Katzen", "cat 2024", "animals", "anmials"]
  ) {
    assert.deepEqual(find(rows, text, more), ["one.jpg"], text);
  }
  // Not a part of a name, which would find bananas for Anna.
  assert.deepEqual(find(rows, "ca", more), []);
  assert.deepEqual(find(rows, "cat dog", more), []);
  assert.deepEqual(find(rows, "cat"), []);
});

Deno.test("the name of a town finds what is around it, where nothing else has that name", () => {
  const bellagio = { latitude: 45.98, longitude: 9.26 };
  const rows = [
    photo("lake.jpg", { place: bellagio, caption: "Grandma" }),
    photo("far.jpg", { place: { latitude: 38.72, longitude: -9.14 } }),
    photo("nowhere.jpg"),
  ];
  const more = {
    around: (name: string) =>
      name === "como"
        ? (place: Position) => place.latitude === bellagio.latitude
        : undefined,
  };
  assert.deepEqual(find(rows, "como", more), ["lake.jpg"]);
  assert.deepEqual(find(rows, "grandma como", more), ["lake.jpg"]);
  assert.deepEqual(find(rows, "grandpa como", more), []);
  assert.deepEqual(find(rows, "milan", more), []);
  const named = photo("como.jpg");
  assert.deepEqual(find([...rows, named], "como", more), ["como.jpg"]);
});
