/**
 * The video in a motion photo and the sphere of a panorama, as cameras write
 * them, compared with Debian's exiftool; and files that lie.
 *
 * @module
 */
import assert from "node:assert/strict";
import { readMediaFacts } from "../../src/media/exif/mod.ts";
import { lookWithin } from "../../src/media/exif/within.ts";
import { plainOf } from "../../src/library/mod.ts";
import { concatBytes } from "../../src/core/bytes.ts";
import { debianProgram } from "../support/debian.ts";
import {
  boxedMotion,
  microVideo,
  motionPhoto,
  samsungMotion,
  withXmp,
} from "../support/motion_photos.ts";
import { sampleBytes } from "../support/samples.ts";
import { FFMPEG, shortVideo } from "../support/videos.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const EXIFTOOL = await debianProgram("exiftool", "libimage-exiftool-perl");
const MEDIA = new URL("../support/media/", import.meta.url);

/** Each kind of motion photo, of one picture and one video. */
async function motionPhotos(video: Bytes): Promise<Record<string, Bytes>> {
  const jpeg = await sampleBytes("rocket.jpg");
  const heic = await Deno.readFile(new URL("camera.heic", MEDIA));
  return {
    samsung: samsungMotion(jpeg, video),
    google: motionPhoto(jpeg, video),
    spelledOut: motionPhoto(jpeg, video, true),
    micro: microVideo(jpeg, video),
    heic: boxedMotion(heic, video),
    samsungHeic: samsungMotion(heic, video),
  };
}

/** Whether they are equal; the difference of megabytes is not printed. */
function isSame(found: Uint8Array | undefined, video: Bytes): boolean {
  return found?.length === video.length &&
    found.every((byte, at) => byte === video[at]);
}

async function videoOf(file: Bytes): Promise<Bytes | undefined> {
  const { video } = await lookWithin(plainOf(file));
  return video === undefined ? undefined : file.slice(video.at, video.end);
}

/** What is enough of a video for the search: three boxes. */
function boxes(...types: readonly string[]): Bytes {
  return concatBytes(...types.map((type) => {
    const box = new Uint8Array(64);
    new DataView(box.buffer).setUint32(0, box.length);
    box.set(new TextEncoder().encode(type), 4);
    return box;
  }));
}

const VIDEO = boxes("ftyp", "mdat", "moov");

Deno.test({
  name: "the video of a motion photo is found, whole and nothing else",
  ignore: FFMPEG === "",
  async fn() {
    const video = await shortVideo();
    for (const [kind, file] of Object.entries(await motionPhotos(video))) {
      assert(isSame(await videoOf(file), video), kind);
    }
  },
});

Deno.test({
  name: "exiftool finds the same video in Samsung's trailer",
  ignore: EXIFTOOL === undefined || FFMPEG === "",
  async fn() {
    const video = await shortVideo();
    const path = await Deno.makeTempFile({ suffix: ".jpg" });
    try {
      const jpeg = await sampleBytes("rocket.jpg");
      await Deno.writeFile(path, samsungMotion(jpeg, video));
      const { stdout } = await new Deno.Command(EXIFTOOL ?? "", {
        args: ["-b", "-EmbeddedVideoFile", path],
      }).output();
      assert(isSame(new Uint8Array(stdout), video));
    } finally {
      await Deno.remove(path);
    }
  },
});

Deno.test("what only says that it has a video has none", async () => {
  const jpeg = await sampleBytes("rocket.jpg");
  const camera = `xmlns:GCamera="http://ns.google.com/photos/1.0/camera/"`;
  const told = (offset: string) =>
    withXmp(
      jpeg,
      `<rdf:Description rdf:about="" ${camera} GCamera:MicroVideo="1" ` +
        `GCamera:MicroVideoOffset="${offset}"/>`,
    );
  for (const offset of ["0", "1", "64", "-9", "1e3", "999999999999999", "x"]) {
    assert.equal(await videoOf(concatBytes(told(offset), VIDEO)), undefined);
  }
  const right = String(VIDEO.length);
  assert.deepEqual(await videoOf(concatBytes(told(right), VIDEO)), VIDEO);
  // A picture, or half a video, in its place.
  for (const types of [["ftyp", "moov"], ["mdat", "moov", "ftyp"], ["evil"]]) {
    const other = boxes(...types);
    const file = concatBytes(told(String(other.length)), other);
    assert.equal(await videoOf(file), undefined, types.join(" "));
  }
  assert.deepEqual(await lookWithin(plainOf(jpeg)), {});
  assert.deepEqual(await lookWithin(plainOf(new Uint8Array())), {});
});

