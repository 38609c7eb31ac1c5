/**
 * A link never shows where a photo was taken, whatever kind of file says so:
 * files of each kind that Debian's exiftool and ffmpeg write places into are
 * shared by a real link, and exiftool looks at what the link hands out.
 *
 * @module
 */
import assert from "node:assert/strict";
import { debianProgram, done } from "../support/debian.ts";
import { motionPhoto } from "../support/motion_photos.ts";
import { newAccount, withTown } from "../support/people_commands.ts";
import { viewed } from "../support/viewed_links.ts";
import { FFMPEG } from "../support/videos.ts";

const EXIFTOOL = await debianProgram("exiftool", "libimage-exiftool-perl");
const CONVERT = await debianProgram("convert", "imagemagick");
const CJXL = await debianProgram("cjxl", "libjxl-tools");
const hasPrograms = EXIFTOOL !== undefined && CONVERT !== undefined &&
  FFMPEG !== "";

/** Kinds of pictures, made of one photo. */
const PICTURES = ["png", "webp", "tiff", "heic", "avif", "gif", "jp2", "psd"];

/** What exiftool writes, by what it is. A kind of file takes some of them. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  exif: [
    "-EXIF:GPSLatitude=48.2",
    "-EXIF:GPSLatitudeRef=N",
    "-EXIF:GPSLongitude=16.37",
    "-EXIF:GPSLongitudeRef=E",
  ],
  destination: ["-EXIF:GPSDestLatitude=48.2", "-EXIF:GPSDestLatitudeRef=N"],
  xmp: ["-XMP:GPSLatitude=48.2", "-XMP:GPSLongitude=16.37"],
  "iptc-city": ["-IPTC:City=Wien"],
  "iptc-part": ["-IPTC:Sub-location=Prater"],
  "iptc-country": ["-IPTC:Country-PrimaryLocationName=Austria"],
  "xmp-city": ["-XMP-photoshop:City=Wien"],
  shown: ["-XMP-iptcExt:LocationShownCity=Wien"],
  created: ["-XMP-iptcExt:LocationCreatedCity=Wien"],
  location: ["-XMP-iptcCore:Location=Prater"],
  packed: ["-api", "Compress=1", "-XMP:GPSLatitude=48.2"],
  keys: ["-Keys:GPSCoordinates=48.2,16.37"],
  list: ["-ItemList:GPSCoordinates=48.2,16.37"],
  user: ["-UserData:GPSCoordinates=48.2,16.37"],
  loci: [
    "-UserData:LocationInformation=Lat=48.2 Lon=16.37 Alt=0 Body=earth Notes=x",
  ],
};

const COORDINATES = "+48.2082+016.3738/";
/** What ffmpeg writes: the file's ending, and its arguments. */
const FILMED: Readonly<Record<string, readonly [string, ...string[]]>> = {
  mp4: ["mp4", "-metadata", `location=${COORDINATES}`],
  mov: ["mov", "-metadata", `location=${COORDINATES}`],
  "3gp": ["3gp", "-metadata", `location=${COORDINATES}`],
  tags: [
    "mp4",
    ...["-movflags", "use_metadata_tags"],
    ...["-metadata", `location=${COORDINATES}`],
  ],
  apple: [
    "mov",
    ...["-movflags", "use_metadata_tags"],
    ...["-metadata", `com.apple.quicktime.location.ISO6709=${COORDINATES}`],
  ],
  comment: ["mp4", "-metadata", `comment=${COORDINATES}`],
  matroska: ["mkv", "-metadata", `location=${COORDINATES}`],
  town: ["mkv", "-metadata", "RECORDING_LOCATION=Wien"],
};

/** The places that exiftool reads in the files of a folder, by their names. */
async function placesIn(
  folder: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const said = await done(EXIFTOOL, ["-j", "-a", "-G1", "-ee", folder]);
  const files: readonly { readonly SourceFile: string }[] = JSON.parse(said);
  return new Map(files.map((tags) => [
    tags.SourceFile.slice(folder.length + 1),
    Object.keys(tags).filter((tag) =>
      /GPS|Location|ISO6709|City|Country|Latitude|Longitude/i.test(tag)
    ),
  ]));
}

