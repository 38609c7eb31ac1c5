/**
 * The names of formats in a photo's information.
 *
 * @module
 */
import assert from "node:assert/strict";
import { formatText } from "../../src/web/app/showing/lightbox/info_text.ts";

for (
  const [mime, name] of [
    ["image/jpeg", "JPEG"],
    ["image/heic", "HEIC"],
    ["image/svg+xml", "SVG"],
    ["image/x-canon-cr2", "CR2"],
    ["image/x-adobe-dng", "DNG"],
    ["video/mp4", "MP4"],
    ["video/quicktime", "MOV"],
    ["audio/mpeg", "MP3"],
    ["application/pdf", "PDF"],
    ["application/octet-stream", "application/octet-stream"],
    ["nothing", "nothing"],
    ["", ""],
  ] as const
) {
  Deno.test(`the format of ${mime || "no type"} is called ${name || "nothing"}`, () => {
    assert.equal(formatText(mime), name);
  });
}
