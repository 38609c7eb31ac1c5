/**
 * English, but for what is shown with the first photos (`en/first.ts`). Another
 * language is two files like these, named in `../first_words.ts`. Use plain
 * words: readers know photos, but not cryptography.
 */
import { called } from "./en/nouns.ts";
import type { Noun } from "../../workers/photo_lists.ts";
import type { FirstWords } from "./en/first.ts";
import { albums } from "./en/albums.ts";
import { sharing } from "./en/sharing.ts";

import { connection } from "./en/connection.ts";
import { entry } from "./en/entry.ts";
import { guest } from "./en/guest.ts";
import { kept } from "./en/kept.ts";
import { operator } from "./en/operator.ts";
import { phone } from "./en/phone.ts";
import { prove } from "./en/prove.ts";
import { secrets } from "./en/secrets.ts";
import { settings } from "./en/settings.ts";

/** `1 photo`, `3 photos`. */
function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

export const en = {
  connection,
  entry,
  prove,
  /** What a form says of its fields. */
  form: {
    missing: "Please fill this in.",
    unfit: "This doesn't look right.",
  },
  secrets,
  /** Things to search for; the words are those that a query knows. */
  search: {
    placeholder: "Search",
    videos: "Videos",
    clear: "Clear the search",
    screenshots: "Screenshots",
    screenshotsWord: "screenshots",
  },
  /** Where photos were taken, on a map of the world. */
  map: {
    ofAlbum: (title: string) => `Map of “${title}”`,
    label: "Map of the world. The arrow keys move it, plus and minus zoom.",
    zoomIn: "Zoom in",
    zoomOut: "Zoom out",
    all: "Show all places",
    none: "No photo has a place yet",
    noneHint:
      "Photos from a phone or a camera with GPS appear here. To others " +
      "you can add a place: open a photo and its information.",
    /** `photos`: `3 photos`. */
    here: (photos: string) => `Show ${photos} from here`,
    noneHere: "No photos from here",
    byWhom: "Map by Natural Earth, names by GeoNames",
  },
  /** The keys of the grid and the viewer. */
  keys: {
    title: "Keyboard shortcuts",
    rows: [
      ["← → ↑ ↓", "Move between photos"],
      ["Home End", "Go to the newest, to the oldest"],
      ["PageUp PageDown", "One screen up, one screen down"],
      ["Enter", "Open"],
      ["x", "Select or deselect"],
      ["Ctrl+A", "Select everything"],
      ["Shift+→", "Extend the selection"],
      ["Esc", "Clear selection"],
      ["Delete", "Delete"],
      ["f", "Favourite"],
      ["w", "Full screen"],
      ["i", "Information"],
      ["/", "Search"],
      ["?", "Show this list"],
    ] as readonly (readonly [string, string])[],
  },
  /** One photo, large. */
  lightbox: {
    viewer: "Photo",
    close: "Close",
    previous: "Previous",
    next: "Next",
    place: (at: number, of: number) =>
      `${at.toLocaleString("en")} of ${of.toLocaleString("en")}`,
    gone: "This photo is no longer here.",
    goneHint: "It was deleted, or the address belongs to another account.",
    info: "Information",
    download: "Download",
    zoomIn: "Zoom in",
    zoomOut: "Zoom out",
    fullScreen: "Full screen",
    leaveFullScreen: "Leave full screen",
    slideshow: "Slideshow",
    stopSlideshow: "Stop the slideshow",
    /** What can be done, and its short names below a photo on a phone. */
    actions: "Actions",
    short: {
      share: "Share",
      favourite: "Favourite",
      "add-to-album": "Album",
      restore: "Restore",
      delete: "Delete",
      purge: "Delete",
      download: "Download",
      info: "Info",
    } as Readonly<Record<string, string>>,
    play: "Play",
    pause: "Pause",
    mute: "Mute",
    small: "Picture in picture",
    unmute: "Unmute",
    position: "Position in the video",
    live: "Play the live photo",
    liveBadge: "Live",
    loading: "Loading",
    originalDamaged:
      "The original on the server is damaged or was changed. This is the " +
      "preview that was stored with it.",
    notDrawn:
      "This browser cannot show this picture. Download it and open it in " +
      "another app.",
    notDrawnOriginal:
      "This browser cannot show the original. This is the preview that " +
      "was stored with it.",
    notPlayed:
      "This browser cannot play this video. Download it and play it in " +
      "another app.",
    notHeard:
      "This browser cannot play this recording. Download it and play it " +
      "in another app.",
    tooLarge: (size: string) =>
      `This video is ${size}. Without https, the browser has to load all ` +
      "of it before it can play. Download it to play it.",
    noPreview: "There is no preview for this kind of file.",
    textCut: (size: string) => `The first ${size} of this text.`,
    /** The information panel. */
    about: {
      title: "Information",
      caption: "Add a caption",
      captionLabel: "Caption",
      dateEdit: "Change date and time",
      date: "Date",
      time: "Time",
      zone: "Time zone",
      zoneUnknown: "Unknown",
      zoneHint: "Time zone where it was taken",
      undated: "Unknown date",
      dateSource: {
        name: "From the file's name",
        mtime: "From the file's date",
        person: "Set by you",
      } as Readonly<Record<string, string>>,
      added: (when: string) => `Added ${when}`,
      camera: "Camera",
      lens: "Lens",
      file: "File",
      pixels: (width: number, height: number) => `${width} × ${height}`,
      megapixels: (n: string) => `${n} MP`,
      length: "Length",
      place: "Place",
      openPlace: "Open in a map",
      openMap: "Show on OpenStreetMap",
      openMapWhy: "That website then learns this location.",
      copyPlace: "Copy the coordinates",
      placeCopied: "Coordinates copied",
      placeNotCopied: "This browser does not allow copying.",
      altitude: (metres: string) => `${metres} m above sea level`,
      placeNames: "Names of places by GeoNames",
      placeAdd: "Add a place",
      placeEdit: "Change the place",
      placeWhere: "Where was it taken?",
      placeHint: "A town, or coordinates such as 45.98, 9.26",
      placeUnknown: "No town has this name.",
      albums: "Albums",
      noAlbums: "Not in any album",
      safety: "Safety",
      saved: "Saved",
      custody: {
        unverified: "Not proven yet on this device",
        receipted: "The server signed for it, and the signature is valid",
        confirmed:
          "The server signed for it, and has confirmed since that it still " +
          "has it",
        read_back: "Downloaded and compared: it is exactly what you added",
        missing: "The server no longer has it",
        damaged: "The server's copy is damaged",
      } as Readonly<Record<string, string>>,
    },
  },
  /** What another app hands over. */
  shared: {
    title: (n: number) => `Add ${count(n, "file")}?`,
    why: "Another app or a website is sharing this with strongroom. Nothing " +
      "is added until you confirm.",
    add: "Add",
    more: (n: number) => `and ${count(n, "more file")}`,
  },
  /** Downloads of one, of many, and of everything. */
  saving: {
    title: "Downloading",
    files: (done: number, of: number) =>
      `${done.toLocaleString("en")} of ${count(of, "file")}`,
    bytes: (done: string, of: string) => `${done} of ${of}`,
    part: (at: number, of: number) => `Part ${at} of ${of}`,
    savePart: (at: number, of: number) => `Save part ${at} of ${of}`,
    save: "Save",
    ready: "Your download is ready.",
    partsWhy:
      "This browser keeps a download in memory until it is complete, so " +
      "it comes in parts.",
    begun: "The download has started. Keep this page open until it is done.",
    done: (name: string) => `${name} is saved`,
    exported: (files: number, size: string) =>
      `Done: ${count(files, "file")}, ${size}.`,
    noPicker: "You will find the file in your downloads.",
    cancelled: "The download was cancelled.",
    left: (n: number) =>
      `${count(n, "file is", "files are")} too large for this browser. ` +
      "The command line can download everything: strongroom export-all " +
      "FOLDER",
    unread: (n: number) => `${count(n, "file")} could not be read:`,
    zipName: "photos.zip",
    exportName: "strongroom-export",
    /** Everything at once. */
    all: {
      why: "Zip files with each photo and video once, in its folder. Dates, " +
        "places and captions come in JSON and XMP files beside it, and a " +
        "list names what is in which album. Other programs can read all of " +
        "it without strongroom.",
      begin: "Export",
      size: (files: number, size: string) => `${count(files, "file")}, ${size}`,
      empty: "There is nothing to export yet.",
      cli: "For a large library, use the command line. It continues after an " +
        "interruption: strongroom export-all FOLDER",
    },
  },
  /** Adding photos. */
  upload: {
    title: "Adding photos",
    chooseFiles: "Photos and videos",
    chooseFolder: "A whole folder",
    drop: "Drop to add",
    adding: (done: number, total: number) =>
      `${done.toLocaleString("en")} of ${count(total, "file")} done`,
    added: (kept: number, known: number) =>
      known === 0
        ? `${count(kept, "file")} added`
        : kept === 0
        ? `${count(known, "file")} already here`
        : `${count(kept, "file")} added, ${known} already here`,
    /** Said of what the server had lost. */
    back: (n: number, noun: Noun) =>
      `${count(n, called(noun))} ${n === 1 ? "is" : "are"} back`,
    failed: (n: number) => `${count(n, "file")} could not be added`,
    progress: (done: string, total: string) => `${done} of ${total}`,
    percent: (n: number) => `${n} %`,
    /** Of files that prove something of photos, and are none. */
    proofsLeft: (n: number, names: string) =>
      `${count(n, "proof")} not added: ${names}`,
    andMore: (n: number) => `and ${count(n, "more file", "more files")}`,
    pause: "Pause",
    resume: "Resume",
    cancelAll: "Cancel the rest",
    cancelTitle: (n: number) => `Cancel ${count(n, "file")}?`,
    cancelText: "Files already added stay.",
    more: "Show each file",
    less: "Show less",
    proven: "The server has signed for all of them",
    handOver: "Send without this page",
    handing: "Keep this page open a moment. Your browser takes over file by " +
      "file; it leaves files over 256 MiB to this page.",
    handed: (n: number) => `Your browser sends ${count(n, "file")}`,
    mayClose:
      "You can close this page. When you open it again, it names what " +
      "did not arrive.",
    /** What the browser itself shows of it. */
    browserTitle: (n: number) => `strongroom: ${count(n, "file")}`,
    browserAdded: (n: number) =>
      `${count(n, "file")} added without an open page`,
    states: {
      waiting: "waiting",
      preparing: "getting ready",
      sending: "sending",
      handed: "sent by your browser",
      kept: "added",
      known: "already here",
      back: "back again",
      failed: "",
    },
    /** What is said of a file that is kept as it is. */
    notes: { empty: "added, but empty", undrawn: "added, no preview" },
    noted: (n: number) =>
      `${count(n, "file is", "files are")} empty or without a preview. ` +
      `${n === 1 ? "It is" : "They are"} stored unchanged.`,
    halts: {
      paused: "Paused.",
      offline: "No connection. Uploading continues automatically.",
      full: "Your storage is full. Delete something, or ask the person who " +
        "runs this server for more space.",
      lying:
        "The server's receipt is not valid, so nothing more is sent. Tell " +
        "the person who runs this server.",
    },
    unfinished: (n: number) => `${count(n, "file")} did not finish last time.`,
    unfinishedHint: "Choose them again. Nothing is sent twice.",
    notAdded: (left: number, total: number) =>
      left >= total
        ? `${count(left, "file was", "files were")} not added.`
        : `${left.toLocaleString("en")} of ${count(total, "file")} ${
          left === 1 ? "was" : "were"
        } not added.`,
    notAddedHint:
      "Choose them or their folder again. Files that are already here " +
      "are skipped.",
    againFiles: "Choose files",
    againFolder: "Choose the folder",
    forget: "Dismiss",
  },
  albums,
  sharing,
  /** What is proven of what is kept. */
  kept,
  trash: {
    title: "Trash",
    empty: "The trash is empty",
    emptyHint: "Items you delete stay here for a while. Until then you can " +
      "restore them.",
    hint: "Items are deleted permanently when their time runs out.",
    wholeTitle: (n: number, noun: Noun) => `Delete ${count(n, called(noun))}?`,
    wholeAlso: "Also deleted from:",
    yourLibrary: "Your library",
    wholeWhy: (inAlbums: boolean) =>
      inAlbums
        ? "The people in these albums no longer see it. You can undo this, or " +
          "restore everything from the trash."
        : "You can undo this, or restore everything from the trash.",
    notInLinks: "Links no longer show what is in the trash.",
    restore: "Restore",
    restored: (n: number, noun: Noun) => `${count(n, called(noun))} restored`,
    purge: "Delete permanently",
    purged: (n: number, noun: Noun) =>
      `${count(n, called(noun))} deleted permanently`,
    purgeTitle: (n: number, noun: Noun) =>
      `Delete ${count(n, called(noun))} permanently?`,
    purgeWhy: "This cannot be undone, not even by the person who runs this " +
      "server.",
    select: "Select",
    emptyNow: "Empty the trash",
    emptyTitle: (n: number, noun: Noun) =>
      `Delete ${n === 1 ? "" : "all "}${count(n, called(noun))} ` +
      "permanently?",
    failed: (n: number, noun: Noun) =>
      `${count(n, called(noun))} could not be moved.`,
  },
  settings,
  phone,
  operator,
  /** The page of a share link. */
  link: {
    title: "Shared photos",
    from: (who: string) => `From ${who}`,
    summary: (n: number, size: string, noun: Noun) =>
      `${count(n, called(noun))}, ${size}`,
    nothing: "This link is empty.",
    smaller: (n: number, of: number) =>
      n < of
        ? n === 1
          ? "1 of these is a smaller copy without its location, not the " +
            "original file."
          : `${n.toLocaleString("en")} of these are smaller copies without ` +
            "their location, not the original files."
        : of === 1
        ? "This is a smaller copy without its location, not the original file."
        : "These are smaller copies without their location, not the original " +
          "files.",
    unread: (n: number) =>
      `${count(n, "file")} cannot be shown. Ask for the link again.`,
    opening: "Opening…",
    downloadAll: "Download all",
    noLink:
      "This link is wrong: something is missing from its address, or was " +
      "added to it. Ask for the link again.",
    noKey: "This link is incomplete: its last part is missing. Ask for the " +
      "whole link.",
    badKey:
      "This link is damaged: its last part is incomplete or was changed. " +
      "Ask for the link again.",
    wrongKey:
      "This link is damaged: its last part does not open it. Ask for the " +
      "link again.",
    ended:
      "This link does not exist, or it has ended. The person who sent it " +
      "can make you a new one.",
    passphraseTitle: "Enter the passphrase",
    passphraseHint: "The person who sent you the link knows it.",
    passphrase: "Passphrase",
    passphraseWrong: "Wrong passphrase.",
    open: "Open",
    waiting: (seconds: number) =>
      "Too many requests at once. Continuing in " +
      `${count(seconds, "second")}.`,
    foot: "These photos are decrypted in your browser. The server cannot " +
      "read them. Give this address only to people who may see them.",
  },
  guest,
};

/** What a language's catalogue has, apart from what is shown at first. */
export type LaterWords = typeof en;

/** All of a language's texts. */
export type Words = FirstWords & LaterWords;