/** Writes the files of all kinds. */
async function writeAll(folder: string): Promise<void> {
  const base = `${folder}/base`;
  await Deno.mkdir(base, { recursive: true });
  await Deno.mkdir(`${folder}/in/walk`, { recursive: true });
  await done(CONVERT, ["-size", "320x240", "plasma:", `${base}/photo.jpg`]);
  const kinds = ["jpg"];
  for (const kind of PICTURES) {
    try {
      await done(CONVERT, [`${base}/photo.jpg`, `${base}/photo.${kind}`]);
      kinds.push(kind);
    } catch {
      // This build of the program has no such format.
    }
  }
  if (CJXL !== undefined) {
    await done(CJXL, [`${base}/photo.jpg`, `${base}/photo.jxl`]);
    kinds.push("jxl");
  }
  const film = `${base}/photo.mp4`;
  const ffmpeg = (...args: readonly string[]) =>
    done(FFMPEG, ["-v", "error", "-nostdin", "-y", ...args]);
  await ffmpeg(
    ...["-f", "lavfi", "-i", "testsrc2=s=320x240:r=10:d=1"],
    ...["-c:v", "libx264", "-pix_fmt", "yuv420p", film],
  );
  await ffmpeg("-i", film, "-c", "copy", `${base}/photo.mov`);
  const bases = [...kinds, "mp4", "mov"].map((kind) => `${base}/photo.${kind}`);
  for (const [what, tags] of Object.entries(WRITTEN)) {
    const path = `${folder}/in/walk/${what}.%e.%e`;
    // Not every kind of file takes all: what it does not is passed over.
    await new Deno.Command(EXIFTOOL ?? "", {
      args: ["-q", "-q", "-m", "-o", path, ...tags, ...bases],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).output();
  }
  for (const [what, [kind, ...args]] of Object.entries(FILMED)) {
    const path = `${folder}/in/walk/film-${what}.${kind}`;
    await ffmpeg("-i", film, "-c", "copy", ...args, path);
  }
  const still = await Deno.readFile(`${base}/photo.jpg`);
  const moving = await Deno.readFile(`${folder}/in/walk/film-mp4.mp4`);
  await Deno.writeFile(
    `${folder}/in/walk/motion.jpg`,
    motionPhoto(still, moving),
  );
}

Deno.test({
  name: "a link hands out no place, in whatever format a file has it",
  ignore: !hasPrograms,
  async fn() {
    await withTown(async (town) => {
      const laptop = await town.machine("laptop");
      await newAccount(town, laptop, "ada@example.org");
      await writeAll(laptop.home);
      const told = await placesIn(laptop.path("in/walk"));
      // Each of them was written into some kind of file.
      for (const what of Object.keys(WRITTEN)) {
        const some = [...told].filter(([name, places]) =>
          places.length > 0 && name.startsWith(`${what}.`)
        );
        assert.notEqual(some.length, 0, what);
      }
      // Not one of the others: a photo is stored once.
      const plain = laptop.path("in/walk/no-place.jpg");
      await done(CONVERT, ["-size", "320x240", "plasma:blue", plain]);
      await laptop.done("push", laptop.path("in"));

      const url = (await laptop.done("share", "walk")).trim();
      const seen = await viewed(url);
      await Deno.mkdir(laptop.path("out"));
      for (const [n, { name, bytes }] of seen.entries()) {
        await Deno.writeFile(laptop.path(`out/${n}-${name}`), bytes);
      }
      for (const [name, places] of await placesIn(laptop.path("out"))) {
        assert.deepEqual(places, [], name);
      }
      const stems = seen.map(({ name }) => name);
      assert(stems.includes("no-place.jpg"));
      // A photo that is decoded here has its preview in the link.
      for (const what of ["exif.jpg", "xmp.jpg", "iptc-city.jpg", "xmp.png"]) {
        assert(stems.includes(`${what}.jpg`), what);
      }
      assert(stems.includes("motion.jpg"));
      assert.deepEqual(
        seen.find(({ name }) => name === "no-place.jpg")?.bytes,
        await Deno.readFile(plain),
      );

      // With their places, the files are what was pushed, byte for byte.
      const whole = await viewed(
        (await laptop.done("share", "--all", "--with-places")).trim(),
      );
      for (const { name, bytes } of whole) {
        const path = laptop.path(`in/walk/${name}`);
        assert.deepEqual(bytes, await Deno.readFile(path), name);
      }
      const given = whole.map(({ name }) => name);
      for (const [name, places] of told) {
        if (places.length > 0) assert(given.includes(name), name);
      }
    });
  },
});
