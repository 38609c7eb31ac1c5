/**
 * The same stories in the other two engines, Debian's Firefox and WebKitGTK:
 * in the nightly run, because each starts a browser for everybody in it.
 *
 * @module
 */
import { frameLinkOf } from "../../src/client/documents/frame_link.ts";
import { plainOf } from "../../src/library/mod.ts";
import type { Engine, Window } from "../support/engines/engine.ts";
import { firefox } from "../support/engines/firefox.ts";
import { Person } from "../support/engines/person.ts";
import { webkit } from "../support/engines/webkit.ts";
import {
  editsAPhoto,
  findsPlaces,
  hangsAFrame,
  importsAnExport,
  looksForMore,
  showsSlides,
  showsStreets,
  takesFamilyPhotos,
} from "../support/engines/enjoying.ts";
import {
  asksForPhotos,
  emptiesTheTrash,
  fits,
  looksClosely,
  makesAnAlbum,
  PHONES,
  readsAPaper,
  savesPhotos,
  staysOnAPhoto,
  turnsAPhone,
  walksOnAPhone,
} from "../support/engines/looking.ts";
import { addsRarePhotos, seesRarePhotos } from "../support/engines/rare.ts";
import {
  lock,
  openPhotos,
  signUp,
  UNLOCK_PHRASE,
} from "../support/engines/steps.ts";
import {
  editsDetails,
  editsOnAPhone,
  exportsAll,
  getsPhotos,
  hidesAPhoto,
  reviewsSimilarPhotos,
  sortsAlbums,
  takesAMonth,
  takesSimilarPhotos,
} from "../support/engines/tending.ts";
import { madeFilm } from "../support/films.ts";
import { FFMPEG, shortVideo } from "../support/videos.ts";
import { mapAround } from "../support/map_file.ts";
import { until } from "../support/until.ts";
import { type AppStory, samplePhotos, withApp } from "../support/web_app.ts";
import { photographer, sample } from "../support/web_people.ts";
import { zipOf } from "../support/zips.ts";

const WANTED = Deno.env.get("TEST_BROWSERS") ?? "";
/** Where pictures of the screens are put, for people to look at. */
const PICTURES = Deno.env.get("TEST_PICTURES");
/** A map with streets around a place. */
const FOLDER = await Deno.makeTempDir({ prefix: "strongroom-map-" });
const MAP = `${FOLDER}/streets.pmtiles`;
Deno.test.afterAll(() => Deno.remove(FOLDER, { recursive: true }));
const BELLAGIO = { latitude: 45.987, longitude: 9.261 };
const HEIC = new URL("../support/media/camera.heic", import.meta.url).pathname;

for (const [name, find] of Object.entries({ firefox, webkit })) {
  const isWanted = WANTED === "all" || WANTED === name;
  const engine = isWanted ? await find() : undefined;
  for (const [story, tell] of Object.entries(stories())) {
    Deno.test({
      name: `${name}: ${story}`,
      ignore: engine === undefined ||
        [playsVideos, hearsOpus, seesMore].includes(tell) && FFMPEG === "",
      // The drivers keep their connections for a moment.
      sanitizeOps: false,
      sanitizeResources: false,
      fn: () =>
        engine === undefined ? undefined : withApp(
          (app) => tell({ ...app, name, engine }),
          tell === findsStreets ? { STRONGROOM_MAP_FILE: MAP } : {},
        ),
    });
  }
}

interface Told extends AppStory {
  readonly name: string;
  readonly engine: Engine;
}

function stories(): Record<string, (told: Told) => Promise<void>> {
  return {
    "photos are added, looked at, shared with a stranger and locked away": (
      told,
    ) => addsAndShares(told, told.url),
    "the same on plain http in a home": (told) =>
      addsAndShares(told, told.lanUrl),
    "dialogs, menus and pages are seen whole, however wide the window is":
      looksAround,
    "a phone shows every page whole, selects by a finger, and saves":
      carriesAPhone,
    "a video plays and is seeked, on this machine and on plain http":
      playsVideos,
    "a video with Opus sound is heard, on this machine and on plain http":
      hearsOpus,
    "photos are found by place, on the map, by people, things and words, and one is edited":
      enjoysPhotos,
    "live photos play, a 360° photo is turned, raw files, TIFF and a stack are seen":
      seesMore,
    "everything is exported and read back, details are changed, an edit is taken back, and a photo is hidden":
      tendsPhotos,
    "similar photos are compared, albums are sorted, and a stranger sends HEIC":
      sortsOut,
    "streets are on the map of a phone": findsStreets,
    "a tablet is a picture frame, photos are a slideshow, and an export is imported":
      givesAFrame,
  };
}

