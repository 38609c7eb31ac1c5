/**
 * A person who finds photos again, and enjoys them.
 *
 * @module
 */
import { fromBase64 } from "../../../src/core/bytes.ts";
import { plainOf } from "../../../src/library/mod.ts";
import { portrait } from "../portraits.ts";
import { until } from "../until.ts";
import { type Photographer, sample } from "../web_people.ts";
import type { Person } from "./person.ts";

/** Keeps a screenshot if they are asked for. */
type Seen = (what: string) => Promise<void>;

const BELLAGIO = { latitude: 45.987, longitude: 9.261 };
/** The last of them is the first in a list. */
const LAST_YEAR = ["coffee.jpg", "rocket.jpg", "julia.png", "cat.jpg"];
const CARD = ".lightbox-slide[data-offset='0'] img.lightbox-picture";

/** Draws a receipt in the browser: base64 of a PNG. */
const RECEIPT = `
const canvas = document.createElement("canvas");
[canvas.width, canvas.height] = [800, 600];
const context = canvas.getContext("2d");
context.fillStyle = "#f4efe2";
context.fillRect(0, 0, 800, 600);
context.fillStyle = "#222";
context.font = "48px 'DejaVu Sans', sans-serif";
["Hardware store", "Umbrella 12.90", "Order 48213"].forEach((line, at) =>
  context.fillText(line, 60, 140 + at * 120)
);
return canvas.toDataURL("image/png").split(",")[1];`;

/** Some photos at a lake a year ago, two photos of one person, and a receipt. */
export async function takesFamilyPhotos(
  { window }: Person,
  { library }: Photographer,
): Promise<void> {
  const now = new Date();
  const year = now.getFullYear() - 1;
  for (const [at, name] of LAST_YEAR.entries()) {
    // Around noon, where no time zone of a test makes another day of it.
    const taken = Date.UTC(year, now.getMonth(), now.getDate(), 10 + at);
    await library.take(
      await sample(name, {
        taken_at: new Date(taken).toISOString(),
        place: BELLAGIO,
      }),
    );
  }
  for (const number of [1, 3]) {
    const bytes = new Uint8Array(await portrait(number));
    await library.take({
      source: plainOf(bytes),
      about: {
        name: `party-${number}.jpg`,
        mime: "image/jpeg",
        taken_at: "2022-06-01T10:00:00Z",
      },
      derivatives: [{ kind: "thumbnail", mime: "image/jpeg", bytes }],
    });
  }
  const drawn = fromBase64(await window.run(RECEIPT));
  if (drawn === undefined) throw new Error("nothing was drawn");
  await library.take({
    source: plainOf(drawn),
    about: {
      name: "receipt.png",
      mime: "image/png",
      taken_at: "2022-07-01T10:00:00Z",
    },
    derivatives: [{ kind: "thumbnail", mime: "image/png", bytes: drawn }],
  });
}

/** What is searched for, and how many photos are found. */
const FOUND = `
const heading = document.querySelector("main h1")?.innerText;
return heading + ": " + document.querySelectorAll(".grid a").length;`;

/** Searches; waits until so many photos are found. */
async function finds(person: Person, q: string, count: number): Promise<void> {
  await person.window.run("location.hash = arguments[0]", `#/search?q=${q}`);
  await until(() => person.window.run(FOUND), `${q}: ${count}`);
}

/** Finds photos by where and when they were taken, and sees them on a map. */
export async function findsPlaces(person: Person, seen: Seen): Promise<void> {
  const { window } = person;
  await person.find("link", "1 year ago", false);
  await seen("memories");
  await person.press("link", "1 year ago", false);
  await person.pictures(".grid .tile img", LAST_YEAR.length);
  await finds(person, "bellagio", LAST_YEAR.length);
  await finds(person, "italy", LAST_YEAR.length);
  await finds(person, "june 2022", 2);
  await window.run("location.hash = '#/map'");
  await person.find("link", `Show ${LAST_YEAR.length} photos from here`);
  await until(() => window.run(COLOURS), (colours: number) => colours > 1);
  await seen("map");
}

