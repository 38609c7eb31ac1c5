import assert from "node:assert/strict";
import { parseOrigin } from "./origin.ts";

Deno.test("an origin is read in its canonical form alone", () => {
  for (
    const origin of [
      "https://photos.example.org",
      "http://127.0.0.1:8470",
      "https://[::1]:8443",
      "https://xn--bcher-kva.example",
    ]
  ) {
    assert.equal(parseOrigin(origin), origin);
    assert.equal(parseOrigin(`${origin}/`), origin);
  }
});

Deno.test("what is not an origin, or not the canonical one, is refused", () => {
  for (
    const text of [
      "",
      "photos.example.org",
      "https://",
      "https://photos.example.org/path",
      "https://photos.example.org//",
      "https://photos.example.org?",
      "https://photos.example.org#",
      "https://photos.example.org:443",
      "https://Photos.example.org",
      "https://bücher.example",
      "https://ada@photos.example.org",
      " https://photos.example.org",
      "ftp://photos.example.org",
      "blob:https://photos.example.org",
      "file:///etc",
      "null",
    ]
  ) assert.equal(parseOrigin(text), undefined, text);
});
