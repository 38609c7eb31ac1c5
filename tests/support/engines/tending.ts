/**
 * A person who looks after many photos.
 *
 * @module
 */
import assert from "node:assert/strict";
import { fromBase64 } from "../../../src/core/bytes.ts";
import { plainOf } from "../../../src/library/mod.ts";
import { readZip } from "../../../src/media/zip.ts";
import { wholeOf } from "../library.ts";
import { sampleBytes } from "../samples.ts";
import { until } from "../until.ts";
import { type Photographer, sample } from "../web_people.ts";
import type { Window } from "./engine.ts";
import type { Person } from "./person.ts";

/** Keeps a screenshot if they are asked for. */
type Seen = (what: string) => Promise<void>;

const CARD = ".lightbox-slide[data-offset='0'] img.lightbox-picture";
const PIN = "2580";

/** Exports everything, and reads the zip. */
export async function exportsAll(person: Person, seen: Seen): Promise<void> {
  const { window } = person;
  await window.run("location.hash = '#/settings/export'");
  await person.read("3 files,");
  await person.press("button", "Export");
  await person.read("Done: 3 files");
  await seen("exported");
  const zip = await savedZip(window);
  const { entries, refused } = await readZip(plainOf(zip));
  assert.deepEqual(refused, []);
  const paths = entries.map(({ path }) => path).sort();
  assert.deepEqual(paths.filter((path) => path.endsWith(".jpg")), [
    "photos/2024/06/cat.jpg",
    "photos/2024/06/coffee.jpg",
    "photos/2024/06/rocket.jpg",
  ]);
  const cat = entries.find(({ path }) => path.endsWith("cat.jpg"));
  assert(cat !== undefined);
  assert.deepEqual(await wholeOf(cat.read()), await sampleBytes("cat.jpg"));
}

/** Waits for a zip that is whole. */
async function savedZip({ downloads }: Window) {
  let zip = new Uint8Array();
  await until(async () => {
    for await (const { name } of Deno.readDir(downloads)) {
      if (name.endsWith(".zip")) {
        zip = await Deno.readFile(`${downloads}/${name}`);
      }
    }
    // The end of a directory is the last thing in a zip.
    return new TextDecoder("latin1").decode(zip.slice(-22, -18));
  }, "PK\x05\x06");
  return zip;
}

/** Changes what is known of two photos. */
export async function editsDetails(person: Person, seen: Seen): Promise<void> {
  const { window } = person;
  await window.run("location.hash = '#/photos'");
  await person.pictures(".grid .tile img", 3);
  await window.run(
    `[...document.querySelectorAll(".tile .check")].slice(0, 2)
      .forEach((one) => one.click())`,
  );
  await person.press("button", "More");
  await person.press("button", "Edit details…", false);
  await person.find("heading", "Edit 2 photos");
  await person.dialog();
  await chooses(person, "Date", "Set date and time");
  await person.find("field", "Day");
  await fillsIn(person, "Day", "2020-01-02");
  await fillsIn(person, "Time", "09:30");
  await person.fill("Caption", "at the lake");
  await person.fill("Add tags", "lake, grandma");
  await person.box("dialog[open] .dialog-content");
  await seen("details");
  await person.press("button", "Save");
  await person.read("Changed: 2 photos");
  await person.gone("dialog[open]");
  await window.run("location.hash = '#/search?q=grandma'");
  await until(() => window.run(FOUND), "grandma: 2");
  await window.run("location.hash = '#/search?q=january 2020'");
  await until(() => window.run(FOUND), "january 2020: 2");
}

const FOUND = `
const heading = document.querySelector("main h1")?.innerText;
return heading + ": " + document.querySelectorAll(".grid a").length;`;

/** Chooses in a list, which drivers do differently. */
async function chooses(person: Person, label: string, text: string) {
  await person.window.run(
    `const [list, text] = arguments;
    list.value = [...list.options].find((one) => one.text === text).value;
    list.dispatchEvent(new Event("input", { bubbles: true }));
    list.dispatchEvent(new Event("change", { bubbles: true }));`,
    await person.find("field", label),
    text,
  );
}

