/**
 * Motion photos as phones write them: a picture and a video in one file.
 *
 * @module
 */
import { concatBytes, utf8 } from "../../src/core/bytes.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A JPEG with an XMP packet, made of the inside of an `rdf:RDF`. */
export function withXmp(jpeg: Bytes, inside: string): Bytes {
  const packet = utf8(
    `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/">` +
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
      `${inside}</rdf:RDF></x:xmpmeta>`,
  );
  const length = packet.length + 2;
  return concatBytes(
    new Uint8Array([0xff, 0xd8, 0xff, 0xe1, length >> 8, length & 0xff]),
    packet,
    jpeg.subarray(2),
  );
}

const CAMERA = `xmlns:GCamera="http://ns.google.com/photos/1.0/camera/"`;

/** Of a Pixel before 2020: the offset from the end of the file. */
export function microVideo(jpeg: Bytes, video: Bytes): Bytes {
  const about = `<rdf:Description rdf:about="" ${CAMERA} ` +
    `GCamera:MicroVideo="1" GCamera:MicroVideoVersion="1" ` +
    `GCamera:MicroVideoOffset="${video.length}"/>`;
  return concatBytes(withXmp(jpeg, about), video);
}

/**
 * Of Motion Photo format 1.0: a directory of items, with a gain map between the
 * picture and the video. `isSpelledOut` puts the fields into elements, as
 * ExifTool does.
 */
export function motionPhoto(
  jpeg: Bytes,
  video: Bytes,
  isSpelledOut = false,
): Bytes {
  const gainMap = new Uint8Array(5_000).fill(7);
  const item = (mime: string, semantic: string, bytes: number) => {
    const fields = Object.entries({
      Mime: mime,
      Semantic: semantic,
      Length: bytes,
      Padding: 0,
    });
    return isSpelledOut
      ? `<rdf:li rdf:parseType="Resource"><Container:Item ` +
        `rdf:parseType="Resource">${
          fields.map(([name, value]) => `<Item:${name}>${value}</Item:${name}>`)
            .join("")
        }</Container:Item></rdf:li>`
      : `<rdf:li rdf:parseType="Resource"><Container:Item ${
        fields.map(([name, value]) => `Item:${name}="${value}"`).join("\n")
      }/></rdf:li>`;
  };
  const about = `<rdf:Description rdf:about="" ${CAMERA} ` +
    `xmlns:Container="http://ns.google.com/photos/1.0/container/" ` +
    `xmlns:Item="http://ns.google.com/photos/1.0/container/item/" ` +
    `GCamera:MotionPhoto="1" GCamera:MotionPhotoVersion="1" ` +
    `GCamera:MotionPhotoPresentationTimestampUs="500000">` +
    `<Container:Directory><rdf:Seq>${item("image/jpeg", "Primary", 0)}${
      item("image/jpeg", "GainMap", gainMap.length)
    }${item("video/mp4", "MotionPhoto", video.length)}</rdf:Seq>` +
    `</Container:Directory></rdf:Description>`;
  return concatBytes(withXmp(jpeg, about), gainMap, video);
}

/** Of Samsung: a trailer of blocks, and their directory. */
export function samsungMotion(jpeg: Bytes, video: Bytes): Bytes {
  const block = (type: number, name: string, data: Bytes) => {
    const head = new DataView(new ArrayBuffer(8));
    head.setUint16(2, type, true);
    head.setUint32(4, name.length, true);
    const bytes = concatBytes(new Uint8Array(head.buffer), utf8(name), data);
    return { type, bytes };
  };
  const blocks = [
    block(0x0a01, "Image_UTC_Data", utf8("1700000000000")),
    block(0x0a30, "MotionPhoto_Data", video),
    block(0x0a31, "MotionPhoto_Version", utf8("mpv2")),
  ];
  const directory = new DataView(new ArrayBuffer(12 + 12 * blocks.length));
  new Uint8Array(directory.buffer).set(utf8("SEFH"));
  directory.setUint32(4, 106, true);
  directory.setUint32(8, blocks.length, true);
  let before = 0;
  for (const [n, { type, bytes }] of [...blocks.entries()].toReversed()) {
    before += bytes.length;
    directory.setUint16(12 + 12 * n + 2, type, true);
    directory.setUint32(12 + 12 * n + 4, before, true);
    directory.setUint32(12 + 12 * n + 8, bytes.length, true);
  }
  const tail = new DataView(new ArrayBuffer(4));
  tail.setUint32(0, directory.byteLength, true);
  return concatBytes(
    jpeg,
    ...blocks.map(({ bytes }) => bytes),
    new Uint8Array(directory.buffer),
    new Uint8Array(tail.buffer),
    utf8("SEFT"),
  );
}

/** A HEIC with the video in a box of its own behind the others. */
export function boxedMotion(heic: Bytes, video: Bytes): Bytes {
  const head = new DataView(new ArrayBuffer(8));
  head.setUint32(0, 8 + video.length);
  const named = new Uint8Array(head.buffer);
  named.set(utf8("mpvd"), 4);
  return concatBytes(heic, named, video);
}