/** Runs in a page: how many colours the map has. */
const COLOURS = `
const colours = new Set();
for (const drawn of document.querySelectorAll(".map-world canvas")) {
  if (drawn.width === 0 || drawn.height === 0) continue;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [drawn.width, drawn.height];
  const context = canvas.getContext("2d");
  context.drawImage(drawn, 0, 0);
  const { data } = context.getImageData(0, 0, drawn.width, drawn.height);
  for (let at = 0; at < data.length; at += 64) {
    colours.add(data[at] << 16 | data[at + 1] << 8 | data[at + 2]);
  }
}
return colours.size;`;

/** Shows streets on the map on a phone, and comes near to a photo. */
export async function showsStreets(
  person: Person,
  count: number,
  seen: Seen,
): Promise<void> {
  const { window } = person;
  await window.resize(390, 844);
  await window.run("location.hash = '#/map'");
  await person.find("link", `Show ${count} photos from here`);
  await seen("phone-map");
  await person.press("field", "Show streets", false);
  await person.find("link", "© OpenStreetMap");
  await until(() => window.run(COLOURS), (colours: number) => colours > 4);
  await seen("phone-streets");
  await person.press("button", "Zoom out");
  await person.press("button", "Show all places");
  await person.press("link", `Show ${count} photos from here`);
  await person.pictures(".grid .tile img", count);
}

/** Turns a photo, and takes it back. */
export async function editsAPhoto(person: Person, seen: Seen): Promise<void> {
  const { window } = person;
  const isWide = () =>
    window.run(
      `const image = document.querySelector(arguments[0]);
      return !image?.naturalWidth ? "nothing" :
        image.naturalWidth > image.naturalHeight ? "wide" : "high";`,
      CARD,
    );
  await finds(person, "bellagio", LAST_YEAR.length);
  await person.pressAt(".grid a");
  await until(isWide, "wide");
  await person.press("button", "Edit photo…");
  await person.press("button", "Turn right");
  await person.at("dialog canvas");
  await seen("editor");
  await person.press("button", "Save");
  await person.gone("dialog[open] canvas");
  await until(isWide, "high");
  await seen("edited");
  await person.pressAt(".lightbox-bar [aria-label=Close]");
  await person.gone(".lightbox");
}

/** Has this device look for people, things and words in photos. */
export async function looksForMore(person: Person, seen: Seen): Promise<void> {
  const { window } = person;
  await window.run("location.hash = '#/person'");
  await person.press("button", "Find people");
  await person.read("All photos were looked at.");
  await person.pictures(".portrait img", 1);
  await seen("people");
  await window.run("location.hash = '#/settings/find'");
  await person.pressAt("[aria-label='Things in photos'] [role=switch]");
  await person.read("All photos were looked at.");
  await person.pressAt("[aria-label='Words in photos'] [role=switch]");
  await person.read("All photos were read.");
  await seen("find");
  await finds(person, "cat", 1);
  await finds(person, "people", 2);
  await finds(person, "umbrella", 1);
  await finds(person, "umbrela", 1);
}

/** Sets a frame up with its link, and starts it again without it. */
export async function hangsAFrame(
  person: Person,
  at: string,
  link: string,
  seen: Seen,
): Promise<void> {
  const { window } = person;
  await window.open(`${at}/#/frame`);
  await person.find("heading", "Picture frame");
  await person.fill("Link of the frame", link);
  await person.press("button", "Show photos");
  await person.pictures(".frame-screen img", 1);
  await seen("frame");
  await window.reload();
  await person.pictures(".frame-screen img", 1);
}

/** Shows a slideshow of all photos. */
export async function showsSlides(person: Person, seen: Seen): Promise<void> {
  const { window } = person;
  await window.run("location.hash = '#/search?q=june'");
  await person.press("button", "Slideshow");
  await person.pictures(".slideshow img", 1);
  await seen("slideshow");
  await person.press("button", "Pause");
  await person.pressAt(".slideshow-bar button:last-child");
  await person.gone(".slideshow");
}

/** Imports what another service exported. */
export async function importsAnExport(
  person: Person,
  zips: readonly string[],
  seen: Seen,
): Promise<void> {
  const { window } = person;
  await window.run("location.hash = '#/settings/import'");
  await person.find("button", "Choose zips");
  await person.give("input[data-import=zips]", zips);
  await person.press("button", "Import 1 file");
  await person.read("1 file imported");
  await seen("imported");
  await window.run("location.hash = '#/favourites'");
  await person.pictures(".grid .tile img", 1);
}