/** Lends a person a browser without any history. */
async function visit(
  told: Told,
  test: (person: Person) => Promise<void>,
): Promise<void> {
  const window: Window = await told.engine.start({
    proxy: new URL(told.url).host,
  });
  try {
    await window.resize(1_280, 900);
    const person = new Person(window);
    try {
      await test(person);
    } catch (error) {
      await look({ ...told, name: `${told.name}-failed` }, person, "here");
      throw error;
    }
  } finally {
    await window.close();
  }
}

/** Keeps a screenshot if they are asked for. */
async function look(told: Told, person: Person, what: string): Promise<void> {
  if (PICTURES === undefined) return;
  await new Promise((resolve) => setTimeout(resolve, 500));
  await Deno.writeFile(
    `${PICTURES}/${told.name}-${what}.png`,
    await person.window.picture(),
  );
}

async function addsAndShares(told: Told, at: string): Promise<void> {
  const isPlain = at === told.lanUrl;
  const seen = (person: Person, what: string) =>
    look(told, person, isPlain ? `http-${what}` : what);
  await visit(told, async (ada) => {
    const { window } = ada;
    await signUp(ada, at, (what) => seen(ada, what));
    await ada.give("input[data-add=files]", [...samplePhotos(), HEIC]);
    await ada.read("6 files added");
    await seen(ada, "added");
    await ada.press("button", "Close");
    await ada.pictures(".grid .tile img", 5);
    await seen(ada, "timeline");

    await ada.pressAt(".grid a");
    await ada.pictures(".lightbox [data-of=original]", 1);
    await seen(ada, "lightbox");
    await window.back();
    await ada.at(".grid a");

    const link = await shareTwo(ada, (what) => seen(ada, what));
    await visit(told, async (stranger) => {
      await stranger.window.open(link);
      await stranger.find("heading", "The walk");
      await stranger.pictures("main img", 2);
      await seen(stranger, "link");
      await stranger.pressAt("main .tile a");
      await stranger.pictures(".lightbox [data-of=original]", 1);
      await seen(stranger, "link-lightbox");
    });

    await lock(ada, isPlain);
    await ada.find("heading", "Locked");
    await seen(ada, "locked");
    await window.reload();
    await ada.fill("Browser phrase", UNLOCK_PHRASE);
    await ada.press("button", "Open");
    await ada.pictures(".grid .tile img", 5);
    for (
      const [what, address] of Object.entries({
        albums: "#/albums",
        sharing: "#/sharing",
        safety: "#/safety",
        settings: "#/settings/security",
        search: "#/search?q=rocket",
      })
    ) {
      await window.run("location.hash = arguments[0]", address);
      await seen(ada, what);
    }
    await ada.pictures(".grid .tile img", 1);
  });
}

async function shareTwo(
  person: Person,
  seen: (what: string) => Promise<void>,
): Promise<string> {
  for (const at of [0, 1]) {
    await person.window.run(
      `document.querySelectorAll(".tile .check")[arguments[0]].click()`,
      at,
    );
  }
  await person.press("button", "Share link…");
  await person.find("button", "Create link");
  await person.dialog();
  await seen("sharing-dialog");
  await person.window.run(
    `document.querySelector("details.options").open = true`,
  );
  await person.fill("Title", "The walk");
  await person.press("button", "Create link");
  await person.find("heading", "The link is ready");
  await person.dialog();
  await seen("link-ready");
  const link: string = await person.window.run(
    "return arguments[0].value",
    await person.find("field", "Link"),
  );
  await person.window.reload();
  return link;
}

async function looksAround(told: Told): Promise<void> {
  const ada = await photographer(told.url, "ada");
  for (const name of ["cat.jpg", "coffee.jpg", "rocket.jpg"]) {
    await ada.library.take(await sample(name));
  }
  await visit(told, async (person) => {
    const seen = (what: string) => look(told, person, what);
    await openPhotos(person, told.url, ada);
    await person.pictures(".grid .tile img", 3);
    await turnsAPhone(person, seen);
    await makesAnAlbum(person, seen);
    await looksClosely(person, seen);
    await emptiesTheTrash(person, seen);
    await asksForPhotos(person, told.url, seen);
  });
}

