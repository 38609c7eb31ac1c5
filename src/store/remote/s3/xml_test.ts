import assert from "node:assert/strict";
import { escapeXml } from "../../../core/xml.ts";
import { childrenOf, textOf, XmlScanner } from "./xml.ts";

const LIST = `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
  <Name>bucket</Name><IsTruncated>true</IsTruncated>
  <!-- a <Contents> in a comment -->
  <Contents><Key>a &lt;b&gt; &#38; &#x41;</Key><Size>3</Size>
    <Owner><ID>nobody</ID><Key>not this</Key></Owner>
    <ETag a='>' b="<">&quot;x&quot;</ETag></Contents>
  <Contents/>
  <Contents ><Key>b</Key><Size/></Contents >
</ListBucketResult>`;

Deno.test("elements are read with their own children and their references", () => {
  assert.equal(textOf(LIST, "Name"), "bucket");
  assert.equal(textOf(LIST, "IsTruncated"), "true");
  assert.equal(textOf(LIST, "Nothing"), undefined);
  const listed = childrenOf(LIST, "Contents")?.map((one) => [...one]);
  assert.deepEqual(listed, [
    [["Key", "a <b> & A"], ["Size", "3"], ["ETag", '"x"']],
    [],
    [["Key", "b"], ["Size", ""]],
  ]);
  const odd = "a<b>&\"'";
  assert.equal(textOf(`<K>${escapeXml(odd)}</K>`, "K"), odd);
  assert.equal(textOf("<K>&amp;lt;</K>", "K"), "&lt;", "read once");
});

Deno.test("what is no XML, or another document, ends the reading", () => {
  for (
    const text of [
      "",
      "<",
      "<a",
      "<a>",
      "<a></b>",
      "</a>",
      "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
      "<a><![CDATA[b]]></a>",
      "<b".repeat(10) + "<a>c</a>",
      "<b>".repeat(17) + "<a>c</a>",
      '<a b="></a>',
    ]
  ) {
    assert.equal(textOf(text, "a"), undefined, text);
    assert.equal(childrenOf(text, "a"), undefined, text);
  }
  assert.deepEqual(childrenOf("<r></r>", "a"), []);
  const cut = LIST.slice(0, LIST.indexOf("</ListBucketResult>"));
  assert.equal(childrenOf(cut, "Contents"), undefined);
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
    "<a/>",
    "<a></a>",
    "<Contents><Key>",
    "&",
    "&#x",
    "<a>&</a>",
    "</",
  ];
  for (const piece of worst) {
    const whole = piece.repeat(Math.ceil(HALF_MIB / piece.length));
    for (const text of [whole, `<r>${whole}</r>`, `<r>${whole}`]) {
      const scanner = new XmlScanner(text);
      let elements = 0;
      for (const _ of scanner.elements()) elements += 1;
      // Besides each character, what says which kind of tag begins.
      assert(scanner.looked <= 3 * text.length, `${piece}: ${scanner.looked}`);
      assert(elements <= text.length / 4);
    }
  }
});
