import assert from "node:assert/strict";
import type { Metadata } from "../../client/documents/metadata.ts";
import type { Row } from "../rows/rows.ts";
import type { Position, Town } from "../../media/places/gazetteer.ts";
import { type Towns, whereWhen } from "./where_when.ts";

const AT = { latitude: 0, longitude: 0 };
const TOWNS: Readonly<Record<string, Town>> = {
  Bellagio: { ...AT, name: "Bellagio", country: "IT", population: 3_000 },
  Varenna: { ...AT, name: "Varenna", country: "IT", population: 800 },
  Como: { ...AT, name: "Como", country: "IT", population: 80_000 },
  Lugano: { ...AT, name: "Lugano", country: "CH", population: 60_000 },
};
const positions = new Map(
  Object.keys(TOWNS).map((name) => [name, { latitude: 1, longitude: 1 }]),
);
const names: Towns = {
  townOf(place: Position) {
    const [name = ""] = [...positions].find(([, at]) => at === place) ?? [];
    return TOWNS[name];
  },
};

function rows(
  town: string | undefined,
  count: number,
  about: Partial<Metadata> = { taken_at: "2024-06-12T10:00:00Z" },
): Row[] {
  return Array.from({ length: count }, () => ({
    id: crypto.randomUUID(),
    owner: "ada",
    head: "00".repeat(32),
    seq: 1,
    state: "live",
    at: "2026-02-02T12:00:00Z",
    blobs: [],
    epoch: 1,
    chunk_size: 65_536,
    custody: "unverified",
    metadata: {
      name: "a.jpg",
      mime: "image/jpeg",
      size: 1,
      sha256: "00".repeat(32),
      derivatives: [],
      ...(town === undefined ? {} : { place: positions.get(town) }),
      ...about,
    },
  }));
}

Deno.test("two towns are named, the one of most photos first", () => {
  const { where } = whereWhen(
    [...rows("Varenna", 2), ...rows("Bellagio", 5), ...rows(undefined, 20)],
    names,
  );
  assert.deepEqual(where, [{ town: "Bellagio" }, { town: "Varenna" }]);
});

Deno.test("more towns are called by their countries", () => {
  const { where } = whereWhen([
    ...rows("Varenna", 2),
    ...rows("Lugano", 3),
    ...rows("Bellagio", 2),
    ...rows("Como", 2),
  ], names);
  assert.deepEqual(where, [{ country: "IT" }, { country: "CH" }]);
});

Deno.test("a stop on the way is left out", () => {
  const { where } = whereWhen(
    [...rows("Bellagio", 30), ...rows("Lugano", 1)],
    names,
  );
  assert.deepEqual(where, [{ town: "Bellagio" }]);
});

Deno.test("the span is of local days, and of photos whose time is known", () => {
  const { from, until, where } = whereWhen([
    ...rows(undefined, 1, {
      taken_at: "2024-06-12T23:30:00Z",
      taken_offset: 120,
    }),
    ...rows("Como", 1, { taken_at: "2024-06-15T08:00:00Z" }),
    ...rows(undefined, 1, {}),
  ], undefined);
  assert.equal(from, Date.UTC(2024, 5, 13, 1, 30));
  assert.equal(until, Date.UTC(2024, 5, 15, 8));
  assert.deepEqual(where, []);
  assert.deepEqual(whereWhen(rows("Como", 1, {}), names), {
    where: [{ town: "Como" }],
  });
});