/** Fills in a date or a time, which drivers do differently. */
async function fillsIn(person: Person, label: string, value: string) {
  await person.window.run(
    `const [field, value] = arguments;
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));`,
    await person.find("field", label, false),
    value,
  );
}

/** Turns and lights a photo on a phone, and takes it back. */
export async function editsOnAPhone(person: Person, seen: Seen): Promise<void> {
  const { window } = person;
  const shape = () => window.run(SHAPE, CARD);
  await window.resize(390, 844);
  await window.run("location.hash = '#/search?q=coffee'");
  await until(() => window.run(FOUND), "coffee: 1");
  await person.pressAt(".grid a");
  await until(shape, "wide");
  await edits();
  await person.press("button", "Turn right");
  await fillsIn(person, "Brightness", "40");
  await seen("phone-editor");
  await person.press("button", "Save");
  await until(shape, "high");
  await person.gone("dialog[open] canvas");
  await edits();
  await seen("phone-edited");
  await person.press("button", "Back to the original");
  await person.press("button", "Save");
  await until(shape, "wide");
  await person.gone("dialog[open] canvas");
  await person.pressAt(".lightbox-bar [aria-label=Close]");
  await person.gone(".lightbox");
  await window.resize(1_280, 900);

  async function edits() {
    await person.press("button", "Edit");
    await person.at("dialog canvas");
    await person.box("dialog[open]:has(canvas)");
  }
}

const SHAPE = `
const image = document.querySelector(arguments[0]);
return !image?.naturalWidth ? "nothing" :
  image.naturalWidth > image.naturalHeight ? "wide" : "high";`;

/** Hides a photo behind a PIN. */
export async function hidesAPhoto(
  person: Person,
  seen: Seen,
): Promise<void> {
  const { window } = person;
  await window.run("location.hash = '#/hidden'");
  await person.press("button", "Lock with a PIN");
  await person.dialog();
  await person.fill("PIN", PIN);
  await person.fill("PIN again", PIN);
  await person.press("button", "Save");
  await person.gone("dialog[open]");
  await window.run("location.hash = '#/search?q=rocket'");
  await until(() => window.run(FOUND), "rocket: 1");
  await window.run("document.querySelector('.tile .check').click()");
  await person.press("button", "More");
  await person.press("button", "Hide");
  await until(() => window.run(FOUND), (found: string) => !/: 1$/.test(found));
  await window.run("location.hash = '#/hidden'");
  await person.find("field", "PIN");
  await seen("hidden-locked");
  await person.fill("PIN", "1234");
  await person.press("button", "Open");
  await person.read("Wrong PIN.");
  await person.fill("PIN", PIN);
  await person.press("button", "Open");
  await person.pictures(".grid .tile img", 1);
  await seen("hidden-open");
}

/** Sorts albums by hand. */
export async function sortsAlbums(
  person: Person,
  { library }: Photographer,
  seen: Seen,
): Promise<void> {
  const { window } = person;
  const [row] = library.list();
  for (const title of ["Charlie", "Bravo", "Alpha"]) {
    await library.collections.create(title, [row?.id ?? ""]);
  }
  const sorted = () =>
    window.run(`return [...document.querySelectorAll("main .card-title")]
      .map((one) => one.innerText.trim().slice(0, 1)).join("")`);
  await window.run("location.hash = '#/albums'");
  await person.find("field", "Sort by");
  await chooses(person, "Sort by", "Name");
  await until(sorted, "ABC");
  await chooses(person, "Sort by", "By hand");
  await person.press("button", "Move “Charlie”");
  await seen("albums-menu");
  await person.press("button", "To the start");
  await until(sorted, "CAB");
  await seen("albums");
  await window.reload();
}