async function carriesAPhone(told: Told): Promise<void> {
  const ada = await photographer(told.url, "ada");
  for (const name of ["cat.jpg", "coffee.jpg", "rocket.jpg"]) {
    await ada.library.take(await sample(name));
  }
  await ada.library.take({
    source: plainOf(new TextEncoder().encode("%PDF-1.4\n")),
    about: { name: "paper.pdf", mime: "application/pdf" },
  });
  const { url: link } = await ada.library.share({
    assetIds: ada.library.list().map(({ id }) => id),
    title: "The walk",
    message: "As promised, all of Saturday",
  });
  const { url: request } = await ada.library.request({
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    maxBytes: 100_000_000,
    maxFiles: 20,
    note: "Photos of Saturday, for Ada and Tom",
  });
  for (const at of [told.url, told.lanUrl]) {
    await visit(told, async (person) => {
      const { window } = person;
      const on = new URL(at).hostname;
      const seen = (what: string) => look(told, person, `${on}-phone-${what}`);
      await window.resize(390, 844);
      await openPhotos(person, at, ada);
      await person.pictures(".grid .tile img", 3);
      await staysOnAPhoto(person, seen);
      await savesPhotos(person, seen);
      await readsAPaper(person, seen);
      if (at === told.lanUrl) return;
      await walksOnAPhone(person, seen);
      for (const [width, height] of PHONES) {
        await window.resize(width, height);
        await window.open(link);
        await person.pictures("main img", 3);
        await fits(person, `link-${width}`, seen);
        await window.open(request);
        await person.find("button", "Choose photos");
        await fits(person, `upload-${width}`, seen);
      }
    });
  }
}

async function enjoysPhotos(told: Told): Promise<void> {
  const ada = await photographer(told.url, "ada");
  await visit(told, async (person) => {
    const seen = (what: string) => look(told, person, what);
    await person.window.open(told.url);
    await takesFamilyPhotos(person, ada);
    await openPhotos(person, told.url, ada);
    await person.pictures(".grid .tile img", 7);
    await findsPlaces(person, seen);
    await editsAPhoto(person, seen);
    await looksForMore(person, seen);
  });
}

async function seesMore(told: Told): Promise<void> {
  const ada = await photographer(told.url, "ada");
  await ada.library.take(await sample("julia.png"));
  for (const at of [told.url, told.lanUrl]) {
    const on = new URL(at).hostname;
    await visit(told, async (person) => {
      const seen = (what: string) => look(told, person, `${on}-${what}`);
      await openPhotos(person, at, ada);
      // What the one added the other finds.
      if (at === told.url) await addsRarePhotos(person, told.dataDir, seen);
      await seesRarePhotos(person, seen);
    });
  }
}

async function tendsPhotos(told: Told): Promise<void> {
  const ada = await photographer(told.url, "ada");
  await takesAMonth(ada);
  for (const at of [told.lanUrl, told.url]) {
    const isPlain = at === told.lanUrl;
    await visit(told, async (person) => {
      const seen = (what: string) =>
        look(told, person, `${new URL(at).hostname}-${what}`);
      await openPhotos(person, at, ada);
      await person.pictures(".grid .tile img", 3);
      await exportsAll(person, seen);
      await editsOnAPhone(person, seen);
      if (isPlain) return;
      await editsDetails(person, seen);
      await hidesAPhoto(person, seen);
    });
  }
}

async function sortsOut(told: Told): Promise<void> {
  const ada = await photographer(told.url, "ada");
  for (const at of [told.url, told.lanUrl]) {
    await visit(told, async (person) => {
      const seen = (what: string) =>
        look(told, person, `${new URL(at).hostname}-${what}`);
      if (at === told.url) {
        await person.window.open(at);
        await takesSimilarPhotos(person, ada);
      }
      await openPhotos(person, at, ada);
      if (at === told.url) {
        await reviewsSimilarPhotos(person, seen);
        await sortsAlbums(person, ada, seen);
      }
      const { url: link } = await ada.library.request({
        expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
        maxBytes: 100_000_000,
        maxFiles: 20,
      });
      const paths = at === told.url ? [HEIC, ...samplePhotos().slice(0, 1)] : [
        new URL("../support/media/turned.jpg", import.meta.url).pathname,
        new URL("../support/media/camera.tiff", import.meta.url).pathname,
      ];
      await visit(told, async (stranger) => {
        await getsPhotos(
          person,
          stranger,
          link.replace(told.url, at),
          at,
          paths,
          seen,
        );
      });
    });
  }
}

async function findsStreets(told: Told): Promise<void> {
  await Deno.writeFile(MAP, mapAround(BELLAGIO));
  const ada = await photographer(told.url, "ada");
  for (const name of ["cat.jpg", "coffee.jpg"]) {
    await ada.library.take(await sample(name, { place: BELLAGIO }));
  }
  for (const at of [told.url, told.lanUrl]) {
    await visit(told, async (person) => {
      await openPhotos(person, at, ada);
      await showsStreets(
        person,
        2,
        (what) => look(told, person, `${new URL(at).hostname}-${what}`),
      );
    });
  }
}

