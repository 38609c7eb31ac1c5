/**
 * A person who looks at dialogs, menus and pages that the other stories do not
 * open.
 *
 * @module
 */
import { until } from "../until.ts";
import { samplePhotos } from "../web_app.ts";
import type { Window } from "./engine.ts";
import type { Person } from "./person.ts";

/** Keeps a screenshot if they are asked for. */
type Seen = (what: string) => Promise<void>;

/** What is as wide as phones are, and as the narrowest of them. */
export const PHONES = [[390, 844], [320, 640]] as const;

/** Selects a photo, and makes the window as narrow as a phone, and wide. */
export async function turnsAPhone(person: Person, seen: Seen): Promise<void> {
  const { window } = person;
  await window.run("location.hash = '#/'");
  await person.at(".places [aria-current=page][href='#/photos']");
  await selectsOne(person);
  await person.find("button", "Share link…");
  for (const [width, height] of [...PHONES, [1_280, 900]] as const) {
    await window.resize(width, height);
    // As many buttons as have room, and with their names only where they have.
    await until(() => window.run(FITS, ".selection-bar"), "fits");
    await seen(`selected-${width}`);
  }
  await person.press("button", "Share link…");
  await person.dialog();
  await closesByKey(person);
  await person.press("button", "Clear selection");
}

/** Makes an album, chooses a photo for it, and opens the dialog to invite. */
export async function makesAnAlbum(person: Person, seen: Seen): Promise<void> {
  const { window } = person;
  await window.run("location.hash = '#/albums'");
  await person.press("button", "New album");
  await person.dialog();
  await seen("new-album");
  await person.fill("Name", "Summer");
  await person.pressAt("dialog .radios .check-line:last-child input");
  await person.press("button", "Create");
  await person.find("heading", "Summer");
  await person.pressAt("main [aria-label='Add photos']");
  await person.press("button", "From your library");
  await person.dialog();
  await person.pictures("dialog .tile img, dialog img", 3);
  await person.pressAt("dialog [role=checkbox][aria-label^=Photo]");
  await seen("picker");
  await person.press("button", "Add 1 photo");
  await person.pictures("main .tile img", 1);
  await person.press("button", "Invite");
  await person.dialog();
  await seen("invite");
  await window.back();
  await person.gone("dialog[open]");
  await person.find("heading", "Summer");
}

/** Opens a photo with what is known of it, on a desktop and on a phone. */
export async function looksClosely(person: Person, seen: Seen): Promise<void> {
  const { window } = person;
  await person.pressAt("main .tile a");
  await person.pictures(".lightbox [data-of=original]", 1);
  await person.press("button", "Information");
  for (const [width, height] of [[390, 844], [1_280, 900]] as const) {
    await window.resize(width, height);
    await person.box(".lightbox-info");
    await seen(`information-${width}`);
  }
  await person.pressAt(".lightbox-bar [aria-label=Close]");
  await person.gone(".lightbox");
}

/** Deletes a photo for good; and would lock, in the settings. */
export async function emptiesTheTrash(
  person: Person,
  seen: Seen,
): Promise<void> {
  const { window } = person;
  await window.run("location.hash = '#/photos'");
  await selectsOne(person);
  await person.press("button", "Delete");
  await window.run("location.hash = '#/trash'");
  await person.press("button", "Empty the trash");
  await person.find("heading", "Delete 1 photo permanently?");
  await person.dialog();
  await seen("empty-the-trash");
  await person.pressAt("dialog[open] .actions > :last-child");
  await person.gone("dialog[open]");
  await person.gone("main .tile");
  await window.run("location.hash = '#/settings/browser'");
  await person.pressAt(".settings [role=switch]");
  await person.dialog();
  // It can be typed at once.
  await person.at("dialog[open] input:focus");
  await closesByKey(person);
}

/** Makes a link by which strangers send files, and is that stranger. */
export async function asksForPhotos(
  person: Person,
  at: string,
  seen: Seen,
): Promise<void> {
  const { window } = person;
  await window.run("location.hash = '#/sharing/requests'");
  await person.press("button", "Ask for photos");
  await person.dialog();
  await seen("request");
  await person.press("button", "Create link");
  await person.find("heading", "Your link is ready");
  await person.dialog();
  const link: string = await window.run(
    "return arguments[0].value",
    await person.find("field", "Link"),
  );
  await window.open(link);
  await person.find("button", "Choose photos");
  await seen("upload-link");
  await person.give("input[type=file]", samplePhotos().slice(0, 2));
  await person.read("2 files have arrived");
  await seen("upload-link-sent");
  await window.open(`${at}/#/sharing/inbox`);
  await person.find("button", "Accept all 2");
  await seen("inbox");
}

/** Pages that a person opens on a phone. */
const PAGES = {
  photos: "#/photos",
  albums: "#/albums",
  sharing: "#/sharing",
  requests: "#/sharing/requests",
  inbox: "#/sharing/inbox",
  safety: "#/safety",
  trash: "#/trash",
  search: "#/search",
  settings: "#/settings",
  you: "#/settings/you",
  security: "#/settings/security",
  storage: "#/settings/storage",
  find: "#/settings/find",
  look: "#/settings/look",
} as const;

