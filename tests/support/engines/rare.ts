/**
 * A person whose photos are more than pictures, or pictures that browsers
 * cannot draw.
 *
 * @module
 */
import { fromBase64 } from "../../../src/core/bytes.ts";
import { madeFilm } from "../films.ts";
import { motionPhoto, withXmp } from "../motion_photos.ts";
import { rawFiles } from "../raw_files.ts";
import { sampleBytes } from "../samples.ts";
import { until } from "../until.ts";
import type { Person } from "./person.ts";

/** Keeps a screenshot if they are asked for. */
type Seen = (what: string) => Promise<void>;
type Bytes = Uint8Array<ArrayBuffer>;

const MEDIA = new URL("../media/", import.meta.url).pathname;
const PLAY = "Play the live photo";
/** The key, as drivers write it. */
const ENTER = "\uE007";
const LARGE = ".lightbox-slide[data-offset='0']";

/** Runs in a page: a picture with a colour for each quarter of the horizon. */
const AROUND = `
const canvas = document.createElement("canvas");
[canvas.width, canvas.height] = [2048, 1024];
const context = canvas.getContext("2d");
["#0000e0", "#e0e000", "#e00000", "#00a000", "#0000e0"].forEach((one, at) => {
  context.fillStyle = one;
  context.fillRect(at * 512 - 256, 0, 512, 1024);
});
return canvas.toDataURL("image/jpeg").split(",")[1];`;

/** The files by their names; {@link seesRarePhotos} looks at each. */
async function files({ window }: Person): Promise<Record<string, Bytes>> {
  const rocket = await sampleBytes("rocket.jpg");
  const jpg = await Deno.readFile(`${MEDIA}camera.jpg`);
  const { dng, cr3, nef } = rawFiles({
    jpeg: rocket,
    small: await sampleBytes("thumbnails/rocket.jpg"),
    orientation: 6,
  });
  const around = fromBase64(await window.run(AROUND));
  if (!dng || !cr3 || !nef || !around) throw new Error("nothing was made");
  const sphere = `<rdf:Description rdf:about="" ` +
    `xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" ` +
    `GPano:ProjectionType="equirectangular"/>`;
  return {
    "meadow.dng": dng,
    "harbour.cr3": cr3,
    "tower.tiff": await Deno.readFile(`${MEDIA}camera.tiff`),
    "valley.jpg": withXmp(around, sphere),
    "pixel.MP.jpg": motionPhoto(
      await sampleBytes("cat.jpg"),
      // WebKitGTK needs a device for sound, which a test has not.
      await madeFilm({ video: "h264", size: "480x270", seconds: 4 }),
    ),
    "IMG_1.HEIC": await Deno.readFile(`${MEDIA}camera.heic`),
    "IMG_1.MOV": await Deno.readFile(`${MEDIA}iphone.mov`),
    "DSC_0001.JPG": jpg,
    "DSC_0001.NEF": nef,
  };
}

/** Adds the files; those that belong together are one. */
export async function addsRarePhotos(
  person: Person,
  folder: string,
  seen: Seen,
): Promise<void> {
  const paths: string[] = [];
  for (const [name, bytes] of Object.entries(await files(person))) {
    const path = `${folder}/${name}`;
    await Deno.writeFile(path, bytes);
    paths.push(path);
  }
  await person.give("input[data-add=files]", paths);
  await person.read("8 files added");
  await person.press("button", "Close");
  await person.pictures(".grid .tile img", 7);
  await seen("rare");
}

/** Opens each, plays what plays, turns the sphere, and opens the stack. */
export async function seesRarePhotos(
  person: Person,
  seen: Seen,
): Promise<void> {
  const { window } = person;
  for (const name of ["meadow.dng", "harbour.cr3", "tower.tiff"]) {
    await opens(person, name);
    await seen(name);
    await closes(person);
  }
  for (const name of ["IMG_1.HEIC", "pixel.MP.jpg"]) {
    await opens(person, name);
    // A mouse that stays over it would play the next one at once.
    await window.type(await person.find("button", PLAY), ENTER);
    await until(() => window.run(PLAYS), "plays");
    await seen(name);
    await until(() => window.run(HAS_ENDED), true);
    await closes(person);
  }
  await opens(person, "valley.jpg");
  await person.press("button", "360° Look around");
  if (await window.run(HAS_WEBGL)) {
    await person.at(".sphere canvas[data-shown=true]");
    await until(() => colourIn(person), "red");
    await seen("sphere");
    for (let n = 0; n < 6; n++) await person.press("button", "Look right");
    await until(() => colourIn(person), "green");
    await seen("sphere-right");
  } else {
    // Debian's Firefox has no graphics without a screen.
    await person.read("This browser cannot show 360° photos");
  }
  await person.press("button", "Back to the photo");
  await person.gone(".sphere");
  await closes(person);
  await window.run("location.hash = '#/photos'");
  await person.pressAt(".grid a[aria-label*='stack of 2']");
  await person.find("heading", "2 photos of one moment");
  await person.pictures(".grid .tile img", 2);
  await seen("stack");
}

/** Opens the only photo of that name, and waits until it is drawn large. */
async function opens(person: Person, name: string): Promise<void> {
  const [word = ""] = name.split(".");
  await person.window.run("location.hash = arguments[0]", `#/search?q=${word}`);
  await until(
    () => person.window.run("return document.querySelector('h1')?.innerText"),
    word,
  );
  await person.pressAt(".grid a");
  await person.pictures(`${LARGE} img[data-of=original]`, 1);
}

async function closes(person: Person): Promise<void> {
  await person.pressAt(".lightbox-bar [aria-label=Close]");
  await person.gone(".lightbox");
}

/** Runs in a page: whether the video of a photo moves. */
const PLAYS = `
const video = document.querySelector("video.lightbox-picture");
return video === null ? document.body.innerText.slice(0, 500) :
  video.videoWidth > 0 && video.currentTime > 0 ? "plays" :
  video.error?.message ?? "it waits";`;
const HAS_ENDED = `
const video = document.querySelector("video.lightbox-picture");
return video === null || video.ended || video.currentTime > 1;`;
const HAS_WEBGL = `
return document.createElement("canvas").getContext("webgl") !== null;`;

/** The name of the colour in the middle of what is seen. */
async function colourIn({ window }: Person): Promise<string> {
  const picture = (await window.picture()).toBase64();
  return await window.run(
    `const [text] = arguments;
    return (async () => {
      const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt());
      const image = await createImageBitmap(new Blob([bytes]));
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.width, image.height];
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(
        image.width / 2, image.height / 2, 1, 1);
      const [r, g, b] = [...data].map((one) => one > 110);
      return r && g ? "yellow" : r ? "red" : g ? "green" : b ? "blue" : "none";
    })()`,
    picture,
  );
}
