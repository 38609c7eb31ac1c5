/**
 * The app's texts: every language has them all, and says them with the same
 * arguments and the plurals that it needs.
 *
 * @module
 */
import assert from "node:assert/strict";
import { IntlMessageFormat } from "intl-messageformat";
import { problemsOf } from "../../scripts/messages/checking.ts";
import { generated } from "../../scripts/messages/generating.ts";
import {
  argumentsOf,
  foldersOf,
  textsOf,
  type Wanted,
} from "../../scripts/messages/reading.ts";
import { codeThatSays, unsaidTexts } from "../../scripts/messages/using.ts";
import {
  catalogueOf,
  LANGUAGES,
  MESSAGES,
} from "../../scripts/web/catalogues.ts";
import {
  type Arguments,
  spoken,
  type Texts,
} from "../../src/web/app/messages/format.ts";

const APP = new URL("../../src/web/app/", import.meta.url);

Deno.test("each language is a folder of texts and a line with its own name", () => {
  assert.deepEqual(foldersOf(), Object.keys(LANGUAGES).sort());
});

for (const [tag, name] of Object.entries(LANGUAGES)) {
  Deno.test(`${name} has every text, with its arguments and plurals`, () => {
    assert.deepEqual(problemsOf(tag), []);
  });

  Deno.test(`what the app says in ${name} is what ICU MessageFormat says`, () => {
    const written = (value: number) => value.toLocaleString(tag);
    let said = 0;
    for (const [path, text] of textsOf(catalogueOf(tag))) {
      const wanted = argumentsOf(text);
      if (wanted.size === 0) continue;
      const ours = spoken(text, { tag, written });
      const theirs = new IntlMessageFormat(text, tag, undefined, {
        ignoreTag: true,
      });
      for (const given of givenFor(wanted)) {
        said++;
        assert.equal(ours(given), theirs.format(given), path);
      }
    }
    assert.ok(said > 1_000, `${said} sentences`);
  });
}

Deno.test("the lists and arguments of the English texts are made of them as they are", () => {
  for (const [name, text] of generated()) {
    const there = Deno.readTextFileSync(new URL(name, MESSAGES));
    assert.equal(there, text, `${name}: run deno task messages`);
  }
});