async function givesAFrame(told: Told): Promise<void> {
  const ada = await photographer(told.url, "ada");
  const ids: string[] = [];
  for (const name of ["cat.jpg", "coffee.jpg"]) {
    const { row } = await ada.library.take(
      await sample(name, { taken_at: "2024-06-12T10:00:00Z" }),
    );
    ids.push(row.id);
  }
  const { url: link } = await ada.library.share({
    assetIds: ids,
    title: "The hall",
  });
  const walk = await Deno.readFile(
    samplePhotos().find((path) => path.endsWith("rocket.jpg")) ?? "",
  );
  const year = "Takeout/Google Photos/Photos from 2023";
  const sidecar = {
    title: "walk.jpg",
    photoTakenTime: { timestamp: "1686823200" },
    favorited: true,
  };
  const takeout = `${told.dataDir}/takeout-001.zip`;
  await Deno.writeFile(
    takeout,
    zipOf([
      { name: `${year}/walk.jpg`, bytes: walk },
      {
        name: `${year}/walk.jpg.supplemental-metadata.json`,
        bytes: new TextEncoder().encode(JSON.stringify(sidecar)),
      },
    ]),
  );
  for (const at of [told.url, told.lanUrl]) {
    const seen = (person: Person) => (what: string) =>
      look(told, person, `${new URL(at).hostname}-${what}`);
    await visit(told, async (tablet) => {
      const frame = frameLinkOf(link.replace(told.url, at));
      await hangsAFrame(tablet, at, frame, seen(tablet));
    });
    await visit(told, async (person) => {
      await openPhotos(person, at, ada);
      await person.pictures(".grid .tile img", 2);
      await showsSlides(person, seen(person));
      if (at === told.url) {
        await importsAnExport(person, [takeout], seen(person));
      }
    });
  }
}

async function playsVideos(told: Told): Promise<void> {
  const ada = await photographer(told.url, "ada");
  await ada.library.take({
    source: plainOf(await shortVideo()),
    about: {
      name: "holiday.mp4",
      mime: "video/mp4",
      taken_at: "2024-06-12T10:00:00Z",
    },
  });
  for (const at of [told.url, told.lanUrl]) {
    await visit(told, async (person) => {
      await openPhotos(person, at, ada);
      await person.pressAt(".grid a");
      if (!await person.window.run(PLAYS_H264)) {
        // Debian's WebKitGTK comes without the codecs that videos have.
        await person.read("This browser cannot play this video.");
        await person.find("button", "Download");
        return;
      }
      await playsAt(person, 0);
      await look(told, person, `video-${new URL(at).hostname}`);
      await person.window.run(
        `document.querySelector("${PLAYER}").currentTime = 5`,
      );
      await playsAt(person, 5);
    });
  }
}

async function hearsOpus(told: Told): Promise<void> {
  const ada = await photographer(told.url, "ada");
  await ada.library.take({
    source: plainOf(
      await madeFilm({
        video: "h264",
        size: "640x360",
        seconds: 4,
        audio: "opus",
      }),
    ),
    about: {
      name: "sounds.mp4",
      mime: "video/mp4",
      taken_at: "2024-06-12T10:00:00Z",
    },
  });
  for (const at of [told.url, told.lanUrl]) {
    await visit(told, async (person) => {
      await openPhotos(person, at, ada);
      await person.pressAt(".grid a");
      if (!await person.window.run(PLAYS_H264)) return;
      await playsAt(person, 0);
      await until(() => person.window.run(HAS_SOUND), true);
    });
  }
}

const PLAYS_H264 = `return document.createElement("video")
  .canPlayType('video/mp4; codecs="avc1.42E01E"') !== ""`;
const PLAYER = ".lightbox-slide[data-offset='0'] video";
// Firefox has the one, WebKit the other.
const HAS_SOUND = `const player = document.querySelector("${PLAYER}");
  return player.mozHasAudio ?? player.audioTracks.length > 0`;

/** Waits for a picture of that second, or a later one. */
async function playsAt(person: Person, seconds: number): Promise<void> {
  await until(() =>
    person.window.run(
      `const player = document.querySelector("${PLAYER}");
      return player === null ? document.body.innerText.slice(0, 1000) :
        !player.seeking && player.readyState >= 2 &&
        player.currentTime >= arguments[0] || player.dataset.way`,
      seconds,
    ), true);
}
