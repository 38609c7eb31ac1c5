import assert from "node:assert/strict";
import { escapeXml } from "../../../core/xml.ts";
import { childrenOf, textOf } from "./xml.ts";

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
