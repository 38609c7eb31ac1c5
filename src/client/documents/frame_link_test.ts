import assert from "node:assert/strict";
import { frameLinkOf, parseFrameLink } from "./frame_link.ts";
import { parseShareLink } from "./share.ts";

const ID = "0123456789abcdef".repeat(2);
const SECRET = "A".repeat(42) + "E";
const SHARE = `https://photos.example/s/${ID}#${SECRET}`;

Deno.test("a frame's link is a share link in another form", () => {
  const link = frameLinkOf(SHARE);
  assert.equal(link, `https://photos.example/#/frame/${ID}.${SECRET}`);
  const { origin, opaqueId, secret } = parseFrameLink(link) ?? {};
  assert.equal(origin, "https://photos.example");
  assert.equal(opaqueId, ID);
  assert.deepEqual(secret, parseShareLink(SHARE)?.secret);
});

Deno.test("what is no frame's link, or is damaged, is not read as one", () => {
  const link = frameLinkOf(SHARE);
  for (
    const text of [
      "",
      "kitchen",
      SHARE,
      link.slice(0, -1),
      `${link}A`,
      link.replace(ID, ID.slice(1)),
      `https://photos.example/#/join/${ID}.${SECRET}`,
    ]
  ) assert.equal(parseFrameLink(text), undefined, text);
  // The link of one with a passphrase has no secret.
  const bare = `https://photos.example/s/${ID}`;
  assert.throws(() => frameLinkOf(bare), TypeError);
});
