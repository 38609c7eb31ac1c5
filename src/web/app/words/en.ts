/**
 * English, but for what is shown with the first photos (`en/first.ts`). Another
 * language is two files like these, named in `../first_words.ts`. Plain words:
 * whoever reads them knows photos, and nothing of cryptography.
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
import { phone } from "./en/phone.ts";
import { secrets } from "./en/secrets.ts";
import { settings } from "./en/settings.ts";

/** `1 photo`, `3 photos`. */
function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

export const en = {
  connection,
  entry,
  /** What a form says of its fields. */
  form: {
    missing: "Please fill this in.",
    unfit: "That cannot be right.",
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
  /** The keys of the grid and the viewer. */
  keys: {
    title: "Keys",
    rows: [
      ["← → ↑ ↓", "Go from photo to photo"],
      ["Home End", "To the newest, to the oldest"],
      ["PageUp PageDown", "One screen down"],
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
      ["?", "This list"],
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
    gone: "This photo is not here any more.",
    goneHint: "It was deleted, or the address is of another account.",
    info: "Information",
    download: "Download",
    zoomIn: "Zoom in",
    zoomOut: "Zoom out",
    fullScreen: "Full screen",
    leaveFullScreen: "Leave full screen",
    slideshow: "Slideshow",
    stopSlideshow: "Stop the slideshow",
    /** What can be done, and its short names below a photo on a phone. */
    actions: "What to do with it",
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
    mute: "Sound off",
    small: "In a small window",
    unmute: "Sound on",
    position: "Position in the video",
    live: "Play the live photo",
    liveBadge: "Live",
    loading: "Loading",
    originalDamaged:
      "The original on the server is damaged or was changed. This is the " +
      "smaller picture that was kept beside it.",
    notDrawn: "This browser cannot show this picture. Download it to open it " +
      "with another program.",
    notDrawnOriginal:
      "This browser cannot show the original. This is the smaller picture " +
      "that was kept beside it.",
    notPlayed: "This browser cannot play this video. Download it to play it " +
      "with another program.",
    notHeard: "This browser cannot play this sound. Download it to play it " +
      "with another program.",
    tooLarge: (size: string) =>
      `This video has ${size}, and without https a browser cannot play it ` +
      "before it has all of it. Download it to play it.",
    noPreview: "There is no preview of this kind of file.",
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
      zoneUnknown: "Not known",
      zoneHint: "Time zone where it was taken",
      undated: "Date not known",
      dateSource: {
        name: "From the file's name",
        mtime: "From the file's own date",
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
      openMapWhy: "That website then learns the place.",
      copyPlace: "Copy the coordinates",
      placeCopied: "Coordinates copied",
      placeNotCopied: "This browser does not let the app copy.",
      altitude: (metres: string) => `${metres} m above the sea`,
      albums: "Albums",
      noAlbums: "In no album",
      safety: "Safety",
      saved: "Saved",
      custody: {
        unverified: "Not proven yet on this device",
        receipted: "The server signed for it, and the signature is right",
        confirmed: "The server signed for it, and said again that it has it",
        read_back: "Read back and compared: it is what you added",
        missing: "The server does not have it any more",
        damaged: "What the server has is damaged",
      } as Readonly<Record<string, string>>,
    },
  },
  /** What another app hands over. */
  shared: {
    title: (n: number) => `Add ${count(n, "file")}?`,
    why: "Another app, or a website, shares this with strongroom. Nothing " +
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
    ready: "It is ready.",
    partsWhy: "This browser holds a download in memory until it is whole. So " +
      "it comes in parts.",
    begun: "The download has begun. Keep this page open until it is done.",
    done: (name: string) => `${name} is saved`,
    exported: (files: number, size: string) =>
      `Done: ${count(files, "file")}, ${size}.`,
    noPicker: "The file goes to your downloads.",
    cancelled: "The download was cancelled.",
    left: (n: number) =>
      `${
        count(n, "file is", "files are")
      } too large for this browser. The command line downloads ` +
      "everything: strongroom export-all FOLDER",
    unread: (n: number) => `${count(n, "file")} could not be read:`,
    zipName: "photos.zip",
    exportName: "strongroom-export",
    /** Everything at once. */
    all: {
      why:
        "Each photo and video once, in its folder, as zip files, with what " +
        "is known of it beside it (JSON and XMP): dates, places, captions. A " +
        "list tells what is in which album. Other programs read all of it " +
        "without strongroom.",
      begin: "Export",
      size: (files: number, size: string) => `${count(files, "file")}, ${size}`,
      empty: "There is nothing to export yet.",
      cli: "A large library is exported best with the command line, which " +
        "goes on where it was cut off: strongroom export-all FOLDER",
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
    andMore: (n: number) => `and ${count(n, "more file", "more files")}`,
    pause: "Pause",
    resume: "Go on",
    cancelAll: "Cancel the rest",
    cancelTitle: (n: number) => `Do not add ${count(n, "more file")}?`,
    cancelText: "What was added already stays.",
    more: "Show each file",
    less: "Show less",
    proven: "The server has signed for every one of them",
    states: {
      waiting: "waiting",
      preparing: "getting ready",
      sending: "sending",
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
      offline: "No connection. It goes on by itself.",
      full: "There is no room left. Delete something, or ask whoever runs " +
        "this server for more.",
      lying: "The server's receipt is not right, so nothing more is sent. " +
        "Tell whoever runs this server.",
    },
    unfinished: (n: number) =>
      `${count(n, "file was", "files were")} not finished last time.`,
    unfinishedHint: "Choose them again: what was sent already is not sent " +
      "twice.",
    notAdded: (left: number, total: number) =>
      left >= total
        ? `${count(left, "file was", "files were")} not added.`
        : `${left.toLocaleString("en")} of ${count(total, "file")} ${
          left === 1 ? "was" : "were"
        } not added.`,
    notAddedHint:
      "Choose them or their folder again: what is here already is " +
      "skipped.",
    againFiles: "Choose files",
    againFolder: "Choose the folder",
    forget: "Never mind",
  },
  albums,
  sharing,
  /** What is proven of what is kept. */
  kept,
  trash: {
    title: "Trash",
    empty: "The trash is empty",
    emptyHint: "What you delete stays here for a while before it is gone.",
    hint: "Items are deleted permanently when their time runs out.",
    wholeTitle: (n: number, noun: Noun) => `Delete ${count(n, called(noun))}?`,
    wholeAlso: "Also deleted from:",
    yourLibrary: "Your library",
    wholeWhy: (inAlbums: boolean) =>
      inAlbums
        ? "The people in these albums no longer see it. You can undo this, or " +
          "restore everything from the trash."
        : "You can undo this, or restore everything from the trash.",
    restore: "Restore",
    restored: (n: number, noun: Noun) => `${count(n, called(noun))} restored`,
    purge: "Delete for good",
    purged: (n: number, noun: Noun) =>
      `${count(n, called(noun))} deleted for good`,
    purgeTitle: (n: number, noun: Noun) =>
      `Delete ${count(n, called(noun))} for good?`,
    purgeWhy: "Nobody can bring that back afterwards: not you, and not " +
      "whoever runs this server.",
    emptyNow: "Empty the trash",
    emptyTitle: (n: number, noun: Noun) =>
      `Delete ${n === 1 ? "" : "all "}${count(n, called(noun))} for good?`,
    failed: (n: number, noun: Noun) =>
      `${count(n, called(noun))} could not be moved.`,
  },
  settings,
  phone,
  /** The page of a share link. */
  link: {
    title: "Shared photos",
    from: (who: string) => `From ${who}`,
    summary: (n: number, size: string, noun: Noun) =>
      `${count(n, called(noun))}, ${size}`,
    nothing: "There is nothing in it.",
    unread: (n: number) =>
      `${count(n, "file")} cannot be shown. Ask for the link again.`,
    opening: "Opening…",
    downloadAll: "Download all",
    noLink: "This link is not whole: something is missing from its address, " +
      "or was added to it. Ask for the link again.",
    noKey: "This link is not complete: its last part is missing. " +
      "Ask for the whole link.",
    badKey: "This link is damaged: its last part is not whole. Ask " +
      "for the link again.",
    wrongKey: "The last part of this link does not open it. Ask for " +
      "the link again.",
    ended:
      "This link does not exist, or it has ended. Whoever sent it can make you a new one.",
    passphraseTitle: "Enter the passphrase",
    passphraseHint: "Whoever sent you the link knows it.",
    passphrase: "Passphrase",
    passphraseWrong: "Wrong passphrase.",
    open: "Open",
    waiting: (seconds: number) =>
      `Many requests at once. Going on in ${count(seconds, "second")}.`,
    foot:
      "These photos are decrypted in your browser. The server cannot read " +
      "them. Pass this address on only to people who may see them.",
  },
  guest,
};

/** What a language's catalogue has, apart from what is shown at first. */
export type LaterWords = typeof en;

/** All of a language's texts. */
export type Words = FirstWords & LaterWords;