/** Goes through the pages on a phone, and nothing sticks out of anything. */
export async function walksOnAPhone(person: Person, seen: Seen): Promise<void> {
  const { window } = person;
  for (const [width, height] of PHONES) {
    await window.resize(width, height);
    for (const [page, address] of Object.entries(PAGES)) {
      await window.run("location.hash = arguments[0]", address);
      await person.gone("main [aria-busy=true]");
      await fits(person, `${page}-${width}`, seen);
    }
  }
}

/** Waits until nothing sticks out of what it is in. */
export async function fits(
  person: Person,
  what: string,
  seen: Seen,
): Promise<void> {
  await until(() => person.window.run(STICKS_OUT), "fits");
  await seen(what);
}

/** Opens a paper, which is named and can be downloaded. */
export async function readsAPaper(person: Person, seen: Seen): Promise<void> {
  const { window } = person;
  await window.run("location.hash = '#/photos'");
  await person.pressAt("main .tile a[aria-label*='paper.pdf']");
  await person.box(".lightbox-words");
  await fits(person, "paper", seen);
  await window.run("history.back()");
  await person.gone(".lightbox");
}

/** A finger stays on a photo, which is selected, and not opened. */
export async function staysOnAPhoto(person: Person, seen: Seen): Promise<void> {
  const { window } = person;
  await window.run("location.hash = '#/photos'");
  await window.hold(await person.at("main .tile a"), 700);
  await person.read("1 selected");
  await person.gone(".lightbox");
  await fits(person, "held", seen);
  // The next touch selects, too.
  const [, second] = await window.run(
    "return [...document.querySelectorAll('main .tile a')]",
  );
  await window.hold(second, 20);
  await person.read("2 selected");
}

/** Saves what is selected as a zip, and a photo as a file. */
export async function savesPhotos(person: Person, seen: Seen): Promise<void> {
  const { window } = person;
  await person.press("button", "More");
  await fits(person, "more", seen);
  await person.press("button", "Download");
  await savedAs(window, ".zip");
  await person.press("button", "Clear selection");
  await person.pressAt("main .tile a:has(img)");
  await person.pictures(".lightbox [data-of=original]", 1);
  await person.press("button", "More");
  await seen("lightbox-more");
  await person.press("button", "Download");
  await savedAs(window, ".jpg");
  await window.run("history.back()");
  await person.gone(".lightbox");
}

/** Waits for a file that is whole. */
async function savedAs(window: Window, ending: string): Promise<void> {
  await until(async () => {
    const saved = await Array.fromAsync(Deno.readDir(window.downloads));
    const whole = await Promise.all(
      saved.filter(({ name }) => name.endsWith(ending)).map(async ({ name }) =>
        (await Deno.stat(`${window.downloads}/${name}`)).size
      ),
    );
    const isWhole = saved.length > 0 && whole.some((size) => size > 10_000);
    return isWhole ? "saved" : saved.map(({ name }) => name).join();
  }, "saved");
}

/** The circle is there for who points at it, which drivers do differently. */
async function selectsOne(person: Person): Promise<void> {
  await person.at(".grid .tile .check");
  await person.window.run("document.querySelector('.tile .check').click()");
}

async function closesByKey(person: Person): Promise<void> {
  await person.window.type(
    await person.window.run("return document.activeElement"),
    ESCAPE,
  );
  await person.gone("dialog[open]");
}

/** The key, as drivers write it. */
const ESCAPE = "\uE00C";

/** Runs in the page: whether what is in a bar is as wide and high as it. */
const FITS = `
const bar = document.querySelector(arguments[0]);
const { bottom, right } = bar.getBoundingClientRect();
const over = [...bar.querySelectorAll("*")].find((one) => {
  const box = one.getBoundingClientRect();
  return box.bottom > bottom + 1 || box.right > right + 1;
});
return over === undefined ? "fits" : over.outerHTML.slice(0, 200);`;

/**
 * Runs in the page: whether what is seen is inside of what it is in, and that
 * inside of the window.
 */
const STICKS_OUT = `
const dialogs = document.querySelectorAll("dialog[open]");
const within = dialogs[dialogs.length - 1] ?? document.body;
const wide = document.documentElement.clientWidth;
const over = [...within.querySelectorAll("*")].find((one) => {
  const { right, left, width } = one.getBoundingClientRect();
  if (width === 0 || one.closest("[inert], svg, .unseen, .tabs > *") !== null) {
    return false;
  }
  if (right > wide + 1 || left < -1) return true;
  const around = one.parentElement;
  return getComputedStyle(one).position === "static" &&
    getComputedStyle(around).display !== "contents" &&
    right > around.getBoundingClientRect().right + 1 &&
    one.closest("main .group, main form, .selection-bar, dialog") !== null;
});
return over === undefined ? "fits" : over.outerHTML.slice(0, 300);`;
