import assert from "node:assert/strict";
import { readTokenizer, TokenizerError } from "./tokenizer.ts";
import clip from "../../../tests/vectors/clip_tokens.json" with {
  type: "json",
};

const tokenizer = readTokenizer(JSON.stringify(clip.tokenizer));

Deno.test("texts have the tokens that CLIP's own tokenizer makes of them", () => {
  assert.equal(tokenizer.end, 49_407);
  for (const [text, tokens] of clip.texts) {
    assert.deepEqual(tokenizer.tokens(String(text), 77), tokens, String(text));
  }
});

Deno.test("capitals and white space make no difference", () => {
  const plain = tokenizer.tokens("a photo of a cat", 77);
  assert.deepEqual(tokenizer.tokens("  A Photo\nof a  CAT ", 77), plain);
});

Deno.test("a text that is too long still ends with its end", () => {
  const tokens = tokenizer.tokens("a photo of a cat", 4);
  assert.deepEqual(tokens, [49_406, 320, 1_125, 49_407]);
});

Deno.test("merges can be pairs, as newer files have them", () => {
  const { model } = clip.tokenizer;
  const merges = model.merges.map((one) => one.split(" "));
  const newer = readTokenizer(
    JSON.stringify({ ...clip.tokenizer, model: { ...model, merges } }),
  );
  const [text, tokens] = clip.texts[0] ?? [];
  assert.deepEqual(newer.tokens(String(text), 77), tokens);
});

Deno.test("other tokenizers are refused", () => {
  for (
    const other of [
      "no JSON",
      "[]",
      "{}",
      '{"model":{"type":"Unigram","vocab":[]}}',
      '{"model":{"type":"BPE","vocab":{},"merges":[]}}',
      '{"model":{"end_of_word_suffix":"</w>","vocab":{},"merges":[]}}',
    ]
  ) {
    assert.throws(() => readTokenizer(other), TokenizerError, other);
  }
});