Deno.test("a language's faults are found: what lacks, what is empty, wrong arguments and plurals", async () => {
  const english = {
    title: "Photos",
    none: "Nothing here",
    by: "by {name}",
    found: "{n, plural, one {# photo} other {# photos}} found",
    safe: "{noun, select, photo {This photo} other {This}} is safe",
  };
  const faultsOf = async (changed: Readonly<Record<string, Texts>>) => {
    const folder = await Deno.makeTempDir();
    try {
      const polish = {
        title: "Zdjęcia",
        none: "Nic tu nie ma",
        by: "od: {name}",
        found: "Znaleziono {n, plural, one {# zdjęcie} few {# zdjęcia} " +
          "many {# zdjęć} other {# zdjęcia}}",
        safe: "Bezpieczne",
        ...changed,
      };
      for (const [tag, photos] of Object.entries({ en: english, pl: polish })) {
        await Deno.mkdir(`${folder}/${tag}`);
        await Deno.writeTextFile(
          `${folder}/${tag}/photos.json`,
          JSON.stringify(photos),
        );
      }
      return problemsOf("pl", new URL(`file://${folder}/`));
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  };
  assert.deepEqual(await faultsOf({}), []);
  const found = async (changed: Readonly<Record<string, Texts>>) => {
    const [problem = "", ...others] = await faultsOf(changed);
    assert.deepEqual(others, []);
    return problem.replace(/^photos\./, "");
  };
  assert.equal(await found({ title: " " }), "title: empty");
  assert.equal(
    await found({ more: "Więcej" }),
    "more: no such text in English",
  );
  const { title: _, ...rest } = english;
  assert.deepEqual(
    await faultsOf({ title: { a: rest.none } }),
    ["photos.title: missing", "photos.title.a: no such text in English"],
  );
  assert.equal(await found({ by: "od kogoś" }), "by: {name} is missing");
  assert.equal(
    await found({ none: "Nic od {name}" }),
    "none: {name} is not in English",
  );
  assert.equal(
    await found({ by: "od {name, number}" }),
    "by: {name} is text in English, and number here",
  );
  assert.match(await found({ by: "od {name" }), /^by: not well formed/);
  assert.match(await found({ by: "l'{name}" }), /^by: an apostrophe/);
  assert.equal(
    await found({ found: "{n, plural, one {#} few {#} other {#}}" }),
    "found: {n} lacks the form “many”",
  );
  assert.equal(
    await found({
      found: "{n, plural, one {#} few {#} many {#} two {#} other {#}}",
    }),
    "found: {n} has no form “two”",
  );
  assert.equal(
    await found({ safe: "{noun, select, foto {Zdjęcie} other {To}}" }),
    "safe: {noun} is never “foto”",
  );
  assert.equal(
    await found({ found: "{n, number, percent}" }),
    "found: {n} has a style, which the app does not know",
  );
});

Deno.test("the app says every text that it has", () => {
  assert.deepEqual(unsaidTexts(catalogueOf("en"), codeThatSays()), []);
});

Deno.test("a text that no code says is found by its name and its part", () => {
  const catalogue = {
    albums: { title: "Albums", old: "Old", faults: { full: "Full" } },
    trash: { title: "Trash", old: "Old" },
  };
  const unsaid = (screen: string, other = "", path = "library/fault.ts") =>
    unsaidTexts(
      catalogue,
      new Map([["src/web/app/albums.tsx", screen], [`src/${path}`, other]]),
    );
  const shown = "const { albums, trash } = messages.value;\n" +
    "albums.title; trash.title; // albums.old";
  assert.deepEqual(unsaid(shown), [
    "albums.old",
    "albums.faults.full",
    "trash.old",
  ]);
  // Looked up by a name that comes of other code, or handed on.
  assert.deepEqual(unsaid(`${shown}\nalbums.faults[fault];`, '"full"'), [
    "albums.old",
    "trash.old",
  ]);
  const handedOn = `${shown}\nsay(trash);`;
  assert.deepEqual(unsaid(handedOn, "texts.old", "web/app/say.ts"), [
    "albums.old",
    "albums.faults.full",
  ]);
  // What other code calls so is no text, and a path is no part.
  assert.equal(unsaid(handedOn, "texts.old").length, 3);
  assert.deepEqual(
    unsaid('albums.title; import("./trash/a.ts"); trashed.old;'),
    [
      "albums.faults.full",
      "trash.title",
      "trash.old",
    ],
  );
});

Deno.test("no text that people read stands in the code of a screen", () => {
  // Names and commands are the same in any language.
  const same = /^(?:strongroom(?: [\w-]+| [A-Z]+)*|© OpenStreetMap)$/;
  for (const path of screensIn(APP)) {
    const code = Deno.readTextFileSync(path);
    const texts = [
      // Between tags.
      ...code.matchAll(/(?<![=-])>([^<>{}()=;]*\p{L}{3}[^<>{}()=;]*)<\//gu),
      ...code.matchAll(
        /\s(?:label|title|placeholder|alt|aria-label|why|text)="([^"]*\p{L}{3}[^"]*)"/gu,
      ),
      ...code.matchAll(/\b(?:toast|setFault)\(\s*["`]([^"`]*\p{L}{3}[^"`]*)/gu),
    ].map(([, text = ""]) => text.trim().replace(/\s+/g, " "));
    assert.deepEqual(
      texts.filter((text) => !same.test(text)),
      [],
      `${path.pathname}: move it to src/web/app/messages/en`,
    );
  }
});

/** Arguments to say a text with, in all ways that may differ. */
function givenFor(wanted: Wanted): Arguments[] {
  let all: Arguments[] = [{}];
  for (const [name, { kind, cases }] of wanted) {
    const values = kind === "number"
      ? [0, 1, 2, 5, 12, 22, 60, 1_000, 12_345]
      : kind === "select"
      ? [...cases, "other"]
      : ["Ada’s {#}"];
    all = all.flatMap((given) =>
      values.map((value) => ({ ...given, [name]: value }))
    );
  }
  return all;
}

function screensIn(folder: URL): URL[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory
      ? screensIn(new URL(`${name}/`, folder))
      : name.endsWith(".tsx")
      ? [new URL(name, folder)]
      : []
  );
}
