import assert from "node:assert/strict";
import {
  bitsOf,
  copiesToPlay,
  copyForLink,
  type FilmFacts,
  type FilmGiven,
  filmGiven,
  filmsGiven,
  fitsAs,
  playsEverywhere,
  sidesAs,
} from "./films.ts";

const copy = (kind: string, size: number | undefined = 1) => ({
  hash: "00",
  kind,
  mime: "video/mp4",
  key: new Uint8Array(32),
  size,
});

Deno.test("H.264 with sound that browsers have plays everywhere, and nothing else does", () => {
  const table: readonly (readonly [FilmFacts, boolean])[] = [
    [{ container: "mp4", video: "avc", audio: "aac" }, true],
    [{ container: "mov", video: "avc", audio: "aac" }, true],
    [{ container: "mov", video: "avc" }, true],
    [{ container: "mp4", video: "hevc", audio: "aac" }, false],
    [{ container: "mp4", video: "av1", audio: "aac" }, false],
    [{ container: "mov", video: "prores", audio: "pcm-s16" }, false],
    [{ container: "mov", video: "avc", audio: "pcm-s16" }, false],
    [{ container: "mov", video: "avc", audio: "unknown" }, false],
    [{ container: "Matroska", video: "avc", audio: "aac" }, false],
    [{ container: "mp4", video: "avc", audio: "aac", deep: true }, false],
    [{ container: "mp4" }, false],
  ];
  for (const [facts, plays] of table) {
    assert.equal(playsEverywhere(facts), plays, JSON.stringify(facts));
  }
});

Deno.test("where the original does not play, the largest copy is tried first", () => {
  assert.deepEqual(
    copiesToPlay([
      copy("playable-720", 2),
      copy("thumbnail"),
      copy("playable", 3),
      copy("playable-4k"),
    ]),
    [{ kind: "playable", size: 3 }, { kind: "playable-720", size: 2 }],
  );
  // A player has to know the size.
  assert.deepEqual(copiesToPlay([{ kind: "playable" }]), []);
});

Deno.test("a link hands out the smallest copy if that was chosen, and a copy where it must not give the original", () => {
  const both = { derivatives: [copy("playable"), copy("playable-720")] };
  const large = { derivatives: [copy("playable")] };
  const none = { derivatives: [copy("thumbnail")] };
  const given = (...given: Parameters<typeof copyForLink>) =>
    copyForLink(...given)?.kind;
  assert.equal(given(both, "smaller", true), "playable-720");
  assert.equal(given(large, "smaller", true), "playable");
  assert.equal(given(none, "smaller", true), undefined);
  assert.equal(given(both, "original", true), undefined);
  assert.equal(given(both, "original", false), "playable");
  assert.equal(given(none, "original", false), undefined);
});

Deno.test("a copy is even, in proportion, upright or lying, and never larger than the film", () => {
  const table = [
    ["playable", 3840, 2160, 1920, 1080],
    ["playable", 2160, 3840, 1080, 1920],
    ["playable", 640, 360, 640, 360],
    ["playable-720", 1920, 1080, 1280, 720],
    ["playable-720", 1440, 1080, 960, 720],
    ["playable-720", 3840, 1600, 1280, 534],
    ["playable-720", 355, 201, 356, 202],
  ] as const;
  for (const [kind, width, height, ...sides] of table) {
    const made = sidesAs(kind, { width, height });
    assert.deepEqual([made.width, made.height], sides);
  }
  assert(fitsAs("playable-720", { width: 720, height: 1280 }));
  assert(!fitsAs("playable-720", { width: 1280, height: 960 }));
});

Deno.test("a copy has the bits of its sides, and at most twice those of the original", () => {
  const sides = { width: 1280, height: 720 };
  assert.equal(bitsOf(sides, undefined), 2_488_320);
  assert.equal(bitsOf(sides, 40_000_000), 2_488_320);
  assert.equal(bitsOf(sides, 600_000), 1_200_000);
  assert.equal(bitsOf(sides, 20_000), 300_000);
});

Deno.test("a link gives films in 720p if all of them are small, and some as copies", () => {
  const sides = (width: number, height: number) => ({ width, height });
  const film = {
    mime: "video/mp4",
    derivatives: [
      { ...copy("preview"), hash: "01", ...sides(640, 360) },
      { ...copy("playable"), hash: "02", ...sides(1920, 1080) },
      { ...copy("playable-720"), hash: "03" },
      { ...copy("playable"), hash: "04", ...sides(320, 180) },
    ],
  };
  const large = { ...film, ...sides(3840, 2160) };
  const small = { ...film, ...sides(720, 1280) };
  const table: readonly (readonly [typeof film, string, FilmGiven])[] = [
    [large, "00", "large"],
    [small, "00", "small"],
    // Sides that are not known are no small ones.
    [film, "00", "large"],
    // A still picture.
    [small, "01", "large"],
    [small, "02", "large"],
    [large, "03", "copy"],
    [large, "04", "copy"],
  ];
  for (const [metadata, hash, given] of table) {
    assert.equal(filmGiven(metadata, hash), given, hash);
  }
  assert.equal(filmGiven({ ...film, mime: "image/jpeg" }, "01"), undefined);
  assert.equal(filmsGiven(["copy", "small"]), "smaller");
  assert.equal(filmsGiven(["copy", "large"]), "original");
  assert.equal(filmsGiven(["small"]), "original");
  assert.equal(filmsGiven([]), "original");
});