/** Takes a photo that was sent smaller, and two that resemble no other. */
export async function takesSimilarPhotos(
  { window }: Person,
  { library }: Photographer,
): Promise<void> {
  for (
    const [name, seed, width, height] of [
      ["lake.jpg", 3, 1_000, 750],
      ["lake-sent.jpg", 3, 400, 300],
      ["tower.jpg", 9, 1_000, 750],
    ] as const
  ) {
    const drawn = await window.run(PAINTED, seed, width, height);
    const bytes = fromBase64(drawn);
    assert(bytes !== undefined);
    await library.take({
      source: plainOf(bytes),
      about: {
        name,
        mime: "image/jpeg",
        width,
        height,
        taken_at: `${width > 400 ? 2024 : 2025}-06-15T10:00:00Z`,
      },
      derivatives: [{ kind: "thumbnail", mime: "image/jpeg", bytes }],
    });
  }
}

/** Runs in a page: a picture of circles, by a number. */
const PAINTED = `
const [seed, width, height] = arguments;
let state = seed * 7919;
const next = () => {
  state = (state * 1103515245 + 12345) % 2147483648;
  return state / 2147483648;
};
for (let i = 0; i < 5; i++) next();
const canvas = document.createElement("canvas");
[canvas.width, canvas.height] = [width, height];
const context = canvas.getContext("2d");
context.fillStyle = "hsl(" + next() * 360 + " 50% 50%)";
context.fillRect(0, 0, width, height);
for (let i = 0; i < 60; i++) {
  context.fillStyle = "hsl(" + next() * 360 + " 60% " + next() * 90 + "%)";
  const [x, y] = [next() * width, next() * height];
  context.beginPath();
  context.arc(x, y, (0.01 + next() * 0.09) * width, 0, 7);
  context.fill();
}
return canvas.toDataURL("image/jpeg", 0.9).split(",")[1];`;

/** Compares similar photos, and keeps the larger one. */
export async function reviewsSimilarPhotos(
  person: Person,
  seen: Seen,
): Promise<void> {
  const { window } = person;
  await window.run("location.hash = '#/similar'");
  await person.pictures(".similar-picture img", 2);
  await until(
    () =>
      window.run(`return [...document.querySelectorAll(".similar-name")]
        .map((one) => one.innerText).join()`),
    "lake.jpg,lake-sent.jpg",
  );
  await seen("similar");
  await person.press("button", "Compare lake.jpg");
  await person.pictures("dialog[open] img.lightbox-picture", 2);
  await person.press("button", "Zoom in");
  await person.press("button", "Zoom in");
  const panes = `const panes = [...document.querySelectorAll(
    "dialog[open] [role=group]")];`;
  await until(
    () =>
      window.run(`${panes} return panes.every((one) =>
        one.scrollWidth > one.clientWidth * 2)`),
    true,
  );
  await window.run(`${panes} panes[0].scrollTo(30, 40)`);
  await until(
    () =>
      window.run(`${panes} return panes[1].scrollLeft + " " +
        panes[1].scrollTop`),
    "30 40",
  );
  await seen("compared");
  await window.back();
  await person.gone("dialog[open]");
  await person.press("button", "Delete 1 photo");
  await person.read("1 photo moved to the trash");
  await person.gone(".similar-group");
}

/** Sends photos by a link, and accepts them. */
export async function getsPhotos(
  person: Person,
  stranger: Person,
  link: string,
  at: string,
  paths: readonly string[],
  seen: Seen,
): Promise<void> {
  await stranger.window.open(link);
  await stranger.find("button", "Choose photos");
  await stranger.give("input[data-choose=files]", paths);
  await stranger.read(`${paths.length} files have arrived`);
  await person.window.open(`${at}/#/sharing/inbox`);
  await person.press("button", `Accept all ${paths.length}`);
  await person.read(`${paths.length} files accepted`);
  await person.window.run("location.hash = '#/photos'");
  await person.pictures(".grid .tile img", paths.length);
  await seen("accepted");
}

/** Three photos of one month. */
export async function takesAMonth({ library }: Photographer): Promise<void> {
  for (const [at, name] of ["cat", "coffee", "rocket"].entries()) {
    const taken_at = `2024-06-1${at}T10:00:00Z`;
    await library.take(await sample(`${name}.jpg`, { taken_at }));
  }
}
