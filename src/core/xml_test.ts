import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import {
  attributesOf,
  escapeXml,
  unescapeXml,
  type XmlPart,
  XmlScanner,
} from "./xml.ts";

const LIMITS = { depth: 16, elements: 1_000 };

/** The parts of a text, and whether it was whole. */
function scanned(xml: string, limits = LIMITS) {
  const scanner = new XmlScanner(xml, limits);
  const parts: XmlPart[] = [...scanner.parts()];
  return { parts, isWhole: scanner.isWhole };
}

Deno.test("the parts of a document come in their order", () => {
  const { parts, isWhole } = scanned(
    `<?xml version="1.0"?><a:b c='>' d="<">x&lt;<e/ ><!-- <f> --></e/ ></a:b>`,
  );
  assert.equal(isWhole, false, "a name has no slash");
  assert.deepEqual(parts.slice(0, 2), [
    { kind: "aside" },
    { kind: "open", name: "a:b", attributes: ` c='>' d="<"` },
  ]);
  const all = scanned("<a>1 &amp; 2<b/><![CDATA[<&]]><!-- > --></a>\n");
  assert(all.isWhole);
  assert.deepEqual(all.parts, [
    { kind: "open", name: "a", attributes: "" },
    { kind: "text", raw: "1 &amp; 2" },
    { kind: "open", name: "b", attributes: "" },
    { kind: "close", name: "b" },
    { kind: "cdata", text: "<&" },
    { kind: "aside" },
    { kind: "close", name: "a" },
    { kind: "text", raw: "\n" },
  ]);
});

Deno.test("malformed documents and document types are not whole", () => {
  for (
    const text of [
      "",
      "x",
      "<",
      "<>",
      "< a/>",
      "<a",
      "<a>",
      "<a></b>",
      "</a>",
      "<a/></a>",
      "<a><b></a></b>",
      "<a b='></a>",
      "<!-- never ended",
      "<!--><a/>",
      "<a><? never ended</a>",
      "<![CDATA[x]]>",
      "<a><![CDATA[x</a>",
      "<!DOCTYPE a><a/>",
      "<a><!ENTITY b 'c'></a>",
      "<a>".repeat(17) + "</a>".repeat(17),
      "<a/>".repeat(1_001),
    ]
  ) assert.equal(scanned(text).isWhole, false, text.slice(0, 40));
  const deep = "<a>".repeat(16) + "</a>".repeat(16);
  assert(scanned(deep).isWhole);
  assert(scanned("<a/>".repeat(1_000)).isWhole);
});

Deno.test("a document that declares entities is refused before it uses one", () => {
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${
    Array.from({ length: 20 }, (_, at) => `<!ENTITY a${at} "&a;&a;&a;">`)
      .join("")
  }<!ENTITY f SYSTEM "file:///etc/passwd">]><x>&a19;&f;</x>`;
  assert.deepEqual(scanned(bomb).parts, []);
  assert.equal(
    unescapeXml("&a;&f;&nbsp;&#0;&#xD800;"),
    "&a;&f;&nbsp;&#0;&#xD800;",
  );
  assert.equal(unescapeXml("&amp;lt;&#38;&#x41;"), "&lt;&A");
  const odd = `a<b>&"'`;
  assert.equal(unescapeXml(escapeXml(odd)), odd);
});

Deno.test("attributes are read to the last or not at all", () => {
  assert.deepEqual(attributesOf(` a='1&gt;' \n b = "'" `, 2), [
    { name: "a", value: "1>" },
    { name: "b", value: "'" },
  ]);
  assert.deepEqual(attributesOf("", 0), []);
  for (const text of ["a='1'", " a", " a=1", " a='<'", " a='1'b='2'", " /"]) {
    assert.equal(attributesOf(text, 9), undefined, text);
  }
  assert.equal(attributesOf(" a='1' b='2'", 1), undefined);
});

Deno.test("a text is looked at once, whatever stands in it", () => {
  const HALF_MIB = 512 * 1024;
  const worst = [
    "<",
    "<a",
    "<a>",
    "<Code>",
    "<a b='",
    '<a b="',
    "<!--",
    "<?",
    "<!-->",
    "<??>",
    "<![CDATA[",
    "<![CDATA[]]>",
    "<!",
    "<a/>",
    "<a></a>",
    "<Contents><Key>",
    "&",
    "&#x",
    "<a>&</a>",
    "</",
    "<a b='>'/>",
  ];
  for (const piece of worst) {
    const whole = piece.repeat(Math.ceil(HALF_MIB / piece.length));
    for (const text of [whole, `<r>${whole}</r>`, `<r>${whole}`]) {
      for (const depth of [16, Infinity]) {
        const scanner = new XmlScanner(text, { depth, elements: Infinity });
        let parts = 0;
        for (const _ of scanner.parts()) parts += 1;
        // Besides each character, what says which kind of tag begins.
        assert(
          scanner.looked <= 3 * text.length,
          `${piece}: ${scanner.looked}`,
        );
        assert(parts <= 1 + text.length / 2, `${piece}: ${parts}`);
      }
    }
  }
});

Deno.test("a megabyte of spaces, names or references is no other attribute than a few of them", () => {
  const MANY = 1024 * 1024;
  const spaces = " ".repeat(MANY);
  const references = "&".repeat(MANY);
  for (
    const [text, expected] of [
      [spaces, []],
      [`${spaces}${"b".repeat(MANY)}`, undefined],
      [` a${spaces}`, undefined],
      [` a=${spaces}`, undefined],
      [` a${spaces}=${spaces}'b'${spaces}`, [{ name: "a", value: "b" }]],
      [` a='${references}'`, [{ name: "a", value: references }]],
      [" a='".repeat(MANY / 4), undefined],
      [" b".repeat(MANY / 2), undefined],
    ] as const
  ) {
    const found = attributesOf(text, 256);
    // A difference of megabytes would be shown in full.
    assert(isDeepStrictEqual(found, expected), text.slice(0, 9));
  }
  assert.equal(attributesOf(" a='".repeat(256), 128)?.length, 128);
});