Deno.test("a video ends with its last box", async () => {
  const jpeg = await sampleBytes("rocket.jpg");
  const behind = concatBytes(VIDEO, new Uint8Array(500).fill(65));
  assert.deepEqual(await videoOf(motionPhoto(jpeg, behind)), VIDEO);
});

Deno.test("damaged motion photos are read within their bounds", async () => {
  const jpeg = (await sampleBytes("rocket.jpg")).slice(0, 600);
  for (const make of [samsungMotion, motionPhoto, microVideo, boxedMotion]) {
    const picture = make === boxedMotion ? boxes("ftyp", "meta") : jpeg;
    const file = make(picture, VIDEO);
    for (let at = 0; at < file.length; at++) {
      for (const value of [0, 0x7f, 0xff]) {
        const damaged = file.slice();
        damaged[at] = value;
        let most = 0;
        const { video } = await lookWithin({
          size: damaged.length,
          read(offset, length) {
            most = Math.max(most, offset + length);
            return Promise.resolve(damaged.slice(offset, offset + length));
          },
        });
        assert(most <= damaged.length, `${make.name} ${at}`);
        if (video === undefined) continue;
        assert(video.at > 0 && video.end <= damaged.length);
      }
    }
    for (let length = 0; length < file.length; length += 3) {
      await lookWithin(plainOf(file.slice(0, length)));
    }
  }
});

Deno.test("what is inside is among the facts that are noted", async () => {
  const jpeg = await sampleBytes("rocket.jpg");
  const space = `xmlns:GPano="http://ns.google.com/photos/1.0/panorama/"`;
  const sphere = withXmp(
    jpeg,
    `<rdf:Description rdf:about="" ${space} ` +
      `GPano:ProjectionType="equirectangular"/>`,
  );
  const insideOf = async (file: Bytes) =>
    (await readMediaFacts(plainOf(file))).inside;
  assert.equal(await insideOf(jpeg), undefined);
  assert.deepEqual(await insideOf(motionPhoto(jpeg, VIDEO)), ["video"]);
  assert.deepEqual(await insideOf(samsungMotion(jpeg, VIDEO)), ["video"]);
  assert.deepEqual(await insideOf(sphere), ["sphere"]);
  const both = samsungMotion(sphere, VIDEO);
  assert.deepEqual(await insideOf(both), ["video", "sphere"]);
  const heic = await Deno.readFile(new URL("camera.heic", MEDIA));
  assert.deepEqual(await insideOf(boxedMotion(heic, VIDEO)), ["video"]);
});

Deno.test("a panorama says which part of the sphere it shows", async () => {
  const jpeg = await sampleBytes("rocket.jpg");
  const space = `xmlns:GPano="http://ns.google.com/photos/1.0/panorama/"`;
  const sphereOf = async (
    fields: Readonly<Record<string, string | number>>,
  ) => {
    const said = Object.entries(fields)
      .map(([name, value]) => `GPano:${name}="${value}"`).join(" ");
    const about = `<rdf:Description rdf:about="" ${space} ${said}/>`;
    return (await lookWithin(plainOf(withXmp(jpeg, about)))).sphere;
  };
  const whole = { left: 0, top: 0, width: 1, height: 1, heading: 0, pitch: 0 };
  const projection = { ProjectionType: "equirectangular" };
  assert.deepEqual(await sphereOf(projection), whole);
  assert.deepEqual(
    await sphereOf({
      ...projection,
      UsePanoramaViewer: "True",
      InitialViewHeadingDegrees: 120,
      PoseHeadingDegrees: 30,
      InitialViewPitchDegrees: -20,
    }),
    { ...whole, heading: 90, pitch: -20 },
  );
  const part = {
    ...projection,
    FullPanoWidthPixels: 8_000,
    FullPanoHeightPixels: 4_000,
    CroppedAreaLeftPixels: 2_000,
    CroppedAreaTopPixels: 1_000,
    CroppedAreaImageWidthPixels: 6_000,
    CroppedAreaImageHeightPixels: 2_000,
  };
  assert.deepEqual(await sphereOf(part), {
    left: 0.25,
    top: 0.25,
    width: 0.75,
    height: 0.5,
    heading: 45,
    pitch: 0,
  });
  for (
    const other of [
      {},
      { ProjectionType: "cylindrical" },
      { ...projection, UsePanoramaViewer: "False" },
      { ...part, CroppedAreaLeftPixels: 7_000 },
      { ...part, CroppedAreaImageHeightPixels: -5 },
    ]
  ) assert.equal(await sphereOf(other), undefined, JSON.stringify(other));
});
